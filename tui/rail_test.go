package tui

import "testing"

func TestRail(t *testing.T) {
	titles := []string{"Connect", "Table", "Copy", "As of"}
	for _, c := range []struct {
		marks  []mark
		at     int
		here   string
		w      int
		expect string
	}{
		{make([]mark, 4), 0, "", 80, " [1 Connect]  2 Table  3 Copy  4 As of"},
		{[]mark{answered, doubtful, blocked, notYet}, 3, "", 80, " x Connect  ? Table  ! Copy  [4 As of]"},
		{[]mark{answered, answered, answered, answered}, 3, "STOPPED", 80, " x Connect  x Table  x Copy  [4 STOPPED]"},
		{make([]mark, 4), 0, "", 20, " [1 Connect]  2 T..."},
	} {
		if got := rail(titles, c.marks, c.at, c.here, "x", c.w); got != c.expect {
			t.Errorf("%q, want %q", got, c.expect)
		}
	}
	if got, want := railShort(titles, 3, 80), " Step 4 of 4: As of"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Going back keeps every answer; changing one makes the later steps doubtful.
func TestGoingBackKeepsAnswers(t *testing.T) {
	p := perform(t, orders(), ordersRequest())
	p.press("enter")
	if p.at != tableStep {
		t.Fatalf("at step %d:\n%s", p.at, p.see(80, 24))
	}
	p.press("esc")
	if p.at != connectStep || p.marks()[0] != answered {
		t.Fatalf("at step %d, marks %v", p.at, p.marks())
	}
	if p.answers.Table != "dbo.Orders" || p.answers.AsOf == "" {
		t.Error("an answer is gone:", p.answers.Request)
	}
	p.prints[tableStep], p.prints[copyStep] = p.answers.print(tableStep), p.answers.print(copyStep)
	p.press("tab").write("2")
	if m := p.marks(); m[0] != doubtful || m[1] != doubtful || m[2] != doubtful {
		t.Errorf("after a change of the database the marks are %v", m)
	}
	if p.press("esc"); p.at != connectStep {
		t.Error("esc left the first step")
	}
}
