package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

// served runs fake until it has printed, and stops it when the test ends.
func (c *console) served(args ...string) (out, messages string) {
	c.t.Helper()
	ctx, stop := context.WithCancel(c.t.Context())
	outs, errs := newSheet(), newSheet()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"fake"}, args...), func(string) (string, bool) { return "", false },
			streams{in: strings.NewReader(""), out: outs, err: errs, now: time.Now})
	}()
	c.t.Cleanup(func() {
		stop()
		if exit := <-ended; exit != 0 {
			c.t.Errorf("fake ends with %d", exit)
		}
	})
	wait := errs
	if len(args) > 0 && args[len(args)-1] == "--json" {
		wait = outs
	}
	select {
	case <-wait.written:
	case exit := <-ended:
		ended <- exit
	case <-time.After(time.Minute):
		c.t.Fatal("nothing is served")
	}
	return <-outs.text, <-errs.text
}

// sheet keeps what is written, and tells of the first write.
type sheet struct {
	text    chan string
	written chan struct{}
}

func newSheet() *sheet {
	s := &sheet{text: make(chan string, 1), written: make(chan struct{}, 1)}
	s.text <- ""
	return s
}

func (s *sheet) Write(p []byte) (int, error) {
	s.text <- <-s.text + string(p)
	select {
	case s.written <- struct{}{}:
	default:
	}
	return len(p), nil
}

func TestFakeSaysWhatItServes(t *testing.T) {
	c := newConsole(t)
	out, messages := c.served("--world", "orders-two-instances", "--control", "127.0.0.1:0")
	lines := strings.Split(out, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "sqlserver://svc_cdc_ro:") || !strings.HasPrefix(lines[1], "http://127.0.0.1:") {
		t.Errorf("standard output is no pair of bare addresses:\n%s", out)
	}
	for _, name := range fakeserver.Names() {
		w, err := fakeserver.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := fakeserver.Start(w, fakeserver.Options{Control: "127.0.0.1:0"})
		if err != nil {
			t.Fatal(err)
		}
		narrow(t, serving(name, w, s))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	wants(t, messages, "world orders-two-instances one table with two capture instances", "the first line above is its URL, for --server",
		"the second line above takes control requests", "login svc_cdc_ro, password Demo-only!1", "login dba, password", "ctrl+c stops it.")
	narrow(t, messages)

	// Both the URL and the printed command reach it.
	got, _ := c.want(0, "tables", "--server", lines[0])
	wants(t, got, "dbo.Orders")
	_, command, _ := strings.Cut(messages, "cdcseed tables ")
	command, _, _ = strings.Cut(command, "\n\n")
	c.env["CDCSEED_PASSWORD"] = "Demo-only!1"
	again, _ := c.want(0, append([]string{"tables"}, shellWords(command+"\n")...)...)
	if got != again {
		t.Errorf("by the URL:\n%s\nby the command:\n%s", got, again)
	}
}

func TestFakeJSON(t *testing.T) {
	c := newConsole(t)
	out, messages := c.served("--control", "127.0.0.1:0", "--json")
	if last := lastLine(t, out); last["type"] != "serving" || last["url"] == "" || last["control"] == "" || messages != "" {
		t.Errorf("got %s and %s", out, messages)
	}
}

// The password of somebody's own world stays in its file.
func TestFakeOfAFileKeepsItsPasswords(t *testing.T) {
	page, err := os.ReadFile("../../docs/fakeserver.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	text, _, _ := strings.Cut(rest, "```")
	file := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, messages := newConsole(t).served("--world", file)
	wants(t, messages, "login reader", "--database Sales --user reader")
	if strings.Contains(messages, "secret") {
		t.Error(messages)
	}
}

func TestFakeRefusals(t *testing.T) {
	c := newConsole(t)
	_, messages := c.want(2, "fake", "--world", "none")
	wants(t, messages, `No world "none"`, "one of the built-in worlds: "+strings.Join(fakeserver.Names(), ", ")+".")
	c.want(2, "fake", "--listen", "0.0.0.0:0")
	file := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(file, []byte(`{"format":2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, messages = c.want(2, "fake", "--world", file)
	wants(t, messages, "docs/fakeserver.md describes the world file")
	out, _ := c.want(0, "fake", "--help")
	for _, name := range fakeserver.Names() {
		wants(t, out, fmt.Sprintf("%s %s", name, fakeserver.About(name)))
	}
	// An address that cannot be printed is of use to nobody: nothing is served.
	exit := run(t.Context(), []string{"fake"}, os.LookupEnv, streams{out: unwritten{}, err: io.Discard, now: time.Now})
	if exit != 1 {
		t.Errorf("exit %d", exit)
	}
}

type unwritten struct{}

func (unwritten) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
