package fakeserver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/fakeserver"
)

// minimal is a world that each refusal below breaks in one place.
const minimal = `{"format":1,
"server":{"product_version":"16.0.1","time_zone":"UTC","now":"2026-10-05T10:00:00Z"},
"logins":[{"name":"u","password":"p","users":[{"database":"D"}]}],
"databases":[{"name":"D","cdc":true,
 "tables":[{"name":"T","primary_key":["K"],"columns":[{"name":"K","type":"int"},{"name":"V","type":"varchar(3)","nullable":true},{"name":"N","type":"decimal(5,2)","nullable":true}],"rows":[[1,"a","1.00"]]}],
 "capture_instances":[{"name":"dbo_T","table":"dbo.T","start_lsn":"0x10","created":"2026-10-01T00:00:00"}],
 "lsn_time_mapping":[{"lsn":"0x10","local_time":"2026-10-05T09:00:00"}],
 "commits":[{"lsn":"0x20","local_time":"2026-10-05T09:10:00","changes":[{"table":"dbo.T","op":"update","row":{"K":1,"V":"b"}}]}]}]}`

func TestMinimalWorldIsRead(t *testing.T) {
	if _, err := fakeserver.ReadWorld(strings.NewReader(minimal)); err != nil {
		t.Fatal(err)
	}
}

func TestWrongWorldsAreRefused(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"format":1`, `"format":2`, `format: 2 is not a format`},
		{`"format":1`, `"format":1,"colour":"red"`, `colour: unknown key`},
		{`"format":1`, `"format":1,"format":1`, `format: key given twice`},
		{`"product_version":"16.0.1"`, `"product_version":"new"`, `server.product_version: "new"`},
		{`"time_zone":"UTC"`, `"time_zone":"Europe/Berlin"`, `server.time_zone: "Europe/Berlin" is no Windows time zone name`},
		{`"time_zone":"UTC"`, `"offset_minutes":60`, `server.offset_minutes: a server of 2022`},
		{`"time_zone":"UTC"`, `"time_zone":"UTC","offset_minutes":0`, `server.offset_minutes: time_zone is given already`},
		{`"time_zone":"UTC",`, ``, `server.time_zone: a Windows time zone name is needed`},
		{`10:00:00Z"}`, `10:00:00+02:00"}`, `server.now: write the instant in UTC`},
		{`"now":"2026-10-05T10:00:00Z"`, `"now":"yesterday"`, `server.now: "yesterday" is not an instant`},
		{`"now":`, `"clock":"slow","now":`, `server.clock: "slow" is not frozen or ticking`},
		{`"now":`, `"empty_max_lsn":"0","now":`, `server.empty_max_lsn: "0" is not null or zeros`},
		{`"now":`, `"cleanup_mark":"x","now":`, `server.cleanup_mark: "x" is not at_or_before or at_or_after`},
		{`"format":1`, `"format":1,"faults":[{"clock":"back"}]`, `faults[0].clock: "back" is not a duration`},
		{`"now":`, `"map_time":"x","now":`, `server.map_time: "x" is not by_time or by_lsn`},
		{`"now":`, `"engine_edition":"five","now":`, `server.engine_edition: "five" is not a whole number`},
		{`"password":"p"`, `"password":""`, `logins[0]: a name and a password`},
		{`"users":[{"database":"D"}]`, `"users":[{"database":"X"}]`, `logins[0].users[0].database: there is no database "X"`},
		{`{"database":"D"}`, `{"database":"D","select":[{"on":"dbo.X"}]}`, `logins[0].users[0].select[0].on: database "D" has no table or schema "dbo.X"`},
		{`{"database":"D"}`, `{"database":"D","select":[{"on":"dbo.T","columns":["Z"]}]}`, `logins[0].users[0].select[0].columns[0]: table "dbo.T" has no column "Z"`},
		{`{"database":"D"}`, `{"database":"D","roles":["gate"]}`, `logins[0].users[0].roles[0]: database "D" has no role "gate"`},
		{`"password":"p"`, `"password":"p","login_error":5`, `logins[0].login_error: 5 is not`},
		{`"cdc":true,`, ``, `databases[0].cdc: capture instances`},
		{`"cdc":true,`, `"cdc":true,"cleanup":{"retention_minutes":0},`, `databases[0].cleanup.retention_minutes: 0 is not`},
		{`"type":"int"`, `"type":"integerish"`, `databases[0].tables[0].columns[0].type: "integerish" is not a type`},
		{`decimal(5,2)`, `decimal(5,6)`, `databases[0].tables[0].columns[2].type: "decimal(5,6)": precision`},
		{`varchar(3)`, `varchar(9000)`, `columns[1].type: "varchar(9000)": length must be 1 to 8000`},
		{`"primary_key":["K"]`, `"primary_key":["V"]`, `databases[0].tables[0].primary_key[0]: "V" is not a column that is not nullable`},
		{`[[1,"a","1.00"]]`, `[[1,"abcd","1.00"]]`, `databases[0].tables[0].rows[0][1]: "abcd" is longer than varchar(3)`},
		{`[[1,"a","1.00"]]`, `[[1,"a"]]`, `databases[0].tables[0].rows[0]: a row of dbo.T has 3 values, not 2`},
		{`[[1,"a","1.00"]]`, `[[null,"a","1.00"]]`, `rows[0][0]: column K is not nullable`},
		{`[[1,"a","1.00"]]`, `[[1.5,"a","1.00"]]`, `rows[0][0]: 1.5 is not a value of type int`},
		{`[[1,"a","1.00"]]`, `[[1,"a","1.001"]]`, `rows[0][2]: "1.001" is not a value of type decimal(5,2)`},
		{`[[1,"a","1.00"]]`, `[[1,"a","1000.00"]]`, `rows[0][2]: "1000.00" is not a value of type decimal(5,2)`},
		{`[[1,"a","1.00"]]`, `[{"K":1,"W":2}]`, `rows[0].W: table dbo.T has no such column`},
		{`[[1,"a","1.00"]]`, `[{"V":"x"}]`, `rows[0]: column K is missing`},
		{`[[1,"a","1.00"]]`, `[{"K":1,"K":2}]`, `rows[0].K: key given twice`},
		{`[[1,"a","1.00"]]`, `[[1,"a",null],[1,"b",null]]`, `rows[1]: table dbo.T already has this key`},
		{`"table":"dbo.T","start_lsn"`, `"table":"dbo.X","start_lsn"`, `databases[0].capture_instances[0].table: there is no table "dbo.X"`},
		{`"start_lsn":"0x10"`, `"start_lsn":"10"`, `capture_instances[0].start_lsn: "10" is not an LSN`},
		{`"created":"2026-10-01T00:00:00"`, `"created":"2026-10-01"`, `capture_instances[0].created: "2026-10-01" is not a local time`},
		{`"lsn_time_mapping":[`, `"lsn_time_mapping":[{"lsn":"0x11","local_time":"2026-10-05T09:00:00"},`, `lsn_time_mapping[1].lsn: 0x00000000000000000010 does not follow`},
		{`{"lsn":"0x20"`, `{"lsn":"0x10"`, `lsn_time_mapping: LSN 0x00000000000000000010 is given twice`},
		{`"local_time":"2026-10-05T09:10:00"`, `"local_time":"2026-10-05T09:10:00Z"`, `commits[0].local_time: "2026-10-05T09:10:00Z" is not a local time`},
		{`"op":"update"`, `"op":"upsert"`, `commits[0].changes[0].op: "upsert" is not`},
		{`{"K":1,"V":"b"}`, `{"K":2,"V":"b"}`, `commits[0].changes[0].row: table dbo.T has no row with this key`},
		{`{"K":1,"V":"b"}`, `{"V":"b"}`, `commits[0].changes[0].row: key column K is missing`},
		{`"table":"dbo.T","op"`, `"table":"dbo.X","op"`, `commits[0].changes[0].table: there is no table "dbo.X"`},
		{`"cdc":true,`, `"cdc":true,"cleaned_up_to":"0x15",`, `databases[0].cleaned_up_to: 0x00000000000000000015 is above start_lsn`},
		{`"format":1`, `"format":1,"faults":[{"match":"x"}]`, `faults[0]: an error, a drop, a delay or a clock`},
		{`"format":1`, `"format":1,"faults":[{"error":{"number":4711}}]`, `faults[0].error.message: error 4711 needs its message`},
		{`"format":1`, `"format":1,"faults":[{"drop":true,"after":true,"after_rows":1}]`, `faults[0].after_rows: after is given already`},
		{`"format":1`, `"format":1,"faults":[{"drop":true,"after_rows":-1}]`, `faults[0]: nth, times, after_rows and after_packets are not negative`},
		{`"format":1`, `"format":1,"faults":[{"delay":"1s","after_rows":1}]`, `faults[0]: a delay or a clock always comes before`},
		{`"format":1`, `"format":1,"faults":[{"drop":true,"after_rows":"ten"}]`, `faults[0].after_rows: "ten" is not a whole number`},
		{`"format":1`, `"format":1,"faults":[{"delay":"soon"}]`, `faults[0].delay: "soon" is not a duration`},
		{`]}]}`, `]}]} {}`, `invalid character`},
	} {
		broken := strings.Replace(minimal, c.from, c.to, 1)
		if broken == minimal {
			t.Fatalf("%q is not in the world", c.from)
		}
		_, err := fakeserver.ReadWorld(strings.NewReader(broken))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s -> %s:\n got %v\nwant %s", c.from, c.to, err, c.want)
		}
	}
}

func TestThirdCaptureInstanceIsRefused(t *testing.T) {
	one := `{"name":"dbo_T","table":"dbo.T","start_lsn":"0x10","created":"2026-10-01T00:00:00"}`
	three := one + "," + strings.Replace(one, "dbo_T", "b", 1) + "," + strings.Replace(one, "dbo_T", "c", 1)
	_, err := fakeserver.ReadWorld(strings.NewReader(strings.Replace(minimal, one, three, 1)))
	if err == nil || !strings.Contains(err.Error(), "capture_instances[2].table: Msg 22962") {
		t.Fatal(err)
	}
}

func TestWrongRowRulesAreRefused(t *testing.T) {
	good := `{"rows":5,"seed":1,"columns":{"K":{"from":1,"step":2},"V":{"pick":["a","b"]},"N":{"between":["0.01","9.99"]}}}`
	world := func(rule string) error {
		w := strings.Replace(minimal, `"rows":[[1,"a","1.00"]]`, `"generate":`+rule, 1)
		_, err := fakeserver.ReadWorld(strings.NewReader(w))
		return err
	}
	if err := world(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"rows":5`, `"rows":0`, `generate.rows: 0 is not`},
		{`,"N":{"between":["0.01","9.99"]}`, ``, `generate.columns: there is no rule for N`},
		{`"K":{"from":1,"step":2}`, `"K":{"from":1,"step":0}`, `generate row 2: table dbo.T already has this key`},
		{`"K":{"from":1,"step":2}`, `"K":{"from":1,"step":2,"hash":3}`, `columns.K: exactly one of`},
		{`"K":{"from":1,"step":2}`, `"K":{"from":1,"step":1000000000}`, `columns.K.from: column K of type int cannot hold 4000000001`},
		{`"K":{"from":1,"step":2}`, `"K":{"from":1,"step":2,"null_in":3}`, `columns.K.null_in: column K is not nullable`},
		{`["a","b"]`, `["a","long"]`, `columns.V.pick[1]: "long" is longer`},
		{`{"pick":["a","b"]}`, `{"text":"ab{n}"}`, `columns.V.text: column V of type varchar(3) cannot hold it`},
		{`["0.01","9.99"]`, `["9.99","0.01"]`, `columns.N.between: column N has no values from`},
		{`{"between":["0.01","9.99"]}`, `{"hash":8}`, `columns.N.hash: column N of type decimal(5,2) cannot hold`},
	} {
		if err := world(strings.Replace(good, c.from, c.to, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.to, err, c.want)
		}
	}
}

// A world is data: written back as JSON and read again it is the same server.
func TestWorldsSurviveJSON(t *testing.T) {
	for _, name := range fakeserver.Names() {
		w, err := fakeserver.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		again, err := fakeserver.ReadWorld(strings.NewReader(string(b)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c, err := json.Marshal(again)
		if err != nil || string(b) != string(c) {
			t.Errorf("%s: changed by writing and reading (%v)", name, err)
		}
	}
}

func TestNamedWorlds(t *testing.T) {
	want := []string{"capture-stopped", "old-server-2017", "orders-clock-change", "orders-retention-passed", "orders-two-instances"}
	if got := fakeserver.Names(); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("Names() = %v, want %v", got, want)
	}
	if _, err := fakeserver.Named("nowhere"); err == nil || !strings.Contains(err.Error(), "built in are capture-stopped") {
		t.Errorf("Named(nowhere): %v", err)
	}
}

// load reads a world of testdata.
func load(t testing.TB, name string) *fakeserver.World {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := fakeserver.ReadWorld(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return w
}
