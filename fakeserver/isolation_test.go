package fakeserver_test

import (
	"context"
	"database/sql"
	"testing"

	"cdcseed/fakeserver"
)

// snapshot begins a transaction under snapshot isolation.
func snapshot(t *testing.T, db *sql.DB) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelSnapshot})
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// readsTables are statements that read tables of the database, named or not.
var readsTables = [...]string{
	"SELECT COUNT(*) FROM dbo.Orders",
	"SELECT COUNT(*) FROM Sales.dbo.Orders",
	"SELECT COUNT(*) FROM cdc.lsn_time_mapping",
	"SELECT COUNT(*) FROM cdc.dbo_Orders_CT",
	"SELECT COUNT(*) FROM cdc.fn_cdc_get_all_changes_dbo_Orders(0x00000000000000000010, 0x00000000000000000080, N'all')",
	"SELECT sys.fn_cdc_get_max_lsn()",
	"SELECT sys.fn_cdc_get_min_lsn(N'dbo_Orders')",
	"SELECT sys.fn_cdc_map_time_to_lsn('largest less than', GETDATE())",
	"EXEC sys.sp_cdc_help_change_data_capture",
}

// Snapshot isolation that the database does not allow shows when a table is
// read, and not before.
func TestSnapshotIsolationThatIsNotAllowed(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	for _, query := range readsTables {
		tx := snapshot(t, db)
		wantError(t, tx, query, 3952, "'Sales'")
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
	tx := snapshot(t, db)
	want(t, tx, "SELECT 1", "1")
	want(t, tx, "SELECT name FROM sys.tables WHERE name = 'Heap'", "Heap")
	want(t, tx, "SELECT COUNT(*) FROM stage.Heap WITH (READCOMMITTED)", "2")
	want(t, tx, "SELECT COUNT(*) FROM msdb.dbo.cdc_jobs", "2")
	want(t, tx, "SELECT name FROM sys.databases WHERE snapshot_isolation_state = 1 ORDER BY name", "master", "msdb")
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	// The pool's reset takes the level back.
	want(t, db, "SELECT COUNT(*) FROM stage.Heap", "2")
	wantError(t, db, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; SELECT COUNT(*) FROM stage.Heap", 3952)
}

func TestSnapshotIsolationThatIsAllowed(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Databases[0].Snapshot = true
	tx := snapshot(t, as(t, serve(t, w, fakeserver.Options{}), "dba"))
	for _, query := range readsTables {
		if _, err := rows(tx, query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
}
