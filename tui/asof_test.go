package tui

import (
	"context"
	"strings"
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
	p.do(p.wizard.show(asOfStep))
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
		"asof-after-copy": {afterCopyScene(), "2026-10-25T12:30:00Z"},
	} {
		t.Run(name, func(t *testing.T) { atAsOf(t, c.script, c.asOf).golden(name) })
	}
}

func futureScene() *script {
	s := orders()
	var v engine.AsOfView
	v.Clock.Zone = "W. Europe Standard Time"
	v.ServerNow, v.Input.Instant = at("2026-10-26T21:14:30Z"), atp("2026-10-27T05:00:00Z")
	refusedAsOf(s, v, &verdict.Error{
		Code: verdict.AsOfInFuture, What: "as_of is later than the server's clock",
		Facts: verdict.Facts("as_of", *v.Input.Instant, "server clock", v.ServerNow, "later by", "7 h 45 m 30 s"),
		Why:   "No copy can have started then; a time in the wrong zone looks like this.",
		Hint:  []string{"Check the zone of the time: its offset from UTC belongs behind it, such as 2026-10-25T02:40:00+02:00."},
	})
	return s
}

func aboveMaxScene() *script {
	s := orders()
	var v engine.AsOfView
	v.Clock.Zone = "W. Europe Standard Time"
	v.ServerNow, v.Max = at("2026-10-26T21:14:30Z"), position("0x00000034000003E80001")
	v.Input.Text, v.Input.LSN = "0x00000035000003E80001", ptr(position("0x00000035000003E80001"))
	refusedAsOf(s, v, &verdict.Error{
		Code: verdict.LSNAboveMax, What: "the LSN is after the newest captured commit",
		Facts: verdict.Facts("as_of", v.Input.LSN, "newest captured", v.Max, "server clock", v.ServerNow,
			"newest captured commit", "2026-10-26T21:14:26Z", "behind its clock by", "4 s"),
		Why: "Nothing says yet what lies between, so the stream could not start there.",
		Hint: []string{
			"If it was noted a moment ago or CDC was just turned on, wait until capture has passed it and try again.",
			"Otherwise see whether it is from this database: cdcseed lsn --now prints the newest one.",
		},
	})
	return s
}

func emptyScene() *script {
	s := orders()
	s.copy = engine.CopyView{Kind: "delta", Evidence: at("2026-10-25T00:52:10Z"), SeenIn: "the commit time of version 0"}
	return s
}

// afterCopyScene is an as_of later than what the copy's files show.
func afterCopyScene() *script {
	s := orders()
	refusedAsOf(s, mappedView(), &verdict.Error{
		Code: verdict.AsOfAfterCopy, What: "as_of is later than the earliest data of the copy, so it cannot be when the copy started",
		Facts: verdict.Facts("as_of", "2026-10-25T12:30:00Z", "in the copy since", "2026-10-25T00:52:10Z", "seen in", "the commit time of version 0"),
		Why:   "Commits between the copy's true start and as_of may be missing from it, and the stream would not bring them.",
		Hint: []string{
			"Give the time at which the copy started, with its zone; earlier is safe.",
			"If the copy is refreshed in place and as_of is the start of its last refresh, add --allow-as-of-after-copy.",
		},
	})
	return s
}

// lsnView is the number of a backup's header: L is the commit before it.
func lsnView() engine.AsOfView {
	v := mappedView()
	v.Input.Text, v.Input.Instant = "3400000100000100001", nil
	v.Input.LSN, v.Input.Exclusive, v.Input.Notation = ptr(position("0x00000022000003E803E9")), true, "decimal number, as backup headers print it"
	v.Asked, v.AskedLocal, v.Used, v.UsedLocal, v.Distance = nil, nil, nil, nil, nil
	v.L = position("0x00000022000003E80003")
	v.Checks = append(v.Checks, verdict.Noted("the number is taken as the first record that is not in the copy",
		"A backup's last LSN is the record after the backup, so L is the last commit before it."))
	return v
}

// noCommitView is an LSN that no commit has, whose time is not known.
func noCommitView() engine.AsOfView {
	v := mappedView()
	v.Input.Text, v.Input.Instant, v.Input.LSN = "0x0000003200000A290000", nil, ptr(position("0x0000003200000A290000"))
	v.Asked, v.AskedLocal, v.Used, v.UsedLocal, v.Distance = nil, nil, nil, nil, nil
	v.L, v.CommitTS, v.Kept.Headroom, v.Until = *v.Input.LSN, nil, nil, nil
	v.Below = fresh(v.Below)
	v.Below.LSN, v.Below.UTC = position("0x0000003200000A280001"), at("2026-10-25T12:29:48Z")
	v.Checks = append(v.Checks[1:], verdict.Warned(verdict.LSNNoCommit, "no commit has this LSN: a typing error looks like this",
		"The stream goes on right after it all the same, and _commit_ts will be NULL. An LSN that is too late loses commits; the one of the commit before it is safe."))
	return v
}

func seededView() engine.AsOfView {
	var v engine.AsOfView
	v.Input.Instant = atp("2026-10-25T00:40:00Z")
	v.L, v.CommitTS, v.Seeded = position("0x0000003100000A280001"), atp("2026-10-24T23:39:58Z"), true
	v.Checks = []verdict.Check{
		verdict.Okay("already seeded: its commit in the target's log names this as_of, and nothing is written again"),
		verdict.Okay("the seed was made from this copy"),
	}
	return v
}

func skewedView() engine.AsOfView {
	v := mappedView()
	v.Checks = append(v.Checks, verdict.Noted("this machine's clock and the server's differ by 3 m 12 s",
		"An as_of that was read on another clock needs the difference subtracted; earlier is safe."))
	return v
}

// oldServerView is a server that tells only its offset, a lag besides, and
// capture that has not come past as_of.
func oldServerView() engine.AsOfView {
	v := mappedView()
	v.Clock.Zone, v.Clock.OffsetMinutes = "", 60
	lookedUp(&v, "2026-10-25T12:30:00Z", "2026-10-25T11:30:00Z", "2026-10-25T13:30:00Z")
	v.CommitTS, v.Distance, v.NoZone = atp("2026-10-25T11:29:48Z"), ptr(time.Hour+12*time.Second), true
	readableFor(&v, 38*time.Hour+15*time.Minute+18*time.Second)
	v.Record = ptr(position("0x0000003200000A290003"))
	v.Checks = append([]verdict.Check{verdict.Warned(verdict.NoZone, "looked up 60 minutes earlier: the server tells only today's offset from UTC",
		"Across a clock change today's offset is an hour wrong, so an hour is always allowed for and the stream replays it. --time-zone with the server's Windows zone makes it exact."),
	}, v.Checks...)
	return v
}

// fresh is a value of a type that has no name here.
func fresh[T any](*T) *T { return new(T) }

// What is typed is mapped when typing rests, as it then stands.
func TestAsOfIsMappedAsTyped(t *testing.T) {
	s := emptyScene()
	s.asOf = mappedView()
	p := atAsOf(t, s, "")
	p.shows("Data entered the copy at 2026-10-25T00:52:10Z", "STOP  Give the time").press("enter")
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
	asked := len(s.asked)
	p.shows(`STOP  Copy lag: "15" is no length of time such as 15m`).lacks("Maps to").press("enter", "esc")
	if p.at != copyStep {
		t.Fatal("step", p.at)
	}
	p.do(p.wizard.show(asOfStep))
	p.shows(`"15" is no length of time`)
	if len(s.asked) != asked {
		t.Errorf("mapped with a lag of %v", s.asked[asked:])
	}
	p.write("m").shows("L = 0x0000003200000A280001").golden("asof-lag")
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
	life context.Context //nolint:containedctx // what the test is about
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
	p.wizard.engine = w
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
		p.do(p.wizard.show(tableStep))
		before := len(s.asked)
		p.do(p.wizard.show(asOfStep))
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
	p.wizard.engine = w
	p.found.copy = learn(engine.CopyView{Kind: "delta"}, nil, "")
	if p.press("ctrl+r"); w.copy.Kind != "delta" {
		t.Error("the copy was not compared")
	}
	p.found.copy = learn(engine.CopyView{Kind: "delta"}, error(&verdict.Error{Code: verdict.CopyUnreadable}), "")
	if p.press("ctrl+r"); w.copy.Kind != "" {
		t.Error("a refused copy was compared")
	}
}

// A time without a zone waits for a person: nothing is chosen before, enter is
// off, and the reading that is taken becomes the answer.
func TestAReadingIsChosenByAPerson(t *testing.T) {
	s := noZoneScene("2026-10-24 02:40", plainReadings()...)
	p := atAsOf(t, s, "2026-10-24 02:40").lacks("(o)").shows("STOP  Which clock", "enter (off)").press("enter")
	if p.at != asOfStep || p.answers.AsOf != "2026-10-24 02:40" {
		t.Fatalf("step %d, as_of %q", p.at, p.answers.AsOf)
	}
	p.press("tab", "down", "down").golden("asof-choosing").shows("> ( ) 2026-10-24T00:40:00Z", "   As of      2026-10-24 02:40")
	s.asOf, s.asOfErr = mappedView(), nil
	p.press(" ").shows("L = 0x0000003200000A280001", "> As of      2026-10-24T00:40:00Z",
		"Typed      2026-10-24 02:40, taken as the server's zone (W. Europe Standard Time)")
	if got := s.asked[len(s.asked)-1].AsOf; got != "2026-10-24T00:40:00Z" {
		t.Errorf("mapped %q", got)
	}
	p.press("backspace").lacks("taken as")
}

// The cursor goes from the form to the readings and back at both ends, and never
// to a moment that there was none of.
func TestTheCursorOnReadings(t *testing.T) {
	s := noZoneScene("2026-03-29 02:40",
		reading("UTC", "2026-03-29T02:40:00Z", ""),
		reading(serversZone, "", "2026-03-29T02:40:00 does not exist there"),
		reading("this machine's zone (CET)", "2026-03-29T01:40:00Z", ""))
	p := atAsOf(t, s, "2026-03-29 02:40")
	for _, c := range []struct{ key, shows string }{
		{"up", "> ( ) 2026-03-29T01:40:00Z"}, {"up", "> ( ) 2026-03-29T02:40:00Z"}, {"up", "> Copy lag"}, {"down", "> ( ) 2026-03-29T02:40:00Z"},
		{"down", "> ( ) 2026-03-29T01:40:00Z"}, {"down", "> As of"}, {"shift+tab", "> ( ) 2026-03-29T01:40:00Z"}, {"tab", "> As of"},
		{"up", "> ( ) 2026-03-29T01:40:00Z"}, {"shift+tab", "> Copy lag"}, {"tab", "> ( ) 2026-03-29T02:40:00Z"},
	} {
		p.press(c.key).shows(c.shows)
		if n := strings.Count(p.see(120, 60), " > "); n != 1 {
			t.Errorf("after %s there are %d cursors", c.key, n)
		}
	}
	p.press("enter")
	if p.answers.AsOf != "2026-03-29T02:40:00Z" {
		t.Errorf("enter took %q", p.answers.AsOf)
	}
}

// Where every clock skipped the time there is nothing to choose, and no list to
// get lost in.
func TestNoReadingIsAMoment(t *testing.T) {
	s := noZoneScene("2026-03-29 02:40", reading(serversZone, "", "does not exist there"))
	atAsOf(t, s, "2026-03-29 02:40").press("tab", "tab").shows("> As of", "as_of_no_zone: correct the answer")
}

// An as_of after the copy's first data is asked about, and only then.
func TestRefreshedInPlaceIsAskedWhereItMatters(t *testing.T) {
	s := mapsTo(mappedView())
	p := atAsOf(t, s, "2026-10-25T12:30:00Z").lacks("Refreshed")
	refused := afterCopyScene()
	s.asOfErr = refused.asOfErr
	p.press("ctrl+r").shows("(o) not in place", "STOP  as_of_after_copy").press("tab", "tab")
	s.asOfErr = nil
	p.press(" ").shows("(o) in place", "ok    L is")
	if !s.asked[len(s.asked)-1].AllowAsOfAfterCopy {
		t.Error("mapped without what was answered")
	}
	s.asOfErr = refused.asOfErr
	p.press(" ").shows("(o) not in place")
	s.asOfErr = nil
	p.press("ctrl+r").lacks("Refreshed").shows("> As of") // the question is gone, and the cursor is where it can be seen
}

// What the server says cannot steer the terminal.
func TestAsOfIsClean(t *testing.T) {
	v := mappedView()
	v.Clock.Zone = "evil\x1b[2J"
	p := atAsOf(t, mapsTo(v), "2026-10-25T12:30:00Z").lacks("\x1b[2J").shows("evil<001B>")
	s := noZoneScene("2026-10-24 02:40", reading("evil\x1b[2J", "2026-10-24T02:40:00Z", "and\x1b[2J"))
	p = atAsOf(t, s, "2026-10-24 02:40").lacks("\x1b[2J").shows("evil<001B>", "and<001B>")
	s.asOf, s.asOfErr = v, nil
	p.press("up", " ").lacks("\x1b[2J").shows("taken as evil<001B>")
}
