package fakeserver_test

import "testing"

// What SQL Server has and the fake does not play is 40000; what neither has is
// a mistake, or NULL where SQL Server says so.
func TestGapsAreNotMistakes(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	for _, name := range []string{"sys.foreign_keys", "sys.dm_exec_sessions", "SYS.SQL_Modules", "sys.sysobjects", "INFORMATION_SCHEMA.KEY_COLUMN_USAGE", "Sales.sys.triggers"} {
		wantError(t, db, "SELECT 1 FROM "+name, 40000, name)
	}
	for _, name := range []string{"sys.foreign_keyz", "sys.tables_", "dbo.foreign_keys", "foreign_keys", "INFORMATION_SCHEMA.KEYS", "sys.[views procedures]"} {
		wantError(t, db, "SELECT 1 FROM "+name, 208)
	}
	wantError(t, db, "SELECT SERVERPROPERTY('ProductUpdateLevel')", 40000)
	wantError(t, db, "SELECT DATABASEPROPERTYEX('Sales', 'Recovery')", 40000)
	want(t, db, "SELECT SERVERPROPERTY('NoSuchThing'), DATABASEPROPERTYEX('Sales', 'NoSuchThing'), SERVERPROPERTY(NULL)", "NULL NULL NULL")
}
