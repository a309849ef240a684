package fakeserver_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

// The world in the documentation is a world.
func TestDocumentedWorldIsRead(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "docs", "fakeserver.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(b), "```json\n")
	text, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatal("no JSON in docs/fakeserver.md")
	}
	w, err := fakeserver.ReadWorld(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	db := connect(t, serve(t, w, fakeserver.Options{}).URL())
	want(t, db, "SELECT Name FROM dbo.T ORDER BY Id", "one", "two")
	want(t, db, "SELECT COUNT(*) FROM cdc.lsn_time_mapping", "13")
}

// Every built-in world says what it is about, to a reader of the page and of the help.
func TestBuiltInWorldsAreDescribed(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "fakeserver.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range fakeserver.Names() {
		if !strings.Contains(string(page), "\n| `"+name+"` | ") || fakeserver.About(name) == "" {
			t.Errorf("%s is described by %q, and maybe not in docs/fakeserver.md", name, fakeserver.About(name))
		}
	}
	if text := fakeserver.About("no-such-world"); text != "" {
		t.Errorf("a world that there is not is about %q", text)
	}
}

func TestCloseTwice(t *testing.T) {
	s, err := fakeserver.Start(load(t, "catalogue.json"), fakeserver.Options{Control: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// When its context ends, the server stops serving by itself; Close waits for it.
func TestServeEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s, err := fakeserver.Serve(ctx, load(t, "catalogue.json"), fakeserver.Options{Control: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	db := as(t, s, "dba")
	want(t, db, "SELECT 1", "1")
	stop()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		_, connected := rows(db, "SELECT 1")
		r, controlled := http.Get(s.ControlURL() + "/statements")
		if controlled == nil {
			r.Body.Close()
		}
		if connected != nil && controlled != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("still served")
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Statements, commits, clean-ups and clocks at once: the race detector's test,
// and every answer is of one moment.
func TestEverythingAtOnce(t *testing.T) {
	s := controlled(t)
	var wg sync.WaitGroup
	run := func(f func(i int) error) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 30 {
				if err := f(i); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	reader, lister := as(t, s, "dba"), as(t, s, "nothing")
	run(func(int) error {
		got, err := rows(reader, "SELECT COUNT(*), SUM(Qty) FROM dbo.Orders WHERE Id >= 100")
		if err == nil && got[0] != "0 NULL" && got[0] != "2 10" {
			t.Errorf("half a commit: %s", got[0])
		}
		return err
	})
	run(func(int) error { _, err := rows(lister, "SELECT COUNT(*) FROM cdc.lsn_time_mapping"); return err })
	run(func(i int) error {
		pair := []fakeserver.Change{change("dbo.Orders", "insert", `[100,null,null,4,"1.00"]`), change("dbo.Orders", "insert", `[101,null,null,6,"1.00"]`)}
		if i%2 == 1 {
			pair = []fakeserver.Change{change("dbo.Orders", "delete", `{"Id":101}`), change("dbo.Orders", "delete", `{"Id":100}`)}
		}
		_, err := s.Commit("Sales", pair...)
		return err
	})
	run(func(int) error { s.Advance(60e9); _, err := s.Idle("Sales"); return err })
	run(func(int) error { _, err := s.RunCleanup("Sales"); return err })
	run(func(int) error { s.Statements(); s.Rows("Sales", "dbo", "Orders", nil); return nil })
	run(func(int) error { return s.SetFault(fakeserver.Fault{Match: "never", Drop: true}) })
	wg.Wait()
}
