package fakeserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"cdcseed/fakeserver"
)

// controlled starts a server with control requests.
func controlled(t *testing.T) *fakeserver.Server {
	t.Helper()
	return serve(t, load(t, "catalogue.json"), fakeserver.Options{Control: "127.0.0.1:0"})
}

// send makes a control request and answers its status and body.
func send(t *testing.T, s *fakeserver.Server, method, path, body string) (int, string) {
	t.Helper()
	q, err := http.NewRequest(method, s.ControlURL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, strings.TrimSpace(string(b))
}

func TestControlRequests(t *testing.T) {
	s := controlled(t)
	db := as(t, s, "dba")
	// The enable of dbo_Fresh, which capture has not seen, comes before the first.
	next := func(n byte) string { return fakeserver.LSN{7: 0x10 * (n + 1), 9: 1}.String() }
	for _, c := range []struct{ path, body, want string }{
		{"/advance", `{"by":"1h30m"}`, `{"now":"2026-11-01T09:30:00Z"}`},
		{"/advance", `{"to":"2026-11-02T00:00:00Z"}`, `{"now":"2026-11-02T00:00:00Z"}`},
		{"/commit", `{"database":"Sales","changes":[{"table":"dbo.Orders","op":"insert","row":[9,"nine",null,1,"1.00"]}]}`, `{"lsn":"` + next(1) + `"}`},
		{"/commit", `{"database":"Sales","local_time":"2026-11-01T20:00:00","changes":[{"table":"dbo.Orders","op":"delete","key":{"Id":9}}]}`, `{"lsn":"` + next(2) + `"}`},
		{"/idle", `{"database":"Sales"}`, `{"lsn":"` + next(3) + `"}`},
		{"/cleanup", `{"database":"Sales","instance":"dbo_Gated","to":"0x40"}`, `{"low_water_mark":"` + full(t, "0x40") + `"}`},
		{"/cleanup", `{"database":"Sales","to":"0x30"}`, `{"low_water_mark":"` + full(t, "0x30") + `"}`},
		// An hour before 20:00, and the smallest LSN of that time.
		{"/cleanup", `{"database":"Sales","retention":true}`, `{"low_water_mark":"` + next(1) + `"}`},
		{"/capture", `{"database":"Sales","instance":{"name":"dbo_Types","table":"dbo.Types","columns":["c_int"]}}`, `{}`},
		{"/drop-instance", `{"database":"Sales","instance":"dbo_Types"}`, `{}`},
		{"/capture-job", `{"database":"Sales","running":false}`, `{}`},
		{"/capture-job", `{"database":"Sales","running":true}`, `{}`},
		{"/offline", `{"database":"Plain","offline":true}`, `{}`},
		{"/fault", `{"faults":[{"match":"boom","error":{"number":1222}},{"match":"dbo.orders","after_rows":2,"error":{"number":1205}}]}`, `{}`},
	} {
		if status, got := send(t, s, "POST", c.path, c.body); status != 200 || got != c.want {
			t.Errorf("%s %s: %d %s, want %s", c.path, c.body, status, got, c.want)
		}
	}
	want(t, db, "SELECT COUNT(*) FROM dbo.Orders", "3")
	wantRowsThenError(t, db, "SELECT Id FROM dbo.Orders", 2, 1205)
	want(t, db, "SELECT state_desc FROM sys.databases WHERE name = 'Plain'", "OFFLINE")
	wantError(t, db, "SELECT 'boom'", 1222)
	if status, got := send(t, s, "GET", "/lsn?database=sales", ""); status != 200 || got != `{"max_lsn":"`+next(3)+`","now":"2026-11-02T00:00:00Z"}` {
		t.Errorf("GET /lsn: %d %s", status, got)
	}
	var record struct {
		Statements []fakeserver.Statement `json:"statements"`
	}
	if status, got := send(t, s, "GET", "/statements", ""); status != 200 || json.Unmarshal([]byte(got), &record) != nil || len(record.Statements) != 4 || record.Statements[3].Text != "SELECT 'boom'" {
		t.Errorf("GET /statements: %d %s", status, got)
	}
	if status, _ := send(t, s, "DELETE", "/statements", ""); status != 200 || len(s.Statements()) != 0 {
		t.Errorf("DELETE /statements: %d", status)
	}
	if status, _ := send(t, s, "POST", "/drop-connections", "{}"); status != 200 {
		t.Errorf("POST /drop-connections: %d", status)
	}
	if _, err := rows(db, "SELECT 1"); err == nil {
		t.Error("the connection is still there")
	}
}

func TestWrongControlRequests(t *testing.T) {
	s := controlled(t)
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/advance", `{}`, 409, `give by`},
		{"POST", "/advance", `{"by":"1h","to":"2026-11-02T00:00:00Z"}`, 409, `give by`},
		{"POST", "/advance", `{"by":"soon"}`, 409, `by: \"soon\" is not a duration`},
		{"POST", "/advance", `{"bye":"1h"}`, 400, `bye: unknown key`},
		{"POST", "/advance", `{"by":1}`, 400, `by: 1 is not a text`},
		{"POST", "/advance", `{"by":`, 400, `unexpected end`},
		{"POST", "/commit", `{"database":"X"}`, 409, `there is no database \"X\"`},
		{"POST", "/commit", `{"database":"master"}`, 409, `there is no database \"master\"`},
		{"POST", "/commit", `{"database":"Sales","local_time":"now"}`, 409, `\"now\" is not a local time`},
		{"POST", "/commit", `{"database":"Sales","changes":[{"table":"dbo.Orders","op":"insert","row":[1,"again",null,1,"1.00"]}]}`, 409, `changes[0].row: table dbo.Orders already has this key`},
		{"POST", "/idle", `{"database":"Plain"}`, 409, `has no CDC`},
		{"POST", "/cleanup", `{"database":"Sales"}`, 409, `give to`},
		{"POST", "/cleanup", `{"database":"Sales","to":"0x41"}`, 409, `"number":22964`},
		{"POST", "/cleanup", `{"database":"Sales","to":"41"}`, 400, `to: \"41\" is not an LSN`},
		{"POST", "/capture", `{"database":"Sales","instance":{"name":"dbo_Orders","table":"dbo.Orders"}}`, 409, `capture_instance.name: there is a capture instance`},
		{"POST", "/fault", `{"faults":[{"nth":1}]}`, 409, `faults[0]: an error`},
		{"GET", "/lsn", ``, 409, `there is no database`},
		{"GET", "/advance", ``, 405, ``},
		{"POST", "/nowhere", `{}`, 404, ``},
	} {
		status, got := send(t, s, c.method, c.path, c.body)
		if status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s %s: %d %s; want %d %s", c.method, c.path, c.body, status, got, c.status, c.want)
		}
	}
}

// A web page may not drive the control port under a name of its own.
func TestControlTurnsPagesAway(t *testing.T) {
	s := controlled(t)
	for _, change := range []func(*http.Request){
		func(q *http.Request) { q.Host = "evil.example:80" },
		func(q *http.Request) { q.Header.Set("Origin", "http://evil.example") },
	} {
		q, err := http.NewRequest("POST", s.ControlURL()+"/advance", strings.NewReader(`{"by":"1h"}`))
		if err != nil {
			t.Fatal(err)
		}
		change(q)
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != http.StatusForbidden {
			t.Errorf("status %d", r.StatusCode)
		}
	}
	if !s.Now().Equal(load(t, "catalogue.json").Server.Now) {
		t.Error("the clock has moved")
	}
	if u := catalogue(t).ControlURL(); u != "" {
		t.Errorf("ControlURL() without control = %q", u)
	}
}
