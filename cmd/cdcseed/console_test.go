package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

// console is a run of the program with streams of its own.
type console struct {
	t        *testing.T
	env      map[string]string
	in       string
	reader   io.Reader       // instead of in
	ctx      context.Context // the test's own when nil
	terminal bool
	password func(context.Context) (string, error)
	now      func() time.Time
}

func newConsole(t *testing.T) *console {
	return &console{t: t, env: map[string]string{"CDCSEED_STATE": t.TempDir()}, now: time.Now}
}

// run answers what the program wrote and its exit status.
func (c *console) run(args ...string) (out, messages string, exit int) {
	c.t.Helper()
	var stdout, stderr bytes.Buffer
	keyboard := c.reader
	if keyboard == nil {
		keyboard = strings.NewReader(c.in)
	}
	ctx := c.ctx
	if ctx == nil {
		ctx = c.t.Context()
	}
	exit = run(ctx, args, func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }, streams{
		in: keyboard, out: &stdout, err: &stderr, terminal: c.terminal,
		password: c.password, now: c.now,
	})
	return stdout.String(), stderr.String(), exit
}

// want is run for a command that should end with an exit status.
func (c *console) want(exit int, args ...string) (out, messages string) {
	c.t.Helper()
	out, messages, got := c.run(args...)
	if got != exit {
		c.t.Fatalf("cdcseed %s: exit %d, want %d\n%s\n%s", strings.Join(args, " "), got, exit, out, messages)
	}
	return out, messages
}

// lastLine reads the last of the JSON lines in out.
func lastLine(t *testing.T, out string) map[string]any {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for _, l := range lines {
		if !json.Valid([]byte(l)) || !strings.HasPrefix(l, `{"type":"`) {
			t.Fatalf("no JSON line: %s", l)
		}
	}
	last := map[string]any{}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	return last
}

// at reads a value inside JSON objects.
func at(t *testing.T, object any, path ...string) any {
	t.Helper()
	for _, key := range path {
		m, ok := object.(map[string]any)
		if !ok {
			t.Fatalf("%q of %v", key, object)
		}
		object = m[key]
	}
	return object
}

// startWorld serves a built-in world until the test ends.
func startWorld(t *testing.T, name string) *fakeserver.Server {
	t.Helper()
	w, err := fakeserver.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// serve starts the demo's world and lets the environment name it.
func (c *console) serve() {
	c.t.Helper()
	c.serves(startWorld(c.t, demoWorld), "svc_cdc_ro")
}

// serves lets the environment name a server and one of its logins.
func (c *console) serves(s *fakeserver.Server, login string) {
	c.env["CDCSEED_SERVER"], c.env["CDCSEED_DATABASE"] = strings.Replace(s.Addr(), ":", ",", 1), demoDatabase
	c.env["CDCSEED_USER"], c.env["CDCSEED_PASSWORD"], c.env["CDCSEED_ENCRYPT"] = login, "Demo-only!1", "none"
}

// wants fails for every text that is not in got, wherever its lines break.
func wants(t *testing.T, got string, texts ...string) {
	t.Helper()
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for _, text := range texts {
		if !strings.Contains(flat(got), flat(text)) {
			t.Errorf("lacks %q:\n%s", text, got)
		}
	}
}

// fits fails for lines that a terminal of 80 columns would break.
func fits(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
