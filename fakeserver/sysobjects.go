package fakeserver

import "time"

const objectColumns = "name sysname!, object_id int!, principal_id int, schema_id int!, parent_object_id int!, type char(2), type_desc nvarchar(60), " +
	"create_date datetime!, modify_date datetime!, is_ms_shipped bit!, is_published bit!, is_schema_published bit!"

const columnColumns = "object_id int!, name sysname, column_id int!, system_type_id tinyint!, user_type_id int!, max_length smallint!, precision tinyint!, " +
	"scale tinyint!, collation_name sysname, is_nullable bit, is_ansi_padded bit!, is_rowguidcol bit!, is_identity bit!, is_computed bit!, " +
	"is_filestream bit!, is_replicated bit, is_xml_document bit!, is_sparse bit, is_column_set bit, generated_always_type tinyint, is_hidden bit!, is_masked bit!, " +
	"is_non_sql_subscribed bit, is_merge_published bit, is_dts_replicated bit, xml_collection_id int!, default_object_id int!, rule_object_id int!, " +
	"generated_always_type_desc nvarchar(60), encryption_type int, encryption_type_desc nvarchar(64), encryption_algorithm_name sysname, " +
	"column_encryption_key_id int, column_encryption_key_database_name sysname, graph_type int, graph_type_desc nvarchar(60)"

// createdAt is when every object was made: long before anything that matters.
func createdAt() time.Time { return time.Date(2024, 5, 13, 9, 31, 0, 0, time.UTC) }

func objectRow(name string, id, schema, parent int64, typ, desc string, shipped bool) []any {
	return []any{name, id, nil, schema, parent, typ, desc, createdAt(), createdAt(), shipped, false, false}
}

// visibleTables lists the user tables that the catalogue shows the caller.
func (s *session) visibleTables(d *database) (out []*table) {
	for _, t := range d.tables {
		if s.sees(d, t) {
			out = append(out, t)
		}
	}
	return out
}

// cdcObjects lists the tables of the cdc schema that the caller may read,
// with their ids.
func (s *session) cdcObjects(d *database) (names []string, ids []int64) {
	if !d.cdc {
		return nil, nil
	}
	for i, n := range cdcTableNames {
		if s.mayRead(d, "cdc", n, "") || n == "lsn_time_mapping" {
			names, ids = append(names, n), append(ids, int64(517576882+16*i))
		}
	}
	for _, in := range d.instances {
		if s.mayRead(d, "cdc", in.name+"_CT", "") {
			names, ids = append(names, in.name+"_CT"), append(ids, in.id)
		}
	}
	return names, ids
}

const plainTableColumns = "filestream_data_space_id int, lock_on_bulk_load bit!, uses_ansi_nulls bit, has_replication_filter bit, " +
	"is_merge_published bit, is_sync_tran_subscribed bit, has_unchecked_assembly_data bit!, text_in_row_limit int, large_value_types_out_of_row bit, " +
	"lock_escalation tinyint, lock_escalation_desc nvarchar(60), is_filetable bit, is_memory_optimized bit, durability tinyint, " +
	"durability_desc nvarchar(60), temporal_type_desc nvarchar(60), history_table_id int, is_remote_data_archive_enabled bit, is_external bit!, " +
	"is_node bit, is_edge bit"

// plainTable is what sys.tables says of every table here: that it is nothing special.
func plainTable() []any {
	return []any{
		nil, false, true, false, false, false, false, int64(0), false, int64(0), "TABLE", false, false, int64(0), "SCHEMA_AND_DATA",
		"NON_TEMPORAL_TABLE", nil, false, false, false, false,
	}
}

func tableRows(s *session, d *database) [][]any {
	var out [][]any
	for _, t := range s.visibleTables(d) {
		row := objectRow(t.name, t.id, d.schemaID(t.schema), 0, "U ", "USER_TABLE", false)
		tracked := len(d.instancesOf(t)) > 0
		out = append(out, append(append(row, int64(0), int64(t.columns[len(t.columns)-1].id), tracked, tracked, int64(0)), plainTable()...))
	}
	names, ids := s.cdcObjects(d)
	for i, n := range names {
		row := objectRow(n, ids[i], d.schemaID("cdc"), 0, "U ", "USER_TABLE", true)
		out = append(out, append(append(row, int64(0), int64(0), false, false, int64(0)), plainTable()...))
	}
	return out
}

func objectRows(s *session, d *database) [][]any {
	var out [][]any
	for _, t := range s.visibleTables(d) {
		out = append(out, objectRow(t.name, t.id, d.schemaID(t.schema), 0, "U ", "USER_TABLE", false))
		if len(t.key) > 0 {
			out = append(out, t.keyObject(d))
		}
	}
	names, ids := s.cdcObjects(d)
	for i, n := range names {
		out = append(out, objectRow(n, ids[i], d.schemaID("cdc"), 0, "U ", "USER_TABLE", true))
	}
	for _, f := range s.visibleEnumerations(d) {
		out = append(out, objectRow(f.name, f.id, d.schemaID("cdc"), 0, "IF", "SQL_INLINE_TABLE_VALUED_FUNCTION", true))
	}
	return out
}

// keyObject is the primary key's row in sys.objects.
func (t *table) keyObject(d *database) []any {
	return objectRow(t.primaryKeyName(), t.id+1, d.schemaID(t.schema), t.id, "PK", "PRIMARY_KEY_CONSTRAINT", false)
}

func keyRows(s *session, d *database) [][]any {
	var out [][]any
	for _, t := range s.visibleTables(d) {
		if len(t.key) > 0 {
			out = append(out, append(t.keyObject(d), int64(1), false))
		}
	}
	return out
}

func columnRow(d *database, t *table, c *column) []any {
	st, _ := systemTypeByName(c.typ.name)
	var collation any
	if c.typ.isText() {
		collation = d.collation
	}
	length := c.typ.maxLength()
	return []any{
		t.id, c.name, int64(c.id), st.systemID, c.typeID(), length, int64(c.typ.precision), int64(c.typ.scale), collation,
		c.nullable || c.computed != nil, c.padded, false, c.identity, c.computed != nil, false, len(d.instancesOf(t)) > 0, false, false, false, int64(0), false, false,
		false, false, false, int64(0), int64(0), int64(0), "NOT_APPLICABLE", nil, nil, nil, nil, nil, nil, nil,
	}
}

// eachColumn collects a row for every visible column, of change tables as well,
// that keep accepts.
func (s *session) eachColumn(d *database, keep func(*column) bool, extra func(*column) []any) [][]any {
	var out [][]any
	for _, t := range append(s.visibleTables(d), s.visibleChangeTables(d)...) {
		for _, c := range t.columns {
			if keep(c) {
				out = append(out, append(columnRow(d, t, c), extra(c)...))
			}
		}
	}
	return out
}

func columnRows(s *session, d *database) [][]any {
	return s.eachColumn(d, func(*column) bool { return true }, func(*column) []any { return nil })
}

func computedRows(s *session, d *database) [][]any {
	return s.eachColumn(d, func(c *column) bool { return c.computed != nil },
		func(c *column) []any { return []any{"(" + c.computed.text + ")", false, false} })
}

func identityRows(s *session, d *database) [][]any {
	return s.eachColumn(d, func(c *column) bool { return c.identity },
		func(*column) []any { return []any{int64(1), int64(1)} })
}

func indexRows(s *session, d *database) [][]any {
	rest := []any{int64(1), false, int64(0), false, true, true, nil}
	var out [][]any
	for _, t := range s.visibleTables(d) {
		if len(t.key) == 0 {
			out = append(out, append([]any{t.id, nil, int64(0), int64(0), "HEAP", false, false, false, false, false, false}, rest...))
			continue
		}
		out = append(out, append([]any{t.id, t.primaryKeyName(), int64(1), int64(1), "CLUSTERED", true, true, false, false, false, false}, rest...))
	}
	return out
}

func indexColumnRows(s *session, d *database) [][]any {
	var out [][]any
	for _, t := range s.visibleTables(d) {
		for i, k := range t.key {
			out = append(out, []any{t.id, int64(1), int64(i + 1), int64(t.columns[k].id), int64(i + 1), int64(0), false, false})
		}
	}
	return out
}

// indexOfRows is the index that holds t's rows: 1 for a key, 0 for a heap.
func (t *table) indexOfRows() int64 { return int64(min(1, len(t.key))) }

func partitionRows(s *session, d *database) [][]any {
	var out [][]any
	for _, t := range s.visibleTables(d) {
		id := 72057594000000000 + t.id
		out = append(out, []any{id, t.id, t.indexOfRows(), int64(1), id, int64(len(t.rows))})
	}
	return out
}

func partitionStats(s *session, d *database) [][]any {
	var out [][]any
	for _, t := range s.visibleTables(d) {
		used, reserved := t.pages()
		out = append(out, []any{72057594000000000 + t.id, t.id, t.indexOfRows(), int64(1), used, reserved, int64(len(t.rows))})
	}
	return out
}

// pages is how many pages of 8 KB t uses and has: about fifty rows to a page,
// and one extent in reserve.
func (t *table) pages() (used, reserved int64) {
	used = int64(len(t.rows)/50 + 1)
	return used, used + 8
}
