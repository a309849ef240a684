package tui

import (
	"fmt"
	"strings"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// prose is the widest that sentences are drawn, and picture the widest that the
// timeline is.
const prose, picture = 100, 120

// block is a part of a page. focus is its line with the cursor, -1 for none.
type block struct {
	lines []string
	focus int
}

func plainBlock(lines []string) block { return block{lines: lines, focus: -1} }

// mappingPage is what is known of an as_of, in blocks: they are put in the
// order that the room allows.
type mappingPage struct {
	words   block // how it was read and what it maps to
	refused block // why it cannot be seeded, or what has to be chosen
	warned  block
	picture block
	kept    block // how long L stays readable
	rest    block // what holds, and what is only noted
}

func (s *asOfScreen) view(d *desk, w, h int) page {
	head := []string{cut(" "+d.look.bold.Render("Copy started when?")+" Earlier is safe. Later loses commits.", w)}
	if w >= fullWidth {
		head = []string{apart(" "+d.look.bold.Render("When did the copy START being read?"), "Earlier is safe. Later loses commits. ", w)}
	}
	fields, focus := s.form.hinted(d, w, s.wrong(d))
	fields = append(fields, s.form.unfolded(d, w, h-len(fields)-1)...)
	if s.readings.on {
		focus = -1
	}
	return arrange(plainBlock(head), block{lines: fields, focus: focus}, s.known(d, w), h)
}

// arrange puts the blocks in the order in which they are read, with blank lines
// where there is room. Where not all that matters fits, the picture, which says
// nothing that the words do not say, goes under them.
func arrange(head, fields block, m mappingPage, h int) page {
	drawn := plainBlock(append(append([]string{}, m.picture.lines...), m.kept.lines...))
	order := []block{head, fields, m.words, drawn, m.refused, m.warned}
	used := 0
	for _, b := range order {
		used += len(b.lines)
	}
	if used > h {
		order = []block{head, fields, m.refused, m.words, m.warned, m.kept, m.picture}
	}
	spare := h - used - len(m.rest.lines) // blank lines push nothing off the screen
	out := page{focus: -1}
	for i, b := range append(order, m.rest) {
		if len(b.lines) == 0 {
			continue
		}
		if i > 1 && spare > 0 {
			out.lines = append(out.lines, "")
			spare--
		}
		if b.focus >= 0 {
			out.focus = len(out.lines) + b.focus
		}
		out.lines = append(out.lines, b.lines...)
	}
	return out
}

// known is what the last mapping came to; dimmed where it is of older answers.
func (s *asOfScreen) known(d *desk, w int) mappingPage {
	k := d.found.asOf
	switch {
	case d.answers.AsOf == "":
		return mappingPage{rest: plainBlock(s.empty(d, min(w, prose)))}
	case s.lagErr != nil:
		return s.wrongLag(d, k, w)
	case !k.set && s.job.running():
		return mappingPage{words: plainBlock([]string{cut(" "+clean(s.job.what)+" ...", w)})}
	case !k.set:
		return mappingPage{}
	}
	m := s.mapping(d, k, w)
	switch {
	case s.job.running(), !k.of(s.print(d)):
		m.old(d, "checking", w)
	case s.zones.running():
		m.rest = plainBlock([]string{cut(" "+clean(s.zones.what)+" ...", w)})
	}
	return m
}

// wrongLag says why a lag is none, above what held before it.
func (s *asOfScreen) wrongLag(d *desk, k known[engine.AsOfView], w int) mappingPage {
	var m mappingPage
	if k.set && k.err == nil {
		m = s.mapping(d, k, w)
		m.old(d, "of another answer", w)
	}
	m.refused = plainBlock(wrap("  "+d.look.word(verdict.Stop), "        ", clean("Copy lag: "+s.lagErr.Error()), w))
	m.warned, m.rest = block{}, block{}
	return m
}

// old dims what does not hold for the answers, and says so beside its first line.
func (m *mappingPage) old(d *desk, why string, w int) {
	said := false
	for _, b := range []*block{&m.words, &m.picture, &m.kept, &m.refused, &m.warned, &m.rest} {
		b.lines, b.focus = d.faded(b.lines), -1
		if !said && len(b.lines) > 0 {
			b.lines[0], said = apart(b.lines[0], d.look.accent.Render(why)+" ", w), true
		}
	}
}

// mapping draws a mapping, or a refusal with what was found before it.
func (s *asOfScreen) mapping(d *desk, k known[engine.AsOfView], w int) mappingPage {
	v, text := k.value, min(w, prose)
	m := mappingPage{
		words:   plainBlock(s.words(d, v, k.err != nil, text)),
		picture: plainBlock(pictureOf(d, v, w)),
	}
	if k.err != nil {
		m.refused = s.refused(d, k.err, strings.Join(m.words.lines, "\n"), text)
		return m
	}
	m.kept = plainBlock(keptLines(v, text))
	if endangered(v) && len(m.kept.lines) > 0 {
		said := strings.TrimSpace(strings.Join(keptLines(v, unbroken), " "))
		m.kept = plainBlock(wrap("  "+d.look.word(verdict.Warn), "        ", said, text))
	}
	var warned, rest []verdict.Check
	for _, c := range v.Checks {
		switch {
		case c.Level == verdict.Warn || c.Level == verdict.Stop:
			warned = append(warned, c)
		case c.Level != verdict.Note || c.Text != readable(v):
			rest = append(rest, c)
		}
	}
	m.warned, m.rest = plainBlock(d.findings(warned, text)), plainBlock(d.findings(rest, text))
	return m
}

// refused draws a refusal: what, why and what to do, then those of its values
// that are not shown already, on as few lines as they need. A time without a
// zone offers its readings instead.
func (s *asOfScreen) refused(d *desk, err error, shown string, w int) block {
	e := verdict.As(err)
	const indent = "        "
	what := e.What
	if e.Err != nil {
		what += ": " + e.Err.Error()
	}
	out := plainBlock(wrap("  "+d.look.word(verdict.Stop), indent, clean(inFields(strings.ReplaceAll(what, "\n", "; "))), w))
	if e.Why != "" {
		out.lines = append(out.lines, wrap(indent, indent, clean(e.Why), w)...)
	}
	if s.offers(d) {
		out.lines = append(out.lines, wrap(indent, indent, "Which clock was it read from? Go down and choose:", w)...)
		list := s.readings.block(d, w)
		if list.focus >= 0 {
			out.focus = len(out.lines) + list.focus
		}
		out.lines = append(out.lines, list.lines...)
		return out
	}
	if k := s.readings.known; k.of(s.zonesPrint(d)) && k.err != nil && e.Code == verdict.AsOfNoZone {
		out.lines = append(out.lines, d.refusal(k.err, w)...) // why there is nothing to choose from
	}
	for _, h := range e.Hint {
		out.lines = append(out.lines, wrap(indent, indent, clean(inFields(h)), w)...)
	}
	var facts []string
	for _, f := range e.Facts {
		if !strings.Contains(shown, f.Value) {
			facts = append(facts, f.Name+" "+f.Value)
		}
	}
	if len(facts) > 0 {
		out.lines = append(out.lines, wrap(indent, indent, clean(strings.Join(facts, "; ")), w)...)
	}
	return out
}

// words tells how as_of was read and what it maps to, and, unless that is
// refused, what the stream replays.
func (s *asOfScreen) words(d *desk, v engine.AsOfView, refused bool, w int) []string {
	var out []string
	if taken := s.readings.taken.of(d.answers.AsOf); taken != "" {
		out = append(out, item("Typed", taken, w)...)
	}
	switch in := v.Input; {
	case in.LSN != nil:
		out = append(out, item("Read as", lsnRead(v), w)...)
	case in.Instant != nil:
		out = append(out, item("Read as", timeRead(v, w), w)...)
	}
	if v.Used != nil && v.Asked != nil && *v.Used != *v.Asked {
		out = append(out, item("Looked up", serverTime(*v.UsedLocal, *v.Used)+" = "+v.Used.String(), w)...)
	}
	if v.L.IsZero() {
		return out
	}
	committed := "commit time not known: _commit_ts will be NULL"
	if v.CommitTS != nil {
		committed = "committed " + v.CommitTS.String()
	}
	out = append(out, item("Maps to", beside("L = "+v.L.String(), committed, w), w)...)
	if v.Below != nil {
		out = append(out, item("Before it", beside(v.Below.LSN.String(), "committed "+v.Below.UTC.String(), w), w)...)
	}
	if v.Distance != nil && *v.Distance > 0 && !refused {
		text := distance(*v.Distance) + " before as_of: the stream replays that"
		if w >= fullWidth {
			text = "L is " + text
		}
		out = append(out, item("Distance", text, w)...)
	}
	if v.Record != nil && *v.Record != v.L && !refused {
		out = append(out, item("Instead of", v.Record.String()+" by the plain rule: later calls need the LSN", w)...)
	}
	return out
}

// beside sets two parts of an item's value side by side, or where they do not
// fit one under the other.
func beside(a, b string, w int) string {
	if labelWidth+width(a)+3+width(b) > w {
		return a + "\n" + b
	}
	return a + "   " + b
}

func distance(d time.Duration) string {
	if d > time.Second {
		d = d.Truncate(time.Second)
	}
	return clock.Words(d)
}

// lsnRead is an LSN in its normal form, and the notation that it was read from.
func lsnRead(v engine.AsOfView) string {
	in := v.Input
	if strings.EqualFold(in.Text, in.LSN.String()) {
		return "an LSN, taken as it is"
	}
	text := in.LSN.String() + ", " + in.Notation
	if in.Exclusive {
		text += ": the first record not in the copy"
	}
	return text
}

// timeRead is a time in UTC and what the server's clock showed then, or where a
// lag is subtracted at what is left.
func timeRead(v engine.AsOfView, w int) string {
	asked := *v.Input.Instant
	text := asked.String()
	if v.AskedLocal == nil || v.Used == nil || v.UsedLocal == nil {
		return text
	}
	// What was looked up is earlier than that by as much on the clock's face.
	began := v.Used.Add(v.AskedLocal.Sub(*v.UsedLocal))
	if lag := asked.FloorSecond().Sub(began); lag > 0 {
		text += " less " + clock.Words(lag)
	}
	if v.Clock.IsUTC() {
		return text + "; the server's clock is on UTC"
	}
	text += " = " + serverTime(*v.AskedLocal, began)
	if w >= fullWidth {
		text += ", " + clean(v.Clock.String())
	}
	return text
}

// serverTime is a reading of the server's clock, with its date where UTC has another.
func serverTime(l clock.Local, utc clock.Instant) string {
	if l.Time().YearDay() != utc.Time().YearDay() {
		return "server " + l.Time().Format("01-02 15:04:05")
	}
	return "server " + l.Time().Format("15:04:05")
}

// pictureOf is the timeline of a mapping, as far as there is one.
func pictureOf(d *desk, v engine.AsOfView, w int) []string {
	if v.ServerNow == 0 {
		return nil
	}
	m := moments{now: v.ServerNow, oldest: v.Kept.LowTime, asOf: v.Input.Instant}
	if source := d.found.source; v.Kept.Instance == "" && source.set && source.err == nil {
		m.oldest = source.value.Oldest // of the whole database, where the table's was not asked for
	}
	if !v.L.IsZero() {
		m.l, m.timeless = v.CommitTS, v.CommitTS == nil
	}
	const indent = "   "
	rows := timeline(m, min(w, picture)-2*len(indent), d.glyph)
	for i, r := range rows {
		rows[i] = indent + r
	}
	return rows
}

// endangered reports whether cleanup may have come to L.
func endangered(v engine.AsOfView) bool {
	return v.Kept.Headroom != nil && *v.Kept.Headroom < time.Second && !v.Seeded
}

// readable is what the engine notes on how long L stays readable: the page says
// it under the picture, and not once more.
func readable(v engine.AsOfView) string { return v.KeptNote().Text }

// keptLines say how long L stays readable and what that goes by.
func keptLines(v engine.AsOfView, w int) []string {
	if v.L.IsZero() || v.Kept.Instance == "" || v.Seeded {
		return nil
	}
	text, left := "How long L stays readable is not known", v.Kept.Headroom
	switch {
	case left != nil && *left < time.Second:
		text = "Cleanup may pass L at any time"
	case left != nil:
		text = "L stays readable for about " + estimated(*left) + ", until " + stamp(v.ServerNow.Add(*left), v.ServerNow)
	}
	switch {
	case v.Kept.RetentionAssumed && v.CommitTS != nil && left != nil && *left >= time.Second:
		text += fmt.Sprintf(" (assumes %s kept: the cleanup setting is not readable)", estimated(*left+v.ServerNow.Sub(*v.CommitTS)))
	case left == nil && v.CommitTS == nil:
		text += ": its commit time is not"
	case v.Kept.RetentionAssumed, v.Kept.Retention == nil:
		text += " (the cleanup setting is not readable)"
	default:
		text += " (cleanup keeps " + clock.Words(*v.Kept.Retention) + ")"
	}
	return wrap("   ", "   ", text+".", w)
}

// estimated is a length of time as exact as an estimate is.
func estimated(d time.Duration) string {
	if d > time.Hour {
		d = d.Truncate(time.Minute)
	}
	return clock.Words(d.Truncate(time.Second))
}

// empty tells what as_of is and where people find it.
func (s *asOfScreen) empty(d *desk, w int) []string {
	const indent = "   "
	out := wrap(indent, indent, "as_of is the moment at which the copy began to be read from the server: not when it ended, not when its files were written.", w)
	var ways []string
	if k := d.found.copy; k.set && k.err == nil && k.value.Evidence != 0 {
		ways = append(ways, "Data entered the copy at "+k.value.Evidence.String()+" ("+k.value.SeenIn+"): as_of is not later.")
	}
	ways = append(ways,
		"The log of the tool that loaded the copy has its start time. Give it with its zone: 2026-10-25T00:40:00Z is UTC; of another clock, its offset from UTC stands in place of Z.",
		"Without such a log, a time that is surely earlier will do: the stream replays more, and nothing is lost.",
		"For the next copy: cdcseed lsn --now, before it begins, prints the LSN to write down. No clock gets between.",
	)
	for _, way := range ways {
		out = append(out, wrap(indent+"- ", indent+"  ", clean(way), w)...)
	}
	return out
}
