package tui

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
)

// nulling is the story's plan with two amounts that an answer writes as NULL,
// and padding that loses nothing.
func nulling(t *testing.T) engine.Plan {
	t.Helper()
	p := ordersPlan(t)
	report := p.Preview.Report.Columns["amount"]
	report.ToNull, report.Effects = 3, maps.Clone(report.Effects)
	report.Effects["out_of_range"], report.Effects["padded"] = 3, 9
	p.Preview.Report.Columns["amount"] = report
	return p
}

// What loses is named beside the confirmation, with how much was seen of it.
func TestLossesAreNamed(t *testing.T) {
	p := nulling(t)
	want := []string{" Casts that lose: amount round (5 values), note null (every row)"}
	if diff := cmp.Diff(want, lossLine(p, 80)); diff != "" {
		t.Error(diff)
	}
	accepted1(t, p).shows(want[0])
	p.State = engine.AlreadySeeded
	if got := lossLine(p, 80); got != nil {
		t.Errorf("a seed that is there loses nothing now: %q", got)
	}
}

func TestLossesComeFirst(t *testing.T) {
	p := atRun(t, nulling(t)).committed()
	p.hear(finishedMsg{result: ordersResult(p.found.plan.value)})
	screen := p.shows("took 25 m").see(120, 60)
	if a, b := strings.Index(screen, "2 rounded"), strings.Index(screen, "9 padded"); a < 0 || b < a {
		t.Errorf("what loses is at %d, what does not at %d", a, b)
	}
}
