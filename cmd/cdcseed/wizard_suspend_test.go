//go:build !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
)

// inAShell starts an interactive shell that controls its jobs, with the program
// as $cdcseed.
func inAShell(t *testing.T, env map[string]string) *terminal {
	t.Helper()
	shell, err := exec.LookPath("bash")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("bash is needed to suspend a program in")
		}
		t.Skip("no bash: nothing here suspends a program")
	}
	s := &terminal{t: t, screen: vt.NewSafeEmulator(100, 30), ended: make(chan struct{}), hung: make(chan struct{})}
	all := map[string]string{"cdcseed": os.Args[0], "PS1": "READY> "}
	for name, value := range env {
		all[name] = value
	}
	return s.start(exec.Command(shell, "--norc", "--noprofile", "-i"), all).expect("READY>")
}

// ctrl+z leaves the terminal as a shell needs it, and fg draws the screen again
// with every answer.
func TestWizardIsSuspended(t *testing.T) {
	t.Parallel()
	s := inAShell(t, map[string]string{"CDCSEED_DATABASE": "Sales"})
	s.write("$cdcseed\r").expect("[1 Connect]", "Sales").press("ctrl+z").expect("cdcseed is suspended. fg goes on with every answer.", "Stopped")
	s.write("stty -a | tr ' ' '\\n' | grep -cx -e icanon -e echo -e isig -e opost\r").expect("4 READY>") // cooked
	s.write("clear; fg\r").expect("[1 Connect]", "Sales", "READ-ONLY")
	s.write("hq").expect("hq_") // keys come one by one again
	s.press("ctrl+c").expect("Leave cdcseed?").press("y").expect("The wizard was left before the end.")
	s.write("echo status $?\r").expect("status 130").write("exit\r")
	s.exit()
}

// In the background it goes on without the screen, and ends when it is told to.
func TestWizardEndsInTheBackground(t *testing.T) {
	t.Parallel()
	s := inAShell(t, nil)
	s.write("$cdcseed\r").expect("[1 Connect]").press("ctrl+z").expect("Stopped")
	s.write("clear; bg\r").expect("[1]+").gone("[1 Connect]")
	s.write("kill %1; wait %1; echo status $?\r").expect("status 130")
	s.write("exit\r").exit()
}

// A suspended wizard that is told to end leaves the terminal to the shell, whose
// it is: it stays as a shell needs it.
func TestSuspendedWizardIsKilled(t *testing.T) {
	t.Parallel()
	s := inAShell(t, nil)
	s.write("$cdcseed\r").expect("[1 Connect]").press("ctrl+z").expect("Stopped")
	s.write("clear; kill %1\r").expect("left before the end")
	const cooked = "stty -a | tr ' ' '\\n' | grep -cx -e icanon -e echo -e isig -e opost"
	for range 2 { // what a prompt finds, readline keeps
		s.write("clear; wait; " + cooked + "\r").expect("4 READY>")
	}
	s.write("exit\r").exit()
}

// Where no shell is there to wake it, ctrl+z stops nothing.
func TestWizardIsNotSuspendedForEver(t *testing.T) {
	t.Parallel()
	s := openTerminal(t, nil).expect("[1 Connect]").press("ctrl+z")
	s.expect("[1 Connect]").write("hq").expect("hq_").press("ctrl+c").expect("Leave cdcseed?").press("y")
	if status, after := s.exit(); status != 130 || !strings.Contains(after, "left before the end") {
		t.Errorf("status %d: %s", status, after)
	}
}

// A stop by somebody else, of whom the terminal knows nothing, is mended when the
// program goes on.
func TestWizardIsStoppedFromOutside(t *testing.T) {
	t.Parallel()
	s := openTerminal(t, nil).expect("[1 Connect]")
	s.signal(syscall.SIGSTOP)
	time.Sleep(50 * time.Millisecond)
	if _, err := s.screen.Write([]byte("\x1b[2J")); err != nil { // somebody wrote over it
		t.Fatal(err)
	}
	s.signal(syscall.SIGCONT).expect("[1 Connect]").write("hq").expect("hq_")
}

// A terminal that takes nothing any more keeps no program: told to end, it ends.
func TestWizardWithAStuckTerminal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		s := openTerminal(t, nil).expect("[1 Connect]")
		s.frozen.Store(true)
		for range 150 {
			s.send(keys["ctrl+l"])
			time.Sleep(10 * time.Millisecond)
		}
		s.signal(sig)
		select {
		case <-s.ended:
		case <-time.After(patience):
			t.Fatal("it waits for its terminal")
		}
		if status := s.child.ProcessState.ExitCode(); status != 130 {
			t.Errorf("%v: status %d", sig, status)
		}
		s.frozen.Store(false)
	}
}

// The terminal is asked for its background, and nobody waits for an answer that
// never comes, or comes late.
func TestWizardWaitsForNoAnswer(t *testing.T) {
	t.Parallel()
	s := openTerminal(t, nil).expect("[1 Connect]")
	s.send("\x1b]11;rgb:ffff/ff")
	time.Sleep(100 * time.Millisecond)
	s.send("ff/ffff\x1b\\")
	s.write("hq").expect("hq_").gone("rgb")
}

// Over a slow line keys come in pieces, and are the keys that were pressed.
func TestWizardOnASlowLine(t *testing.T) {
	t.Parallel()
	s := openTerminal(t, nil).expect("[1 Connect]", "▸ Server").write("hq")
	s.expect("hq_")
	for _, piece := range []string{"\x1b", "[", "B"} { // down
		s.send(piece)
		time.Sleep(3 * time.Millisecond)
	}
	s.expect("▸ Database").write("Gr")
	for _, piece := range []string{"\xc3", "\xbc"} { // a letter of two bytes
		s.send(piece)
		time.Sleep(3 * time.Millisecond)
	}
	s.expect("Gr\u00fc_")
}

// The wizard's log has what was asked of the engine and what came of it.
func TestFlowIsLogged(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	path := filepath.Join(t.TempDir(), "wizard.jsonl")
	s := openTerminal(t, f.env, "--log", path).accept("type the table's name").write("dbo.Orders").expect("enter WRITE").press("enter").expect("[8 Done]")
	if status, _ := s.leave(); status != 0 {
		t.Errorf("status %d", status)
	}
	lines, text := loggedLines(t, path)
	for _, message := range []string{"begins", "connect", "tables", "table", "copy", "target", "as_of", "columns", "plan", "seed begins", "phase done", "seed", "ends"} {
		if saidInLog(lines, message) == 0 {
			t.Errorf("nothing is said of %q:\n%s", message, text)
		}
	}
	if strings.Contains(text, f.env["CDCSEED_PASSWORD"]) {
		t.Error("the log holds the password")
	}
}

// A font without the lines is no reason not to see the frame, and colour is asked
// for by nobody who says so.
func TestWizardInASCII(t *testing.T) {
	t.Parallel()
	s := openTerminal(t, map[string]string{"NO_COLOR": "1"}, "--ascii").expect("[1 Connect]", "> Server")
	for _, r := range s.see() {
		if r > '~' {
			t.Errorf("%q is drawn:\n%s", r, s.see())
			break
		}
	}
	if s.colours() {
		t.Error("colour where none is wanted")
	}
	if coloured := openTerminal(t, nil).expect("[1 Connect]", "▸ Server"); !coloured.colours() {
		t.Error("no colour where it is possible")
	}
}
