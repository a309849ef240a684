package fakeserver_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

const manyTables, manyColumns = 1000, 10

// many is a world of a thousand captured tables of ten columns. Its first login
// owns the database, its second may read dbo and no more.
func many() *fakeserver.World {
	d := fakeserver.Database{Name: "Sales", CDC: true}
	start, err := fakeserver.ParseLSN("0x00000025000000580001")
	if err != nil {
		panic(err)
	}
	for i := range manyTables {
		t := fakeserver.Table{Name: fmt.Sprintf("T%04d", i), PrimaryKey: []string{"C0"}}
		var columns []string
		for k := range manyColumns {
			name := fmt.Sprintf("C%d", k)
			columns = append(columns, name)
			t.Columns = append(t.Columns, fakeserver.Column{Name: name, Type: "varchar(20)"})
		}
		d.Tables = append(d.Tables, t)
		d.Instances = append(d.Instances, fakeserver.Instance{
			Name: "dbo_" + t.Name, Table: "dbo." + t.Name, Start: &start, Created: "2026-02-01T10:00:00", Columns: columns,
		})
	}
	return &fakeserver.World{
		Format: 1,
		Server: fakeserver.ServerSettings{ProductVersion: "16.0.4125.3", TimeZone: "UTC", Now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)},
		Logins: []fakeserver.Login{
			{Name: "dba", Password: "x", SysAdmin: true},
			{Name: "reader", Password: "x", Users: []fakeserver.User{
				{Database: "Sales", Select: []fakeserver.Grant{{On: "dbo"}, {On: "cdc"}}},
			}},
		},
		Databases: []fakeserver.Database{d},
	}
}

// look is one statement of the engine's look at a table.
func look(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "engine", "sqlserver", "queries", name+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lookAt are the named parameters of a look at dbo.T0700.
func lookAt(names ...string) []any {
	values := map[string]any{"schema": "dbo", "table": "T0700", "instance": "dbo_T0700"}
	var out []any
	for _, n := range names {
		out = append(out, sql.Named(n, values[n]))
	}
	return out
}

// What a statement asks of the catalogue does not grow with the tables that it
// asks about none of: the objects are listed once for a function where it is
// compiled, and the same question is asked once.
func TestLookAtOneOfManyTables(t *testing.T) {
	s := serve(t, many(), fakeserver.Options{})
	for _, login := range []string{"dba", "reader"} {
		db := as(t, s, login)
		for _, c := range []struct {
			query        string
			args         []any
			rows         int
			calls, lists int // at most
		}{
			{look(t, "instances"), nil, manyTables, 0, 0},
			{look(t, "row_counts"), nil, manyTables, 0, 0},
			{look(t, "source_columns"), lookAt("schema", "table"), manyColumns, 3, 2},
			{look(t, "captured_columns"), lookAt("instance"), manyColumns, 0, 0},
			{look(t, "column_rights"), lookAt("schema", "table"), manyColumns, manyColumns + 2, 3},
			{look(t, "change_table_rights"), lookAt("instance"), 1, 1, 1},
			{look(t, "tracked_tables"), nil, manyTables, 1, 0},
			{look(t, "uncaptured_tables"), nil, 0, 2, 0},
			{look(t, "min_lsn"), lookAt("instance"), 1, 1, 0},
			{"SELECT OBJECT_NAME(c.object_id) FROM sys.columns AS c WHERE c.name = N'C3' AND OBJECT_SCHEMA_NAME(c.object_id) = N'dbo'", nil, manyTables, 6000, 3},
			{"SELECT c.name FROM sys.columns AS c WHERE c.object_id IN (SELECT OBJECT_ID(N'dbo.T0700') UNION ALL SELECT OBJECT_ID(N'dbo.T0701'))", nil, 2 * manyColumns, 2, 2},
			{"SELECT c.name FROM sys.columns AS c WHERE c.object_id = (SELECT OBJECT_ID(N'dbo.T0700'))", nil, manyColumns, 1, 1},
			{"SELECT c.name FROM sys.tables AS t JOIN sys.columns AS c ON c.object_id = t.object_id WHERE t.object_id = OBJECT_ID(N'dbo.T0700')", nil, manyColumns, 2, 2},
		} {
			calls, lists := s.Work()
			got, err := rows(db, c.query, c.args...)
			if err != nil || len(got) != c.rows {
				t.Errorf("%s: %d rows, want %d (%v)\n%s", login, len(got), c.rows, err, c.query)
			}
			nowCalls, nowLists := s.Work()
			if nowCalls-calls > c.calls || nowLists-lists > c.lists {
				t.Errorf("%s: %d calls and %d lists of objects, want at most %d and %d\n%s", login, nowCalls-calls, nowLists-lists, c.calls, c.lists, c.query)
			}
		}
	}
}

// What is kept is kept for a statement: the next one of the same batch asks anew,
// in the database that it runs in.
func TestNothingIsKeptForTheNextStatement(t *testing.T) {
	w := many()
	w.Databases = append(w.Databases, fakeserver.Database{Name: "Other"})
	db := as(t, serve(t, w, fakeserver.Options{}), "dba")
	got, err := rows(db, "DECLARE @n int = OBJECT_ID(N'dbo.T0700'); USE Other; SELECT DB_NAME(), CASE WHEN @n > 0 THEN 1 END, OBJECT_ID(N'dbo.T0700')")
	if err != nil || len(got) != 1 || got[0] != "Other 1 NULL" {
		t.Error(got, err)
	}
}

// BenchmarkLookAtOneOfManyTables is the statement that reads a table's columns.
func BenchmarkLookAtOneOfManyTables(b *testing.B) {
	db := as(b, serve(b, many(), fakeserver.Options{}), "reader")
	query := look(b, "source_columns")
	for b.Loop() {
		if got, err := rows(db, query, lookAt("schema", "table")...); err != nil || len(got) != manyColumns {
			b.Fatal(got, err)
		}
	}
}
