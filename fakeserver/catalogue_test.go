package fakeserver_test

import "testing"

func TestWrongNamesHaveTheirNumbers(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	for _, c := range []struct {
		query  string
		number int32
	}{
		{"SELECT Idd FROM dbo.Orders", 207},
		{"SELECT namex FROM sys.tables", 207},
		{"SELECT start_lsm FROM cdc.lsn_time_mapping", 207},
		{"SELECT ordinal_position FROM cdc.captured_columns", 207},
		{"SELECT [__$start_lsn], Extra FROM cdc.dbo_Orders_CT", 207},
		{"SELECT 1 FROM dbo.Order", 156},
		{"SELECT 1 FROM dbo.Ordres", 208},
		{"SELECT 1 FROM sys.tabels", 208},
		{"SELECT 1 FROM cdc.chnage_tables", 208},
		{"SELECT 1 FROM cdc.dbo_Nothing_CT", 208},
		{"SELECT 1 FROM Nowhere.dbo.Orders", 208},
		{"SELECT 1 FROM Plain.cdc.change_tables", 208},
		{"SELECT 1 FROM Gone.dbo.T", 942},
		{"SELECT 1 FROM other.Sales.dbo.Orders", 7202},
		{"SELECT fn_cdc_get_max_lsn()", 195},
		{"SELECT CURRENT_TIMEZONES_ID()", 195},
		{"SELECT sys.fn_cdc_get_mx_lsn()", 4121},
		{"SELECT dbo.fn_cdc_get_max_lsn()", 4121},
		{"SELECT sys.fn_cdc_get_min_lsn()", 313},
		{"SELECT sys.fn_cdc_get_max_lsn(1)", 8144},
		{"SELECT OBJECT_NAME()", 174},
		{"SELECT 1 FROM cdc.fn_cdc_get_all_changes_dbo_Nothing(0x1, 0x2, N'all')", 208},
		{"SELECT 1 FROM cdc.fn_cdc_get_all_changes_dbo_Orders(0x1, 0x2)", 313},
		{"EXEC sys.sp_cdc_help_changes", 2812},
		{"EXEC sys.sp_cdc_get_captured_columns @instance = N'dbo_Orders'", 8145},
		{"EXEC sys.sp_cdc_get_captured_columns N'dbo_Orders', N'x'", 8144},
		{"EXEC sys.sp_cdc_get_captured_columns", 201},
		{"EXEC sys.sp_cdc_get_captured_columns N'dbo_Nothing'", 22981},
		{"EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo'", 22972},
		{"EXEC sys.sp_cdc_help_change_data_capture N'dbo', N'Types'", 22985},
		{"EXEC sys.sp_cdc_help_change_data_capture N'dbo', N'Nothing'", 22981},
		{"EXEC sys.sp_cdc_enable_db", 40000},
		{"EXEC sys.sp_spaceused N'dbo.Nothing'", 15009},
		{"EXEC sys.sp_spaceused N'Other.dbo.Orders'", 15009},
		{"EXEC sys.sp_spaceused N'cdc.dbo_Orders_CT'", 40000},
		{"EXEC sys.sp_spaceused N'dbo.Orders', N'true'", 40000},
		{"EXEC sys.sp_spaceused", 40000},
		{"SELECT OBJECTPROPERTY(1, 'IsTable')", 40000},
		{"SELECT SERVERPROPERTY('IsPolyBaseInstalled')", 40000},
		{"SELECT 1 FROM cdc.fn_cdc_get_net_changes_dbo_Gated(0x10, 0x20, N'all')", 313},
		{"SELECT 1 FROM cdc.fn_cdc_get_net_changes_dbo_Orders(0x10, 0x20, N'all')", 208},
	} {
		wantError(t, db, c.query, c.number)
	}
}

func TestDatabaseWithoutCDC(t *testing.T) {
	s := catalogue(t)
	db := connect(t, dsn(s, "dba", "x", "Plain"))
	wantError(t, db, "EXEC sys.sp_cdc_help_change_data_capture", 22901, "'Plain'")
	wantError(t, db, "SELECT * FROM cdc.change_tables", 208, "cdc.change_tables")
	wantError(t, db, "SELECT sys.fn_cdc_get_max_lsn()", 208, "cdc.lsn_time_mapping")
	want(t, db, "SELECT name, is_cdc_enabled, state_desc FROM sys.databases WHERE database_id > 4 ORDER BY name",
		"Gone false OFFLINE", "Plain false ONLINE", "Sales true ONLINE")
}

func TestObjects(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	want(t, db, `SELECT s.name, t.name, t.is_tracked_by_cdc FROM sys.tables AS t JOIN sys.schemas AS s ON s.schema_id = t.schema_id
		WHERE t.is_ms_shipped = 0 ORDER BY s.name, t.name`,
		"dbo Fresh true", "dbo Gated true", "dbo Orders true", "dbo Types false", "stage Heap false")
	want(t, db, `SELECT c.column_id, c.name, ty.name, c.max_length, c.[precision], c.scale, c.is_nullable, c.is_identity, c.is_computed, c.collation_name
		FROM sys.columns AS c JOIN sys.types AS ty ON ty.user_type_id = c.user_type_id WHERE c.object_id = OBJECT_ID(N'dbo.Orders') ORDER BY c.column_id`,
		"1 Id int 4 10 0 false true false NULL",
		"2 Name nvarchar 100 0 0 true false false SQL_Latin1_General_CP1_CI_AS",
		"4 Secret varchar 20 0 0 true false false SQL_Latin1_General_CP1_CI_AS",
		"5 Qty int 4 10 0 false false false NULL",
		"6 Price decimal 9 10 2 false false false NULL",
		"7 Total decimal 13 20 2 true false true NULL",
		"8 Ver timestamp 8 0 0 false false false NULL")
	want(t, db, "SELECT name, definition FROM sys.computed_columns", "Total ([Qty] * [Price])")
	want(t, db, `SELECT i.name, i.type_desc, i.is_primary_key, c.column_id FROM sys.indexes AS i LEFT JOIN sys.index_columns AS c
		ON c.object_id = i.object_id AND c.index_id = i.index_id WHERE i.object_id IN (OBJECT_ID('dbo.Orders'), OBJECT_ID('stage.Heap')) ORDER BY i.name`,
		"NULL HEAP false NULL", "PK_Orders CLUSTERED true 1")
	want(t, db, "SELECT name, type FROM sys.key_constraints WHERE parent_object_id = OBJECT_ID('[dbo].[Orders]', 'U')", "PK_Orders PK")
	want(t, db, "SELECT p.rows FROM sys.partitions AS p WHERE p.object_id = OBJECT_ID('dbo.Types')", "2")
	want(t, db, "SELECT row_count FROM sys.dm_db_partition_stats WHERE object_id = OBJECT_ID('dbo.Types')", "2")
	want(t, db, "SELECT wait_time_ms FROM sys.dm_exec_session_wait_stats WHERE session_id = @@SPID AND wait_type = 'ASYNC_NETWORK_IO'")
	want(t, db, "EXEC sys.sp_spaceused @objname = N'[dbo].[Types]'", "Types 2                    72 KB 8 KB 0 KB 64 KB")
	want(t, db, "SELECT name FROM sys.types WHERE system_type_id = 231 ORDER BY name", "nvarchar", "sysname")
	want(t, db, "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'stage'", "Heap")
	want(t, db, "SELECT DATA_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE FROM INFORMATION_SCHEMA.COLUMNS WHERE COLUMN_NAME = 'Price'", "decimal 10 2")
	want(t, db, "SELECT COUNT(*), MIN(name), MAX(name) FROM sys.time_zone_info", "139 Afghanistan Standard Time Yukon Standard Time")
	want(t, db, "SELECT current_utc_offset, is_currently_dst FROM sys.time_zone_info WHERE name = 'Eastern Standard Time'", "-05:00 false")
}

func TestMetadataFunctions(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	want(t, db, "SELECT OBJECT_NAME(OBJECT_ID('Orders')), OBJECT_SCHEMA_NAME(OBJECT_ID('stage.[Heap]')), OBJECT_ID('dbo.Nothing'), OBJECT_ID('dbo.Orders', 'V')",
		"Orders stage NULL NULL")
	want(t, db, "SELECT SCHEMA_NAME(SCHEMA_ID('stage')), SCHEMA_NAME(), TYPE_NAME(106), COL_NAME(OBJECT_ID('dbo.Orders'), 4), COL_LENGTH('dbo.Orders', 'Name')",
		"stage dbo decimal Secret 100")
	want(t, db, "SELECT DB_NAME(DB_ID('sales')), DB_ID('nowhere'), HOST_NAME() , APP_NAME()", "Sales NULL "+hostName(t)+" test")
	want(t, db, "SELECT CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(20)), CAST(SERVERPROPERTY('ProductMajorVersion') AS int), CAST(SERVERPROPERTY('EngineEdition') AS int)",
		"16.0.4125.3 16 3")
	want(t, db, "SELECT CAST(DATABASEPROPERTYEX('Sales', 'Updateability') AS nvarchar(20)), CAST(COLLATIONPROPERTY('SQL_Latin1_General_CP1_CI_AS', 'CodePage') AS int), "+
		"CAST(COLLATIONPROPERTY('Polish_CI_AS', 'CodePage') AS int), CAST(COLLATIONPROPERTY('Latin1_General_100_CI_AS_SC_UTF8', 'CodePage') AS int)",
		"READ_WRITE 1252 1250 65001")
	want(t, db, "SELECT @@SERVERNAME, @@TRANCOUNT, @@MICROSOFTVERSION", "FAKESQL 0 268435456")
}

func TestCaptureCatalogue(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	start := full(t, "0x10")
	want(t, db, "SELECT capture_instance, CONVERT(varchar(22), start_lsn, 1), role_name, supports_net_changes FROM cdc.change_tables ORDER BY capture_instance",
		"dbo_Fresh NULL NULL false", "dbo_Gated "+start+" cdc_gate true", "dbo_Orders "+start+" NULL false")
	want(t, db, "SELECT column_name, column_id, column_ordinal, is_computed FROM cdc.captured_columns WHERE object_id = OBJECT_ID('cdc.dbo_Orders_CT') AND column_ordinal > 2",
		"Secret 4 3 false", "Qty 5 4 false", "Price 6 5 false", "Total 7 6 true", "Ver 8 7 false")
	want(t, db, "SELECT column_name, index_ordinal FROM cdc.index_columns WHERE object_id = OBJECT_ID('cdc.dbo_Orders_CT')", "Id 1")
	want(t, db, "SELECT ddl_command, CONVERT(varchar(22), ddl_lsn, 1) FROM cdc.ddl_history", "ALTER TABLE dbo.Orders ADD Extra int NULL "+full(t, "0x18"))
	want(t, db, "SELECT job_type, retention, threshold FROM msdb.dbo.cdc_jobs WHERE database_id = DB_ID() ORDER BY job_type", "capture 0 0", "cleanup 60 5000")

	got, err := rows(db, "EXEC sys.sp_cdc_get_captured_columns @capture_instance = N'DBO_orders'")
	if err != nil || len(got) != 7 || got[4] != "dbo Orders dbo_Orders Price 6 5 decimal NULL 10 10 2 NULL" || got[6] != "dbo Orders dbo_Orders Ver 8 7 timestamp NULL NULL NULL NULL NULL" {
		t.Errorf("captured columns: %q, %v", got, err)
	}
	got, err = rows(db, "EXEC sys.sp_cdc_help_change_data_capture")
	if err != nil || len(got) != 3 {
		t.Fatalf("help: %q, %v", got, err)
	}
	got, err = rows(db, "EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo', @source_name = N'Orders'")
	tail := "NULL false NULL NULL PK_Orders NULL 2026-10-01T10:00:00.123Z [Id] [Id], [Name], [Secret], [Qty], [Price], [Total], [Ver]"
	if err != nil || len(got) != 1 || got[0][len(got[0])-len(tail):] != tail {
		t.Errorf("help for one table: %q, %v", got, err)
	}
	got, err = rows(db, "EXEC sys.sp_cdc_help_jobs")
	if err != nil || len(got) != 2 {
		t.Errorf("jobs: %q, %v", got, err)
	}
}
