package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kept makes a demo, and gives the environment of a seed that finds it.
func (c *console) kept(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "demo")
	c.want(0, "demo", "--dir", dir)
	c.serve()
	for name, value := range map[string]string{
		"TABLE": "dbo.Orders", "AS_OF": demoAsOf, "COPY": filepath.Join(dir, "copy"), "TARGET": filepath.Join(dir, "other"),
		"CAST": "Amount=stop,Shipping=round", "COPY_TIME_ZONE": "UTC", "ACCEPT": "fell_back",
	} {
		c.env["CDCSEED_"+name] = value
	}
	return dir
}

// A stop ends a question at once, though nobody presses return.
func TestStopAtTheQuestions(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	stopped := func(messages string) {
		t.Helper()
		wants(t, messages, "STOP Stopped on request. Nothing was written.", "(stopped, exit status 130)")
		if !strings.Contains(messages, ": \nSTOP") {
			t.Errorf("the stop begins behind the question:\n%s", messages)
		}
		if _, err := os.Stat(filepath.Join(dir, "other")); !os.IsNotExist(err) {
			t.Errorf("a target: %v", err)
		}
	}
	c.terminal = true
	keyboard := func() io.Reader {
		ctx, stop := context.WithCancel(t.Context())
		c.ctx = ctx
		return interrupting{stop}
	}
	c.reader = keyboard()
	_, messages := c.want(130, "seed")
	stopped(messages)
	wants(t, messages, "To write 3,001 snapshot rows to "+filepath.Join(dir, "other")+" at L "+demoL+", type the table's name (dbo.Orders):")

	delete(c.env, "CDCSEED_PASSWORD")
	for _, command := range []string{"seed", "tables"} {
		silent := keyboard()
		c.password = func(ctx context.Context) (string, error) {
			return untilStopped(ctx, func() (string, error) { _, err := silent.Read(nil); return "", err })
		}
		_, messages = c.want(130, command)
		stopped(messages)
		wants(t, messages, "Password of svc_cdc_ro:")
	}
}

// interrupting is a keyboard on which somebody presses ctrl+c and nothing else.
type interrupting struct{ stop func() }

func (k interrupting) Read([]byte) (int, error) {
	k.stop()
	select {}
}

// Neither an end of input nor a keyboard that is gone is an answer.
func TestNoAnswer(t *testing.T) {
	c := newConsole(t)
	c.kept(t)
	c.terminal, c.in = true, ""
	_, messages := c.want(130, "seed")
	if !strings.Contains(messages, ": \nSTOP  No answer was given.\n      Nothing was written.\n") {
		t.Error(messages)
	}
	delete(c.env, "CDCSEED_PASSWORD")
	for cause, says := range map[error]string{io.EOF: "No password was given.", errors.New("keyboard gone"): "No password was given: keyboard gone."} {
		c.password = func(context.Context) (string, error) { return "", cause }
		_, messages = c.want(130, "tables")
		if !strings.Contains(messages, ": \nSTOP  "+says+"\n") {
			t.Error(messages)
		}
	}
}

// Where nobody can be asked, a SQL login without a password is not tried.
func TestNoPassword(t *testing.T) {
	c := newConsole(t)
	c.serve()
	delete(c.env, "CDCSEED_PASSWORD")
	for _, command := range [][]string{{"tables"}, {"lsn", "--table", "dbo.Orders", "--now"}} {
		_, messages := c.want(2, command...)
		wants(t, messages, "No password: set CDCSEED_PASSWORD or give --password-file.", "Nothing was written.", "(usage, exit status 2)")
	}
	c.env["CDCSEED_PASSWORD"] = "" // an empty one is one: the server is asked, and refuses it
	_, messages := c.want(7, "tables")
	wants(t, messages, "(login_failed, exit status 7)")
	delete(c.env, "CDCSEED_PASSWORD")
	delete(c.env, "CDCSEED_USER")
	c.env["CDCSEED_SERVER"] = "sqlserver://svc_cdc_ro:Demo-only%211@" + strings.Replace(c.env["CDCSEED_SERVER"], ",", ":", 1)
	c.want(0, "tables")
	c.env["CDCSEED_SERVER"] = strings.Replace(c.env["CDCSEED_SERVER"], ":Demo-only%211", "", 1)
	_, messages = c.want(2, "tables")
	wants(t, messages, "No password")
	c.terminal, c.password = true, func(context.Context) (string, error) { return "Demo-only!1", nil }
	_, messages = c.want(0, "tables")
	wants(t, messages, "Password of svc_cdc_ro:")
}

// A seed that is there already has nothing to confirm, but for its facts row.
func TestConfirmWhatWrites(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	c.env["CDCSEED_TARGET"], c.env["CDCSEED_TARGET_NAME"] = filepath.Join(dir, "bronze", "orders"), "bronze.orders"
	out, _ := c.want(0, "seed")
	wants(t, out, "Already seeded. No rows were written.")
	_, messages := c.want(2, "seed", "--confirm", "dbo.Other")
	wants(t, messages, "confirmation names another table")
	c.env["CDCSEED_FACTS"], c.env["CDCSEED_APP_ID"] = filepath.Join(dir, "ops", "more"), "orders-v1"
	_, messages = c.want(2, "seed")
	wants(t, messages, "must be confirmed")
	c.terminal, c.in = true, "dbo.Orders\n"
	out, messages = c.want(0, "seed")
	wants(t, messages, "To record the seed in "+filepath.Join(dir, "ops", "more")+" for app id orders-v1,")
	wants(t, out, "Already seeded.", "row written")
}
