package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

func TestReviewGoldens(t *testing.T) {
	t.Run("building", func(t *testing.T) {
		s := orders()
		p := perform(t, s, ordersRequest())
		p.show(reviewStep) // what it asks for is not run: the plan is still awaited
		p.golden("review-building").shows("Planning the seed", "enter (off)")
		p.hear(progressed{step: reviewStep, gen: p.review().build.gen, text: "reading the copy's file footers"})
		p.shows("reading the copy's file footers").lacks("so far")
		p.clock = p.clock.Add(42 * time.Second)
		p.shows("reading the copy's file footers ... 42 s so far.")
	})
	t.Run("open", func(t *testing.T) {
		plan := ordersPlan(t)
		plan.Checks = append(plan.Checks, streamStopped)
		p := atReview(t, plan)
		p.golden("review-open").press("enter").golden("review-open-named")
	})
	t.Run("ready", func(t *testing.T) {
		p := accepted1(t, ordersPlan(t))
		p.golden("review-ready").press("pgdown").golden("review-ready-scrolled")
		p.write("dbo.Ord").golden("review-half")
		p.write("ers").golden("review-confirmed")
		p.press("ctrl+x").golden("review-kept")
	})
	t.Run("wrong", func(t *testing.T) {
		p := accepted1(t, ordersPlan(t)).write("dbo.orders")
		p.golden("review-wrong-case")
		p.press("ctrl+u").write("dbo.OrderLines").golden("review-wrong")
	})
	t.Run("blocked", func(t *testing.T) { atReview(t, blockedPlan(t)).golden("review-blocked") })
	t.Run("refused", func(t *testing.T) { refusedPlay(t).golden("review-refused") })
	t.Run("seeded", func(t *testing.T) { atReview(t, planOf(t, "seeded")).golden("review-seeded") })
	t.Run("facts", func(t *testing.T) {
		plan := planOf(t, "seeded")
		plan.Facts.Present = false
		atReview(t, plan).golden("review-facts-only")
	})
	t.Run("again", func(t *testing.T) {
		p := accepted1(t, ordersPlan(t))
		p.review().make(p.desk)
		p.golden("review-again").shows("The plan before, as it was:", "snapshot rows of dbo.Orders")
	})
}

func (p *play) review() *reviewScreen { return p.steps[reviewStep-1].(*reviewScreen) }

// accepted1 is Review with its one warning accepted.
func accepted1(t *testing.T, plan engine.Plan) *play {
	t.Helper()
	return atReview(t, plan).press("enter", "enter")
}

func blockedPlan(t *testing.T) engine.Plan {
	t.Helper()
	plan := ordersPlan(t)
	plan.State = engine.Blocked
	plan.Stops = []engine.Stop{
		{
			Code: verdict.ValueRefused, What: `column "amount" has values that cannot be written: 3 of 200,000`,
			Facts: verdict.Facts("amount", "3 out of range: 123456789.01 (part-00007.parquet row 2), 99999999.99 (part-00011.parquet row 90)"),
			Why:   "A seed never writes NULL, nor another value, in silence.",
			Hint:  []string{"--cast amount=null", "Or correct the copy and make a new plan."},
		},
		{
			Code: verdict.RetentionPassed, What: "the changes right after L are no longer kept: the copy is older than the retention",
			Facts: verdict.Facts("L", "0x0000003100000A280001", "oldest kept", "0x0000003300000F100002", "oldest kept commit", "2026-10-25T02:10:44Z"),
			Why:   "A seed here would leave a hole that no later run can fill.",
			Hint:  []string{"Use a copy that was started at or after 2026-10-25T02:10:44Z, and soon: the edge moves."},
		},
	}
	return plan
}

func refusedPlay(t *testing.T) *play {
	t.Helper()
	s := orders()
	s.planErr = &verdict.Error{
		Code: verdict.TargetHoldsSnapshot, What: "the target holds another snapshot of dbo.Orders",
		Facts: verdict.Facts("its L", "0x0000003000000A280001", "this L", "0x0000003100000A280001"),
		Why:   "A second one, appended silently, would move the point that downstream rebuilds from.",
		Hint:  []string{"Choose another target."},
	}
	p := perform(t, s, ordersRequest())
	p.do(p.show(reviewStep))
	return p
}

// Only the table's name, case included, lets enter write.
func TestReviewTakesOnlyTheName(t *testing.T) {
	for typed, ok := range map[string]bool{
		"dbo.Orders": true, "dbo.Orders\n": true, " dbo.Orders ": true, "dbo.orders": false, "Orders": false, "dbo.Order": false, "dbo.Orders2": false, "[dbo.Orders]": false, "yes": false, "": false,
	} {
		for _, paste := range []bool{true, false} {
			p := accepted1(t, ordersPlan(t))
			if paste {
				p.paste(typed)
			} else {
				p.write(typed)
			}
			p.press("enter")
			if started := len(p.runs) == 1; started != ok {
				t.Errorf("%q, pasted %v: a seed runs %v, want %v", typed, paste, started, ok)
			}
			if !ok && p.at != reviewStep {
				t.Errorf("%q left Review", typed)
			}
		}
	}
}

// A warning that is open is named by one enter and accepted by the next, each.
func TestReviewAsksForEachWarning(t *testing.T) {
	plan := ordersPlan(t)
	plan.Checks = append(plan.Checks, streamStopped)
	p := atReview(t, plan)
	p.paste("dbo.Orders")
	for range 2 {
		p.press("enter")
		if len(p.found.plan.value.Accepted) != 0 {
			t.Fatal("a plan accepts warnings that are open")
		}
	}
	p.press("enter", "enter")
	if len(p.runs) != 0 {
		t.Fatal("accepting a warning wrote")
	}
	want := []string{"fell_back", "stream_must_be_stopped"}
	if got := p.found.plan.value.Accepted; !slices.Equal(got, want) {
		t.Errorf("accepted %v, want %v", got, want)
	}
	if p.found.kept != "/state/plan.json" {
		t.Error("the plan is not kept")
	}
	p.shows("1  fell_back: ", "2  stream_must_be_stopped: ", "--plan "+p.found.plan.value.Digest[:8]+" --confirm dbo.Orders")
	p.paste("dbo.Orders").press("enter")
	if len(p.runs) != 1 || !slices.Equal(p.runs[0].Accepted, want) || p.runs[0].Refusal() != nil {
		t.Errorf("runs %v", p.runs)
	}
}

// A warning that was accepted before with other values is asked again.
func TestReviewAsksAgainForOtherValues(t *testing.T) {
	plan := ordersPlan(t)
	p := accepted1(t, plan)
	changed := slices.Clone(plan.Checks)
	i := slices.IndexFunc(changed, func(c verdict.Check) bool { return c.Code == verdict.FellBack })
	changed[i].Facts = verdict.Facts("looked up", "2026-10-25T00:00:00")
	p.script.plan.Checks = changed
	p.press("ctrl+r").paste("dbo.Orders").press("enter")
	if len(p.runs) != 0 {
		t.Error("another warning was taken for the accepted one")
	}
	p.shows("1 warning is open")
}

func TestReviewGoesWhereTheAnswerIs(t *testing.T) {
	p := refusedPlay(t)
	p.shows("No plan could be made. Nothing was written.", "Change it on step 3, Copy.", "enter to Copy")
	if p.press("enter"); p.at != copyStep {
		t.Errorf("went to %d", p.at)
	}
	p = atReview(t, blockedPlan(t)) // of several, the first on the way
	if p.press("enter"); p.at != asOfStep {
		t.Errorf("went to %d", p.at)
	}
}

// The plan is made anew where an answer changed, where it is old, and on
// request; else the one that was read stays.
func TestReviewMakesThePlanAgain(t *testing.T) {
	p := accepted1(t, ordersPlan(t))
	asked := len(p.script.asked)
	again := func(what string, want int) {
		t.Helper()
		p.do(p.show(columnsStep))
		p.do(p.show(reviewStep))
		if got := len(slices.DeleteFunc(slices.Clone(p.script.asked[asked:]), func(r engine.Request) bool { return r.OnStop != "planned" })); got != want {
			t.Errorf("%s: %d plans, want %d", what, got, want)
		}
	}
	p.answers.OnStop = "planned" // marks the requests of this test
	again("an answer changed", 1)
	again("nothing changed", 1)
	p.clock = p.clock.Add(planAge + 10*time.Second)
	p.script.plan.MadeAt = p.script.plan.MadeAt.Add(planAge + 10*time.Second)
	again("the plan is old", 2)
	again("the plan is new", 2)
	p.press("ctrl+r")
	again("on request", 3)
}

// What was typed confirms the plan that was read, never the next one.
func TestReviewForgetsTheNameWithThePlan(t *testing.T) {
	p := accepted1(t, ordersPlan(t)).paste("dbo.Orders").press("ctrl+r", "enter")
	if len(p.runs) != 0 {
		t.Error("a name that confirmed another plan wrote")
	}
	p.paste("dbo.Orders").press("esc")
	p.do(p.show(reviewStep))
	if p.press("enter"); len(p.runs) != 0 {
		t.Error("a name that was typed before going back wrote")
	}
}

// A late reply, and one that was cancelled by leaving, change nothing.
func TestReviewDropsLateReplies(t *testing.T) {
	p := accepted1(t, ordersPlan(t))
	digest := p.found.plan.value.Digest
	gen := p.review().build.gen
	cmd := p.review().make(p.desk)
	other := ordersPlan(t)
	other.Digest = "feedbeef"
	p.hear(reply[engine.Plan]{step: reviewStep, gen: gen, value: other})
	p.hear(progressed{step: reviewStep, gen: gen, text: "of older work"})
	p.lacks("of older work", "feedbeef")
	p.do(p.show(columnsStep))
	p.do(cmd)
	if p.found.plan.value.Digest != digest || p.review().build.running() {
		t.Error("a reply to work that was left changed the plan")
	}
}

// A plan that is kept nowhere runs all the same, and is not offered.
func TestReviewWithoutAPlaceForThePlan(t *testing.T) {
	s := orders()
	s.plan, s.keepErr = ordersPlan(t), errors.New("no space left")
	p := perform(t, s, ordersRequest())
	p.do(p.show(reviewStep))
	p.press("enter", "enter").lacks("--plan")
	p.press("ctrl+x").shows("kept nowhere", "no space left").press("esc")
	if p.at != reviewStep {
		t.Fatal("esc left Review instead of the sheet")
	}
	if p.paste("dbo.Orders").press("enter"); len(p.runs) != 1 {
		t.Error("the seed does not run")
	}
}

// A seed that is there needs no name unless its facts row is missing.
func TestReviewOfASeedThatIsThere(t *testing.T) {
	p := atReview(t, planOf(t, "seeded"))
	if p.press("enter"); len(p.runs) != 1 {
		t.Error("a plan that writes nothing asks for something")
	}
	plan := planOf(t, "seeded")
	plan.Facts.Present = false
	p = atReview(t, plan).press("enter")
	if len(p.runs) != 0 {
		t.Error("the facts row is written without a name")
	}
	if p.paste(plan.Table.String()).press("enter"); len(p.runs) != 1 {
		t.Error("the name does not confirm the facts row")
	}
}

// The sheet gives the command that runs the kept plan.
func TestReviewCopiesTheCommand(t *testing.T) {
	p := accepted1(t, ordersPlan(t)).press("ctrl+x", "c")
	want := "cdcseed seed --plan " + p.found.plan.value.Digest[:8] + " --confirm dbo.Orders"
	if !slices.Equal(p.copies, []string{want}) {
		t.Errorf("copied %q, want %q", p.copies, want)
	}
}

// What L has left is counted on the server's clock, whatever this machine's says.
func TestTimeLeftIsTheServers(t *testing.T) {
	plan := ordersPlan(t)
	p := atReview(t, plan).press("enter", "enter") // the warning
	if plan.AsOf.KeptUntil == nil {
		t.Fatal("the plan does not know until when L is kept")
	}
	p.found.source.value.Ahead = plan.AsOf.KeptUntil.Time().Add(-90 * time.Minute).Sub(p.clock)
	p.shows("L stays readable for about 1 h 30 m")
}

// Of a seed that is in the target the screen does not tell other casts as its own.
func TestReviewOfASeedTellsWhoseCastsItShows(t *testing.T) {
	atReview(t, planOf(t, "seeded")).shows("ALREADY SEEDED", "It writes no rows.", "as asked now: the rows in the target keep the casts").lacks("NOT WRITTEN YET", "Nothing was written.")
}

// What the engine notes stands beside the confirmation on a small screen.
func TestReviewShowsNotesBesideTheName(t *testing.T) {
	plan := ordersPlan(t)
	plan.Checks = append(plan.Checks, verdict.Noted("the copy has 3 rows, the table about 5", ""))
	p := accepted1(t, plan)
	screen := p.see(80, 24)
	for _, want := range []string{"note  the copy has 3 rows, the table about 5", "Casts that lose: amount round (2 values), note null (every row)", "type the table's name"} {
		if !strings.Contains(screen, want) {
			t.Errorf("lacks %q:\n%s", want, screen)
		}
	}
	for i := range 5 {
		plan.Checks = append(plan.Checks, verdict.Noted("note "+strings.Repeat("x", i+1), ""))
	}
	if screen = accepted1(t, plan).see(80, 24); !strings.Contains(screen, "5 notes stand in the plan (pgdn)") {
		t.Error(screen)
	}
}

// A plan of a copy that was found to be another since is made again.
func TestReviewPlansAnewForAnotherCopy(t *testing.T) {
	p := atReview(t, ordersPlan(t))
	detour := func() int {
		p.do(p.show(columnsStep))
		p.do(p.show(reviewStep))
		return p.script.builds
	}
	first := p.script.builds
	if n := detour(); n != first {
		t.Fatalf("%d plans, then %d: the same one was made again", first, n)
	}
	p.found.copy.value.Files++
	if n := detour(); n != first+1 {
		t.Errorf("%d plans, then %d: none was made for the copy as it is now", first, n)
	}
}

// An enter that comes with the name writes nothing: it may be the end of a line
// that was pasted. One that is pressed on its own does.
func TestAPastedLineConfirmsNothing(t *testing.T) {
	p := accepted1(t, ordersPlan(t))
	release := p.hold()
	p.write("dbo.Orders").hear(keyNamed(t, "enter"))
	if p.shows("enter (off)"); p.at != reviewStep || len(p.runs) > 0 {
		t.Fatalf("step %d, %d seeds", p.at, len(p.runs))
	}
	release()
	p.shows("enter WRITE").press("enter")
	if len(p.runs) != 1 {
		t.Errorf("%d seeds", len(p.runs))
	}
}

// esc and another key that are read at once are both heard, in their order: a person
// who goes back and presses enter writes nothing.
func TestEscAndEnterReadAtOnce(t *testing.T) {
	p := accepted1(t, ordersPlan(t)).write("dbo.Orders").shows("enter WRITE")
	p.hear(tea.KeyMsg{Type: tea.KeyEnter, Alt: true})
	if len(p.runs) > 0 || p.at == runStep {
		t.Fatalf("step %d, %d seeds", p.at, len(p.runs))
	}
	p = atRun(t, ordersPlan(t)).says(0, stageStarted()).press("l")
	p.hear(tea.KeyMsg{Type: tea.KeyCtrlC, Alt: true})
	p.shows("Stop the seed?")
	p = perform(t, orders(), ordersRequest()).press("end")
	p.hear(tea.KeyMsg{Type: tea.KeyBackspace, Alt: true}) // deletes a word in a field
	if p.over != nil || p.answers.Server == ordersRequest().Server {
		t.Errorf("server %q", p.answers.Server)
	}
}

// Where there is little room the plan is read in as much of it as there is, and
// what weighs comes back when the name is typed.
func TestThePlanIsReadInTheRoomThereIs(t *testing.T) {
	p := accepted1(t, ordersPlan(t))
	p.see(80, 24)
	p.press("pgdown")
	if screen := p.see(80, 24); strings.Contains(screen, "Casts that lose") || !strings.Contains(screen, "type the table's name (dbo.Orders): _") {
		t.Error(screen)
	}
	p.press("end")
	if screen := p.see(80, 24); strings.Contains(screen, "below") {
		t.Error(screen)
	}
	p.write("d")
	if screen := p.see(80, 24); !strings.Contains(screen, "Casts that lose") || !strings.Contains(screen, "(dbo.Orders): d_") {
		t.Error(screen)
	}
	p.press("end", "home")
	if screen := p.see(80, 24); !strings.Contains(screen, "Casts that lose") {
		t.Error(screen)
	}
}

// countedPlan is a plan whose keys were counted, and two of them stand twice.
func countedPlan(t *testing.T) engine.Plan {
	t.Helper()
	plan := ordersPlan(t)
	plan.Keys = &engine.KeysPlan{
		Columns: []string{"order_id"}, Rows: 2_130_417_882, Keys: 2, Extra: 3,
		Samples: []engine.KeySample{{Count: 3, Rows: []engine.KeyRow{
			{Key: "order_id = 1007", File: "part-00007.parquet", Row: 12}, {Key: "order_id = 1007", File: "part-00009.parquet", Row: 40_112},
		}}},
	}
	plan.Checks = append(plan.Checks, verdict.Warned(verdict.DuplicateKeys, "2 keys stand more than once in the copy (order_id): 3 rows too many", "An index allows each once."))
	return plan
}

// ctrl+k has the keys counted: the plan is made again with what it costs told
// meanwhile, what was found is shown and asked about, and ctrl+k takes it back.
func TestReviewCountsKeys(t *testing.T) {
	p := accepted1(t, ordersPlan(t))
	p.shows("ctrl+k count keys", "keys were not counted")
	columns := p.found.columns.print
	p.script.plan = countedPlan(t)
	before := p.script.builds
	cmd := p.review().countKeys(p.desk)
	gen := p.review().build.gen
	p.hear(progressed{step: reviewStep, gen: gen, text: furtherWith(engine.Progress{Done: 1000, Total: 2_130_417_882, Unit: "rows"})})
	p.shows("looked at 1,000 of 2,130,417,882 rows", "ctrl+k leave keys")
	p.hear(progressed{step: reviewStep, gen: gen, text: furtherWith(engine.Progress{Done: 5000, Total: 2_130_417_882, Unit: "keys"})})
	p.shows("compared 5,000 of 2,130,417,882 keys")
	p.do(cmd)
	if !p.script.asked[len(p.script.asked)-1].CountKeys || p.script.builds != before+1 {
		t.Fatal("the plan is not made with its keys counted")
	}
	p.golden("review-keys").shows("duplicate_keys", "order_id = 1007")
	if p.found.columns.print != columns || p.found.columns.of(p.steps[columnsStep-1].(*columnsScreen).print(p.desk)) != (columns != "") {
		t.Error("what was found of the columns is forgotten")
	}
	p.press("enter", "enter").shows("duplicate_keys", "ctrl+k leave keys")
	if got := p.found.plan.value.Accepted; !slices.Contains(got, "duplicate_keys") {
		t.Errorf("accepted %v", got)
	}
	if c := p.command().whole(); !strings.Contains(c, "--plan") {
		t.Error(c)
	}
	p.script.plan = ordersPlan(t)
	p.press("ctrl+k").shows("ctrl+k count keys", "keys were not counted")
	if p.script.asked[len(p.script.asked)-1].CountKeys {
		t.Error("keys are counted still")
	}
}

// Where there is no key to count, the way on is to leave it; and of a seed that is
// there nothing is counted.
func TestReviewWithoutAKey(t *testing.T) {
	plan := ordersPlan(t)
	plan.State = engine.Blocked
	plan.Stops = []engine.Stop{{Code: verdict.NoKey, What: "keys cannot be counted: the capture instance knows no unique index of the table"}}
	p := accepted1(t, ordersPlan(t))
	p.script.plan = plan
	p.press("ctrl+k").shows("no_key", "ctrl+k plans without counting keys.")
	p.script.plan = ordersPlan(t)
	p.press("ctrl+k").shows("Type dbo.Orders")

	p = atReview(t, planOf(t, "seeded")).lacks("ctrl+k")
	before := p.script.builds
	if p.press("ctrl+k"); p.script.builds != before || p.answers.CountKeys {
		t.Error("keys of a seed that is there are counted")
	}
}
