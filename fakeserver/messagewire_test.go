package fakeserver_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/golang-sql/sqlexp"
	mssql "github.com/microsoft/go-mssqldb"
)

// notices runs a batch and returns what the server said beside its results.
func notices(t *testing.T, db querier, batch string) (out []mssql.Error, failed []error) {
	t.Helper()
	said := &sqlexp.ReturnMessage{}
	ctx := context.Background()
	r, err := db.QueryContext(ctx, batch, said)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for more := true; more; {
		switch m := said.Message(ctx).(type) {
		case sqlexp.MsgNotice:
			var e mssql.Error
			if !errors.As(m.Message.(error), &e) {
				t.Fatalf("%T", m.Message)
			}
			out = append(out, e)
		case sqlexp.MsgError:
			failed = append(failed, m.Error)
		case sqlexp.MsgNext:
			for r.Next() {
			}
		case sqlexp.MsgNextResultSet:
			more = r.NextResultSet()
		}
	}
	return out, failed
}

// PRINT, USE and RAISERROR of class 10 and below are INFO, with their number,
// state, class and line; none of them fails the batch.
func TestInfoMessages(t *testing.T) {
	s := catalogue(t)
	c := single(t, as(t, s, "dba"))
	for batch, w := range map[string]mssql.Error{
		"PRINT 'hello'":                  {Number: 0, State: 1, Class: 0, Message: "hello", LineNo: 1},
		"SELECT 1;\n\nPRINT N'h' + N'é'": {Number: 0, State: 1, Class: 0, Message: "hé", LineNo: 3},
		"USE Plain":                      {Number: 5701, State: 1, Class: 0, Message: "Changed database context to 'Plain'.", LineNo: 1},
		"\nUSE Sales":                    {Number: 5701, State: 1, Class: 0, Message: "Changed database context to 'Sales'.", LineNo: 2},
		"RAISERROR('low %d', 5, 7, 3)":   {Number: 50000, State: 7, Class: 5, Message: "low 3", LineNo: 1},
		"\n\nRAISERROR('as 0', 10, 2)":   {Number: 50000, State: 2, Class: 0, Message: "as 0", LineNo: 3},
	} {
		got, failed := notices(t, c, batch)
		if len(got) != 1 || len(failed) != 0 {
			t.Errorf("%q: %+v, %v", batch, got, failed)
			continue
		}
		g := got[0]
		if g.Number != w.Number || g.State != w.State || g.Class != w.Class || g.Message != w.Message || g.LineNo != w.LineNo || g.ProcName != "" || g.ServerName != "FAKESQL" {
			t.Errorf("%q: %+v, want %+v", batch, g, w)
		}
	}
}

// An error says where it was: the line of its statement in the batch, or the
// procedure.
func TestErrorsSayWhere(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	for batch, w := range map[string]mssql.Error{
		"DECLARE @a int\n\nSELECT 1/0":               {Number: 8134, State: 1, Class: 16, LineNo: 3},
		"SELECT 1;\nSELECT nothing FROM stage.Heap":  {Number: 207, State: 1, Class: 16, LineNo: 2},
		"\nSELECT 1 FROM nowhere":                    {Number: 208, State: 1, Class: 16, LineNo: 2},
		"SELECT 1\nSELECT FROM":                      {Number: 156, State: 1, Class: 15, LineNo: 2},
		"\n\n\nRAISERROR('mine', 14, 9)":             {Number: 50000, State: 9, Class: 14, LineNo: 4},
		"EXEC nowhere":                               {Number: 2812, State: 62, Class: 16, LineNo: 1},
		"EXEC sys.sp_cdc_help_change_data_capture 1": {Number: 22972, State: 1, Class: 16, LineNo: 1},
	} {
		_, err := rows(db, batch)
		var e mssql.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", batch, err)
			continue
		}
		inProc := strings.HasSuffix(e.ProcName, "sp_cdc_help_change_data_capture")
		if e.Number != w.Number || e.State != w.State || e.Class != w.Class || e.LineNo != w.LineNo || inProc != (w.Number == 22972) || !inProc && e.ProcName != "" {
			t.Errorf("%q: %d state %d class %d line %d proc %q, want %d state %d class %d line %d",
				batch, e.Number, e.State, e.Class, e.LineNo, e.ProcName, w.Number, w.State, w.Class, w.LineNo)
		}
	}
}
