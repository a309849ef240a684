package report_test

import (
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

func seeded(t *testing.T) engine.Result {
	t.Helper()
	l, err := lsn.Parse("0x0000002A000001000041")
	if err != nil {
		t.Fatal(err)
	}
	committed := clock.Of(time.Date(2026, 10, 24, 12, 30, 0, 0, time.UTC))
	until := committed.Add(72 * time.Hour)
	return engine.Result{
		State: engine.Ready, L: l, CommitTS: &committed, Rows: 1_204_113, Excluded: 1, Files: 4, Bytes: 48_300_000, Version: 1, Created: true,
		Target: "/lake/bronze/orders", FactsURL: "/lake/facts", FactsRow: "written", Plan: strings.Repeat("0", 64), Retention: &until,
		Follow: []string{
			"Register the name before the stream starts: CREATE TABLE IF NOT EXISTS bronze.orders USING DELTA LOCATION '/lake/bronze/orders'",
			`Start the stream with to_delta(bootstrap=True), app_id "orders-v1" and a new checkpoint: it goes on right after 0x0000002A000001000041 and does not read the table.`,
			"Cleanup passes L at about 2026-10-27T12:30:00Z: start it before that.",
		},
	}
}

func TestResultText(t *testing.T) {
	written := seeded(t)
	found := written
	found.State, found.Rows, found.Files, found.Bytes, found.Excluded, found.CommitTS, found.FactsRow = engine.AlreadySeeded, 0, 0, 0, 0, nil, "present"
	found.Retention = nil
	again := written
	follows, err := lsn.Parse("0x00000027000004000003")
	if err != nil {
		t.Fatal(err)
	}
	again.Follows, again.Created, again.Excluded = &follows, false, 0
	for name, r := range map[string]engine.Result{"result-seeded.txt": written, "result-found.txt": found, "result-reseeded.txt": again} {
		var b strings.Builder
		report.Result(&b, r)
		golden(t, name, b.String())
	}
}

// Progress is whole lines: phases as they come, counts every few seconds.
func TestProgressText(t *testing.T) {
	now := time.Date(2026, 10, 24, 13, 0, 0, 0, time.UTC)
	var b strings.Builder
	p := report.NewProgress(&b, func() time.Time { return now })
	p.Event(engine.PhaseStarted{Phase: engine.Stage, Text: "Cast and stage files"})
	for i := range 30 {
		now = now.Add(time.Second)
		p.Event(engine.Progress{Phase: engine.Stage, Done: int64(i+1) * 40_000, Total: 1_200_000, Unit: "rows", Bytes: int64(i) * 1_600_000})
	}
	p.Event(engine.Notice{Phase: engine.Commit, Text: "another writer committed first: everything is checked again for the next version"})
	p.Event(engine.PhaseDone{Phase: engine.Stage, Text: "1,200,000 rows in 4 files, 0 of them from an earlier try"})
	golden(t, "progress.txt", b.String())
}

// A line of counts is one line at any size: what does not fit is left out.
func TestProgressFitsItsLine(t *testing.T) {
	for done := int64(1); done < 1e18; done *= 7 {
		now := time.Date(2026, 10, 24, 13, 0, 0, 0, time.UTC)
		var b strings.Builder
		p := report.NewProgress(&b, func() time.Time { return now })
		p.Event(engine.PhaseStarted{Phase: engine.Verify, Text: "x"})
		now = now.Add(100 * time.Second)
		p.Event(engine.Progress{Phase: engine.Verify, Done: done, Total: 5*done + 1, Unit: "preconditions", Bytes: done * 5})
		narrow(t, "progress", b.String())
		if n := strings.Count(b.String(), "\n"); n != 2 || !strings.Contains(b.String(), verdict.Count(done)+" of "+verdict.Count(5*done+1)+" preconditions") {
			t.Errorf("%d lines:\n%s", n, b.String())
		}
		if fits := done < 1e9; fits && !strings.Contains(b.String(), " left") {
			t.Errorf("the time that is left has room:\n%s", b.String())
		}
	}
}

// Counts that arrive at once, or of nothing, divide by nothing.
func TestProgressOfNothing(t *testing.T) {
	now := time.Date(2026, 10, 24, 13, 0, 0, 0, time.UTC)
	var b strings.Builder
	p := report.NewProgress(&b, func() time.Time { return now })
	p.Event(engine.PhaseStarted{Phase: engine.Stage, Text: "Cast and stage files"})
	p.Event(engine.Progress{Phase: engine.Stage, Unit: "rows"})
	now = now.Add(time.Hour)
	p.Event(engine.Progress{Phase: engine.Stage, Unit: "rows"})
	if text := b.String(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Count(text, "\n") != 2 {
		t.Error(text)
	}
}
