package fakeserver_test

import (
	"testing"
	"time"

	"cdcseed/fakeserver"
)

func TestEveryTypeCrossesTheWire(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	for _, c := range []struct{ column, want string }{
		{"c_tinyint", "255"},
		{"c_bigint", "9007199254740993"},
		{"c_bit", "true"},
		{"c_decimal", "-123456789012345678901234.5678901234"},
		{"c_money", "-922337203685477.5808"},
		{"c_float", "0.1"},
		{"c_real", "0.10000000149011612"},
		{"c_date", "0001-01-01T00:00:00Z"},
		{"c_time", "0001-01-01T12:34:56.1234567Z"},
		{"c_datetime", "2026-03-08T01:59:59.997Z"},
		{"c_small", "2026-03-08T01:59:00Z"},
		{"c_dt2", "9999-12-31T23:59:59.9999999Z"},
		{"c_dto", "2026-06-23T00:01:05.0900948-07:00"},
		{"c_char", "café  "},
		{"c_unpadded", "ab"},
		{"c_nchar", "日   "},
		{"c_max", "long 𝄞"},
		{"c_binary", "0x01000000"},
		{"c_guid", "0xFF19966F868B11D0B42D00C04FC964FF"},
		{"c_xml", "<a/>"},
		{"c_geo", "NULL"},
		{"c_variant", "v"},
		{"c_sysname", "dbo"},
	} {
		want(t, db, "SELECT "+c.column+" FROM dbo.Types WHERE c_int = 1", c.want)
		if c.column != "c_sysname" {
			want(t, db, "SELECT "+c.column+" FROM dbo.Types WHERE c_int = 2", "NULL")
		}
	}
	want(t, db, "SELECT DATALENGTH(c_char), DATALENGTH(c_unpadded), DATALENGTH(c_nchar), DATALENGTH(c_binary) FROM dbo.Types WHERE c_int = 1", "6 2 8 4")
	want(t, db, "SELECT is_ansi_padded FROM sys.columns WHERE name = 'c_unpadded'", "false")
}

func TestRowsShowPlainValues(t *testing.T) {
	s := catalogue(t)
	columns, got := s.Rows("Sales", "dbo", "Types", nil)
	if len(columns) != 24 || len(got) != 2 || columns[4].Type != "decimal(38,10)" || columns[17].Type != "nvarchar(max)" || !columns[1].Nullable || *columns[15].AnsiPadded {
		t.Fatalf("%d columns, %d rows: %+v", len(columns), len(got), columns)
	}
	for i, expected := range []any{
		int64(1), int64(255), int64(9007199254740993), true, "-123456789012345678901234.5678901234", "-922337203685477.5808", 0.1, float64(float32(0.1)),
		time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), 12*time.Hour + 34*time.Minute + 56*time.Second + 123456700, time.Date(2026, 3, 8, 1, 59, 59, 997e6, time.UTC),
	} {
		if got[0][i] != expected {
			t.Errorf("%s = %v (%T), want %v", columns[i].Name, got[0][i], got[0][i], expected)
		}
		if i > 0 && got[1][i] != nil {
			t.Errorf("%s of row 2 = %v, want nil", columns[i].Name, got[1][i])
		}
	}
	if got[0][14] != "café  " || got[0][15] != "ab" || got[0][19] != "6F9619FF-8B86-D011-B42D-00C04FC964FF" {
		t.Errorf("texts: %q %q %q", got[0][14], got[0][15], got[0][19])
	}
}

// Rows at an LSN are the table's rows when that commit was the newest.
func TestRowsAtAnLSN(t *testing.T) {
	s := catalogue(t)
	ids := func(at string) (out []any) {
		var l *[10]byte
		if at != "" {
			x := [10]byte(lsn(t, at))
			l = &x
		}
		_, rows := s.Rows("Sales", "dbo", "Orders", l)
		for _, r := range rows {
			out = append(out, r[0], r[1], r[3], r[5])
		}
		return out
	}
	for at, expected := range map[string][]any{
		"0x0":  {int64(1), "one", int64(2), "3.00", int64(2), nil, int64(3), "6.00", int64(3), "three", int64(1), "0.10"},
		"0x2F": {int64(1), "one", int64(2), "3.00", int64(2), nil, int64(3), "6.00", int64(3), "three", int64(1), "0.10"},
		"0x30": {int64(1), "ONE", int64(2), "3.00", int64(2), nil, int64(3), "6.00", int64(3), "three", int64(1), "0.10"},
		"0x40": {int64(1), "ONE", int64(2), "3.00", int64(2), nil, int64(3), "6.00", int64(4), "four", int64(1), "4.00"},
		"0x50": {int64(1), "ONE", int64(2), "3.00", int64(2), nil, int64(3), "6.00", int64(4), "four", int64(7), "28.00"},
		"":     {int64(1), "ONE", int64(2), "3.00", int64(2), nil, int64(3), "6.00", int64(4), "four", int64(7), "28.00"},
	} {
		got := ids(at)
		if len(got) != len(expected) {
			t.Errorf("at %q: %v", at, got)
			continue
		}
		for i := range got {
			if got[i] != expected[i] {
				t.Errorf("at %q: value %d is %v, want %v", at, i, got[i], expected[i])
			}
		}
	}
	if columns, _ := s.Rows("Sales", "dbo", "Nothing", nil); columns != nil {
		t.Error("an unknown table has columns")
	}
}

// Undoing every commit of a world and replaying what its change table holds
// gives today's table: table, history and change rows tell one story.
func TestChangeRowsReplayHistory(t *testing.T) {
	w, err := fakeserver.Named("orders-clock-change")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, w, fakeserver.Options{})
	_, start := s.Rows("Sales", "dbo", "Orders", new([10]byte))
	status := map[int64]int64{}
	for _, r := range start {
		status[r[0].(int64)] = r[2].(int64)
	}
	db := connect(t, s.URL())
	r, err := db.Query("SELECT [__$operation], OrderId, StatusCode FROM cdc.fn_cdc_get_all_changes_dbo_Orders(sys.fn_cdc_get_min_lsn('dbo_Orders'), sys.fn_cdc_get_max_lsn(), N'all') ORDER BY [__$start_lsn], [__$seqval]")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	changes := 0
	for r.Next() {
		var op, id, code int64
		if err := r.Scan(&op, &id, &code); err != nil {
			t.Fatal(err)
		}
		changes++
		if op == 1 {
			delete(status, id)
		} else {
			status[id] = code
		}
	}
	if err := r.Err(); err != nil || changes < 40 {
		t.Fatalf("%d changes, %v", changes, err)
	}
	_, now := s.Rows("Sales", "dbo", "Orders", nil)
	if len(now) != len(status) {
		t.Errorf("%d rows now, %d after replay", len(now), len(status))
	}
	for _, row := range now {
		if code, ok := status[row[0].(int64)]; !ok || code != row[2].(int64) {
			t.Errorf("order %v: status %v now, %v after replay", row[0], row[2], code)
		}
	}
}
