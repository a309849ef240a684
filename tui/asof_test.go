package tui

import (
	"context"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// atAsOf opens the screen over a script, with an as_of.
func atAsOf(t *testing.T, s *script, asOf string) *play {
	t.Helper()
	r := ordersRequest()
	r.AsOf = asOf
	p := perform(t, s, r)
	if s.copy.Evidence != 0 {
		p.found.copy = learn(s.copy, nil, "")
	}
	p.do(p.show(asOfStep))
	return p
}

// asOfAsked are the as_ofs that were mapped.
func (s *script) asOfAsked() []string {
	var out []string
	for _, r := range s.asked[1:] { // the first was to connect
		out = append(out, r.AsOf)
	}
	return out
}

func mapsTo(v engine.AsOfView) *script {
	s := orders()
	s.asOf = v
	return s
}

func TestAsOfScreen(t *testing.T) {
	for name, c := range map[string]struct {
		script *script
		asOf   string
	}{
		"asof":           {mapsTo(fellBackView()), "2026-10-25T00:40:00Z"},
		"asof-exact":     {mapsTo(mappedView()), "2026-10-25T12:30:00Z"},
		"asof-purged":    {purgedScene(), "2026-10-23T18:00:00Z"},
		"asof-future":    {futureScene(), "2026-10-27T05:00:00Z"},
		"asof-above-max": {aboveMaxScene(), "0x00000035000003E80001"},
		"asof-no-zone":   {noZoneScene("2026-10-24 02:40", plainReadings()...), "2026-10-24 02:40"},
		"asof-repeated": {noZoneScene("2026-10-25 02:40",
			reading("UTC", "2026-10-25T02:40:00Z", ""),
			reading(serversZone, "2026-10-25T00:40:00Z", "the first of two times that the clock showed this"),
			reading(serversZone, "2026-10-25T01:40:00Z", "the second of two times that the clock showed this"),
			reading("this machine's zone (UTC)", "2026-10-25T02:40:00Z", "")), "2026-10-25 02:40"},
		"asof-skipped": {noZoneScene("2026-03-29 02:40",
			reading("UTC", "2026-03-29T02:40:00Z", ""),
			reading(serversZone, "", "2026-03-29T02:40:00 does not exist there: the clock was set forward over it"),
			reading("this machine's zone (UTC)", "2026-03-29T02:40:00Z", "")), "2026-03-29 02:40"},
		"asof-empty":      {emptyScene(), ""},
		"asof-lsn":        {mapsTo(lsnView()), "3400000100000100001"},
		"asof-no-commit":  {mapsTo(noCommitView()), "0x0000003200000A290000"},
		"asof-seeded":     {mapsTo(seededView()), "2026-10-25T00:40:00Z"},
		"asof-clock":      {mapsTo(skewedView()), "2026-10-25T12:30:00Z"},
		"asof-old-server": {mapsTo(oldServerView()), "2026-10-25T12:30:00Z"},
		"asof-reseed":     {mapsTo(reseedView()), "2026-10-25T12:30:00Z"},
		"asof-not-newer":  {notNewerScene(), "2026-10-24T12:30:00Z"},
		"asof-same-copy":  {sameCopyScene(), "2026-10-25T12:30:00Z"},
		"asof-after-copy": {afterCopyScene(), "2026-10-25T12:30:00Z"},
	} {
		t.Run(name, func(t *testing.T) { atAsOf(t, c.script, c.asOf).golden(name) })
	}
}

// What is typed is mapped when typing rests, as it then stands.
func TestAsOfIsMappedAsTyped(t *testing.T) {
	s := emptyScene()
	s.asOf = mappedView()
	p := atAsOf(t, s, "")
	p.shows("Data entered the copy at 2026-10-25T00:52:10Z", "note  Give the time").press("enter")
	if p.at != asOfStep {
		t.Fatal("enter went on without an as_of")
	}
	p.paste("2026-10-25T12:30:00Z\n").shows("L = 0x0000003200000A280001", "ok    L is 0x0000003200000A280001")
	if got := s.asOfAsked(); len(got) != 1 || got[0] != "2026-10-25T12:30:00Z" {
		t.Errorf("mapped %q", got)
	}
	p.press("tab").write("1h30m")
	if got := s.asked[len(s.asked)-1].CopyLag; got != 90*time.Minute {
		t.Errorf("mapped with a lag of %v", got)
	}
	p.press("enter")
	if p.at != columnsStep {
		t.Errorf("enter led to step %d", p.at)
	}
}

// A lag that is none is told in the flag's words, stands to be corrected, and
// nothing is mapped with it.
func TestAWrongCopyLagStops(t *testing.T) {
	s := mapsTo(mappedView())
	p := atAsOf(t, s, "2026-10-25T12:30:00Z").press("tab").write("15")
	p.shows(`STOP  Copy lag: "15" is no length of time such as 15m`).shows("of another answer").press("enter", "esc")
	if p.at != copyStep {
		t.Fatal("step", p.at)
	}
	asked := len(s.asked) // the step before looks at the places again
	p.do(p.show(asOfStep))
	p.shows(`"15" is no length of time`)
	if len(s.asked) != asked {
		t.Errorf("mapped with a lag of %v", s.asked[asked:])
	}
	lookedUp(&s.asOf, "2026-10-25T12:30:00Z", "2026-10-25T13:15:00Z", "2026-10-25T12:15:00Z", "2026-10-25T13:15:00Z")
	s.asOf.CommitTS, s.asOf.Distance = atp("2026-10-25T12:14:48Z"), ptr(15*time.Minute+12*time.Second)
	readableFor(&s.asOf, 39*time.Hour+15*time.Minute+18*time.Second)
	p.golden("asof-wrong-lag").write("m").shows("2026-10-25T12:30:00Z less 15 m = server 13:15:00").golden("asof-lag")
	if got := s.asked[len(s.asked)-1].CopyLag; got != 15*time.Minute {
		t.Errorf("mapped with a lag of %v", got)
	}
}

// A lag that a flag gave is shown as people write it.
func TestCopyLagOfAFlag(t *testing.T) {
	for d, want := range map[time.Duration]string{15 * time.Minute: "15m", 2 * time.Hour: "2h", 90 * time.Second: "1m30s", 0: ""} {
		s := &asOfScreen{}
		a := answers{}
		a.CopyLag = d
		if s.loadLag(&a); s.lag != want {
			t.Errorf("%v is shown as %q, want %q", d, s.lag, want)
		}
	}
}

// held presses a key and lets typing rest. What the mapping that this starts
// comes to is kept back.
func (p *play) held(name string) (reply tea.Cmd) {
	p.t.Helper()
	_, cmd := p.Update(keyNamed(p.t, name))
	for _, c := range commandsIn(cmd) {
		if rest, ok := c().(pause); ok {
			_, reply = p.Update(rest)
			return reply
		}
	}
	p.t.Fatalf("%s starts nothing", name)
	return nil
}

// commandsIn are the commands in a batch.
func commandsIn(cmd tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		var out []tea.Cmd
		for _, c := range batch {
			out = append(out, commandsIn(c)...)
		}
		return out
	}
	return []tea.Cmd{cmd}
}

// The mapping before stays while a new one is awaited, and says that it is
// being checked; enter waits. A reply to what was typed before changes nothing.
func TestTheOldMappingStaysWhileCheckedAndLateRepliesAreDropped(t *testing.T) {
	s := mapsTo(fellBackView())
	p := atAsOf(t, s, "2026-10-25T00:40:00Z")
	first := p.held("backspace")
	p.golden("asof-checking").shows("checking", "L = 0x0000003100000A280001", "note  Checking: looking up the commit at 2026-10-25T00:40:00.").press("enter")
	if p.at != asOfStep {
		t.Fatal("enter went on while a mapping was awaited")
	}
	s.asOf.L = position("0x000000FF00000A280001")
	late := first() // is there, but typing goes on before it is heard
	p.held("Z")
	p.hear(late)
	p.lacks("0x000000FF").shows("checking")
	s.asOf = mappedView()
	p.press("ctrl+r").shows("L = 0x0000003200000A280001").lacks("checking", "0x000000FF")
}

// lookUpWatch is a script that keeps the context of its last mapping.
type lookUpWatch struct {
	*script
	life context.Context // what the test is about
	copy engine.CopyView
}

func (w *lookUpWatch) AsOf(ctx context.Context, r engine.Request, c engine.CopyView, v engine.TargetView) (engine.AsOfView, error) {
	w.life, w.copy = ctx, c
	return w.script.AsOf(ctx, r, c, v)
}

// Leaving the screen ends the look-up, and its reply is a late one.
func TestLeavingEndsTheLookUp(t *testing.T) {
	w := &lookUpWatch{script: mapsTo(mappedView())}
	p := atAsOf(t, w.script, "2026-10-25T12:30:00Z")
	p.engine = w
	reply := p.held("backspace")
	answer := reply()
	if w.life.Err() != nil {
		t.Fatal("the look-up was ended before")
	}
	before := p.found.asOf.print
	p.press("esc")
	if w.life.Err() == nil {
		t.Error("the look-up goes on")
	}
	if p.hear(answer); p.found.asOf.print != before {
		t.Error("a late reply was taken")
	}
}

// On return the mapping is made anew where an earlier answer changed or a minute
// went by, and not without a reason. The answer itself stays.
func TestReturningMapsAnew(t *testing.T) {
	s := mapsTo(mappedView())
	p := atAsOf(t, s, "2026-10-25T12:30:00Z")
	again := func(why string, more int) {
		t.Helper()
		p.do(p.show(tableStep))
		before := len(s.asked)
		p.do(p.show(asOfStep))
		if got := len(s.asked) - before; got != more {
			t.Errorf("%s: mapped %d times, want %d", why, got, more)
		}
		p.shows("2026-10-25T12:30:00Z")
	}
	again("nothing changed", 0)
	p.answers.Copy = "/lake/sales/other"
	again("another copy", 1)
	p.clock = p.clock.Add(mappingAge)
	again("a minute later", 1)
}

// The copy is compared only where it was not refused.
func TestARefusedCopyIsNotCompared(t *testing.T) {
	w := &lookUpWatch{script: mapsTo(mappedView())}
	p := atAsOf(t, w.script, "2026-10-25T12:30:00Z")
	p.engine = w
	p.found.copy = learn(engine.CopyView{Kind: "delta"}, nil, "")
	if p.press("ctrl+r"); w.copy.Kind != "delta" {
		t.Error("the copy was not compared")
	}
	p.found.copy = learn(engine.CopyView{Kind: "delta"}, error(&verdict.Error{Code: verdict.CopyUnreadable}), "")
	if p.press("ctrl+r"); w.copy.Kind != "" {
		t.Error("a refused copy was compared")
	}
}

// An as_of after the copy's first data is asked about, and only then.
func TestRefreshedInPlaceIsAskedWhereItMatters(t *testing.T) {
	s := mapsTo(mappedView())
	p := atAsOf(t, s, "2026-10-25T12:30:00Z").lacks("In place")
	refused := afterCopyScene()
	s.asOfErr = refused.asOfErr
	p.press("ctrl+r").shows("(o) no ", "STOP  As of: give an earlier time, or tab to In place. (as_of_after_copy)").press("tab", "tab")
	s.asOfErr = nil
	p.press(" ").shows("(o) yes: as of is when its last refresh in place began", "ok    L is")
	if !s.asked[len(s.asked)-1].AllowAsOfAfterCopy {
		t.Error("mapped without what was answered")
	}
	s.asOfErr = refused.asOfErr
	p.press(" ").shows("(o) no ")
	s.asOfErr = nil
	p.press("ctrl+r").lacks("In place").shows("> As of") // the question is gone, and the cursor is where it can be seen
}

// What the server says cannot steer the terminal.
func TestAsOfIsClean(t *testing.T) {
	v := mappedView()
	v.Clock.Zone = "evil\x1b[2J"
	atAsOf(t, mapsTo(v), "2026-10-25T12:30:00Z").lacks("\x1b[2J").shows("evil<001B>")
	s := noZoneScene("2026-10-24 02:40", reading("evil\x1b[2J", "2026-10-24T02:40:00Z", "and\x1b[2J"))
	p := atAsOf(t, s, "2026-10-24 02:40").lacks("\x1b[2J").shows("evil<001B>", "and<001B>")
	s.asOf, s.asOfErr = v, nil
	p.press("up", " ").lacks("\x1b[2J").shows("taken as evil<001B>")
}

// No scene draws a line wider than the body, at any width.
func TestAsOfKeepsToTheWidth(t *testing.T) {
	for name, p := range map[string]*play{
		"fell back": atAsOf(t, mapsTo(fellBackView()), "2026-10-25T00:40:00Z"),
		"purged":    atAsOf(t, purgedScene(), "2026-10-23T18:00:00Z"),
		"an LSN":    atAsOf(t, mapsTo(lsnView()), "3400000100000100001"),
		"readings":  atAsOf(t, noZoneScene("2026-10-24 02:40", plainReadings()...), "2026-10-24 02:40").press("up"),
		"empty":     atAsOf(t, emptyScene(), ""),
	} {
		for w := 1; w <= 200; w++ {
			for _, h := range []int{1, 12, 17, 53} {
				drawn := p.step().view(p.desk, w, h)
				if drawn.focus < 0 || drawn.focus >= len(drawn.lines) {
					t.Fatalf("%s at %d: the cursor's line is %d of %d", name, w, drawn.focus, len(drawn.lines))
				}
				for _, l := range drawn.lines {
					if width(l) > w {
						t.Fatalf("%s at %d: %q is %d wide", name, w, l, width(l))
					}
				}
			}
		}
	}
}
