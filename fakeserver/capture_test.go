package fakeserver_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

const changeColumns = "SELECT CONVERT(varchar(22), [__$start_lsn], 1), [__$operation], CONVERT(varchar(10), [__$update_mask], 1), Id, Name, Qty, Total "

func TestChangeRows(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	l30, l40, l50 := full(t, "0x30"), full(t, "0x40"), full(t, "0x50")
	// The computed column is NULL; the mask has bit n-1 for captured column n
	// (Ver, the seventh, changes with every update).
	all := []string{
		l30 + " 3 0x42 1 one 2 NULL",
		l30 + " 4 0x42 1 ONE 2 NULL",
		l40 + " 2 0x7F 4 four 1 NULL",
		l40 + " 1 0x7F 3 three 1 NULL",
		l50 + " 3 0x48 4 four 1 NULL",
		l50 + " 4 0x48 4 four 7 NULL",
	}
	order := " ORDER BY [__$start_lsn], [__$seqval], [__$operation]"
	want(t, db, changeColumns+"FROM cdc.dbo_Orders_CT"+order, all...)
	f := "FROM cdc.fn_cdc_get_all_changes_dbo_Orders("
	want(t, db, changeColumns+f+"sys.fn_cdc_get_min_lsn('dbo_Orders'), sys.fn_cdc_get_max_lsn(), N'all update old')"+order, all...)
	want(t, db, changeColumns+f+"0x00000000000000000040, 0x00000000000000000050, N'all')"+order, all[2], all[3], all[5])
	for _, bad := range []string{
		"0x0000000000000000000F, 0x00000000000000000040, N'all'", // below the watermark
		"0x00000000000000000010, 0x00000000000000000081, N'all'", // above the newest
		"0x00000000000000000040, 0x00000000000000000030, N'all'", // upside down
		"NULL, 0x00000000000000000040, N'all'",
		"0x00000000000000000010, 0x00000000000000000040, N'everything'",
	} {
		wantError(t, db, changeColumns+f+bad+")", 313, "cdc.fn_cdc_get_all_changes_ ... .")
	}
	want(t, db, "SELECT Id, Name, Qty, Total FROM dbo.Orders ORDER BY Id", "1 ONE 2 3.00", "2 NULL 3 6.00", "4 four 7 28.00")
	want(t, db, "SELECT COUNT(DISTINCT [__$seqval]), MAX([__$command_id]) FROM cdc.dbo_Orders_CT WHERE [__$start_lsn] = 0x00000000000000000040", "2 2")
}

func change(table, op, body string) fakeserver.Change {
	c := fakeserver.Change{Table: table, Op: op, Row: json.RawMessage(body)}
	if op == "delete" {
		c.Row, c.Key = nil, json.RawMessage(body)
	}
	return c
}

func TestCommitIsAllOrNothing(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	before, err := rows(db, "SELECT Id, Name, CONVERT(varchar(20), Ver, 1) FROM dbo.Orders ORDER BY Id")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Commit("Sales", change("dbo.Orders", "delete", `{"Id":1}`), change("dbo.Orders", "insert", `[9,"nine",null,1,"1.00"]`),
		change("dbo.Orders", "update", `{"Id":2,"Name":"x"}`), change("dbo.Orders", "update", `{"Id":77,"Name":"x"}`))
	if err == nil || !strings.Contains(err.Error(), "changes[3].row: table dbo.Orders has no row with this key") {
		t.Fatal(err)
	}
	after, err := rows(db, "SELECT Id, Name, CONVERT(varchar(20), Ver, 1) FROM dbo.Orders ORDER BY Id")
	if err != nil || strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("the refused commit changed\n%s\nto\n%s (%v)", strings.Join(before, "\n"), strings.Join(after, "\n"), err)
	}
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)", full(t, "0x80"))
}

func TestStoppedCapture(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	if err := s.StopCapture("Sales"); err != nil {
		t.Fatal(err)
	}
	waiting, err := s.Commit("Sales", change("dbo.Orders", "update", `{"Id":2,"Name":"late"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Idle("Sales"); err == nil {
		t.Error("a stopped job wrote an idle entry")
	}
	if err := s.Capture("Sales", fakeserver.Instance{Name: "dbo_Orders_v2", Table: "dbo.Orders", Columns: []string{"Name", "Id"}}); err != nil {
		t.Fatal(err)
	}
	maximum := "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)"
	want(t, db, "SELECT Name FROM dbo.Orders WHERE Id = 2", "late")
	want(t, db, maximum, full(t, "0x80"))
	want(t, db, "SELECT start_lsn FROM cdc.change_tables WHERE capture_instance = 'dbo_Orders_v2'", "NULL")
	if err := s.StartCapture("Sales"); err != nil {
		t.Fatal(err)
	}
	want(t, db, maximum, waiting.String())
	want(t, db, "SELECT Name FROM cdc.dbo_Orders_CT WHERE [__$start_lsn] = "+waiting.String()+" AND [__$operation] = 4", "late")
	want(t, db, "SELECT COUNT(*) FROM cdc.dbo_Orders_v2_CT", "0") // committed before the enable
	want(t, db, "SELECT column_name FROM cdc.captured_columns WHERE object_id = OBJECT_ID('cdc.dbo_Orders_v2_CT') ORDER BY column_ordinal", "Id", "Name")
}

func TestTwoInstances(t *testing.T) {
	s := catalogue(t)
	second := fakeserver.Instance{Name: "dbo_Orders_v2", Table: "dbo.Orders", Columns: []string{"Id", "Qty"}}
	if err := s.Capture("Sales", second); err != nil {
		t.Fatal(err)
	}
	second.Name = "dbo_Orders_v3"
	var e *tds.Error
	if err := s.Capture("Sales", second); !errors.As(err, &e) || e.Number != 22962 {
		t.Errorf("third instance: %v, want 22962", err)
	}
	l, err := s.Commit("Sales", change("dbo.Orders", "update", `{"Id":2,"Name":"x"}`), change("dbo.Orders", "update", `{"Id":2,"Qty":9}`))
	if err != nil {
		t.Fatal(err)
	}
	db := as(t, s, "dba")
	want(t, db, "SELECT [__$operation], Id, Qty FROM cdc.dbo_Orders_v2_CT", "3 2 3", "4 2 9") // Name is not captured there
	want(t, db, "SELECT COUNT(*) FROM cdc.dbo_Orders_CT WHERE [__$start_lsn] = "+l.String(), "4")
	if err := s.DropInstance("Sales", "dbo_Orders"); err != nil {
		t.Fatal(err)
	}
	wantError(t, db, "SELECT 1 FROM cdc.dbo_Orders_CT", 208)
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_get_min_lsn('dbo_Orders'), 1)", zeroLSN)
	if err := s.DropInstance("Sales", "dbo_Orders"); err == nil {
		t.Error("dropped twice")
	}
}

// A LOB that an update leaves alone is NULL in its before image only.
func TestLargeValuesInChangeRows(t *testing.T) {
	s := catalogue(t)
	if err := s.Capture("Sales", fakeserver.Instance{Name: "dbo_Types", Table: "dbo.Types", Columns: []string{"c_int", "c_bit", "c_max"}}); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`{"c_int":1,"c_bit":false}`, `{"c_int":1,"c_max":"new"}`} {
		if _, err := s.Commit("Sales", change("dbo.Types", "update", body)); err != nil {
			t.Fatal(err)
		}
	}
	want(t, as(t, s, "dba"), "SELECT [__$operation], c_bit, c_max FROM cdc.dbo_Types_CT",
		"3 true NULL", "4 false long 𝄞", "3 false long 𝄞", "4 false new")
}
