package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

func retentionPassed() *verdict.Error {
	return &verdict.Error{
		Code: verdict.RetentionPassed, What: "the changes right after L are no longer kept: the copy is older than the retention",
		Wrote: verdict.NothingWritten,
		Facts: verdict.Facts("as_of", "2026-10-25T00:40:00Z", "L", "0x0000003100000A280001", "oldest kept", "0x0000003300000F100002",
			"oldest kept commit", "2026-10-25T02:10:44Z"),
		Why:  "A seed here would leave a hole that no later run can fill.",
		Hint: []string{"Use a copy that was started at or after 2026-10-25T02:10:44Z, and soon: the edge moves."},
	}
}

func factsFailed() *verdict.Error {
	return &verdict.Error{
		Code: verdict.FactsFailed, What: "the seed is committed, its facts row is not",
		Wrote: `The seed is in "/lake/bronze/orders" at version 1; the facts table "/lake/ops/ingestion_facts" does not record it.`,
		Facts: verdict.Facts("cause", "store_denied"),
		Why:   "Without the row the stream writes its own when it starts, without the seed's counts.",
		Hint: []string{
			"Give the user that runs this the right to read and write there, then run the same command again.",
			"Run the same command again: it writes the row and no rows of the table.",
		},
		Err: errors.New(`Create "part-00000-01234567.c000.snappy.parquet": no permission`),
	}
}

func manyRefused() *verdict.Error {
	e := &verdict.Error{
		Code: verdict.ValueRefused, What: "12 columns have values that cannot be written", Wrote: verdict.NothingWritten,
		Why:  "A seed never writes NULL, nor another value, in silence.",
		Hint: []string{"--cast amount_01=null", "Or correct the copy and make a new plan."},
	}
	for i := range 12 {
		e.Facts = append(e.Facts, verdict.Facts(fmt.Sprintf("amount_%02d", i+1),
			"3 out of range: 123456789.01 (part-00007.parquet row 2), 99999999.99 (part-00011.parquet row 90), -1e99 (part-00012.parquet row 7)")...)
	}
	return e
}

// failing is the story's seed that ended with an error.
func failing(t *testing.T, e *verdict.Error) *play {
	t.Helper()
	p := atRun(t, ordersPlan(t)).stagedTo(43)
	p.hear(finishedMsg{err: e})
	return p
}

func TestFailureGoldens(t *testing.T) {
	failing(t, retentionPassed()).golden("failure-retention").shows("STOPPED. Nothing was written.", "[7 STOPPED]", "! As of", "NOTHING WRITTEN", "the files that this run staged were removed")
	failing(t, manyRefused()).golden("failure-values")
	failing(t, &verdict.Error{
		Code: verdict.Stopped, What: "stopped on request before the seed was committed", Wrote: verdict.NothingWritten, Err: errors.New("context canceled"),
		Hint: []string{"Run the same command again: it starts over, or goes on from files that were kept."},
	}).golden("failure-stopped").lacks("context canceled")
	kept := &verdict.Error{
		Code: verdict.Stopped, What: "stopped on request before the seed was committed",
		Wrote: "2 staged files, 640200000 bytes, that no reader sees are kept: cdcseed staged --target /lake/bronze/orders lists and removes them, and a rerun goes on from them.",
		Facts: verdict.Facts("kept", "part-00000-0123456789abcdef-01234567-89ab-4cde-8f01-23456789abcd.c000.snappy.parquet", "kept", "part-00001-0123456789abcdef-01234567-89ab-4cde-8f01-23456789abce.c000.snappy.parquet"),
		Hint:  []string{"Run the same command again: it starts over, or goes on from files that were kept."},
	}
	failing(t, kept).golden("failure-stopped-kept").lacks("were removed")
	full := &verdict.Error{
		Code: verdict.StoreFull, What: "staging a file did not work", Err: errors.New(`Finish "part-00855-0123456789abcdef.c000.snappy.parquet": no space left`),
		Wrote: verdict.NothingWritten, Hint: []string{"Make space there, then run the same command again."},
	}
	failing(t, full).golden("failure-full")
	unknown := &verdict.Error{
		Code: verdict.CommitUnknown, What: `whether version 1 of "/lake/bronze/orders" was committed is not known`, Err: errors.New("connection reset by peer"),
		Wrote: "The data files were written. The commit may have been.", Facts: verdict.Facts("version", 1, "txnId", "01234567-89ab-4cde-8f01-23456789abcd"),
		Why:  "The store gave no clear answer, and the version could not be read back as ours or another's.",
		Hint: []string{"Run the same command again: it finds the commit if it is there.", "Or look for _delta_log/00000000000000000001.json: it is this one if it holds the txnId."},
	}
	p := atRun(t, ordersPlan(t)).committed()
	p.hear(finishedMsg{err: unknown})
	p.golden("failure-unknown").shows("NOT KNOWN").lacks("were removed")
	p = atRun(t, ordersPlan(t)).committed().says(time.Second, engine.PhaseDone{Phase: engine.Commit, Text: "version 1"})
	p.hear(finishedMsg{err: factsFailed()})
	p.golden("failure-facts").shows("WRITTEN").lacks("NOTHING WRITTEN")
}

// enter goes where the answer is, and the rail says so until it changed.
func TestFailureLeadsBack(t *testing.T) {
	p := failing(t, retentionPassed())
	if p.press("enter"); p.at != asOfStep || p.found.failure == nil {
		t.Fatalf("at %d, failure %v", p.at, p.found.failure)
	}
	p.do(p.show(reviewStep)) // the new plan can run: nothing has to change any more
	if p.found.failure != nil {
		t.Error("the rail still blames a step whose answer holds now")
	}
	p.paste("dbo.Orders").press("enter")
	if len(p.runs) != 2 {
		t.Error("the seed cannot be run again")
	}
	p.shows("WRITING, not visible").lacks("STOPPED")
}

// An enter that was pressed before the failure came does not send it away.
func TestFailureIsNotMissed(t *testing.T) {
	p := failing(t, retentionPassed())
	if p.hear(keyNamed(t, "enter")); p.at != runStep {
		t.Errorf("at %d", p.at)
	}
}

// A plan that was run is not run again: it is made anew.
func TestFailureMakesANewPlan(t *testing.T) {
	for _, key := range []string{"enter", "r"} {
		p := failing(t, factsFailed())
		asked := len(p.script.asked)
		if p.press(key); p.at != reviewStep || len(p.script.asked) != asked+1 {
			t.Errorf("%s: at %d, %d requests", key, p.at, len(p.script.asked)-asked)
		}
		if p.found.failure == nil {
			t.Errorf("%s: what was written is forgotten before anything else is", key)
		}
	}
}

// The report that is copied is the command line's, with the plan.
func TestFailureIsCopied(t *testing.T) {
	p := failing(t, retentionPassed()).press("y").shows("clipboard")
	if len(p.copies) != 1 || !strings.Contains(p.copies[0], "(retention_passed, exit status 4)") || !strings.Contains(p.copies[0], p.runs[0].Digest) {
		t.Errorf("copied %q", p.copies)
	}
}

// Errors stay until the person acts: other keys clear nothing.
func TestFailureStays(t *testing.T) {
	p := failing(t, retentionPassed()).press("esc", "x", "tab", "l", "l", "pgdown", "ctrl+r")
	if p.at != runStep || p.found.failure == nil {
		t.Errorf("at %d", p.at)
	}
	p.shows("STOPPED. Nothing was written.")
}

// Every refusal has a way on, and its status says where enter goes.
func TestEveryFailureHasAWayOn(t *testing.T) {
	for _, c := range verdict.Codes() {
		p := failing(t, &verdict.Error{Code: c, What: "it went wrong"})
		to := stepFor(c)
		if to < reviewStep {
			p.shows("enter to " + titleOf(to))
		} else {
			p.shows("enter new plan")
		}
		if p.press("enter"); p.at != to {
			t.Errorf("%s: at %d, want %d", c, p.at, to)
		}
	}
}

// Of a copy that changed while the seed ran, everything is looked at and asked again.
func TestAChangedCopyPutsItsAnswersInDoubt(t *testing.T) {
	p := failing(t, &verdict.Error{Code: verdict.CopyChanged, What: "the copy is another one now", Wrote: verdict.NothingWritten})
	p.shows("! Copy", "! As of", "enter to Copy")
	if len(p.answers.accepted) != 0 {
		t.Error("warnings of the copy before are still accepted")
	}
	asked := len(p.script.asked)
	if p.press("enter"); p.at != copyStep || len(p.script.asked) == asked {
		t.Errorf("at %d, the copy was looked at %d times", p.at, len(p.script.asked)-asked)
	}
}

// A stop on request tells of the files what became of them, and nothing else.
func TestAStopDoesNotContradictItself(t *testing.T) {
	hint := []string{"Run the same command again: it starts over, or goes on from files that were kept."}
	p := failing(t, &verdict.Error{Code: verdict.Stopped, What: "stopped on request", Wrote: verdict.NothingWritten, Hint: hint})
	p.shows("were removed", "it starts over, as no files are left", "ctrl+c quits").lacks("kept.")
	p = failing(t, &verdict.Error{Code: verdict.Stopped, What: "stopped on request", Facts: verdict.Facts("kept", "part-1"), Hint: hint})
	p.shows("it goes on from the files that were kept").lacks("starts over", "were removed")
}

// A report that is longer than the screen stays where it was scrolled to.
func TestAKeyLeavesTheReportWhereItIs(t *testing.T) {
	p := failing(t, manyRefused())
	p.see(80, 24)
	p.press("pgdown")
	before := strings.Split(p.see(80, 24), "\n")[3]
	p.press("y")
	if after := strings.Split(p.see(80, 24), "\n")[3]; after != before || strings.Contains(after, "STOPPED") {
		t.Errorf("%q, then %q", before, after)
	}
}
