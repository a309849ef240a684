package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/asof"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// lines are checks as a screen lists them.
func lines(checks []verdict.Check) string {
	var out []string
	for _, c := range checks {
		out = append(out, string(c.Level)+" "+c.Text)
	}
	return strings.Join(out, "\n")
}

func (k *kit) source() engine.SourceView {
	k.t.Helper()
	session, _ := k.open()
	v, err := session.Inspect(k.t.Context())
	k.must(err)
	return v
}

// toldSource is a server and what is said of it.
type toldSource struct {
	name  string
	scene scene
	want  string
	ahead time.Duration // of the server, against this machine
}

func toldSources() []toldSource {
	owner := scene{user: `"roles": ["db_owner"]`, server: serverOf("W. Europe Standard Time", "2026-10-24T11:00:00Z")}
	late := scene{server: serverOf("UTC", "2026-10-24T13:20:00Z")}
	wrong := chinaScene
	wrong.mapping = commits("0x0100", "2026-10-04T09:00:00", "0x0300", "2026-10-05T13:30:00")
	nothing := stoppedScene
	nothing.mapping = none
	return []toldSource{
		{"an owner", owner, `ok connected: SQL Server 2022 (16.0.4125.3) on FAKE
ok CDC is on for Sales; newest captured commit is 1 m old
ok clock: W. Europe Standard Time, now UTC+02:00, 0 ms off this machine
ok this login can read cdc.lsn_time_mapping
ok CDC keeps changes for 3 d`, 0},
		{"a reader", scene{}, `ok connected: SQL Server 2022 (16.0.4125.3) on FAKE
ok CDC is on for Sales; newest captured commit is 1 m old
ok clock: UTC, 0 ms off this machine
ok this login can read cdc.lsn_time_mapping
note cleanup setting not readable by this login; oldest kept commit is 1 h old (2026-10-24T12:00:00Z)`, 0},
		{"capture is late", late, `ok connected: SQL Server 2022 (16.0.4125.3) on FAKE
note CDC is on for Sales; newest captured commit is 21 m old: is the capture job running?
ok clock: UTC
note this machine's clock is behind the server's by 6 s
ok this login can read cdc.lsn_time_mapping
note cleanup setting not readable by this login; oldest kept commit is 1 h 20 m old (2026-10-24T12:00:00Z)`, 6 * time.Second},
		{"nothing is captured", nothing, `ok connected: SQL Server 2022 (16.0.4125.3) on FAKE
note CDC is on for Sales; nothing is captured yet: is the capture job running?
ok clock: UTC, 0 ms off this machine
ok this login can read cdc.lsn_time_mapping
note cleanup setting not readable by this login`, 0},
		{"a replica", replicaScene, `ok connected: SQL Server 2022 (16.0.4125.3) on FAKE
note connected to a read-only replica
ok CDC is on for Sales; newest captured commit is 2 m old
ok clock: UTC, 0 ms off this machine
ok this login can read cdc.lsn_time_mapping
note cleanup setting not readable by this login; oldest kept commit is 1 h old (2026-10-05T09:00:00Z)`, 0},
		{"no zone", offsetScene, `ok connected: SQL Server 2019 (15.0.4345.5) on FAKE
ok CDC is on for Sales; newest captured commit is 10 m old
ok clock: no zone, now UTC+01:00, 0 ms off this machine
note the server cannot name its time zone, so a time is looked up 60 minutes earlier than today's offset says
ok this login can read cdc.lsn_time_mapping
note cleanup setting not readable by this login; oldest kept commit is 5 h old (2026-10-05T07:00:00Z)`, 0},
		{"a clock that contradicts itself", wrong, `ok connected: SQL Server 2022 (16.0.4125.3) on FAKE
ok CDC is on for Sales; newest captured commit is 1 h 30 m ahead of its clock
ok clock: China Standard Time, now UTC+08:00, 0 ms off this machine
note the newest captured commit is later than the server's clock: only an LSN will be taken for as_of
ok this login can read cdc.lsn_time_mapping
note cleanup setting not readable by this login; oldest kept commit is 1 d 3 h old (2026-10-04T01:00:00Z)`, 0},
	}
}

func TestSourceIsTold(t *testing.T) {
	for _, c := range toldSources() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, c.scene)
			server := k.server.Now()
			k.now = func() time.Time { return server.Add(-c.ahead) }
			v := k.source()
			got := strings.ReplaceAll(lines(v.Checks), v.Identity.Server, "FAKE")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if slices.ContainsFunc(v.Checks, func(c verdict.Check) bool { return c.Level == verdict.Note && c.Why == "" }) {
				t.Errorf("a note without a reason: %+v", v.Checks)
			}
		})
	}
}

func TestSourceRefusals(t *testing.T) {
	k := kitIn(t, scene{database: `"cdc": false`, instances: none, mapping: none})
	session, _ := k.open()
	if _, err := session.Inspect(t.Context()); !isCode(err, verdict.CDCOff) {
		t.Error(err)
	}
	k = kitIn(t, scene{user: `"select": []`})
	k.must(k.server.SetFault(fakeserver.Fault{Match: "cdcseed: mapping_newest", Error: &fakeserver.FaultError{Number: 229, Message: "The SELECT permission was denied"}}))
	session, _ = k.open()
	if _, err := session.Inspect(t.Context()); !isCode(err, verdict.SourceDenied) {
		t.Error(err)
	}
}

func TestTableIsTold(t *testing.T) {
	s := scene{
		columns: `{"name": "id", "type": "int"}, {"name": "name", "type": "nvarchar(max)", "nullable": true}, {"name": "body", "type": "xml", "nullable": true},
			{"name": "amount", "type": "decimal(10,2)", "nullable": true}, {"name": "twice", "type": "decimal(11,2)", "computed": "[amount] + [amount]"}`,
		instances: instance("dbo_orders", "0x10", "2026-01-24T11:00:00", `"columns": ["id", "name", "amount"]`) + ", " +
			instance("dbo_orders_v2", "0x20", "2026-10-24T11:30:00"),
	}
	k := kitIn(t, s)
	session, _ := k.open()
	v, err := session.InspectTable(t.Context(), "dbo_orders")
	k.must(err)
	want := `note dbo_orders_v2 also captures this table and adds columns body, twice
note dbo_orders_v2 captures since 2026-10-24T11:30:00 on the server's clock only, 1 h 30 m ago
note computed columns are left out: twice
note name nvarchar(max), body xml: before-images hold NULL unless the column changed`
	if diff := cmp.Diff(want, lines(v.Checks)); diff != "" {
		t.Error(diff)
	}
	if v.Instance != "dbo_orders" || len(v.Key) != 1 || v.Key[0] != "id int" || v.Table.String() != "dbo.orders" {
		t.Errorf("%+v", v)
	}
	if v, err = session.InspectTable(t.Context(), "dbo_orders_v2"); err != nil || !strings.HasPrefix(v.Checks[0].Text, "dbo_orders also captures this table and lacks columns body, twice") {
		t.Error(lines(v.Checks), err)
	}
	if _, err = session.InspectTable(t.Context(), "dbo.orders"); !isCode(err, verdict.InstanceAmbiguous) {
		t.Error(err)
	}
}

func TestTableWithoutAKey(t *testing.T) {
	k := kitOf(t, strings.Replace(scene{}.text(), `"primary_key": ["id"], `, "", 1))
	k.now = k.server.Now
	session, _ := k.open()
	v, err := session.InspectTable(t.Context(), "dbo.orders")
	if err != nil || len(v.Key) != 0 || !strings.Contains(lines(v.Checks), "note no unique index is captured") {
		t.Error(v.Key, lines(v.Checks), err)
	}
}

func TestUncapturedTables(t *testing.T) {
	more := `{"name": "zebra", "columns": [{"name": "id", "type": "int"}], "rows": []}, {"schema": "sales", "name": "ants", "columns": [{"name": "id", "type": "int"}], "rows": []}, {"name": "orders"`
	text := strings.Replace(scene{user: `"roles": ["db_owner"]`}.text(), `{"name": "orders"`, more, 1)
	k := kitOf(t, text)
	session, _ := k.open()
	got, err := session.Uncaptured(t.Context())
	if diff := cmp.Diff([]string{"dbo.zebra", "sales.ants"}, got); err != nil || diff != "" {
		t.Error(diff, err)
	}
}

func TestReadings(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	east := kitIn(t, fallBackScene)
	offset := kitIn(t, offsetScene)
	for _, c := range []struct {
		k    *kit
		text string
		here *time.Location
		want []engine.ReadingView
	}{
		{east, "2026-07-01 12:00", berlin, []engine.ReadingView{
			{Zone: "UTC", Value: "2026-07-01T12:00:00Z"},
			{Zone: "the server's zone (Eastern Standard Time)", Value: "2026-07-01T12:00:00-04:00"},
			{Zone: "this machine's zone (Europe/Berlin)", Value: "2026-07-01T12:00:00+02:00"},
		}},
		{east, "2026-11-01 01:30", time.UTC, []engine.ReadingView{
			{Zone: "UTC", Value: "2026-11-01T01:30:00Z"},
			{Zone: "the server's zone (Eastern Standard Time)", Value: "2026-11-01T01:30:00-04:00", Note: "the first of two times that the clock showed this"},
			{Zone: "the server's zone (Eastern Standard Time)", Value: "2026-11-01T01:30:00-05:00", Note: "the second of two times that the clock showed this"},
			{Zone: "this machine's zone (UTC)", Value: "2026-11-01T01:30:00Z"},
		}},
		{east, "2026-03-29 02:30", berlin, []engine.ReadingView{
			{Zone: "UTC", Value: "2026-03-29T02:30:00Z"},
			{Zone: "the server's zone (Eastern Standard Time)", Value: "2026-03-29T02:30:00-04:00"},
			{Zone: "this machine's zone (Europe/Berlin)", Note: "2026-03-29T02:30:00 does not exist there: the clock was set forward over it"},
		}},
		{offset, "2026-10-05T10:30:00", nil, []engine.ReadingView{
			{Zone: "UTC", Value: "2026-10-05T10:30:00Z"},
			{Zone: "the server's zone (UTC+01:00 today)", Value: "2026-10-05T10:30:00+01:00", Note: "by today's offset: an hour wrong if the server's clock was changed since"},
		}},
	} {
		session, _ := c.k.open()
		got, err := session.Readings(t.Context(), c.text, c.here)
		c.k.must(err)
		for i, r := range got {
			if at, err := asof.Parse(r.Value); r.Value != "" && (err != nil || *at.Instant != r.At) {
				t.Errorf("%s is at %s: %v", r.Value, r.At, err)
			}
			got[i].At = 0
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.text, diff)
		}
	}
	session, _ := east.open()
	for _, text := range []string{"2026-07-01 12:00Z", "soon", ""} {
		if _, err := session.Readings(t.Context(), text, nil); !isCode(err, verdict.AsOfInvalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
