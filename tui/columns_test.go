package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// An answer is drawn at once, matched at once and looked at after a rest; it can
// be changed and taken back.
func TestColumnsAnswer(t *testing.T) {
	p, stage := columnsPlay(t, ordersRequest(), ordersColumns)
	p.shows("3 columns need an answer (amount, placed_at, channel_code).", "3 to decide (?), 11 fine, 2 left out")
	stage.calls = nil
	p.press(" ").shows("(o) stop", "2 columns need an answer (placed_at, channel_code).")
	p.press("right").shows("(o) round", "( ) stop", "1 rounded, such as 7.128 -> 7.13", "2 to decide (?), 1 lossy (!), 11 fine")
	if got := p.answers.Cast["amount"]; got != "round" {
		t.Errorf("--cast amount=%s", got)
	}
	want := []bool{false, true, false, true}
	var looks []bool
	for _, c := range stage.calls {
		looks = append(looks, c.look)
	}
	if diff := cmp.Diff(want, looks); diff != "" {
		t.Errorf("looks (-want +got):\n%s", diff)
	}
	if !strings.Contains(p.command().whole(), "--cast amount=round") {
		t.Error("the command lacks the answer:", p.command().whole())
	}
	p.press("left", "left").shows("(o) null")
	p.press("backspace").shows("( ) null", "( ) stop", "3 columns need an answer")
	if len(p.answers.Cast) != 0 {
		t.Errorf("the answer is still there: %v", p.answers.Cast)
	}
}

// A person who presses faster than the engine answers gets what was pressed.
func TestColumnsAnswersWhileMatched(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	first := hold(p, keyNamed(t, " "))
	second := hold(p, keyNamed(t, " "))
	p.shows("(o) round", "matching columns ...")
	if got := p.answers.Cast["amount"]; got != "round" {
		t.Errorf("--cast amount=%s", got)
	}
	before := p.see(120, 40)
	p.do(first) // late: it was asked for an answer that is none any more
	if after := p.see(120, 40); after != before {
		t.Errorf("a late reply changed the screen:\n%s", cmp.Diff(before, after))
	}
	p.do(second)
	p.shows("1 rounded, such as 7.128 -> 7.13", "2 columns need an answer")
}

// What values came to under the answers before stays while they are looked at again.
func TestColumnsKeepOldValues(t *testing.T) {
	p, stage := columnsPlay(t, answeredOrders(), ordersColumns)
	p.press("n")                           // nothing is open: the cursor stays
	p.shows("amount: double", "1 rounded") // the first that may lose something
	looked := stage.looks()
	p.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	p.press(" ").golden("columns-checking").shows("(o) cut", "1 rounded", "of earlier answers", "values are looked at in a moment", "enter (off)")
	if stage.looks() != looked {
		t.Error("values were looked at without a rest")
	}
	cmd := hold(p, pause{step: columnsStep, gen: columnsOf(p).job.gen})
	p.golden("columns-looking").shows("looking at a sample of 1,984 files ...", "1 rounded", "enter (off)")
	p.do(cmd)
	p.shows("1 cut, such as 7.128 -> 7.12", "a sample of 200,000 rows").lacks("1 rounded", "enter (off)")
}

func TestColumnsFirstLook(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	s := columnsOf(p)
	p.steps[columnsStep-1] = newColumns()
	p.found.columns = known[engine.ColumnsView]{}
	match := p.step().enter(p.desk)
	p.golden("columns-matching").shows("matching columns ...", "enter (off)")
	p.do(match)
	p.shows("3 columns need an answer")
	if columnsOf(p).at != s.at {
		t.Error("the cursor is not on the first column that needs an answer")
	}
}

// Two questions of one column are answered apart.
func TestColumnsQuestionsApart(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), func(r engine.Request) engine.ColumnsView {
		v := ordersColumns(r)
		v.Lines[4].Asks = append(v.Lines[4].Asks, engine.Ask{
			Flag: "--cast", Column: "placed_at", Text: "placed_at has values that cannot be written as they are", Given: r.Cast["placed_at"],
			Choices: []engine.Choice{{Value: "stop", Text: "stop"}, {Value: "cut", Text: "drop the digits"}}, Open: r.Cast["placed_at"] == "",
		})
		return v
	})
	p.press("n", "tab", "right", "right").shows("(o) cut")
	if p.answers.Cast["placed_at"] != "cut" || p.answers.CopyTimeZone != "" {
		t.Errorf("cast %v, zone %q", p.answers.Cast, p.answers.CopyTimeZone)
	}
	p.press("tab", "left").shows("(o) wall-clock", "(o) cut")
	p.press("shift+tab", "delete").shows("( ) cut", "(o) wall-clock")
	if p.answers.Cast["placed_at"] != "" || p.answers.CopyTimeZone != "wall-clock" {
		t.Errorf("cast %v, zone %q", p.answers.Cast, p.answers.CopyTimeZone)
	}
}

// Any zone can be named; a name that is none is refused in the engine's words
// and can be changed.
func TestColumnsZoneTyped(t *testing.T) {
	p, stage := columnsPlay(t, ordersRequest(), ordersColumns)
	p.press("n", "t").write("no").shows("zone  no_")
	p.press("esc").lacks("zone  no_")
	if p.at != columnsStep || p.answers.CopyTimeZone != "" {
		t.Fatalf("esc in the field went to step %d with zone %q", p.at, p.answers.CopyTimeZone)
	}
	p.press("t").paste("America/Sao_Paulo").golden("columns-zone-typed").shows(" enter take the zone  esc leave it")
	p.press("enter").shows("(o) America/Sao_Paulo", "zone named")
	if p.at != columnsStep || p.answers.CopyTimeZone != "America/Sao_Paulo" {
		t.Fatalf("step %d, zone %q", p.at, p.answers.CopyTimeZone)
	}
	stage.columnsErr = &verdict.Error{
		Code: verdict.ZoneUnknown, What: `"Mars" is no time zone`, Hint: []string{"Give UTC, an IANA name such as Europe/Berlin, or a Windows name."},
	}
	p.press("t")
	for range len("America/Sao_Paulo") {
		p.press("backspace")
	}
	p.write("Mars").press("enter").golden("columns-zone-unknown").shows(`"Mars" is no time zone`, "zone_unknown. Change an answer", "enter (off)", "(o) Mars")
	stage.columnsErr = nil
	p.press("backspace").shows("( ) UTC", "3 columns need an answer").lacks("no time zone")
}

// Every value is looked at on request, and the sample comes back.
func TestColumnsEveryValue(t *testing.T) {
	p, stage := columnsPlay(t, answeredOrders(), ordersColumns)
	stage.lasts = 3 * time.Second
	p.press("ctrl+r").shows("Ready. Sampled 200,000 of 2.12 B rows; press a to look at all, about 9 h.")
	cmd := hold(p, keyNamed(t, "a"))
	p.clock = p.clock.Add(95 * time.Second)
	p.golden("columns-every").shows("1 m 35 s", "press a to go back to a sample", "enter (off)", "--check all")
	back := hold(p, keyNamed(t, "a"))
	p.do(cmd) // cancelled, and late
	p.shows("looking at a sample of 1,984 files").lacks("stopped on request")
	p.do(back)
	p.shows("press a to look at all").lacks("--check all")
	stage.midway = func() {
		p.shows("every value of 2,128,904,113 rows: 1,200,000,000 seen; press a to go back to a sample")
	}
	p.press("a").shows("Every value of 2,128,904,113 rows was looked at.").lacks("000 seen")
	if last := stage.calls[len(stage.calls)-1]; last.request.Check != "all" || !last.look {
		t.Errorf("asked with --check %q, look %v", last.request.Check, last.look)
	}
}

// Work ends with its step, and what it would have found changes nothing.
func TestColumnsLeftEndTheirWork(t *testing.T) {
	p, stage := columnsPlay(t, answeredOrders(), ordersColumns)
	calls := len(stage.calls)
	cmd := hold(p, keyNamed(t, "ctrl+r"))
	p.press("esc")
	if p.at != asOfStep {
		t.Fatalf("esc went to step %d", p.at)
	}
	before := p.found.columns
	msg := cmd()
	if r := msg.(reply[engine.ColumnsView]); !errors.Is(r.err, verdict.Stopped) {
		t.Errorf("the work was not cancelled: %v", r.err)
	}
	p.hear(msg)
	if diff := cmp.Diff(before.print, p.found.columns.print); diff != "" || p.found.columns.err != nil {
		t.Errorf("a late reply was taken: %v", p.found.columns.err)
	}
	p.do(p.show(columnsStep))
	if len(stage.calls) != calls+1 {
		t.Errorf("what was found was asked again: %d calls, want %d", len(stage.calls), calls+1)
	}
	p.shows("Ready.", "rounded")
}

// Another copy is another question; a person's answers stay.
func TestColumnsOfAChangedCopy(t *testing.T) {
	p, stage := columnsPlay(t, answeredOrders(), ordersColumns)
	p.do(p.show(copyStep))
	p.answers.Copy = "/lake/sales/orders2"
	looked := stage.looks()
	cmd := p.show(columnsStep)
	p.golden("columns-other-copy").shows("matching columns ...", "enter (off)")
	p.press(" ", "down", "down", "down", " ")
	if p.answers.Cast["amount"] != "round" {
		t.Error("columns of the copy before took an answer")
	}
	p.do(cmd)
	p.shows("Ready.", "rounded")
	if stage.looks() != looked+1 {
		t.Errorf("%d looks, want %d", stage.looks(), looked+1)
	}
	p.do(p.show(asOfStep))
	p.answers.AsOf = "2026-10-25T00:30:00Z"
	p.do(p.show(columnsStep))
	if stage.looks() != looked+1 {
		t.Error("as_of is no reason to look at values again")
	}
	p.found.copy.value.Files++ // the same answers, but the copy was read again and is another
	cmd = p.show(columnsStep)
	p.press("home", "down", "down", "down", "left")
	if p.answers.Cast["amount"] != "round" {
		t.Error("columns of the copy as it was took an answer")
	}
	p.do(cmd)
	if stage.looks() != looked+2 {
		t.Error("a copy that changed was not looked at")
	}
}

// Answers for columns that are gone are taken out, and it is said.
func TestColumnsAnswersGone(t *testing.T) {
	r := answeredOrders()
	r.Cast["discount"] = "cut"
	p, stage := columnsPlay(t, r, ordersColumns)
	columnsOf(p).drop = func(r engine.Request, _ engine.CopyView, _ engine.TargetView) (engine.Request, []string) {
		engine.Ask{Flag: "--cast", Column: "discount"}.Answer(&r, "")
		return r, []string{"--cast discount=cut"}
	}
	p.do(p.show(copyStep))
	p.do(p.show(columnsStep))
	p.golden("columns-gone").shows("earlier answers were taken out, as no column takes them now: --cast discount=cut")
	if _, there := stage.calls[len(stage.calls)-1].request.Cast["discount"]; there {
		t.Error("the answer was asked with all the same")
	}
	if r.Cast["discount"] != "cut" {
		t.Error("the request that the wizard was opened with changed")
	}
}

// The list narrows to a name or to what is open, and finds the next open one.
func TestColumnsAreFound(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	p.press("/").write("Ship").golden("columns-filter").shows("2 of 16 shown", "> ship_country", " enter keep the filter  esc all columns").lacks("weight_g")
	p.press("enter").shows("Filter: Ship")
	if p.at != columnsStep {
		t.Fatal("enter in the filter left the step")
	}
	p.press("end").shows("> ship_region")
	p.press("n").shows("> amount", "How does each column")
	p.press("/").write("zzz").shows("no column has this in its name")
	p.press("enter", " ", "v", "t").shows("no column has this in its name")
	if len(p.answers.Cast) != 0 {
		t.Errorf("a column that nobody sees was answered: %v", p.answers.Cast)
	}
	p.press("/")
	p.press("esc").shows("weight_g", "> amount")
	p.press("o").golden("columns-open").shows("3 of 16 shown", "> amount").lacks("weight_g")
	p.press(" ", " ").shows("> amount", "(o) round") // stays under the cursor
	p.press("down").shows("> placed_at", "2 of 16 shown").lacks("amount  ")
	p.press("n").shows("> (none)", "becomes NULL")
	p.press("o").shows("weight_g")
	p.paste("o").shows("weight_g")
	p.press("home").shows("> order_id")
	p.see(80, 24)
	p.press("pgdown").shows("> currency")
	p.press("end").shows("> year")
	p.press("pgup").press("home", "up").shows("> order_id")
}

// The whole view tells what the pane has no room for, and esc leaves it alone.
func TestColumnsWhole(t *testing.T) {
	p, _ := columnsPlay(t, ordersRequest(), ordersColumns)
	p.press("v").golden("columns-whole").shows("in part-00017.parquet row 88,211", "v table").lacks("COPY ")
	p.press(" ").shows("(o) stop")
	p.press("esc").shows("COPY ")
	if p.at != columnsStep {
		t.Error("esc left the step")
	}
}

// Values that cannot be written stop the seed, in the engine's words.
func TestColumnsRefused(t *testing.T) {
	r := answeredOrders()
	r.Cast["amount"] = "stop"
	p, _ := columnsPlay(t, r, func(r engine.Request) engine.ColumnsView {
		v := ordersColumns(r)
		if r.Cast["amount"] == "stop" {
			v.Lines[3].Cast = "values refused"
			v.Stop = &verdict.Error{
				Code: verdict.ValueRefused, What: `column "amount" has values that cannot be written: 1 of 200000`,
				Facts: verdict.Facts("amount", "1 would change: 7.128 (part-00017.parquet row 88211)"), Why: "A seed never writes NULL, nor another value, in silence.",
				Hint: []string{"--cast amount=round|cut|null", "Or correct the copy and make a new plan."},
			}
		}
		return v
	})
	p.press("n").golden("columns-refused").shows("1 refused, 1 lossy (!), 12 fine", "1 would change: 7.128 (part-00017.parquet row 88211)", "enter (off)", "(o) stop")
	p.press("enter")
	if p.at != columnsStep {
		t.Fatal("a refusal was passed over")
	}
	p.press(" ").shows("Ready.", "(o) round").lacks("1 would change")
}

// A refusal that is no column's is told all the same.
func TestColumnsRefusalOfNone(t *testing.T) {
	p, _ := columnsPlay(t, answeredOrders(), func(r engine.Request) engine.ColumnsView {
		v := ordersColumns(r)
		v.Stop = &verdict.Error{Code: verdict.CopyMarks, What: `"load_0001.csv" looks like a file of changes by DMS`, Hint: []string{"Give the folder of the full load alone."}}
		return v
	})
	p.golden("columns-stop").shows("Give the folder of the full load alone.", "enter (off)")
	p.press("v").shows("Give the folder of the full load alone.")
}

// Warnings about values are accepted one by one.
func TestColumnsWarnings(t *testing.T) {
	p, _ := columnsPlay(t, answeredOrders(), func(r engine.Request) engine.ColumnsView {
		v := ordersColumns(r)
		v.Checks = []verdict.Check{
			verdict.Noted(`rows that Fivetran flagged as deleted in "_fivetran_deleted" are left out`, ""),
			verdict.Warned(verdict.CutOffText, `40 values of "notes" end at exactly 32,768: cut off by the copying tool?`, "A value that was cut off stays so in the target until its row changes."),
		}
		return v
	})
	p.golden("columns-warning").shows(`cut_off_text: 40 values of "notes" end at exactly 32,768`)
	p.press("enter").shows("cut_off_text: enter again accepts it")
	p.press("enter")
	if p.at != reviewStep {
		t.Errorf("step %d after the warning was accepted", p.at)
	}
}
