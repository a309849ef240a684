package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// What may be wrong with a source has a picture each: which answer to change
// shows without a key.
func TestConnectStates(t *testing.T) {
	for name, c := range map[string]struct {
		err  *verdict.Error
		says string
	}{
		"certificate": {&verdict.Error{
			Code: verdict.SourceUnreachable, What: `the certificate of "sqlprod07.corp.local,1433" is not trusted`,
			Facts: verdict.Facts("said", "x509: certificate signed by unknown authority"), Why: "Whoever answers there may not be the server.",
			Hint: []string{"Give the server's certificate with --encrypt pin:FILE, or have this machine trust who signed it.", "--encrypt trust accepts any certificate, and any server."},
		}, "STOP  No connection: check Server and Encrypt. (source_unreachable)"},
		"cdc-off": {&verdict.Error{
			Code: verdict.CDCOff, What: `CDC is off for the database "Sales"`, Why: "Without it no change is kept that a stream could go on with.",
			Hint: []string{"A DBA turns it on with EXEC sys.sp_cdc_enable_db. A copy that began before cannot be seeded."},
		}, "STOP  CDC is off there: choose another Database. (cdc_off)"},
		"denied": {&verdict.Error{
			Code: verdict.SourceDenied, What: `the login "svc_cdc_ro" may not read cdc.lsn_time_mapping`, Facts: verdict.Facts("said", "229: The SELECT permission was denied"),
			Hint: []string{"A DBA grants it: GRANT SELECT ON SCHEMA::cdc TO svc_cdc_ro."},
		}, "STOP  This login may not read there: change User. (source_denied)"},
	} {
		s := orders()
		s.sourceErr = c.err
		perform(t, s, ordersRequest()).golden("connect-"+name).shows(c.says, "enter (off)")
	}
	s := orders()
	s.source.Checks[2] = verdict.Noted("this machine's clock is ahead of the server's by up to 5 m", "Times that are typed are the server's business; the time that L has left goes by its clock.")
	perform(t, s, ordersRequest()).golden("connect-clock").shows("this machine's clock is ahead", "enter next")
	p := perform(t, orders(), ordersRequest())
	p.found.source = known[engine.SourceView]{}
	hold(p, keyNamed(t, "ctrl+r"))
	p.golden("connect-connecting").shows("connecting to sqlprod07.corp.local,1433", "enter (off)")
}

// A commit that another one came before is told, and tried again.
func TestRunAfterALostRace(t *testing.T) {
	p := atRun(t, ordersPlan(t)).committed()
	p.says(time.Second, engine.Notice{Phase: engine.Commit, Text: "another commit took version 1; everything is checked again, and version 2 is tried"}).
		golden("run-conflict").shows("another commit took version 1", stateCommitting)
}

// Leaving is asked with staying as the answer that enter gives.
func TestLeaveGoldens(t *testing.T) {
	perform(t, orders(), ordersRequest()).press("ctrl+c").golden("leave").shows("[ Stay ]", "Nothing was written.")
	atRun(t, ordersPlan(t)).stagedTo(43).press("ctrl+c").golden("leave-running").shows("[ Go on ]", "Staged files are removed")
	p := failing(t, factsFailed())
	p.do(p.show(copyStep))
	p.press("ctrl+c").golden("leave-written").lacks("Nothing was written.")
}

// A window that is too small says so, and whether anything was written.
func TestTooSmallGoldens(t *testing.T) {
	for name, p := range map[string]*play{"44x7": perform(t, orders(), ordersRequest()), "59x24": atRun(t, ordersPlan(t)).stagedTo(43)} {
		w, h := 44, 7
		if name != "44x7" {
			w, h = 59, 24
		}
		got, file := p.see(w, h)+"\n", filepath.Join("testdata", "too-small", name+".txt")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// However little shows of it, it is said how to leave.
func TestTooSmallSaysHowToLeave(t *testing.T) {
	p := perform(t, orders(), ordersRequest())
	if got := strings.Join(strings.Fields(p.see(20, 5)), " "); !strings.Contains(got, "quit (ctrl+c)") {
		t.Errorf("%q", got)
	}
}

// While a sheet lies over a step, the status is about the sheet: enter closes it
// and accepts nothing.
func TestASheetHasItsOwnStatus(t *testing.T) {
	s := orders()
	s.asOf = fellBackView()
	p := atAsOf(t, s, "2026-10-25T00:40:00Z").shows("1 warning: enter names it")
	p.press("ctrl+y").shows("esc or enter closes this.").lacks("enter names it")
	p.press("enter").shows("1 warning: enter names it")
}

// That cleanup may have come to L is a warning's word, on the page and below it.
func TestAsOfAtTheEdgeOfWhatIsKept(t *testing.T) {
	s := orders()
	s.asOf = mappedView()
	rest := s.asOf.Checks[1:]
	readableFor(&s.asOf, 0)
	s.asOf.Checks = append(s.asOf.Checks, rest...)
	atAsOf(t, s, "2026-10-25T12:30:00Z").shows("  warn  Cleanup may pass L at any time", " warn  L is 0x0000003200000A280001; cleanup may pass it at any time.")
}
