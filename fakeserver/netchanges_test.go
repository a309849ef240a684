package fakeserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cdcseed/fakeserver"
)

// netWorld is the test world with net changes for dbo.Orders.
func netWorld(t *testing.T) *fakeserver.Server {
	t.Helper()
	w := load(t, "catalogue.json")
	w.Databases[0].Instances[0].NetChanges = true
	return serve(t, w, fakeserver.Options{})
}

const netColumns = "SELECT [__$operation], CONVERT(varchar(10), [__$update_mask], 1), Id, Name, Qty FROM cdc.fn_cdc_get_net_changes_dbo_Orders("

// The world's own changes: 1 is updated, 4 inserted and then updated, 3 deleted.
func TestNetChanges(t *testing.T) {
	db := as(t, netWorld(t), "dba")
	const whole = "0x00000000000000000010, 0x00000000000000000080, "
	for option, expected := range map[string][]string{
		"all":            {"4 NULL 1 ONE 2", "1 NULL 3 three 1", "2 NULL 4 four 7"},
		"ALL with Mask":  {"4 0x42 1 ONE 2", "1 NULL 3 three 1", "2 NULL 4 four 7"},
		"all with merge": {"5 NULL 1 ONE 2", "1 NULL 3 three 1", "5 NULL 4 four 7"},
	} {
		t.Run(option, func(t *testing.T) { want(t, db, netColumns+whole+"N'"+option+"')", expected...) })
	}
	// A range that begins behind the insert sees an update only.
	want(t, db, netColumns+"0x00000000000000000050, 0x00000000000000000080, N'all with mask')", "4 0x48 4 four 7")
	want(t, db, "SELECT CONVERT(varchar(22), [__$start_lsn], 1) FROM cdc.fn_cdc_get_net_changes_dbo_Orders("+whole+"'all') WHERE Id = 4", full(t, "0x50"))
	for _, bad := range []string{
		"0x0000000000000000000F, 0x00000000000000000040, N'all'",
		"0x00000000000000000010, 0x00000000000000000081, N'all'",
		"0x00000000000000000040, 0x00000000000000000030, N'all'",
		"NULL, 0x00000000000000000040, N'all'",
		"0x00000000000000000010, 0x00000000000000000040, N'all update old'",
		"0x00000000000000000010, 0x00000000000000000040, NULL",
	} {
		wantError(t, db, netColumns+bad+")", 313, "cdc.fn_cdc_get_net_changes_ ... .")
	}
	wantError(t, db, netColumns+"0x10, 0x20)", 313, "cdc.fn_cdc_get_net_changes_dbo_Orders.")
	wantError(t, db, netColumns+"0x10, 0x20, N'all', 1)", 8144)
}

// What came and went within a range leaves nothing, and what went and came back is an update.
func TestNetChangesOfRowsThatComeAndGo(t *testing.T) {
	s := netWorld(t)
	var from, to fakeserver.LSN
	for i, c := range []fakeserver.Change{
		change("dbo.Orders", "insert", `{"Id":9,"Qty":1,"Price":"1.00"}`),
		change("dbo.Orders", "update", `{"Id":9,"Qty":2}`),
		change("dbo.Orders", "delete", `{"Id":9}`),
		change("dbo.Orders", "delete", `{"Id":2}`),
		change("dbo.Orders", "insert", `{"Id":2,"Qty":5,"Price":"2.00"}`),
		change("dbo.Orders", "update", `{"Id":1,"Qty":6}`),
		change("dbo.Orders", "update", `{"Id":1,"Qty":8,"Name":"eins"}`),
	} {
		l, err := s.Commit("Sales", c)
		if err != nil {
			t.Fatal(err)
		}
		if to = l; i == 0 {
			from = l
		}
	}
	db := as(t, s, "dba")
	want(t, db, netColumns+from.String()+", "+to.String()+", N'all with mask')", "4 0x7F 2 NULL 5", "4 0x4A 1 eins 8")
	want(t, db, netColumns+from.String()+", "+to.String()+", N'all')", "4 NULL 2 NULL 5", "4 NULL 1 eins 8")
}

// The function is there for instances that were made for it, and for those who may read.
func TestNetChangesPermissions(t *testing.T) {
	s := netWorld(t)
	const call = "SELECT COUNT(*) FROM cdc.fn_cdc_get_net_changes_"
	const args = "(0x00000000000000000010, 0x00000000000000000080, N'all')"
	wantError(t, as(t, s, "dba"), call+"dbo_Fresh"+args, 208, "cdc.fn_cdc_get_net_changes_dbo_Fresh")
	wantError(t, as(t, s, "dba"), call+"dbo_Nothing"+args, 208)
	for who, number := range map[string]int32{"partial": 229, "nothing": 229, "denied": 229} {
		wantError(t, as(t, s, who), call+"dbo_Orders"+args, number)
	}
	want(t, connect(t, s.URL()), call+"dbo_Orders"+args, "3")
	wantError(t, connect(t, s.URL()), call+"dbo_Gated"+args, 229) // SELECT alone: the role is missing
	want(t, as(t, s, "gated"), call+"dbo_Gated"+args, "0")
}

// An instance for net changes captures the whole key.
func TestNetChangesNeedTheKey(t *testing.T) {
	w := strings.Replace(minimal, `"start_lsn":"0x10"`, `"columns":["V"],"supports_net_changes":true,"start_lsn":"0x10"`, 1)
	if _, err := fakeserver.ReadWorld(strings.NewReader(w)); err == nil || !strings.Contains(err.Error(), `net changes need the key column "K"`) {
		t.Error(err)
	}
	s := catalogue(t)
	if err := s.Capture("Sales", fakeserver.Instance{Name: "net", Table: "dbo.Orders", NetChanges: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit("Sales", change("dbo.Orders", "update", `{"Id":1,"Qty":6}`)); err != nil {
		t.Fatal(err)
	}
	want(t, as(t, s, "dba"), "SELECT Id, Qty, [__$operation] FROM cdc.fn_cdc_get_net_changes_net(sys.fn_cdc_get_min_lsn('net'), sys.fn_cdc_get_max_lsn(), 'all')", "1 6 4")
}

// An update of the primary key is a delete and an insert of one command.
func TestUpdateOfAPrimaryKey(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Databases[0].Tables[0].Columns[0].Identity = false
	w.Databases[0].Instances[0].NetChanges = true
	s := serve(t, w, fakeserver.Options{})
	move := fakeserver.Change{Table: "dbo.Orders", Op: "update", Key: json.RawMessage(`{"Id":1}`), Row: json.RawMessage(`{"Id":11,"Qty":5}`)}
	l, err := s.Commit("Sales", move, change("dbo.Orders", "update", `{"Id":2,"Qty":4}`))
	if err != nil {
		t.Fatal(err)
	}
	db := as(t, s, "dba")
	const columns = "SELECT [__$operation], CONVERT(varchar(10), [__$update_mask], 1), Id, Qty, [__$command_id] FROM cdc.dbo_Orders_CT WHERE [__$start_lsn] = "
	want(t, db, columns+l.String(), "1 0x7F 1 2 1", "2 0x7F 11 5 1", "3 0x48 2 3 2", "4 0x48 2 4 2")
	want(t, db, "SELECT COUNT(DISTINCT [__$seqval]) FROM cdc.dbo_Orders_CT WHERE [__$start_lsn] = "+l.String(), "3")
	want(t, db, netColumns+l.String()+", "+l.String()+", N'all')", "1 NULL 1 ONE 2", "2 NULL 11 ONE 5", "4 NULL 2 NULL 4")
	want(t, db, "SELECT Id, Qty FROM dbo.Orders ORDER BY Id", "2 4", "4 7", "11 5")
	before := lsn(t, "0x80")
	if _, old := s.Rows("Sales", "dbo", "Orders", (*[10]byte)(&before)); len(old) != 3 {
		t.Errorf("%d rows before the move, not 3", len(old))
	}
	for body, wants := range map[string]string{
		`{"Id":4}`:   "already has this key",
		`{"Nope":4}`: "no such column",
		`[1]`:        "an object",
	} {
		move.Key, move.Row = json.RawMessage(`{"Id":11}`), json.RawMessage(body)
		if _, err := s.Commit("Sales", move); err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%s: %v, want %s", body, err, wants)
		}
	}
	move.Row = json.RawMessage(`{"Id":11,"Qty":6}`) // the same key: an update like any other
	if l, err = s.Commit("Sales", move); err != nil {
		t.Fatal(err)
	}
	want(t, db, columns+l.String(), "3 0x48 11 5 1", "4 0x48 11 6 1")
}

// An identity column keeps its value: SQL Server refuses the statement.
func TestIdentityIsNotUpdated(t *testing.T) {
	s := catalogue(t)
	move := fakeserver.Change{Table: "dbo.Orders", Op: "update", Key: json.RawMessage(`{"Id":1}`), Row: json.RawMessage(`{"Id":11}`)}
	if _, err := s.Commit("Sales", move); err == nil || !strings.Contains(err.Error(), "identity column Id") {
		t.Error(err)
	}
}
