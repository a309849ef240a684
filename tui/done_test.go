package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
)

// seeding ended well.
func doneWith(t *testing.T, change func(*engine.Result)) *play {
	t.Helper()
	p := atRun(t, ordersPlan(t)).committed().says(time.Second, engine.PhaseDone{Phase: engine.Commit, Text: "version 1"})
	r := ordersResult(p.found.plan.value)
	change(&r)
	p.hear(finishedMsg{result: r})
	return p
}

func TestDoneGoldens(t *testing.T) {
	doneWith(t, func(*engine.Result) {}).golden("done").shows("WRITTEN", "amount: 2 rounded")
	plan := planOf(t, "seeded")
	p := atReview(t, plan).press("enter")
	r := ordersResult(p.found.plan.value)
	r.State, r.Rows, r.Files, r.Bytes, r.FactsRow, r.Retention = engine.AlreadySeeded, 0, 0, 0, "present", nil
	p.hear(finishedMsg{result: r})
	p.golden("done-found").shows("ALREADY SEEDED", "No rows were written.")
}

// enter leaves; c copies L.
func TestDoneKeys(t *testing.T) {
	p := doneWith(t, func(*engine.Result) {}).press("c").shows("clipboard")
	if !slices.Equal(p.copies, []string{"0x0000003100000A280001"}) {
		t.Errorf("copied %q", p.copies)
	}
	if p.press("esc"); p.at != doneStep || p.quit {
		t.Error("esc left the end")
	}
	early := doneWith(t, func(*engine.Result) {})
	if early.hear(keyNamed(t, "enter")); early.quit {
		t.Error("an enter that was pressed before the end leaves")
	}
	if p.press("enter"); !p.quit {
		t.Error("enter does not leave")
	}
}

// Counts of another plan are not this seed's.
func TestDoneTellsItsOwnPlan(t *testing.T) {
	doneWith(t, func(r *engine.Result) { r.Plan = "another" }).lacks("rounded")
}

// A key leaves a scrolled page where it is.
func TestDoneStaysScrolled(t *testing.T) {
	p := doneWith(t, func(*engine.Result) {})
	p.see(60, 18)
	p.press("pgdown")
	before := strings.Split(p.see(60, 18), "\n")[3]
	p.press("c")
	if after := strings.Split(p.see(60, 18), "\n")[3]; after != before || strings.Contains(after, "Seeded.") {
		t.Errorf("%q, then %q", before, after)
	}
}
