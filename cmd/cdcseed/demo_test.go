package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

const demoL = "0x0000002A0005320B0001" // the last commit before 01:40 on the server's clock

func TestDemoSeedsAndProves(t *testing.T) {
	c := newConsole(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	out, messages := c.want(0, "demo")
	wants(t, out, "Seeded. 3,001 rows in one commit.", "L          "+demoL,
		"rows       3,001 with operation 0 at L; the copy has 3,001", "version    1",
		"facts      1 row of app id orders-v1, event bootstrap", "up to L    7 commits", "after L    28 commits with 56 changes",
		"7 commits are in the copy too", "3,001 rows that the source has now", "cdcseed demo --dir demo")
	wants(t, messages, "Same as:", "--accept fell_back", "fell_back (accepted): looked up an hour earlier", "spelled QUANTITY in the copy", "left out: LineTotal, etl_loaded_at")
	left, err := os.ReadDir(temp)
	if err != nil || len(left) != 0 {
		t.Errorf("the temporary folder holds %v, %v", left, err)
	}
}

func TestDemoTwiceInOneFolder(t *testing.T) {
	c := newConsole(t)
	dir := filepath.Join(t.TempDir(), "demo")
	out, messages := c.want(0, "demo", "--dir", dir)
	wants(t, out, "Seeded. 3,001 rows", dir)
	// A person at a terminal is asked nothing where nothing is to be written.
	c.terminal, c.in = true, ""
	out, again := c.want(0, "demo", "--dir", dir)
	wants(t, out, "Already seeded. No rows were written.", "version 1", "row present", "3,001 with operation 0 at L", "1 row of app id orders-v1")
	wants(t, again, "the seed was made from this copy")
	if strings.Contains(again, "not the one") || !strings.Contains(messages, "Cast and stage files") {
		t.Errorf("the second run's copy is another one, or the first staged nothing:\n%s\n%s", messages, again)
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "state", "*.plan.json")); err != nil || len(kept) != 2 {
		t.Errorf("plans kept: %v, %v", kept, err)
	}
}

// The printed commands must do what they say: serve the world, and seed.
func TestDemoPrintsCommandsThatWork(t *testing.T) {
	c := newConsole(t)
	dir := filepath.Join(t.TempDir(), "it's a demo")
	out, messages := c.want(0, "demo", "--dir", dir)
	short := strings.NewReplacer(strings.ReplaceAll(dir, "'", `'\''`), "DIR", dir, "DIR")
	fits(t, short.Replace(messages))
	fits(t, short.Replace(out))
	_, after, found := strings.Cut(out, "To go on with it")
	_, command, foundToo := strings.Cut(after, "cdcseed seed ")
	if !found || !foundToo {
		t.Fatal(out)
	}
	w, err := fakeserver.Named(demoWorld)
	if err != nil {
		t.Fatal(err)
	}
	listen, _, _ := strings.Cut(after[strings.Index(after, "--listen ")+len("--listen "):], "\n")
	// The port may be another program's by now: any free one stands for it.
	s, err := fakeserver.Serve(t.Context(), w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.Contains(command, listen) {
		t.Errorf("the command does not connect to %s: %s", listen, command)
	}
	args := shellWords(strings.ReplaceAll(command, listen, s.Addr()))
	c.env["CDCSEED_PASSWORD"] = w.Logins[0].Password
	told, _ := c.want(0, append([]string{"seed", "--confirm", "dbo.Orders"}, args...)...)
	wants(t, told, "Already seeded.")
}

// shellWords takes apart what engine.Command put together.
func shellWords(s string) []string {
	s = strings.ReplaceAll(s, "\\\n", " ")
	var out []string
	word, quoted, any := "", false, false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\'':
			quoted, any = !quoted, true
		case s[i] == '\\' && !quoted:
			i++
			word, any = word+string(s[i]), true
		case (s[i] == ' ' || s[i] == '\n') && !quoted:
			if any {
				out = append(out, word)
			}
			word, any = "", false
		default:
			word, any = word+string(s[i]), true
		}
	}
	return out
}

func TestDemoAsksAPersonForTheTable(t *testing.T) {
	c := newConsole(t)
	dir := filepath.Join(t.TempDir(), "demo")
	c.terminal, c.in = true, "dbo.orders\n"
	_, messages := c.want(2, "demo", "--dir", dir)
	wants(t, messages, "type the table's name (dbo.Orders)", "confirmation names another table", "Run the demo again and type dbo.Orders, or add --yes.", "Nothing was written.")
	c.in = ""
	c.want(130, "demo", "--dir", dir)
	if _, err := os.Stat(filepath.Join(dir, "bronze")); !os.IsNotExist(err) {
		t.Errorf("a target was made without a confirmation: %v", err)
	}
	c.in = "dbo.Orders\n"
	out, _ := c.want(0, "demo", "--dir", dir)
	wants(t, out, "Seeded. 3,001 rows")
	c.in = ""
	c.want(0, "demo", "--yes")
}

func TestDemoJSON(t *testing.T) {
	c := newConsole(t)
	c.terminal = true // asks nothing all the same
	dir := filepath.Join(t.TempDir(), "demo")
	out, messages := c.want(0, "demo", "--json", "--dir", dir)
	if messages != "" {
		t.Errorf("messages beside JSON: %s", messages)
	}
	last := lastLine(t, out)
	for path, want := range map[string]any{
		"type": "result", "lsn": demoL, "commit_ts": "2026-10-24T23:36:20.153Z", "rows": 3001.0, "version": 1.0,
		"target": filepath.Join(dir, "bronze", "orders"), "facts": filepath.Join(dir, "ops", "facts"), "dir": dir, "state": "ready",
		"plan.state": "ready", "plan.as_of.lsn": demoL, "plan.copy.files": 3.0, "plan.accepted": nil,
		"proof.rows": 3001.0, "proof.copy_rows": 3001.0, "proof.differ": 0.0, "proof.facts_rows": 1.0, "proof.version": 1.0,
		"judged.lsn": demoL, "judged.commit_ts": "2026-10-24T23:36:20.153", "judged.rows": 3001.0, "judged.app_id": "orders-v1",
		"judged.capture_instance": "dbo_Orders", "judged.target_text": "bronze.orders", "judged.source.min_lsn": "0x0000002A000268000001",
	} {
		if got := at(t, last, strings.Split(path, ".")...); want != nil && got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	ddl, _ := at(t, last, "judged", "columns").(string)
	wants(t, ddl, "OrderId BIGINT, CustomerId INT, StatusCode SMALLINT", "Shipping DECIMAL(19,4)", "RowVer BINARY")
	if n := strings.Count(out, `"type":"phase_done"`); n != 5 {
		t.Errorf("%d phases done:\n%s", n, out)
	}
	out, _ = c.want(0, "demo", "--json", "--dir", dir)
	last = lastLine(t, out)
	if last["state"] != "already_seeded" || last["rows"] != 0.0 || at(t, last, "judged", "rows") != 3001.0 {
		t.Errorf("second run: %v, rows %v, judged %v", last["state"], last["rows"], at(t, last, "judged", "rows"))
	}
}

func TestDemoRefusesAFolderThatIsNotItsOwn(t *testing.T) {
	c := newConsole(t)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "copy"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "copy", "mine.parquet"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, messages := c.want(2, "demo", "--dir", dir)
	wants(t, messages, "mine.parquet", "no part of the demo")
}

func TestDemoWhereNothingCanBeWritten(t *testing.T) {
	c := newConsole(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, messages := c.want(7, "demo", "--dir", filepath.Join(file, "demo"))
	wants(t, messages, "Writing the sample copy did not work", "Nothing was written.", "Give --dir a folder")
}

// The demo lives in its world's time: this machine's clock may be years off.
func TestDemoAtAnyTime(t *testing.T) {
	for _, year := range []int{2021, 2039} {
		c := newConsole(t)
		began := time.Now()
		c.now = func() time.Time { return time.Date(year, 2, 3, 4, 5, 6, 0, time.UTC).Add(time.Since(began)) }
		out, _ := c.want(0, "demo")
		wants(t, out, "Seeded. 3,001 rows")
	}
}

func TestProofThatDoesNotHoldIsRefused(t *testing.T) {
	good := proof{Rows: 3, CopyRows: 3, FactsRows: 1}
	if err := good.holds(); err != nil {
		t.Error(err)
	}
	for name, p := range map[string]proof{
		"rows":   {Rows: 2, CopyRows: 3, FactsRows: 1},
		"facts":  {Rows: 3, CopyRows: 3},
		"differ": {Rows: 3, CopyRows: 3, FactsRows: 1, Differ: 1},
		"late":   {Rows: 3, CopyRows: 3, FactsRows: 1, L: [10]byte{9: 2}, CopyHas: [10]byte{9: 1}},
	} {
		if p.holds() == nil {
			t.Errorf("%s: taken for proved", name)
		}
	}
}
