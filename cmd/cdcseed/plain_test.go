package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

// plainWorld serves the demo's world with everything answered beforehand but
// warnings, and a target where nothing is.
func plainWorld(t *testing.T) (c *console, target string) {
	t.Helper()
	c = newConsole(t)
	dir := c.kept(t)
	w, err := fakeserver.Named(demoWorld)
	if err != nil {
		t.Fatal(err)
	}
	server, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	target = filepath.Join(dir, "fresh")
	c.env["CDCSEED_SERVER"], c.env["CDCSEED_TARGET"] = "sqlserver://"+server.Addr()+"?encrypt=disable", target
	delete(c.env, "CDCSEED_ENCRYPT")
	delete(c.env, "CDCSEED_ACCEPT")
	return c, target
}

// Without a terminal --plain reads its answers from what it is given, a line
// each. The result alone is on standard output.
func TestPlainOverAPipe(t *testing.T) {
	c, target := plainWorld(t)
	c.in = "next\nnext\nnext\nfell_back\nnext\nnext\ndbo.Orders\n"
	out, messages := c.want(0, "--plain")
	wants(t, out, "Seeded. 3,001 rows in one commit.", "L "+demoL)
	wants(t, messages, "Step 1 of 8, Connect. READ-ONLY until step 7.", "5. Password: given", "To accept it, type fell_back [no]:", "Step 8 of 8, Done. WRITTEN.", "cdcseed seed --plan ")
	if strings.Contains(out, "Step ") || strings.Contains(messages, c.env["CDCSEED_PASSWORD"]) {
		t.Errorf("%s\n%s", out, messages)
	}
	for _, l := range strings.Split(messages, "\n") {
		if strings.Count(l, "]: ") > 1 {
			t.Errorf("two questions on a line: %s", l)
		}
	}
	// The same again finds the seed and writes nothing: no name is asked.
	c.in = "next\nnext\nstream_must_be_stopped\nnext\nnext\nnext\nfinish\n"
	out, messages = c.want(0, "--plain")
	wants(t, out, "Already seeded. No rows were written.")
	wants(t, messages, "Nothing is left to write. finish checks the seed once more")
	if _, err := os.Stat(target); err != nil {
		t.Fatal(err)
	}
}

// An input that ends writes nothing, whatever is left to answer.
func TestPlainInputEnds(t *testing.T) {
	c, target := plainWorld(t)
	answers := []string{"next", "next", "next", "fell_back", "next", "next"}
	for n := range len(answers) + 1 {
		c.in = strings.Join(answers[:n], "\n")
		if n > 0 {
			c.in += "\n"
		}
		_, messages := c.want(130, "--plain")
		wants(t, messages, "STOP The input ended before the last question was answered. Nothing was written.", "asked last", "(stopped, exit status 130)", "The wizard with these answers:")
		if strings.Contains(messages, "The plan as it was shown:") != (n == len(answers)) {
			t.Errorf("after %d answers: %s", n, messages)
		}
		if _, err := os.Stat(target); !os.IsNotExist(err) {
			t.Fatalf("after %d answers a target was made: %v", n, err)
		}
	}
}

// The demo takes the flag, and --yes asks nothing all the same.
func TestPlainDemoOverAPipe(t *testing.T) {
	c := newConsole(t)
	c.in = "\n\n\nfell_back\n\n\ndbo.Orders\n"
	out, _ := c.want(0, "demo", "--plain")
	wants(t, out, "Seeded. 3,001 rows in one commit.", "rows 3,001 with operation 0 at L")
	c.in = ""
	out, messages := c.want(0, "demo", "--plain", "--yes")
	if wants(t, out, "Seeded. 3,001 rows"); strings.Contains(messages, "Step 1 of 8") {
		t.Errorf("it asks: %s", messages)
	}
	out, _ = c.want(2, "--plain", "--json")
	wants(t, out, "the wizard is for a person and writes no JSON")
}

// A script that waits for each question and answers it, as expect does.
func TestPlainAnsweredByAScript(t *testing.T) {
	c, _ := plainWorld(t)
	child := exec.Command(os.Args[0], "--plain")
	child.Env = []string{childEnv + "=1", "PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot"), "HOME=" + t.TempDir()}
	for name, value := range c.env {
		child.Env = append(child.Env, name+"="+value)
	}
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	told, err := child.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var result bytes.Buffer
	child.Stdout = &result
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patienceOfScripts, func() { _ = child.Process.Kill() })
	defer late.Stop()
	answers := map[string]string{
		"Next, or 1-7 to change an answer [next]": "next", "Next, or change [next]": "next", "Next, or 1-5 to change an answer [next]": "next",
		"To accept it, type fell_back [no]": "fell_back", "Next, or 1-2 to change an answer [next]": "next", "Next, or a column, 1-24 [next]": "next",
		"Type the table's name (dbo.Orders)": "dbo.Orders",
	}
	var all strings.Builder
	from := bufio.NewReader(told)
	line := ""
	for {
		r, _, err := from.ReadRune()
		if err != nil {
			break
		}
		all.WriteRune(r)
		if line += string(r); r == '\n' {
			line = ""
		}
		if prompt, asks := strings.CutSuffix(line, ": "); asks && answers[prompt] != "" {
			if _, err := io.WriteString(in, answers[prompt]+"\n"); err != nil {
				t.Fatal(err)
			}
			delete(answers, prompt)
		}
	}
	if err := child.Wait(); err != nil {
		t.Fatalf("%v:\n%s", err, all.String())
	}
	wants(t, result.String(), "Seeded. 3,001 rows in one commit.")
	if len(answers) > 0 {
		t.Errorf("never asked: %v\n%s", answers, all.String())
	}
}

// patienceOfScripts bounds a hang.
const patienceOfScripts = 60 * time.Second

// Who is asked how.
func TestManner(t *testing.T) {
	drawn := &screen{}
	for name, c := range map[string]struct {
		screen   *screen
		terminal bool
		plain    bool
		env      map[string]string
		want     manner
	}{
		"a terminal":                    {drawn, true, false, nil, askOnScreens},
		"the flag":                      {drawn, true, true, nil, askInLines},
		"the variable":                  {drawn, true, false, map[string]string{"CDCSEED_PLAIN": "1"}, askInLines},
		"the variable, off":             {drawn, true, false, map[string]string{"CDCSEED_PLAIN": "0"}, askOnScreens},
		"a dumb terminal":               {drawn, true, false, map[string]string{"TERM": "dumb"}, askInLines},
		"read out":                      {drawn, true, false, map[string]string{"ACCESSIBLE": "yes"}, askInLines},
		"output to a file":              {nil, true, false, nil, askInLines},
		"nothing":                       {nil, false, false, nil, askNobody},
		"a script":                      {nil, false, true, nil, askInLines},
		"a script with the variable":    {nil, false, false, map[string]string{"CDCSEED_PLAIN": "true"}, askInLines},
		"no terminal, and read out":     {nil, false, false, map[string]string{"ACCESSIBLE": "1"}, askNobody},
		"no terminal, and a dumb shell": {nil, false, false, map[string]string{"TERM": "dumb"}, askNobody},
	} {
		a := &app{streams: streams{screen: c.screen, terminal: c.terminal}, env: func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }}
		if got := a.manner(c.plain); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Typed at a terminal, a password is read without an echo, and a wrong one is
// corrected in its place.
func TestPlainPassword(t *testing.T) {
	c, _ := plainWorld(t)
	right := c.env["CDCSEED_PASSWORD"]
	delete(c.env, "CDCSEED_PASSWORD")
	c.terminal = true
	given := []string{"wrong", right}
	c.password = func(context.Context) (string, error) {
		p := given[0]
		given = given[1:]
		return p, nil
	}
	c.in = "5\nnext\nquit\n"
	_, messages := c.want(130)
	wants(t, messages, "Password [none]:", "STOP:", "login_failed", "Change 1-7, or again [", "Password [given]:", "ok: connected", "Step 2 of 8")
	if strings.Contains(messages, right) || strings.Contains(messages, "wrong") {
		t.Error(messages)
	}
}

// A target that holds an older snapshot: what happened is told, the reseed is
// asked for with what it hangs on, accepted by its code, and at the end it is said
// what becomes of checkpoint and app id.
func TestPlainReseed(t *testing.T) {
	c, target := plainWorld(t)
	c.in = "next\nnext\nnext\nfell_back\nnext\nnext\ndbo.Orders\n"
	c.want(0, "--plain")
	w, err := fakeserver.Named(demoWorld)
	if err != nil {
		t.Fatal(err)
	}
	server, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	columns, rows := server.Rows(demoDatabase, demoSchema, demoTable, nil)
	rows[0], rows[1] = rows[1], rows[0] // or it would hold the same as the first
	newer := filepath.Join(t.TempDir(), "newer")
	if err := (sampleCopy{dir: newer, source: columns, rows: rows, written: server.Now().Add(-time.Minute)}).write(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.env["CDCSEED_AS_OF"] = server.Now().Add(-2 * time.Minute).UTC().Format(time.RFC3339)
	newest, err := server.MaxLSN(demoDatabase)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Cleanup(demoDatabase, *newest); err != nil { // the old stream cannot go on
		t.Fatal(err)
	}
	if _, err := server.Idle(demoDatabase); err != nil { // capture has caught up
		t.Fatal(err)
	}
	c.env["CDCSEED_SERVER"], c.env["CDCSEED_COPY"] = "sqlserver://"+server.Addr()+"?encrypt=disable", newer
	// No reseed at first, which As of refuses; then one, with a new app id.
	c.in = "next\nnext\nstream_must_be_stopped\nnext\nback\nreseed\n2\n5\norders-v2\nnext\nreseed\nnext\nnext\ndbo.Orders\n"
	out, messages := c.want(0, "--plain")
	wants(t, messages, "Holds: a seed of 3,001 rows at "+demoL, "are gone; kept from", "its stream cannot go on", "6. Reseed: no: the seed stops",
		"STOP: the target \""+target+"\" already holds a snapshot of the table", "ok: the copy is not one that the target was seeded from",
		"note: not known yet: the stream that starts from the reseed has an app id that no stream has had", "ok: app id orders-v2 is new to the target",
		"To accept it, type reseed [no]:", "You accepted stream_must_be_stopped, reseed.")
	wants(t, out, "Reseeded. 3,001 rows in one commit.", "follows the snapshot at "+demoL, "Leave the stream that wrote the target before stopped, for good: neither its checkpoint nor its app id may be used again.", "a new checkpoint")
}

// A script that sends all its answers at once is answered as one that waits: no
// answer overtakes the look that its question waits for.
func TestPlainAllAtOnce(t *testing.T) {
	c, target := plainWorld(t)
	facts := c.env["CDCSEED_FACTS"]
	for _, name := range []string{"TARGET", "TARGET_NAME", "FACTS", "APP_ID"} {
		delete(c.env, "CDCSEED_"+name)
	}
	c.in = strings.Join([]string{"next", "next", target, "bronze.orders", facts, "orders-v9", "next", "fell_back", "next", "next", "dbo.Orders"}, "\n") + "\n"
	out, messages := c.want(0, "--plain")
	wants(t, out, "Seeded. 3,001 rows in one commit.")
	wants(t, messages, "1. Copy: ", "App id [none]: ", "A plain look-up could pick a commit up to an hour too late. An hour earlier is always safe; the stream replays that hour.\n")
	// What it says to go on with asks in the same manner.
	c.in = "next\nquit\n"
	_, messages = c.want(130, "--plain")
	wants(t, messages, "The wizard with these answers:\n  cdcseed --plain --server")
}

// A demo that is left says that what it showed is gone, and how to have it again.
func TestPlainDemoLeft(t *testing.T) {
	c := newConsole(t)
	c.in = "quit\n"
	_, messages := c.want(130, "demo", "--plain")
	wants(t, messages, "The demo's server and its folder are gone with it", "The demo again:\n  cdcseed demo --plain\n")
	_, messages = c.want(130, "demo", "--plain", "--dir", filepath.Join(t.TempDir(), "kept"))
	wants(t, messages, "The demo's server is gone with it")
}

// A demo whose reader goes away ends by itself and takes its folder along.
func TestDemoUnread(t *testing.T) {
	temp := t.TempDir()
	child := exec.Command(os.Args[0], "demo", "--yes")
	child.Env = []string{childEnv + "=1", "PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot"), "HOME=" + t.TempDir(), "TMPDIR=" + temp, "TMP=" + temp}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	child.Stdout, child.Stderr = write, write
	late := time.AfterFunc(patienceOfScripts, func() { _ = child.Process.Kill() })
	defer late.Stop()
	if err := child.Run(); child.ProcessState == nil || !child.ProcessState.Exited() {
		t.Errorf("it did not end by itself: %v", err)
	}
	_ = write.Close()
	if left, _ := filepath.Glob(filepath.Join(temp, "cdcseed-demo-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
