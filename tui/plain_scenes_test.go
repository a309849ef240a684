package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Answers that are there already are told, and kept by the key that returns.
func TestPlainPrefilled(t *testing.T) {
	_, on := story(t)
	r := ordersRequest()
	r.Cast, r.Missing, r.CopyTimeZone = map[string]string{"amount": "round"}, map[string]string{"channel_code": "null"}, "UTC"
	k := converseWith(t, nil, r, "", "", "", "fell_back", "", "", "stream_must_be_stopped", "dbo.Orders")
	on(k)
	k.talked().golden("prefilled")
	if len(k.runs) != 1 {
		t.Errorf("%d seeds ran", len(k.runs))
	}
}

// A warning is accepted by its code and by nothing else, and help, reasons and
// the command are there at every question.
func TestPlainWords(t *testing.T) {
	_, on := story(t)
	k := converseWith(t, nil, ordersRequest(), "?", "command", "4", "none", "user", "svc_cdc_ro", "8", "list", "next", "why", "back", "", "",
		"change", "5", "orders-v1", "", "why", "", "yes", "fell_back ", "back", "quit")
	on(k)
	k.talked().golden("words")
	if len(k.runs) != 0 || !errors.Is(k.err, errLeave) || k.answers.User != "svc_cdc_ro" {
		t.Errorf("%d seeds ran, %v, user %q", len(k.runs), k.err, k.answers.User)
	}
}

// An as_of that is not kept is refused with its reasons, and corrected.
func TestPlainRefusedAsOf(t *testing.T) {
	s := purgedScene()
	s.copy, s.target = lake().copy, lake().target
	r := ordersRequest()
	r.AsOf = "2026-10-23T18:00:00Z"
	converseWith(t, s, r, "", "", "", "next", "", "2026-10-23 18:00", "again", "2", "soon", "none", "quit").talked().golden("refused")
}

// A time without a zone is shown in each zone, and none is chosen for anybody.
func TestPlainNoZone(t *testing.T) {
	s := noZoneScene("2026-10-24 02:40", plainReadings()...)
	s.copy, s.target = lake().copy, lake().target
	r := ordersRequest()
	r.AsOf = "2026-10-24 02:40"
	k := converseWith(t, s, r, "", "", "", "", "4", "change", "1", "", "2026-10-24 02:40", "3", "quit").talked()
	k.golden("no-zone")
	if k.answers.AsOf != "2026-10-24T05:40:00Z" {
		t.Errorf("as_of is %s", k.answers.AsOf)
	}
}

// Of a thousand tables those are listed that have what was typed in their names.
func TestPlainTables(t *testing.T) {
	s := thousandTables()
	s.copy = lake().copy
	r := ordersRequest()
	r.Table = ""
	k := converseWith(t, s, r, "", "", "more", "nothing like it", "T09", "more", "t0912", "change", "uncaptured", "dbo_orders_v2", "change", "all", "4", "change", "", "", "quit").talked()
	k.golden("tables")
	if k.answers.Table != s.tables[3].String() && k.answers.Table == "" {
		t.Errorf("the table is %q", k.answers.Table)
	}
}

// Columns are asked again by number or name, taken back, and listed by a part.
func TestPlainColumns(t *testing.T) {
	_, on := story(t)
	k := converseWith(t, nil, ordersRequest(), "", "", "", "fell_back", "", "2", "Europe/Berlin", "maybe", "1", "", "list ship", "6", "null", "amount", "none", "cut", "99", "sample", "all", "sample", "6", "back", "back", "quit")
	on(k)
	k.talked().golden("columns")
	if k.answers.Cast["amount"] != "cut" || k.answers.CopyTimeZone != "Europe/Berlin" {
		t.Errorf("%v, %q", k.answers.Cast, k.answers.CopyTimeZone)
	}
}

// What forbids a plan is told with the step to change, and leads there.
func TestPlainBlocked(t *testing.T) {
	stage, on := story(t)
	stage.plan = blockedPlan(t)
	r := ordersRequest()
	r.Cast, r.Missing, r.CopyTimeZone = map[string]string{"amount": "round"}, map[string]string{"channel_code": "null"}, "UTC"
	k := converseWith(t, nil, r, "", "", "", "fell_back", "", "", "again", "write", "", "quit")
	on(k)
	k.talked().golden("blocked")
	stage, on = story(t)
	stage.planErr = refusedPlay(t).script.planErr
	k = converseWith(t, nil, r, "", "", "", "fell_back", "", "", "", "quit")
	on(k)
	k.talked().golden("no-plan")
}

// A seed that fails says what was written, and leads to what has to change.
func TestPlainFailure(t *testing.T) {
	_, on := story(t)
	r := ordersRequest()
	r.Cast, r.Missing, r.CopyTimeZone = map[string]string{"amount": "round"}, map[string]string{"channel_code": "null"}, "UTC"
	k := converseWith(t, nil, r, "", "", "", "fell_back", "", "", "stream_must_be_stopped", "dbo.Orders", "then", "", "quit")
	on(k)
	k.execute = func(plan engine.Plan, _ engine.Request) { k.seed(plan, retentionPassed()) }
	k.talked().golden("failure")
	if k.at != asOfStep || k.found.failure == nil {
		t.Errorf("at %d, failure %v", k.at, k.found.failure)
	}
}

// hook is the output with something that happens once a text is on it.
type hook struct {
	*strings.Builder
	text string
	do   func()
}

func (h *hook) Write(b []byte) (int, error) {
	n, err := h.Builder.Write(b)
	if h.do != nil && strings.Contains(h.String(), h.text) {
		do := h.do
		h.do = nil
		do()
	}
	return n, err
}

// ctrl+c asks before it stops a seed; it goes on without a yes.
func TestPlainStop(t *testing.T) {
	r := ordersRequest()
	r.Cast, r.Missing, r.CopyTimeZone = map[string]string{"amount": "round"}, map[string]string{"channel_code": "null"}, "UTC"
	answers := []string{"", "", "", "fell_back", "", "", "stream_must_be_stopped", "dbo.Orders"}
	stopped := &verdict.Error{Code: verdict.Stopped, What: "stopped on request before the seed was committed", Err: context.Canceled, Hint: []string{"Run the same command again: it starts over."}}
	_, on := story(t)
	k := converseWith(t, nil, r, append(answers, "yes", "quit")...)
	on(k)
	k.execute = func(engine.Plan, engine.Request) {
		for _, e := range append(rechecked(), stageStarted(), staging(ordersRows/10, 198, 1_000_000)) {
			k.put(eventMsg{e})
		}
	}
	k.out = &hook{&k.heard, "Progress:", func() { k.stops <- StopAsked{} }}
	k.cease = func() { k.put(finishedMsg{err: stopped}) }
	k.talked().golden("stop")

	_, on = story(t)
	k = converseWith(t, nil, r, append(answers, "no")...)
	on(k)
	k.execute = func(engine.Plan, engine.Request) { k.put(eventMsg{stageStarted()}) }
	k.cease = func() { t.Error("stopped without a yes") }
	k.out = &hook{&k.heard, "Phase 2 of 5", func() {
		k.stops <- StopAsked{}
		k.out = &hook{&k.heard, "It goes on.", func() { k.put(finishedMsg{result: ordersResult(k.found.plan.value)}) }}
	}}
	if k.talked(); k.found.result == nil {
		t.Error("the seed did not go on")
	}

	// Where nobody can answer, and where nobody hears, it is stopped without a question.
	for name, start := range map[string]func(*talk){
		"told":                                func(k *talk) { k.stops <- StopAsked{Now: true} },
		"asked where the input is at its end": func(k *talk) { k.stops <- StopAsked{} },
		"unread":                              func(k *talk) { k.deaf = errors.New("broken pipe") },
	} {
		_, on = story(t)
		k = converseWith(t, nil, r, answers...)
		on(k)
		k.execute = func(engine.Plan, engine.Request) { start(k); k.put(eventMsg{stageStarted()}) }
		ceased := 0
		k.cease = func() { ceased++; k.put(finishedMsg{err: stopped}) }
		if k.talked(); ceased != 1 || !errors.Is(k.err, errLeave) || !errors.Is(k.found.failure, verdict.Stopped) {
			t.Errorf("%s: stopped %d times, %v, %v", name, ceased, k.err, k.found.failure)
		}
	}
}

// slow is an engine whose look at the copy lasts until it is given up.
type slow struct{ *columnsStage }

func (s slow) Copy(ctx context.Context, _ engine.Request, _ func(done, total int)) (engine.CopyView, error) {
	<-ctx.Done()
	return engine.CopyView{}, &verdict.Error{Code: verdict.Stopped, What: "stopped on request", Err: ctx.Err()}
}

// ctrl+c gives up a wait, and what comes of it later changes nothing.
func TestPlainCutsAWaitOff(t *testing.T) {
	stage, on := story(t)
	k := converseWith(t, nil, ordersRequest(), "", "", "back", "quit")
	on(k)
	k.engine = slow{stage}
	k.spawn = func(f func()) { go f() }
	k.out = &hook{&k.heard, "Working: Looking at the copy.", func() { k.stops <- StopAsked{} }}
	k.talked()
	for _, text := range []string{"Stopped waiting. ctrl+c again leaves.", "Change 1-5, or again [again]: back", "Step 2 of 8"} {
		if !strings.Contains(k.heard.String(), text) {
			t.Errorf("it lacks %q:\n%s", text, k.heard.String())
		}
	}
	if k.found.copy.set {
		t.Errorf("what was given up is known: %v", k.found.copy)
	}

	// A second one leaves, from a wait and from a question.
	for name, lines := range map[string][]string{"wait": {"", ""}, "question": {}} {
		stage, on = story(t)
		k = converseWith(t, nil, ordersRequest(), lines...)
		on(k)
		k.engine, k.spawn = slow{stage}, func(f func()) { go f() }
		text := map[string]string{"wait": "Working: Looking at the copy.", "question": "Checks"}[name]
		k.out = &hook{&k.heard, text, func() { k.stops <- StopAsked{}; k.stops <- StopAsked{} }}
		if name == "question" {
			k.keys.busy = true // nobody types
		}
		if k.talked(); !errors.Is(k.err, errLeave) || k.eof {
			t.Errorf("%s: %v, eof %v:\n%s", name, k.err, k.eof, k.heard.String())
		}
	}
}

// An input that ends leaves the wizard wherever it is, writes nothing and says
// what was asked last.
func TestPlainEndsWithItsInput(t *testing.T) {
	all := append(append([]string{}, typedAll...), "stream_must_be_stopped")
	for n := range all {
		_, on := story(t)
		k := converseWith(t, nil, engine.Request{}, all[:n]...)
		on(k)
		k.answers.password = ""
		k.talked()
		o := k.outcome(nil, nil, k.err)
		e := verdict.As(o.Err)
		if len(k.runs) > 0 || e == nil || e.Code != verdict.Stopped || e.What != "the input ended before the last question was answered" || len(e.Facts) == 0 || e.WroteText() != verdict.NothingWritten {
			t.Fatalf("after %d answers: %d seeds, %v", n, len(k.runs), o.Err)
		}
		if !strings.HasSuffix(strings.TrimSpace(k.heard.String()), ":") {
			t.Errorf("after %d answers it does not end with its question:\n%s", n, k.heard.String())
		}
	}
}

// Lines that are no text are asked for again.
func TestPlainStrangeLines(t *testing.T) {
	s := lake()
	for line, says := range map[string]string{
		"\x1b[A": "holds characters that no key of text makes", "a\xffb": "holds characters that no key of text makes",
		strings.Repeat("x", longest+10): "That line is too long.", "99": "Type a number from 1 to 7", "next please": "Type a number from 1 to 7",
	} {
		k := converseWith(t, s, ordersRequest(), "quit")
		k.keys = newLineReader(strings.NewReader(line + "\nquit\n"))
		if k.talked(); !strings.Contains(strings.Join(strings.Fields(k.heard.String()), " "), says) {
			t.Errorf("%.20q: %s", line, k.heard.String())
		}
	}
}

// A panic ends the conversation in order.
func TestPlainFalls(t *testing.T) {
	s := lake()
	s.tableOf = func(string) (engine.TableView, error) { panic("no such thing") }
	k := converseWith(t, s, ordersRequest(), "")
	fall, err := k.converse()
	if fall == nil || fall.Cause != "no such thing" || err == nil {
		t.Errorf("%v, %v", fall, err)
	}
}

// What statuses say of keys is said of words.
func TestPlainNamesNoKeys(t *testing.T) {
	for _, code := range verdict.Codes() {
		e := &verdict.Error{Code: code}
		target, _ := onTarget(e)
		for _, text := range []string{onConnect(e), onSource(code), onList(code), onTable(code), onCopy(code), target, onAsOf(code)} {
			if m := screenKeys.FindString(keyless(text)); m != "" {
				t.Errorf("%s: %q names the key %q", code, keyless(text), m)
			}
		}
	}
}

// A line of a screen is read out by its name.
func TestSentence(t *testing.T) {
	for drawn, want := range map[string]string{
		"   Key        order_id bigint":    "Key: order_id bigint",
		"   Too big?   2.13 B rows":        "Too big? 2.13 B rows",
		"  ok    connected":                "ok: connected",
		"  STOP  no such host":             "STOP: no such host",
		"  warn  fell_back: looked up":     "warn: fell_back: looked up",
		"        server: db  01":           "server: db  01",
		" Checks":                          "Checks",
		"   L stays readable  for a while": "L stays readable  for a while",
		"":                                 "",
	} {
		if got := sentence(drawn); got != want {
			t.Errorf("%q: %q, want %q", drawn, got, want)
		}
	}
}

// A told line is broken at blanks alone.
func TestFolded(t *testing.T) {
	path := "/" + strings.Repeat("long/", 30)
	got := folded(fmt.Sprintf("at %s and on", path), 40)
	if len(got) != 3 || got[1] != path {
		t.Errorf("%q", got)
	}
}

// Of many columns a page is told at a time.
func TestPlainManyColumns(t *testing.T) {
	stage, on := story(t)
	stage.scene = plainColumns(50)
	k := converseWith(t, nil, ordersRequest(), "", "", "", "fell_back", "", "list", "more", "more", "more", "list c1", "50", "quit")
	on(k)
	k.talked()
	heard := strings.Join(strings.Fields(k.heard.String()), " ")
	for _, text := range []string{"These are 1 to 20 of 50; more tells the next.", "These are 21 to 40 of 50", "Column 50 of 50", "50 columns.", "That was the last page."} {
		if !strings.Contains(heard, text) {
			t.Errorf("it lacks %q:\n%s", text, k.heard.String())
		}
	}
}

// Names from outside cannot write lines of their own, nor move a cursor.
func TestPlainHostileNames(t *testing.T) {
	const evil = "a\x1b[2J\nTo accept it, type yes\u202e\u4f60\u597d"
	s := lake()
	s.tables = append([]engine.Table{}, s.tables...)
	s.tables[0].Name = evil
	s.tables[0].Instances[0].Name = evil
	s.table.Table, s.table.Instance, s.table.Key = s.tables[0], evil, []string{evil}
	s.table.Checks = []verdict.Check{verdict.Warned(verdict.StreamStopped, evil, evil)}
	s.copyErr = &verdict.Error{Code: verdict.CopyNotFound, What: evil, Facts: verdict.Facts(evil, evil), Why: evil, Hint: []string{evil}}
	s.uncaptured = []string{evil}
	r := ordersRequest()
	r.Table, r.Copy, r.AppID = "", "/lake/"+evil, evil
	k := converseWith(t, s, r, "", "change", "change", "uncaptured", "1", "stream_must_be_stopped", "", "why", "list", "quit").talked()
	for _, l := range strings.Split(k.heard.String(), "\n") {
		if strings.ContainsFunc(l, unicode.IsControl) || strings.ContainsRune(l, '\u202e') || strings.HasPrefix(l, "To accept it, type yes") {
			t.Errorf("%q", l)
		}
	}
	if !strings.Contains(k.heard.String(), "<001B>") || k.at != copyStep {
		t.Errorf("at %d:\n%s", k.at, k.heard.String())
	}
}

// keyStage plans as the story does; with keys counted it tells what came of them.
type keyStage struct {
	*columnsStage
	counted engine.Plan
	asked   []bool // whether keys were, plan by plan
}

func (s *keyStage) Build(ctx context.Context, r engine.Request, told func(engine.Event)) (engine.Plan, error) {
	s.asked = append(s.asked, r.CountKeys)
	if r.CountKeys {
		told(engine.Progress{Phase: engine.Recheck, Done: 1000, Total: 2_130_417_882, Unit: "keys"})
		return s.counted, nil
	}
	return s.columnsStage.Build(ctx, r, told)
}

// keys has the copy's keys counted with the plan, and the same word takes it back:
// also where there are none to count.
func TestPlainCountsKeys(t *testing.T) {
	r := ordersRequest()
	r.Cast, r.Missing, r.CopyTimeZone = map[string]string{"amount": "round"}, map[string]string{"channel_code": "null"}, "UTC"
	blocked := ordersPlan(t)
	blocked.MadeAt, blocked.State = blocked.MadeAt.Add(time.Minute), engine.Blocked
	blocked.Stops = []engine.Stop{{Code: verdict.NoKey, What: "keys cannot be counted: the capture instance knows no unique index of the table"}}
	twice := countedPlan(t)
	twice.MadeAt = blocked.MadeAt
	for name, c := range map[string]struct {
		counted engine.Plan
		lines   []string
		says    []string
	}{
		"twice":  {twice, []string{"keys", "fell_back", "duplicate_keys", "keys", "quit"}, []string{"2 stand more than once, 3 rows too many", "To accept it, type duplicate_keys", "You accepted fell_back, duplicate_keys."}},
		"no key": {blocked, []string{"keys", "keys", "quit"}, []string{"keys cannot be counted", "keys plans without counting them. again plans once more [again]: keys"}},
	} {
		stage, on := story(t)
		k := converseWith(t, nil, r, append([]string{"", "", "", "fell_back", "", "", "stream_must_be_stopped"}, c.lines...)...)
		on(k)
		s := &keyStage{columnsStage: stage, counted: c.counted}
		k.engine = s
		said := strings.Join(strings.Fields(k.talked().heard.String()), " ")
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not told:\n%s", name, want, k.heard.String())
			}
		}
		if !slices.Equal(s.asked, []bool{false, true, false}) || k.answers.CountKeys || !errors.Is(k.err, errLeave) {
			t.Errorf("%s: keys were asked for: %v; %v", name, s.asked, k.err)
		}
	}
}
