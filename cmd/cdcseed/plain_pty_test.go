//go:build !windows

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"cdcseed/fakeserver"
)

// readOut is the program as somebody hears it who has it read out: everything that
// was written, in its order.
type readOut struct {
	*terminal
	from int // what was heard ends here
}

func openLines(t *testing.T, env map[string]string, args ...string) *readOut {
	t.Helper()
	return &readOut{terminal: openTerminal(t, env, args...)}
}

// all is everything that was written, without the line ends of a terminal.
func (l *readOut) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.ReplaceAll(l.raw.String(), "\r", "")
}

// hears waits until a text is written behind what was heard, wherever its lines
// break.
func (l *readOut) hears(texts ...string) *readOut {
	l.t.Helper()
	for _, text := range texts {
		end := time.Now().Add(patience)
		for {
			all := l.all()
			if at := indexFolded(all[l.from:], text); at >= 0 {
				l.from += at
				break
			}
			over := false
			select {
			case <-l.hung:
				over = true
			default:
			}
			if over && l.all() == all || time.Now().After(end) {
				l.t.Fatalf("not heard: %q, after:\n%s", text, all[l.from:])
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return l
}

// indexFolded is where a text ends in another, whatever blanks are between its
// words; -1 where it is not there.
func indexFolded(in, text string) int {
	words := strings.Fields(text)
	for start := 0; ; {
		at := strings.Index(in[start:], words[0])
		if at < 0 {
			return -1
		}
		start += at
		rest, ok := in[start:], true
		for _, w := range words {
			trimmed := strings.TrimLeft(rest, " \n")
			if ok = strings.HasPrefix(trimmed, w); !ok {
				break
			}
			rest = trimmed[len(w):]
		}
		if ok {
			return len(in) - len(rest)
		}
		start++
	}
}

// says types a line.
func (l *readOut) says(texts ...string) *readOut {
	l.t.Helper()
	for _, text := range texts {
		l.send(text + "\r")
	}
	return l
}

// ends waits for the end, and checks that nothing moved the cursor.
func (l *readOut) ends(status int) string {
	l.t.Helper()
	got, _ := l.exit()
	all := l.all()
	if got != status {
		l.t.Errorf("status %d, want %d:\n%s", got, status, all)
	}
	if ansi.Strip(all) != all {
		l.t.Errorf("an escape: %q", all)
	}
	return all
}

// toName answers what is asked on the way to the table's name, where everything
// is answered beforehand.
func (l *readOut) toName() *readOut {
	l.t.Helper()
	for _, step := range []string{"Step 1 of 8, Connect", "Step 2 of 8, Table", "Step 3 of 8, Copy"} {
		l.hears(step, "[next]:").says("")
	}
	l.hears("Step 4 of 8, As of", "Warning fell_back", "To accept it, type fell_back [no]:").says("fell_back").hears("[next]:").says("")
	return l.hears("Step 5 of 8, Columns", "[next]:").says("").hears("Step 6 of 8, Review", "Type the table's name (dbo.Orders):")
}

// A first seed with everything typed. The password is not seen.
func TestPlainFirstSeed(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	l := openLines(t, map[string]string{"CDCSEED_STATE": f.env["CDCSEED_STATE"]}, "--plain")
	l.hears("Step 1 of 8, Connect. READ-ONLY", "Server [none]:").says(f.url()).hears("Database [none]:").says(demoDatabase)
	l.hears("Sign in, 1-9 [1]:").says("").hears("User [none]:").says("svc_cdc_ro").hears("Password [none]:").says(f.env["CDCSEED_PASSWORD"])
	l.hears("Encrypt, 1-5 [1]:").says("").hears("Time zone [none]:").says("").hears("ok: connected", "Next, or 1-7 to change an answer [next]:").says("")
	l.hears("Step 2 of 8", "Table, 1-").says("order").hears("dbo.Orders through dbo_Orders", "[next]:").says("next")
	l.hears("Step 3 of 8", "Copy [none]:").says(filepath.Join(f.dir, "copy")).hears("Target [none]:").says(f.target)
	l.hears("In the job [none]:").says("bronze.fresh").hears("Facts [none]:").says(filepath.Join(f.dir, "facts")).hears("App id [none]:").says("fresh-v1")
	l.hears("3,001 rows", "[next]:").says("")
	l.hears("Step 4 of 8", "As of [none]:").says(demoAsOf).hears("Copy lag [none]:").says("").hears(demoL, "To accept it, type fell_back [no]:").says("yes")
	l.hears("Not accepted.", "[no]:").says("fell_back").hears("[next]:").says("")
	l.hears("Step 5 of 8", "[none]:").says("1").hears("[none]:").says("1").hears("[none]:").says("1").hears("ok: Ready.", "[next]:").says("")
	l.hears("Step 6 of 8", "You accepted fell_back", "Type the table's name (dbo.Orders):").says("dbo.orders").hears("case counts", "Type the table's name").says("dbo.Orders")
	l.hears("Step 7 of 8", "WRITING, not visible", "Step 8 of 8, Done. WRITTEN.", "Seeded. 3,001 rows in one commit.", "L "+demoL)
	if all := l.ends(0); strings.Contains(all, f.env["CDCSEED_PASSWORD"]) {
		t.Error("the password is seen")
	}
	f.env["CDCSEED_TARGET_NAME"], f.env["CDCSEED_CAST"] = "bronze.fresh", "Amount=stop,Shipping=stop"
	f.seeded()
}

// The demo in lines, on a terminal that cannot be drawn on.
func TestPlainDemo(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	l := openLines(t, map[string]string{"TERM": "dumb"}, "demo", "--dir", dir).toName().says("dbo.Orders")
	l.hears("Seeded. 3,001 rows in one commit.", "Proof, read back from bronze.orders:", "3,001 with operation 0 at L")
	l.ends(0)
}

// Up to the plan, and away: the plan that was told is run by its digest.
func TestPlainDryRun(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	l := openLines(t, f.env, "--plain").toName().says("checks").hears("Checked again before anything is written:", "Type the table's name").says("quit")
	all := l.hears("The wizard was left before the end.", "Nothing was written.", "The plan as it was shown:").ends(130)
	if left := f.files(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	_, command, _ := strings.Cut(all, "cdcseed seed --plan ")
	out, _ := f.want(0, "seed", "--plan", command[:8], "--confirm", "dbo.Orders")
	wants(t, out, "Seeded. 3,001 rows")
}

// What is refused is told where it is, with the way to the answer.
func TestPlainRefusal(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	f.env["CDCSEED_AS_OF"] = "2026-10-01T00:00:00Z"
	l := openLines(t, f.env, "--plain")
	for range 3 {
		l.hears("[next]:").says("")
	}
	l.hears("Step 4 of 8", "STOP:", "Change 1-2, or again [1]:").says("next").hears("Change 1-2, or again [1]:").says("").hears("As of, in place of 2026-10-01T00:00:00Z:").says(demoAsOf)
	l.hears(demoL, "type fell_back [no]:").says("back").hears("Step 3 of 8, Copy", "[next]:").send("\x04") // the input's end
	l.hears("The input ended before the last question was answered", "Nothing was written.", "asked last", "The wizard with these answers:", "--as-of "+demoAsOf)
	l.ends(130)
}

// ctrl+c gives up a wait, and asks before it leaves.
func TestPlainWait(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	l := openLines(t, f.env, "--plain").hears("[next]:")
	if err := f.server.SetFault(fakeserver.Fault{Match: "cdcseed: instances", Delay: "10m"}); err != nil {
		t.Fatal(err)
	}
	l.says("").hears("Working: Reading the captured tables.")
	l.send("\x03")
	l.hears("Stopped waiting. ctrl+c again leaves.", "Change, or again [again]:")
	if err := f.server.SetFault(); err != nil {
		t.Fatal(err)
	}
	l.says("").hears("dbo.Orders through dbo_Orders", "[next]:").send("\x03")
	l.hears("press ctrl+c again, to leave", "[next]:").says("back").hears("Step 1 of 8", "[next]:").send("\x03")
	l.hears("press ctrl+c again", "[next]:").send("\x03")
	l.hears("The wizard was left before the end. Nothing was written.").ends(130)
}

// typing walks to a seed that has staged its files and waits for the source.
func (f *flow) typing(t *testing.T) *readOut {
	t.Helper()
	if err := f.server.SetFault(); err != nil {
		t.Fatal(err)
	}
	l := openLines(t, f.env, "--plain").toName()
	if err := f.server.SetFault(fakeserver.Fault{Match: "cdcseed: min_lsn", Nth: 2, Delay: "10m"}); err != nil {
		t.Fatal(err)
	}
	l.says("dbo.Orders").hears("Phase 2 of 5")
	for end := time.Now().Add(patience); len(partFiles(f.files())) < 3; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("nothing is staged: %v\n%s", f.files(), l.all())
		}
	}
	return l
}

// ctrl+c asks before a seed is stopped; stopped, it can be run again.
func TestPlainStopAndRunAgain(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	l := f.typing(t)
	l.send("\x03")
	l.hears("Stop the seed?", "Type yes to stop and clean up [no]:").says("").hears("It goes on.").send("\x03")
	l.hears("Stop the seed?", "[no]:").says("yes").hears("STOPPED. Nothing was written.", "[6]:")
	f.clean()
	if err := f.server.SetFault(); err != nil {
		t.Fatal(err)
	}
	l.says("").hears("Step 6 of 8", "Type the table's name (dbo.Orders):").says("dbo.Orders").hears("Seeded. 3,001 rows")
	l.ends(0)
	f.seeded()
}

// Who cannot be asked stops a seed before its commit; it cleans up and says so.
func TestPlainSignals(t *testing.T) {
	t.Parallel()
	f := newFlow(t, demoWorld)
	l := f.typing(t)
	l.signal(syscall.SIGTERM)
	l.hears("STOP Stopped", "Nothing was written.", "(stopped, exit status 130)").ends(130)
	f.clean()
	l = f.typing(t)
	l.hangUp()
	select {
	case <-l.ended:
	case <-time.After(patience):
		t.Fatal("it goes on without a terminal")
	}
	if status := l.child.ProcessState.ExitCode(); status != 130 {
		t.Errorf("status %d", status)
	}
	f.clean()
}

// A terminal that is read out, and one that cannot be drawn on, are asked in lines.
func TestPlainWithoutTheFlag(t *testing.T) {
	t.Parallel()
	for _, env := range []map[string]string{{"TERM": "dumb"}, {"ACCESSIBLE": "1"}, {"CDCSEED_PLAIN": "1"}} {
		l := openLines(t, env).hears("the wizard in plain lines", "Server [none]:").says("quit")
		l.hears("Nothing was written.").ends(130)
	}
}
