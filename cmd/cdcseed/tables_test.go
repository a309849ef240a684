package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/schema"
)

func TestTables(t *testing.T) {
	c := newConsole(t)
	c.serve()
	out, messages := c.want(0, "tables")
	wants(t, out, "dbo.Orders, about 3,001 rows\n  dbo_Orders: 23 columns, key OrderId\n    changes since 0x0000002A000268000001, created 2026-09-01T08:15:00",
		"dbo.Customers, about 200 rows\n  dbo_Customers: 4 columns, key CustomerId")
	if strings.Contains(out, "Countries") || messages != "" {
		t.Errorf("a table without CDC is listed, or messages: %s\n%s", out, messages)
	}
	fits(t, out)
	json, _ := c.want(0, "tables", "--json")
	if last := lastLine(t, json); last["type"] != "result" || last["tables"] != 2.0 {
		t.Errorf("got %v", last)
	}
	wants(t, json, `{"type":"table","table":"dbo.Orders","instances":[{"name":"dbo_Orders","start_lsn":"0x0000002A000268000001","created":"2026-09-01T08:15:00","columns":23,"key":["OrderId"]}],"rows":3001}`)
}

func TestTablesPasswordFile(t *testing.T) {
	c := newConsole(t)
	c.serve()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(c.env["CDCSEED_PASSWORD"]+"\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.env["CDCSEED_PASSWORD"] = "wrong"
	_, messages := c.want(7, "tables")
	wants(t, messages, "login_failed")
	if strings.Contains(messages, "wrong") {
		t.Errorf("the password is printed: %s", messages)
	}
	c.want(0, "tables", "--password-file", file)
	c.want(2, "tables", "--password-file", file+".none")
	c.want(2, "tables", "more")
}

func TestTablesOfNothing(t *testing.T) {
	c := newConsole(t)
	c.serve()
	c.env["CDCSEED_SERVER"] = "127.0.0.1,1"
	c.want(7, "tables")
	delete(c.env, "CDCSEED_SERVER")
	for _, command := range [][]string{{"tables"}, {"lsn", "--table", "dbo.Orders", "--now"}} {
		_, messages := c.want(2, command...)
		wants(t, messages, "--server is missing. Nothing was written.", "cdcseed "+command[0]+" --help")
	}
}

// A name's line feed is no line of the list.
func TestTableNamesStayOnTheirLine(t *testing.T) {
	var b strings.Builder
	describeTable(&b, engine.Table{
		Schema: "dbo", Name: "Ev\u001b[31mil\nX, about 1 row", Instances: []schema.Instance{{Name: "dbo_Evil\r\n", Key: []string{"a\nb"}}},
	})
	want := "dbo.Ev<001B>[31mil<000A>X, about 1 row, rows not known to this login\n" +
		"  dbo_Evil<000D><000A>: 0 columns, key a<000A>b\n"
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
