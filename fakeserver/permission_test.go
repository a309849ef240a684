package fakeserver_test

import (
	"os"
	"testing"
)

func hostName(t testing.TB) string {
	t.Helper()
	n, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const zeroLSN = "0x00000000000000000000"

func TestSelectIsDenied(t *testing.T) {
	s := catalogue(t)
	nothing, partial, denied := as(t, s, "nothing"), as(t, s, "partial"), as(t, s, "denied")

	wantError(t, nothing, "SELECT Id FROM dbo.Orders", 229, "'Orders'", "'Sales'", "'dbo'")
	wantError(t, nothing, "SELECT * FROM cdc.change_tables", 229, "'change_tables'", "'cdc'")
	wantError(t, nothing, "SELECT * FROM cdc.dbo_Orders_CT", 229, "'dbo_Orders_CT'")
	wantError(t, nothing, "SELECT 1 FROM cdc.fn_cdc_get_all_changes_dbo_Orders(0x10, 0x20, N'all')", 229)
	wantError(t, nothing, "SELECT * FROM msdb.dbo.cdc_jobs", 229, "'cdc_jobs'", "'msdb'")
	wantError(t, nothing, "SELECT row_count FROM sys.dm_db_partition_stats", 297)
	wantError(t, nothing, "EXEC sys.sp_cdc_help_jobs", 22902)
	want(t, nothing, "SELECT COUNT(*) FROM cdc.lsn_time_mapping", "8")

	want(t, partial, "SELECT Id, Name FROM dbo.Orders WHERE Id = 2", "2 NULL")
	wantError(t, partial, "SELECT Secret FROM dbo.Orders", 230, "'Secret'", "'Orders'")
	wantError(t, partial, "SELECT * FROM dbo.Orders", 230)
	wantError(t, partial, "SELECT Id FROM dbo.Orders WHERE Secret = 's1'", 230, "'Secret'")

	wantError(t, denied, "SELECT Secret FROM dbo.Orders", 230)
	wantError(t, denied, "SELECT c_int FROM dbo.Types", 229)
	want(t, denied, "SELECT A FROM stage.Heap", "1", "1")
}

// Without access the CDC functions and procedures hide the instance.
func TestCaptureIsHidden(t *testing.T) {
	s := catalogue(t)
	minimum := func(instance string) string {
		return "SELECT CONVERT(varchar(22), sys.fn_cdc_get_min_lsn(N'" + instance + "'), 1)"
	}
	for _, c := range []struct{ login, orders, gated string }{
		{"dba", full(t, "0x10"), full(t, "0x10")},
		{"gated", full(t, "0x10"), full(t, "0x10")},
		{"denied", zeroLSN, zeroLSN},  // a denied column; not in the gating role
		{"partial", zeroLSN, zeroLSN}, // not all captured columns
		{"nothing", zeroLSN, zeroLSN},
	} {
		db := as(t, s, c.login)
		want(t, db, minimum("dbo_Orders"), c.orders)
		want(t, db, minimum("dbo_Gated"), c.gated)
		want(t, db, minimum("dbo_Nothing"), zeroLSN)
		if c.orders == zeroLSN {
			wantError(t, db, "EXEC sys.sp_cdc_get_captured_columns N'dbo_Orders'", 22981)
			wantError(t, db, "EXEC sys.sp_cdc_help_change_data_capture N'dbo', N'Orders'", 22981)
		}
	}
	got, err := rows(as(t, s, "nothing"), "EXEC sys.sp_cdc_help_change_data_capture")
	if err != nil || len(got) != 0 {
		t.Errorf("nothing sees %q, %v", got, err)
	}
	want(t, as(t, s, "dba"), minimum("dbo_Fresh"), zeroLSN) // start_lsn is still NULL
}

func TestMetadataIsHidden(t *testing.T) {
	s := catalogue(t)
	nothing, watcher := as(t, s, "nothing"), as(t, s, "watcher")
	want(t, nothing, "SELECT COUNT(*) FROM sys.tables WHERE is_ms_shipped = 0", "0")
	want(t, nothing, "SELECT COUNT(*) FROM sys.columns", "0")
	want(t, nothing, "SELECT OBJECT_ID('dbo.Orders'), HAS_PERMS_BY_NAME('dbo.Orders', 'OBJECT', 'SELECT'), "+
		"HAS_PERMS_BY_NAME('dbo.Nothing', 'OBJECT', 'SELECT')", "NULL 0 0")
	want(t, nothing, "SELECT COUNT(*) FROM sys.schemas WHERE name = 'dbo'", "1")
	wantError(t, nothing, "EXEC sys.sp_cdc_help_change_data_capture N'dbo', N'Types'", 22981)
	wantError(t, nothing, "EXEC sys.sp_spaceused N'dbo.Types'", 15009)

	want(t, watcher, "SELECT HAS_PERMS_BY_NAME('dbo.Orders', 'OBJECT', 'SELECT'), HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE STATE')", "0 1")
	want(t, watcher, "SELECT row_count FROM sys.dm_db_partition_stats WHERE object_id = OBJECT_ID('stage.Heap')", "2")
	want(t, watcher, "SELECT retention FROM msdb.dbo.cdc_jobs WHERE job_type = N'cleanup'", "60")
	want(t, as(t, s, "partial"), "SELECT HAS_PERMS_BY_NAME('dbo.Orders', 'OBJECT', 'SELECT'), HAS_PERMS_BY_NAME('dbo.Orders', 'OBJECT', 'SELECT', 'Name', 'COLUMN'), "+
		"HAS_PERMS_BY_NAME('dbo.Orders', 'OBJECT', 'SELECT', 'Secret', 'COLUMN')", "0 1 0")
	want(t, as(t, s, "gated"), "SELECT IS_ROLEMEMBER('cdc_gate'), IS_ROLEMEMBER('db_owner'), IS_ROLEMEMBER('nothing'), IS_SRVROLEMEMBER('sysadmin')", "1 0 NULL 0")
	want(t, as(t, s, "dba"), "SELECT IS_ROLEMEMBER('db_owner'), IS_SRVROLEMEMBER('sysadmin'), HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE')", "1 1 1")
}
