package tui

import (
	"testing"

	"cdcseed/engine/verdict"
)

// An enter right after an arrow counts once the look is there, and what is typed
// for the next step is none of the list's keys.
func TestTableEnterBeforeTheLook(t *testing.T) {
	p := atTable(t, sales(), "dbo.OrderLines")
	release := p.hold()
	p.press("down")
	_, look := p.Update(keyNamed(t, "enter"))
	if look == nil {
		t.Fatal("enter did not look at once")
	}
	p.shows("note  Looking at dbo_Orders, then on to the copy.").write("/u").lacks("Filter", "without a capture instance")
	p.hear(look())
	if p.at != copyStep || p.answers.Table != "dbo_Orders" {
		t.Fatalf("at %s with %q", p.step().title(), p.answers.Table)
	}
	release()
	if p.at != copyStep {
		t.Error("went on twice")
	}
}

// Another key takes the enter back; so does leaving, and a table that is refused.
func TestTableEnterTakenBack(t *testing.T) {
	for _, key := range []string{"up", "esc"} {
		p := atTable(t, sales(), "dbo.OrderLines")
		p.hold()
		p.press("down")
		_, look := p.Update(keyNamed(t, "enter"))
		p.press(key)
		at := p.at
		if p.hear(look()); p.at != at {
			t.Errorf("%s: went on", key)
		}
	}
	p := atTable(t, sales(), "dbo.OrderLines")
	p.script.tableOf = nil
	p.script.tableErr = &verdict.Error{Code: verdict.NoInstance, What: "gone"}
	p.hold()
	p.press("down", "enter").shows("STOP  No such table here: choose a line. (no_instance)")
	if p.at != tableStep {
		t.Error("went on with a table that is refused")
	}
}

// Esc clears a filter that was kept; only the next one goes back.
func TestTableEscClearsTheFilter(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates")
	p.press("/").write("ordzzz").press("enter").shows("esc clear the filter", "Nothing matches.").lacks("esc back", "dbo.Rates through", "Too big?")
	p.press("v").lacks("the captured tables") // there is nothing to tell of
	p.press("esc").shows("31 of 31 shown", "> dbo.Rates", "esc back").lacks("Filter")
	if p.at != tableStep || p.answers.Table != "dbo.Rates" {
		t.Fatalf("at %s with %q", p.step().title(), p.answers.Table)
	}
	p.press("esc")
	if p.at != connectStep {
		t.Error("the second esc did not go back")
	}
}

// Nothing is chosen for a person: not at first, and not by a filter that leaves
// several lines.
func TestTableChoosesNothingAmongSeveral(t *testing.T) {
	p := atTable(t, sales(), "").golden("table-nothing-chosen").lacks("> dbo", "Too big?")
	p.press("enter", "enter")
	if p.at != tableStep || p.answers.Table != "" || len(p.script.named) != 0 {
		t.Fatalf("haste led to %s with %q", p.step().title(), p.answers.Table)
	}
	p.press("/").write("orders").press("enter").shows("2 of 31 shown", "note  Choose a line").lacks("> dbo").press("enter")
	if p.at != tableStep || p.answers.Table != "" {
		t.Fatalf("the filter chose %q", p.answers.Table)
	}
	p.press("down", "down", "enter")
	if p.at != copyStep || p.answers.Table != "dbo_Orders_v2" {
		t.Errorf("at %s with %q", p.step().title(), p.answers.Table)
	}
	for key, want := range map[string]string{"end": "sales.OrderTax", "home": "dbo.OrderEvents", "pgdown": "sales.Fact05", "up": "dbo.OrderEvents"} {
		if p := atTable(t, sales(), "").press(key); p.answers.Table != want {
			t.Errorf("%s first chose %q", key, p.answers.Table)
		}
	}
	p = perform(t, orders(), ordersRequest())
	p.answers.Table = ""
	p.press("enter").shows("> dbo.Orders")
	if p.answers.Table != "dbo.Orders" {
		t.Errorf("the only table was not chosen: %q", p.answers.Table)
	}
}

// A line that the filter hides is not gone on with.
func TestTableHiddenByTheFilter(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates").press("/").write("order").press("enter").shows("enter (off)").lacks("dbo.Rates through").press("enter")
	if p.at != tableStep || p.answers.Table != "dbo.Rates" {
		t.Errorf("at %s with %q", p.step().title(), p.answers.Table)
	}
}
