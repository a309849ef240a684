package fakeserver

import "time"

// systemView is a view of the sys schema by its lower-case name.
func (h *host) systemView(name string) *view {
	switch name {
	case "databases":
		return &view{columns: "name sysname!, database_id int!, create_date datetime!, compatibility_level tinyint!, collation_name sysname, " +
			"is_read_only bit, state tinyint, state_desc nvarchar(60), snapshot_isolation_state tinyint, " +
			"snapshot_isolation_state_desc nvarchar(60), is_read_committed_snapshot_on bit, is_cdc_enabled bit!, " +
			"source_database_id int, user_access tinyint, user_access_desc nvarchar(60), is_in_standby bit, is_published bit!, is_subscribed bit!, " +
			"is_merge_published bit!, is_distributor bit!, is_encrypted bit, containment tinyint!, containment_desc nvarchar(60)", rows: databaseRows}
	case "schemas":
		return &view{columns: "name sysname!, schema_id int!, principal_id int", rows: schemaRows}
	case "types":
		return &view{columns: "name sysname!, system_type_id tinyint!, user_type_id int!, schema_id int!, principal_id int, max_length smallint!, " +
			"precision tinyint!, scale tinyint!, collation_name sysname, is_nullable bit, is_user_defined bit!, is_assembly_type bit!, " +
			"default_object_id int!, rule_object_id int!, is_table_type bit!", rows: typeRows}
	case "tables":
		return &view{columns: objectColumns + ", lob_data_space_id int!, max_column_id_used int!, is_replicated bit, is_tracked_by_cdc bit, temporal_type tinyint, " + plainTableColumns, rows: tableRows}
	case "objects":
		return &view{columns: objectColumns, rows: objectRows}
	case "columns":
		return &view{columns: columnColumns, rows: columnRows}
	case "computed_columns":
		return &view{columns: columnColumns + ", definition nvarchar(max), uses_database_collation bit!, is_persisted bit!", rows: computedRows}
	case "identity_columns":
		return &view{columns: columnColumns + ", seed_value sql_variant, increment_value sql_variant", rows: identityRows}
	case "indexes":
		return &view{columns: "object_id int!, name sysname, index_id int!, type tinyint!, type_desc nvarchar(60), is_unique bit, is_primary_key bit, " +
			"is_unique_constraint bit, is_disabled bit, is_hypothetical bit, has_filter bit, " +
			"data_space_id int!, ignore_dup_key bit, fill_factor tinyint!, is_padded bit, allow_row_locks bit, allow_page_locks bit, filter_definition nvarchar(max)", rows: indexRows}
	case "index_columns":
		return &view{columns: "object_id int!, index_id int!, index_column_id int!, column_id int!, key_ordinal tinyint!, partition_ordinal tinyint!, " +
			"is_descending_key bit, is_included_column bit", rows: indexColumnRows}
	case "key_constraints":
		return &view{columns: objectColumns + ", unique_index_id int, is_system_named bit!", rows: keyRows}
	case "partitions":
		return &view{columns: "partition_id bigint!, object_id int!, index_id int!, partition_number int!, hobt_id bigint!, rows bigint", rows: partitionRows}
	case "dm_db_partition_stats":
		return &view{
			columns: "partition_id bigint, object_id int!, index_id int!, partition_number int!, used_page_count bigint, reserved_page_count bigint, row_count bigint",
			rows:    partitionStats, denied: func(s *session, d *database) error {
				if s.mayCountPages(d) {
					return nil
				}
				return errNoState()
			},
		}
	case "dm_exec_session_wait_stats":
		// A row comes into being with a session's first wait, and no session waits here.
		if h.major >= 13 || h.azure() {
			return &view{
				columns: "session_id smallint!, wait_type nvarchar(60)!, waiting_tasks_count bigint!, wait_time_ms bigint!, max_wait_time_ms bigint!, signal_wait_time_ms bigint!",
				rows:    func(*session, *database) [][]any { return nil },
			}
		}
	case "dm_cdc_log_scan_sessions", "dm_cdc_errors":
		return scanView(name)
	case "dm_server_services":
		return servicesView(h)
	case "messages":
		return &view{columns: "message_id int!, language_id smallint!, severity tinyint, is_event_logged bit!, text nvarchar(2048)!", rows: serverMessages}
	case "time_zone_info":
		if h.major >= 13 || h.namesZone() {
			return &view{columns: "name sysname!, current_utc_offset nvarchar(6)!, is_currently_dst bit!", rows: zoneRows}
		}
	}
	return nil
}

func databaseRows(s *session, _ *database) [][]any {
	h := s.srv.host
	created := time.Date(2024, 5, 13, 9, 30, 0, 0, time.UTC)
	var out [][]any
	for _, d := range h.databases {
		if h.azure() && d != s.db && d.name != "master" {
			continue // Azure shows master and the database one is in
		}
		state, text, compat := int64(0), "ONLINE", d.compat
		if d.offline {
			state, text = 6, "OFFLINE"
		}
		if compat == 0 {
			compat = int64(10 * h.major)
		}
		snap, snapText := int64(0), "OFF"
		if d.snapshot {
			snap, snapText = 1, "ON"
		}
		var collation any = d.collation
		if d.offline {
			collation = nil
		}
		out = append(out, []any{
			d.name, d.id, created, compat, collation, h.settings.ReadOnly && !d.system, state, text, snap, snapText, false, d.cdc,
			nil, int64(0), "MULTI_USER", false, false, false, false, false, false, int64(0), "NONE",
		})
	}
	return out
}

func schemaRows(_ *session, d *database) [][]any {
	out := [][]any{{"sys", int64(4), int64(4)}, {"INFORMATION_SCHEMA", int64(3), int64(3)}}
	for _, name := range d.schemas() {
		out = append(out, []any{name, d.schemaID(name), int64(1)})
	}
	return out
}

func typeRows(_ *session, d *database) [][]any {
	var out [][]any
	for _, t := range systemTypes {
		var collation any
		if t.hasCollation {
			collation = d.collation
		}
		clr := t.systemID == 240
		out = append(out, []any{t.name, t.systemID, t.userID, int64(4), nil, t.maxLength, t.precision, t.scale, collation, t.nullableByName, false, clr, int64(0), int64(0), false})
	}
	return append(out, aliasRows(d)...)
}

func zoneRows(s *session, _ *database) [][]any {
	var out [][]any
	for _, name := range zoneNames() {
		loc, _, err := zoneByName(name)
		if err != nil {
			continue // every name of the table is tested to load
		}
		t := s.at.In(loc)
		out = append(out, []any{name, offsetText(t), t.IsDST()})
	}
	return out
}
