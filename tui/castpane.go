package tui

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// castPane is everything about one column: what is asked of it, and what its
// cast does to values.
type castPane struct {
	line   engine.ColumnLine
	ask    int           // the question that keys are about
	typing string        // the zone's field as it is drawn; empty while none is typed
	old    bool          // samples and counts are of older answers, or awaited
	looked string        // what was looked at, or what is awaited
	brief  string        // the same in few cells, or nothing
	stop   *engine.Error // what forbids to go on; nil for nothing
}

const (
	paneIndent = "     "
	proseWidth = 100 // cells that a text takes at most, however wide the terminal
)

// draw is the pane in at most room lines: what needs an answer first, in short
// where it has to be. A room of 0 takes everything, with where each sample comes
// from.
func (p castPane) draw(d *desk, w, room int) []string {
	if room == 0 {
		first, rest := p.lines(d, w, paneWhole)
		return append(first, rest...)
	}
	var first, lines []string
	for _, form := range []paneForm{paneFull, paneBrief, paneShort, paneLeast} {
		var rest []string
		first, rest = p.lines(d, w, form)
		lines = slices.Concat(first, rest)
		if len(first) <= room {
			break
		}
	}
	if len(lines) <= room || room == 1 || len(first) == room {
		return lines[:min(room, len(lines))]
	}
	more := verdict.Plural(len(lines)-room+1, "more line", "more lines")
	return append(lines[:room-1:room-1], cut(paneIndent+d.look.dim.Render("v shows "+more), w))
}

// paneForm is how much the pane tells.
type paneForm int

const (
	paneFull  paneForm = iota
	paneBrief          // questions without the types, which the head tells
	paneShort          // every choice in one line, too
	paneLeast          // and how many values would change comes last
	paneWhole          // nothing is left out or cut
)

// lines are what has to be in sight, and the rest.
func (p castPane) lines(d *desk, w int, form paneForm) (first, rest []string) {
	first = p.head(d, w, form)
	stops, hints := p.refusal(d, w, form)
	first = append(first, stops...)
	seen := p.counts(w, form)
	if p.old {
		seen = d.faded(seen)
	}
	// What an answer would change is known before it is given. Without a zone
	// no value can be written, which tells nothing.
	early := form != paneLeast && slices.ContainsFunc(p.line.Asks, func(a engine.Ask) bool { return !a.Zone })
	if early {
		first = append(first, seen...)
	}
	for i := range p.line.Asks {
		first = append(first, p.question(d, i, w, form)...)
	}
	rest = append(rest, hints...)
	samples := p.samples(w, form)
	if p.old {
		samples = d.faded(samples)
	}
	rest = append(rest, samples...)
	if !early {
		rest = append(rest, seen...)
	}
	if p.typing == "" && slices.ContainsFunc(p.line.Asks, func(a engine.Ask) bool { return a.Zone }) {
		rest = append(rest, cut(paneIndent+d.look.dim.Render("t  another zone: an IANA or Windows name, such as Europe/Berlin"), w))
	}
	return first, append(rest, p.reasons(w, form)...)
}

// head is the cast by its names and types, and what was looked at, where there
// is room for both.
func (p castPane) head(d *desk, w int, form paneForm) []string {
	if form == paneWhole {
		return append(wrap(" ", "   ", p.heading(), w), cut("   "+p.looked, w))
	}
	right := p.looked
	if width(p.heading())+width(right)+4 > w {
		right = p.brief
	}
	return []string{apart(" "+d.look.bold.Render(p.heading()), right+" ", w)}
}

// paneNeed is about how many lines a column's pane takes.
func paneNeed(l engine.ColumnLine) int {
	n := 3 + len(l.Effects) + len(l.Notes)
	for _, a := range l.Asks {
		n += 2 + len(a.Choices)
		if a.Zone {
			n += 2 + len(a.Choices)
		}
	}
	if len(l.Samples) > 0 {
		n++
	}
	if l.Values > 0 {
		n++
	}
	return n
}

// heading is the cast by its names and types.
func (p castPane) heading() string {
	l := p.line
	switch {
	case l.Target == "":
		return fmt.Sprintf("%s: %s, left out", nameOr(l.Copy), clean(l.CopyType))
	case l.Copy == "":
		return fmt.Sprintf("%s: not in the copy -> %s%s", nameOr(l.Target), clean(l.TargetType), p.key())
	}
	name := nameOr(l.Target)
	if l.Copy != l.Target {
		name = nameOr(l.Copy) + " -> " + name
	}
	return fmt.Sprintf("%s: %s -> %s%s", name, clean(l.CopyType), clean(l.TargetType), p.key())
}

func (p castPane) key() string {
	if p.line.Key {
		return ", in the key"
	}
	return ""
}

// refusal is what values were refused for, and what helps beside the answers.
// While an answer is awaited there is none: it may still change that.
func (p castPane) refusal(d *desk, w int, form paneForm) (stops, hints []string) {
	if p.stop == nil || !castRefused(p.line) {
		return nil, nil
	}
	w = min(w, proseWidth)
	for _, f := range p.stop.Facts {
		if f.Name == p.line.Target {
			stops = append(stops, wrap("  "+d.look.word(verdict.Stop), "        ", clean(f.Value), w)...)
		}
	}
	for _, h := range p.stop.Hint {
		if form == paneWhole || !strings.HasPrefix(h, "--") { // the choices are these flags
			hints = append(hints, wrap(paneIndent, paneIndent, clean(h), w)...)
		}
	}
	return stops, hints
}

// question is one question with its choices.
func (p castPane) question(d *desk, i, w int, form paneForm) []string {
	a := p.line.Asks[i]
	head := "   "
	if i == p.ask && len(p.line.Asks) > 1 {
		head = " " + d.look.accent.Render(d.glyph.cursor) + " "
	}
	open := "  "
	if a.Open {
		open = d.look.warn.Render("?") + " "
	}
	text := askText(a)
	if form != paneFull && form != paneWhole {
		text = askShort(a)
	}
	out := wrap(head+open, paneIndent, text, min(w, proseWidth))
	out = append(out, p.choices(d, a, w, form)...)
	if a.Zone && i == p.ask && p.typing != "" {
		out = append(out, cut(paneIndent+p.typing, w))
	}
	return out
}

// askText is a question, and how far its answer goes.
func askText(a engine.Ask) string {
	if a.Column == "" {
		return clean(a.Text) + ". One answer holds for the whole copy"
	}
	return clean(a.Text)
}

// askShort is a question without the types that lead up to it: the pane's head
// tells them.
func askShort(a engine.Ask) string {
	text := clean(a.Text)
	if _, after, ok := strings.Cut(text, ": "); ok {
		text = after
	}
	if a.Column == "" {
		text += " (for the whole copy)"
	}
	return text
}

// choicesOf are an ask's choices, and what was answered beside them: the zone
// that a person named.
func choicesOf(a engine.Ask) []engine.Choice {
	named := slices.ContainsFunc(a.Choices, func(c engine.Choice) bool { return c.Value == a.Given })
	if a.Given == "" || named {
		return a.Choices
	}
	return append([]engine.Choice{{Value: a.Given, Text: "as named"}}, a.Choices...)
}

// samples are values before and after: those that stay what they are side by
// side, and below them, one a line with where it was found and its row's key, those
// that met something. The whole pane has all of them so.
func (p castPane) samples(w int, form paneForm) []string {
	var out, worst []string
	line := ""
	for _, s := range p.line.Samples {
		text := clean(s.Before) + " -> " + clean(s.After)
		switch {
		case form == paneWhole && s.Effect != "":
			text += ", " + s.Effect
			fallthrough
		case form == paneWhole:
			out = append(out, wrapQuoted(paneIndent, paneIndent+"  ", text+castPlace(s), w)...)
			continue
		case s.Effect != "" && form == paneFull:
			worst = append(worst, wrapQuoted(paneIndent, paneIndent+"  ", text+castPlace(s), min(w, proseWidth))...)
			continue
		case s.Effect != "":
			continue // its effect tells the first of them
		}
		if line != "" && width(line)+3+width(text) > w {
			out = append(out, line)
			line = ""
		}
		if line != "" {
			line += "   " + text
			continue
		}
		line = cut(paneIndent+text, w)
	}
	if line != "" {
		out = append(out, line)
	}
	return append(out, worst...)
}

// castPlace is where a sample was found.
func castPlace(s engine.SampleView) string {
	switch {
	case s.File == "":
		return ""
	case s.Row == 0:
		return ", in " + clean(s.File)
	}
	where := fmt.Sprintf(", in %s row %s", clean(s.File), verdict.Count(s.Row))
	if s.Key != "" {
		where += ", " + clean(s.Key)
	}
	return where
}

// counts say what happened to the values that were looked at, or would under
// the answers to come.
func (p castPane) counts(w int, form paneForm) []string {
	l := p.line
	if l.Values == 0 {
		return nil
	}
	text := clean(l.Counts)
	if l.Refused > 0 && castWaits(l) {
		text += " without an answer"
	}
	var out []string
	if form == paneFull || form == paneWhole || len(l.Effects) == 0 { // they count, too, and tell what
		out = wrap(paneIndent, paneIndent, text, w)
	}
	for _, e := range l.Effects {
		out = append(out, wrapQuoted(paneIndent, paneIndent+"  ", clean(e), min(w, proseWidth))...)
	}
	return out
}

// reasons are the cast in full, where no question tells it already, and its
// notes.
func (p castPane) reasons(w int, form paneForm) []string {
	var out []string
	if p.line.Why != "" && (len(p.line.Asks) == 0 || form == paneWhole) {
		out = wrap(paneIndent, paneIndent, clean(p.line.Why), min(w, proseWidth))
	}
	for _, n := range p.line.Notes {
		out = append(out, wrap(paneIndent, paneIndent, clean(n), min(w, proseWidth))...)
	}
	return out
}
