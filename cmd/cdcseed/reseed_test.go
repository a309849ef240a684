package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

// From a target that is occupied to a stream that starts anew, by commands alone.
func TestReseedByCommands(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	c.env["CDCSEED_FACTS"], c.env["CDCSEED_APP_ID"], c.env["CDCSEED_TARGET_NAME"] = filepath.Join(dir, "told"), "orders-v1", "bronze.orders"
	out, _ := c.want(0, "seed", "--confirm", "dbo.Orders")
	wants(t, out, "Seeded. 3,001 rows", "L "+demoL)

	out, _ = c.want(0, "lsn", "--table", "dbo.Orders", "--now", "--json")
	newest, _ := at(t, lastLine(t, out), "lsn").(string)
	c.env["CDCSEED_AS_OF"], c.env["CDCSEED_ACCEPT"] = newest, ""
	copied(t, filepath.Join(dir, "copy"), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	_, messages := c.want(6, "seed", "--confirm", "dbo.Orders")
	wants(t, messages, "already holds a snapshot", demoL, "add --reseed", "a new app id", "(target_holds_snapshot, exit status 6)")
	_, messages = c.want(3, "seed", "--confirm", "dbo.Orders", "--reseed")
	wants(t, messages, `App id "orders-v1" is not new`, "(app_id_taken, exit status 3)")

	c.env["CDCSEED_APP_ID"], c.env["CDCSEED_RESEED"] = "orders-v2", "true"
	out, messages = c.want(3, "seed", "--confirm", "dbo.Orders")
	wants(t, out+messages, "byte for byte", "--accept stream_must_be_stopped,same_content,reseed")
	takenAnew(t, filepath.Join(dir, "copy"), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	out, messages = c.want(3, "seed", "--confirm", "dbo.Orders")
	wants(t, out+messages, "follows the snapshot at "+demoL, "--accept stream_must_be_stopped,reseed")
	c.env["CDCSEED_ACCEPT"] = "stream_must_be_stopped,reseed"
	out, _ = c.want(0, "seed", "--dry-run")
	_, run, _ := strings.Cut(out, "Run it:  cdcseed ")
	out, _ = c.want(0, append(strings.Fields(run), "--json")...)
	last := lastLine(t, out)
	if last["state"] != "ready" || last["lsn"] != newest || last["follows"] != demoL || last["facts_row"] != "written" {
		t.Errorf("%v", last)
	}
	out, _ = c.want(0, "seed")
	wants(t, out, "Already seeded.", "L "+newest)
	c.env["CDCSEED_AS_OF"], c.env["CDCSEED_RESEED"], c.env["CDCSEED_APP_ID"] = demoAsOf, "", "orders-v1"
	out, _ = c.want(0, "seed", "--dry-run")
	wants(t, out, "no rows: the seed is in the target already", "a newer snapshot of the table stands at "+newest)
}

// copied dates every file of a copy, as one that was taken at that time is.
func copied(t *testing.T, root string, when time.Time) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// takenAnew replaces the demo's copy by one that holds its rows in another order.
func takenAnew(t *testing.T, dir string, when time.Time) {
	t.Helper()
	columns, rows := demoRows(t)
	rows[0], rows[1] = rows[1], rows[0]
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := (sampleCopy{dir: dir, source: columns, rows: rows, written: when}).write(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// demoRows are the rows that the demo's table begins with.
func demoRows(t *testing.T) ([]fakeserver.Column, [][]any) {
	t.Helper()
	server := startWorld(t, demoWorld)
	return server.Rows(demoDatabase, demoSchema, demoTable, nil)
}
