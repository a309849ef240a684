//go:build !windows

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cdcseed/fakeserver"
)

// flow is a person's way through the wizard against a server of the test's.
type flow struct {
	*console
	dir    string // of a demo: its copy, and what was seeded from it
	server *fakeserver.Server
	target string // where nothing is yet
}

// newFlow makes a copy and serves a world; the environment answers everything,
// and accepts no warning.
func newFlow(t *testing.T, world string) *flow {
	t.Helper()
	c := newConsole(t)
	f := &flow{console: c, dir: c.kept(t)}
	w, err := fakeserver.Named(world)
	if err != nil {
		t.Fatal(err)
	}
	if f.server, err = fakeserver.Start(w, fakeserver.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.server.Close() })
	f.target = filepath.Join(f.dir, "fresh")
	c.env["CDCSEED_SERVER"], c.env["CDCSEED_TARGET"] = f.url(), f.target
	delete(c.env, "CDCSEED_ENCRYPT")
	delete(c.env, "CDCSEED_ACCEPT")
	return f
}

func (f *flow) url() string { return "sqlserver://" + f.server.Addr() + "?encrypt=disable" }

// files are those below the target, none where it is missing.
func (f *flow) files() []string {
	f.t.Helper()
	var out []string
	err := filepath.WalkDir(f.target, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, strings.TrimPrefix(path, f.target))
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	return out
}

// seeded checks that the target holds the seed.
func (f *flow) seeded() {
	f.t.Helper()
	f.env["CDCSEED_ACCEPT"] = "fell_back"
	out, _ := f.want(0, "seed", "--dry-run")
	wants(f.t, out, "no rows: the seed is in the target already", demoL)
}

// A first seed from an empty wizard: everything is typed, the warning is read
// and accepted, each open column is answered, and the table's name confirms.
func TestFlowFirstSeed(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	s := openTerminal(t, map[string]string{"CDCSEED_STATE": f.env["CDCSEED_STATE"]})
	s.expect("[1 Connect]", "not connected yet").paste(f.url())
	s.press("tab").write(demoDatabase).press("tab", "tab").write("svc_cdc_ro").press("tab").write(f.env["CDCSEED_PASSWORD"]).press("tab")
	s.expect("Ready.", "W. Europe Standard Time").gone(f.env["CDCSEED_PASSWORD"])
	s.press("enter").expect("[2 Table]", "dbo.Customers").press("/").write("order").press("enter").expect("dbo.Orders selected")
	s.press("enter").expect("[3 Copy]").write(filepath.Join(f.dir, "copy")).press("tab").write(f.target)
	s.press("tab").write("bronze.fresh").press("tab").write(filepath.Join(f.dir, "facts")).press("tab").write("fresh-v1")
	s.expect("3,001 rows", "Ready").press("enter")
	s.expect("[4 As of]").write(demoAsOf).expect(demoL, "fell_back").press("enter").expect("enter again accepts it").accept("[5 Columns]")
	for _, left := range []string{"3 columns need an answer", "2 columns need an answer", "1 column needs an answer"} {
		s.expect(left, "enter (off)").press("n", "space")
	}
	s.expect("Ready.").press("enter")
	s.expect("[6 Review]", "NOT WRITTEN YET", "You accepted", "fell_back", "enter (off)").write("dbo.orders").press("enter")
	s.expect("enter (off)").press("ctrl+u").paste("dbo.Orders").expect("enter WRITE").press("enter")
	s.expect("[8 Done]", "WRITTEN", "Seeded. 3,001 rows in one commit.")
	status, after := s.leave()
	wants(t, after, "Seeded. 3,001 rows in one commit.", "L "+demoL, "row written", "bronze.fresh")
	if status != 0 {
		t.Errorf("status %d", status)
	}
	f.env["CDCSEED_TARGET_NAME"], f.env["CDCSEED_CAST"] = "bronze.fresh", "Amount=stop,Shipping=stop"
	f.seeded()
}

// Up to the plan, and away: the plan that was shown is run by its digest.
func TestFlowDryRun(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	s := openTerminal(t, f.env).accept("type the table's name")
	// Neither the end of a pasted line nor an enter right behind esc writes.
	s.write("dbo.Orders\r").expect("[6 Review]", "enter WRITE").write("\x1b\r").expect("[6 Review]", "enter (off)", "type the table's name")
	s.press("ctrl+c").expect("Leave cdcseed?").press("y")
	status, after := s.exit()
	wants(t, after, "The wizard was left before the end.", "Nothing was written.", "The wizard with these answers:", "The plan as it was shown:")
	if status != 130 || len(f.files()) != 0 {
		t.Fatalf("status %d, target %v", status, f.files())
	}
	_, shown, _ := strings.Cut(after, "The plan as it was shown:")
	run := shellWords(shown)
	if len(run) != 6 || run[0] != "cdcseed" || run[2] != "--plan" {
		t.Fatalf("%q", run)
	}
	out, _ := f.want(0, run[1:]...)
	wants(t, out, "Seeded. 3,001 rows in one commit.")
	f.seeded()

	_, again, _ := strings.Cut(after, "The wizard with these answers:")
	again, _, _ = strings.Cut(again, "The plan as it was shown:")
	back := shellWords(again)
	// The same wizard finds the seed: nothing is asked of a plan that writes nothing.
	s = openTerminal(t, map[string]string{"CDCSEED_PASSWORD": f.env["CDCSEED_PASSWORD"]}, back[1:]...)
	s.accept("[8 Done]").expect("ALREADY SEEDED", "No rows were written")
	if status, after = s.leave(); status != 0 || !strings.Contains(after, "Already seeded.") {
		t.Errorf("status %d: %s", status, after)
	}
}

// What cannot be made right here stops where it is seen: nothing accepts it.
func TestFlowRefusal(t *testing.T) {
	t.Parallel()
	f := newFlow(t, "orders-retention-passed")
	f.env["CDCSEED_AS_OF"] = "2026-10-05T22:00:00Z" // before all that is kept
	s := openTerminal(t, f.env).accept("[4 As of]").expect("STOP", "no_commit", "enter (off)")
	s.press("enter", "enter", "enter").expect("[4 As of]", "no_commit", "READ-ONLY")
	s.press("ctrl+c", "ctrl+c") // twice in a second leaves
	if status, after := s.exit(); status != 130 || len(f.files()) != 0 {
		t.Errorf("status %d, target %v: %s", status, f.files(), after)
	}
}

// An answer far back is changed on the way: what came later is doubted, and kept.
func TestFlowGoingBack(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	s := openTerminal(t, f.env).accept("[5 Columns]").expect("Ready.")
	s.press("esc").expect("[4 As of]").press("esc").expect("[3 Copy]").press("tab").expect("fresh_").write("er")
	s.expect("? As of", "fresher").accept("[4 As of]").expect(demoAsOf, demoL)
	s.accept("type the table's name").expect("fresher").gone("? ")
	s.write("dbo.Orders").expect("enter WRITE").press("enter").expect("[8 Done]", "fresher").press("ctrl+c")
	if status, after := s.exit(); status != 0 || !strings.Contains(after, "fresher, version 1") || len(f.files()) != 0 {
		t.Errorf("status %d: %s", status, after)
	}
	f.target += "er"
	f.env["CDCSEED_TARGET"] = f.target
	f.seeded()
}

// Colour repeats what characters say, and NO_COLOR leaves it out. The size of
// the window changes under the wizard.
func TestFlowLooks(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	for _, colour := range []bool{true, false} {
		if !colour {
			f.env["NO_COLOR"] = "1"
		}
		s := openTerminal(t, f.env).expect("Ready.")
		if s.colours() != colour {
			t.Errorf("colours %v, want %v:\n%s", s.colours(), colour, s.see())
		}
		s.resize(50, 12).expect("needs at least 60 x 18", "50 x 12").resize(60, 18).expect("Step 1 of 8").resize(140, 40).expect("[1 Connect]", "8 Done", "same as:")
		s.press("ctrl+c", "ctrl+c")
		s.exit()
	}
	ascii := openTerminal(t, map[string]string{"CDCSEED_ASCII": "1"}).expect("> Server")
	if i := strings.IndexFunc(ascii.see(), func(r rune) bool { return r > 126 }); i >= 0 {
		t.Errorf("a character that is not ASCII:\n%s", ascii.see())
	}
}

// partFiles are the data files among files.
func partFiles(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !strings.Contains(f, "part-") })
}
