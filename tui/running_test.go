package tui

import (
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

func TestRunningGoldens(t *testing.T) {
	t.Run("recheck", func(t *testing.T) {
		atRun(t, ordersPlan(t)).says(time.Second, rechecked()[0],
			engine.Progress{Phase: engine.Recheck, Done: 4, Total: 9, Unit: "preconditions"}).golden("run-recheck")
	})
	t.Run("begun", func(t *testing.T) {
		atRun(t, ordersPlan(t)).says(time.Second, rechecked()...).
			says(2*time.Second, stageStarted(), staging(4_000_000, 3, 1_200_000_000)).golden("run-begun").shows("told from 1 % on")
	})
	t.Run("stage", func(t *testing.T) {
		p := atRun(t, ordersPlan(t)).stagedTo(43)
		p.golden("run-stage")
		p.press("l").golden("run-log").press("esc")
		p.press("ctrl+c").shows("Stop the seed?")
		p.press("y").golden("run-stopping")
		if p.stops != 1 {
			t.Error("the seed was not asked to stop")
		}
	})
	t.Run("commit", func(t *testing.T) { atRun(t, ordersPlan(t)).committed().golden("run-commit") })
	t.Run("record", func(t *testing.T) {
		atRun(t, ordersPlan(t)).committed().says(time.Second,
			engine.Notice{Phase: engine.Commit, Text: "another writer committed first: everything is checked again for the next version"},
			engine.PhaseDone{Phase: engine.Commit, Text: "version 2, one commit"},
			engine.PhaseStarted{Phase: engine.Record, Text: "Record the seed in the facts table"}).golden("run-record")
	})
	t.Run("tight", func(t *testing.T) {
		plan := ordersPlan(t)
		plan.AsOf.KeptUntil = atp("2026-10-26T21:29:00Z")
		atRun(t, plan).stagedTo(43).golden("run-tight").shows("If cleanup passes L first")
	})
	t.Run("facts", func(t *testing.T) {
		plan := planOf(t, "seeded")
		plan.Facts.Present = false
		atRun(t, plan).says(time.Second, rechecked()...).says(time.Second,
			engine.PhaseStarted{Phase: engine.Record, Text: "Record the seed in the facts table"}).golden("run-facts-only")
	})
}

// One confirmation starts one seed, however often the screen is shown.
func TestRunStartsOnce(t *testing.T) {
	p := atRun(t, ordersPlan(t))
	p.do(p.step().enter(p.desk))
	p.press("enter", "esc", "enter")
	if p.at != runStep || len(p.runs) != 1 {
		t.Errorf("at %d, %d seeds were started", p.at, len(p.runs))
	}
	p.hear(finishedMsg{err: &verdict.Error{Code: verdict.StoreFull, What: "staging a file did not work"}})
	p.do(p.step().enter(p.desk))
	if len(p.runs) != 1 {
		t.Error("a seed that failed was started again without a name")
	}
}

// What readers see is told by the corner and the status.
func TestRunTellsWhatIsVisible(t *testing.T) {
	p := atRun(t, ordersPlan(t)).stagedTo(10)
	p.shows("WRITING, not visible", "Safe to stop until phase 4: staged files go, nothing becomes visible.")
	p.says(time.Second, engine.PhaseStarted{Phase: engine.Commit, Text: "Commit to the Delta log"})
	p.shows("COMMITTING", "cannot be stopped now")
	p.press("ctrl+c").shows("A commit that has begun is finished").press("esc")
	p.says(time.Second, engine.PhaseDone{Phase: engine.Commit, Text: "version 1"}).shows("WRITTEN", "The rows are committed.")
	plan := p.found.plan.value
	p.hear(finishedMsg{result: ordersResult(plan)})
	if p.at != doneStep || p.found.running || p.found.result == nil {
		t.Errorf("at %d, running %v, result %v", p.at, p.found.running, p.found.result)
	}
}

// Kept files are not said to be removed.
func TestRunKeepsStagedFilesOnRequest(t *testing.T) {
	plan := ordersPlan(t)
	plan.Stage.OnStop = "keep"
	p := atRun(t, plan).stagedTo(2).shows("staged files stay, nothing becomes visible").lacks("files go", "removed")
	p.press("ctrl+c", "y").shows("Stopping: staged files are kept").lacks("removed")
}

// Words of a seed that ended change nothing.
func TestRunDropsWhatComesLate(t *testing.T) {
	p := atRun(t, ordersPlan(t)).stagedTo(2)
	p.hear(finishedMsg{err: &verdict.Error{Code: verdict.Stopped, What: "stopped on request before the seed was committed"}})
	p.says(time.Second, engine.PhaseDone{Phase: engine.Commit, Text: "version 1"})
	if p.found.committed {
		t.Error("a late word changed what was written")
	}
}

// What the server says cannot steer the terminal from the log.
func TestRunLogIsClean(t *testing.T) {
	p := atRun(t, ordersPlan(t)).says(time.Second, engine.Notice{Phase: engine.Stage, Text: "file \x1b[2Ja"})
	if screen := p.press("l").see(80, 24); strings.Contains(screen, "\x1b[2J") {
		t.Error("the log clears the screen")
	}
}

// The log's times are the server's, as all others on the screen.
func TestRunLogIsOnTheServersClock(t *testing.T) {
	p := atRun(t, ordersPlan(t))
	p.found.source.value.Ahead = 2*time.Hour + time.Minute
	p.says(time.Second, rechecked()...)
	p.shows("23:15:").press("l").shows("on the server's clock", "23:15:").lacks("21:14:")
}

// One rate is told once.
func TestRateIsToldOnce(t *testing.T) {
	g := newGauge(start)
	g.hear(rows(60_417, 1_000_000), start.Add(time.Second))
	if got := g.counts(start.Add(time.Second))[0][1]; got != "60,417 rows/s" {
		t.Error(got)
	}
	g.hear(rows(60_418, 1_000_000), start.Add(12*time.Second))
	if got := g.counts(start.Add(12 * time.Second))[0][1]; !strings.Contains(got, "overall") {
		t.Error(got)
	}
}

// A short time left is marked, on Review and while the seed runs.
func TestAShortTimeLeftIsMarked(t *testing.T) {
	plan := ordersPlan(t)
	plan.AsOf.KeptUntil = atp("2026-10-26T23:00:00Z")
	accepted1(t, plan).shows("warn  L stays readable for about 1 h 45 m")
	atRun(t, plan).shows("warn  L stays readable for about 1 h 45 m")
	plan.AsOf.KeptUntil = atp("2026-10-27T00:00:00Z")
	accepted1(t, plan).shows("L stays readable for about 2 h 45 m").lacks("warn  L stays")
	atRun(t, plan).lacks("warn  L stays")
}

// A line of the log has the width of the screen, its first line too.
func TestLogLinesAreAsWideAsTheScreen(t *testing.T) {
	p := atRun(t, ordersPlan(t)).says(0, engine.PhaseStarted{Phase: engine.Verify, Text: "Check staged files, and again what may have moved since the plan was made"})
	p.press("l")
	if screen := p.see(80, 24); !strings.Contains(screen, "now   Check staged files, and again what may have moved since the\n") || !strings.Contains(screen, "\n                  plan was made") {
		t.Error(screen)
	}
}
