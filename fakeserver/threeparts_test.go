package fakeserver_test

import (
	"testing"

	"cdcseed/fakeserver"
)

// CDC's functions and procedures can be called from another database by names
// of three parts.
func TestOtherDatabasesCDC(t *testing.T) {
	s := catalogue(t)
	db := connect(t, dsn(s, "dba", "x", "Plain"))
	want(t, db, "SELECT CONVERT(varchar(22), [Sales].sys.fn_cdc_get_max_lsn(), 1), CONVERT(varchar(22), Sales.sys.fn_cdc_get_min_lsn('dbo_Orders'), 1)", full(t, "0x80")+" "+full(t, "0x10"))
	want(t, db, "SELECT COUNT(*) FROM Sales.cdc.fn_cdc_get_all_changes_dbo_Orders(0x00000000000000000010, Sales.sys.fn_cdc_get_max_lsn(), N'all')", "4")
	for _, name := range []string{"Sales.sys.sp_cdc_help_change_data_capture", "[Sales]..[sp_cdc_help_change_data_capture]"} {
		if got, err := rows(db, "EXEC "+name); err != nil || len(got) != 3 {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	want(t, db, "SELECT DB_NAME()", "Plain")
	wantError(t, db, "SELECT sys.fn_cdc_get_max_lsn()", 208, "'cdc.lsn_time_mapping'")
	wantError(t, db, "EXEC sys.sp_cdc_help_change_data_capture", 22901, "'Plain'")
	wantError(t, db, "SELECT Sales.dbo.fn_cdc_get_max_lsn()", 4121)
	wantError(t, db, "EXEC Nowhere.sys.sp_cdc_help_change_data_capture", 911)
	wantError(t, db, "EXEC Gone.sys.sp_cdc_help_change_data_capture", 942)
	wantError(t, db, "EXEC Sales.dbo.sp_cdc_help_changes", 2812)
	stranger := connect(t, dsn(s, "stranger", "x", "Plain"))
	wantError(t, stranger, "SELECT Sales.sys.fn_cdc_get_max_lsn()", 916)
	wantError(t, stranger, "EXEC Sales.sys.sp_cdc_help_change_data_capture", 916)
}

// In Azure SQL Database there is no way to another database; a Managed
// Instance names its zone whatever its product version says.
func TestAzureEditions(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Server.EngineEdition, w.Server.ProductVersion = 5, "12.0.2000.8"
	w.Logins = w.Logins[:2] // the others have msdb
	s := serve(t, w, fakeserver.Options{})
	db := as(t, s, "dba")
	want(t, db, "SELECT CONVERT(varchar(22), Sales.sys.fn_cdc_get_max_lsn(), 1), CURRENT_TIMEZONE_ID()", full(t, "0x80")+" Eastern Standard Time")
	wantError(t, db, "SELECT Plain.sys.fn_cdc_get_max_lsn()", 40515)
	w.Server.EngineEdition = 8
	db = as(t, serve(t, w, fakeserver.Options{}), "dba")
	want(t, db, "SELECT CURRENT_TIMEZONE_ID(), CAST(SERVERPROPERTY('EngineEdition') AS int), (SELECT COUNT(*) FROM msdb.dbo.cdc_jobs)", "Eastern Standard Time 8 2")
}
