//go:build !windows

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/fakeserver"
)

// staging walks to a seed that has staged its files and waits for the source
// before its commit.
func (f *flow) staging(t *testing.T) *terminal {
	t.Helper()
	if err := f.server.SetFault(); err != nil {
		t.Fatal(err)
	}
	s := openTerminal(t, f.env).accept("type the table's name")
	// The position that is kept is asked for when the plan is checked again, and then after staging.
	if err := f.server.SetFault(fakeserver.Fault{Match: "cdcseed: min_lsn", Nth: 2, Delay: "10m"}); err != nil {
		t.Fatal(err)
	}
	s.write("dbo.Orders").expect("enter WRITE").press("enter").expect("[7 Run]")
	for end := time.Now().Add(patience); len(partFiles(f.files())) < 3; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("nothing is staged: %v\n%s", f.files(), s.see())
		}
	}
	return s.expect("WRITING, not visible")
}

// clean checks that a stopped seed left nothing, and no table.
func (f *flow) clean() {
	f.t.Helper()
	if left := f.files(); len(left) != 0 {
		f.t.Errorf("left behind: %v", left)
	}
}

// A machine that goes down and a window that is closed both stop a seed before
// its commit; it cleans up and says so.
func TestFlowSignalsWhileRunning(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		s := f.staging(t).signal(sig)
		status, after := s.exit()
		wants(t, after, "STOP Stopped", "Nothing was written.", "(stopped, exit status 130)", "The plan as it was shown:")
		if status != 130 {
			t.Errorf("%v: status %d", sig, status)
		}
		f.clean()
	}
}

func TestFlowTerminalGoneWhileRunning(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	s := f.staging(t)
	s.hangUp()
	select {
	case <-s.ended:
	case <-time.After(patience):
		t.Fatal("it goes on without a terminal")
	}
	if status := s.child.ProcessState.ExitCode(); status != 130 {
		t.Errorf("status %d", status)
	}
	f.clean()
	// Where the seed is written by then, that is what counts: nobody reads the result.
	if err := f.server.SetFault(); err != nil {
		t.Fatal(err)
	}
	s = openTerminal(t, f.env).accept("type the table's name").write("dbo.Orders").expect("enter WRITE").press("enter").expect("[8 Done]")
	s.hangUp()
	<-s.ended
	if status := s.child.ProcessState.ExitCode(); status != 0 {
		t.Errorf("status %d", status)
	}
	f.seeded()
}

// Answers that make another seed of the demo's are not proved.
func TestFlowDemoWithOtherAnswers(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	s := openTerminal(t, nil, "demo", "--dir", dir).expect("Ready.").accept("[3 Copy]").press("tab", "tab").expect("bronze.orders_").write("2").accept("type the table's name")
	status, after := s.write("dbo.Orders").expect("enter WRITE").press("enter").expect("[8 Done]").leave()
	wants(t, after, "Seeded. 3,001 rows", "no longer the demo's seed that was asked for (--target-name)")
	if status != 0 || strings.Contains(after, "Proof") {
		t.Errorf("status %d: %s", status, after)
	}
}

// ctrl+c asks, and going on is what enter means; stopped, the person is still
// in the wizard, and the same plan can be run again.
func TestFlowStopAndRunAgain(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	s := f.staging(t)
	s.press("ctrl+c").expect("Stop the seed?").press("enter").gone("Stop the seed?").expect("[7 Run]")
	s.resize(70, 20).expect("Step 7 of 8").resize(100, 30).expect("[7 Run]")
	s.press("ctrl+c").expect("Stop the seed?").press("y").expect("STOPPED", "NOTHING WRITTEN")
	f.clean()
	if err := f.server.SetFault(); err != nil {
		t.Fatal(err)
	}
	s.press("enter").accept("type the table's name").write("dbo.Orders").expect("enter WRITE").press("enter").expect("[8 Done]")
	if status, after := s.leave(); status != 0 || !strings.Contains(after, "Seeded. 3,001 rows") {
		t.Errorf("status %d: %s", status, after)
	}
	f.seeded()
}

// A failure is told on the screen, and after it with its own status.
func TestFlowFailure(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	s := openTerminal(t, f.env).accept("type the table's name")
	if err := f.server.SetFault(fakeserver.Fault{Match: "cdcseed: min_lsn", Nth: 2, Error: &fakeserver.FaultError{Number: 229, Message: "The EXECUTE permission was denied."}}); err != nil {
		t.Fatal(err)
	}
	s.write("dbo.Orders").expect("enter WRITE").press("enter").expect("STOPPED", "NOTHING WRITTEN").press("ctrl+c")
	status, after := s.exit()
	wants(t, after, "STOP", "Nothing was written.", "The wizard with these answers:")
	if status == 0 || status == 130 {
		t.Errorf("status %d: %s", status, after)
	}
	f.clean()
}

// The demo at a terminal: nothing to type but the warning and the name, and
// the proof below.
func TestFlowDemo(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	s := openTerminal(t, nil, "demo", "--dir", dir).expect("Ready.").accept("[4 As of]").expect("fell_back")
	s.accept("type the table's name").write("dbo.Orders").expect("enter WRITE").press("enter").expect("[8 Done]", "WRITTEN")
	status, after := s.leave()
	wants(t, after, "Seeded. 3,001 rows in one commit.", "Proof, read back from bronze.orders:", "rows 3,001 with operation 0 at L", "facts 1 row of app id orders-v1",
		"3,001 rows that the source has now", "Everything is in "+dir)
	if status != 0 {
		t.Errorf("status %d", status)
	}
	// What a judge needs is the same afterwards as where no person was asked.
	c := newConsole(t)
	found, _ := c.want(0, "demo", "--yes", "--json", "--dir", dir)
	first, _ := c.want(0, "demo", "--yes", "--json", "--dir", filepath.Join(t.TempDir(), "demo"))
	a, b := lastLine(t, found), lastLine(t, first)
	if a["state"] != "already_seeded" || b["state"] != "ready" {
		t.Errorf("states %v and %v", a["state"], b["state"])
	}
	if diff := cmp.Diff(b["judged"], a["judged"]); diff != "" {
		t.Errorf("what is judged (-without a person +after the wizard):\n%s", diff)
	}
	if diff := cmp.Diff(b["proof"], a["proof"]); diff != "" {
		t.Errorf("the proof (-without a person +after the wizard):\n%s", diff)
	}
}

func TestFlowDemoIsLeft(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	s := openTerminal(t, map[string]string{"TMPDIR": temp}, "demo").accept("type the table's name").press("ctrl+c").expect("Leave").press("y")
	status, after := s.exit()
	wants(t, after, "The wizard was left before the end. Nothing was written.", "The demo again: cdcseed demo")
	if left, err := filepath.Glob(filepath.Join(temp, "*")); status != 130 || err != nil || len(left) != 0 || strings.Contains(after, "--plan") {
		t.Errorf("status %d, left %v, %v: %s", status, left, err, after)
	}
}
