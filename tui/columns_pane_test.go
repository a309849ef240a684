package tui

import (
	"strings"
	"testing"

	"cdcseed/engine"
)

// undecided is a decimal whose looked-at values all fit.
func undecided(r engine.Request) engine.ColumnsView {
	v := ordersColumns(r)
	l := &v.Lines[3]
	l.Effects, l.Refused, l.Changed = nil, 0, 0
	for i := range l.Asks[0].Choices {
		l.Asks[0].Choices[i].Sample = "12097.5400 -> 12097.54"
	}
	return v
}

// Before an answer is given it is said what it would change: here nothing, and
// the choices tell what they do instead of the same value four times.
func TestColumnsTellThatNothingWouldChange(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), undecided)
	screen := p.golden("columns-undivided").see(80, 24)
	for _, want := range []string{"200,000 values: 200,000 unchanged", "halves away from zero", "drop what does not fit", "whatever the answer, no value looked at changes: 12097.5400 -> 12097.54"} {
		if !strings.Contains(screen, want) {
			t.Errorf("lacks %q:\n%s", want, screen)
		}
	}
	if strings.Count(screen, "12097.5400") != 1 {
		t.Errorf("the same value again and again:\n%s", screen)
	}
	p, _ = columnsPlay(t, ordersRequest(), ordersColumns)
	if screen = p.see(80, 24); !strings.Contains(screen, "1 would change, such as 7.128") || strings.Contains(screen, "whatever the answer,") {
		t.Error(screen)
	}
}

// A zone is explained at the least full size, and v is among the keys.
func TestColumnsExplainZones(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	screen := p.press("n").see(80, 24)
	for _, want := range []string{"the copy's times without a zone are UTC", "the zone of the server's clock", "whatever the type says", "v whole", "t zone"} {
		if !strings.Contains(screen, want) {
			t.Errorf("lacks %q:\n%s", want, screen)
		}
	}
}

// The reason of a question is told whole.
func TestColumnsReasonsAreWhole(t *testing.T) {
	const reason = "Name is captured, but the copy has no such column, and the source's is NOT NULL: no value is known for any row"
	p, _ := columnsPlay(t, ordersRequest(), func(r engine.Request) engine.ColumnsView {
		v := ordersColumns(r)
		v.Lines[5].Asks[0].Text = reason
		return v
	})
	screen := strings.Join(strings.Fields(p.press("n", "n").see(60, 18)), " ")
	if !strings.Contains(screen, reason) {
		t.Errorf("lacks %q:\n%s", reason, screen)
	}
}

// esc shows all columns before it leaves the step.
func TestColumnsEscWidensFirst(t *testing.T) {
	for _, keys := range [][]string{{"/", "n", "enter"}, {"o"}, {"/", "z", "z", "enter"}} {
		p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
		p.press(keys...).shows("esc all columns")
		if p.press("esc").shows("15 -> 14").lacks("shown"); p.at != columnsStep {
			t.Errorf("%v: esc left the step", keys)
		}
		if p.press("esc"); p.at != asOfStep {
			t.Errorf("%v: at %d after the second esc", keys, p.at)
		}
	}
}

// A name that the copy spells otherwise is told, whatever the cast is.
func TestColumnsTellThatTheCaseDiffers(t *testing.T) {
	l := engine.ColumnLine{Copy: "STATUSCODE", Target: "StatusCode", Mark: engine.MarkChecked, Cast: "checked, fits"}
	if got := castText(l); got != "~  checked, fits, case differs" {
		t.Error(got)
	}
	l.Copy = "StatusCode"
	if got := castText(l); got != "~  checked, fits" {
		t.Error(got)
	}
}

// A target that holds the seed asks for nothing, and says whose casts it has.
func TestColumnsOfASeedThatIsThere(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	p.found.asOf = learn(engine.AsOfView{Seeded: true}, nil, "")
	p.golden("columns-seeded").shows("its rows keep the casts that they were made with", "no answer is needed")
	if p.press("enter"); p.at != reviewStep {
		t.Errorf("at %d", p.at)
	}
}
