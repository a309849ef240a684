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
		return p.lines(d, w, paneWhole)
	}
	lines := p.lines(d, w, paneFull)
	if len(lines) > room {
		lines = p.lines(d, w, paneShort)
	}
	if len(lines) <= room || room == 1 {
		return lines[:min(room, len(lines))]
	}
	more := verdict.Plural(len(lines)-room+1, "more line", "more lines")
	return append(lines[:room-1:room-1], cut(paneIndent+d.look.dim.Render("v shows "+more), w))
}

// paneForm is how much the pane tells.
type paneForm int

const (
	paneFull  paneForm = iota
	paneShort          // every question in one line
	paneWhole          // nothing is left out or cut
)

func (p castPane) lines(d *desk, w int, form paneForm) []string {
	lines := p.head(d, w, form)
	stops, hints := p.refusal(d, w, form)
	lines = append(lines, stops...)
	for i := range p.line.Asks {
		lines = append(lines, p.question(d, i, w, form)...)
	}
	lines = append(lines, hints...)
	seen := append(p.samples(w, form), p.counts(w)...)
	if p.old {
		seen = d.faded(seen)
	}
	lines = append(lines, seen...)
	return append(lines, p.reasons(w, form)...)
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
	n := 2 + len(l.Effects) + len(l.Notes)
	for _, a := range l.Asks {
		n += 2 + len(a.Choices)
		if a.Zone {
			n += 2
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
	out := wrap(head+open, paneIndent, askText(a), min(w, proseWidth))
	if form == paneShort && len(out) > 1 {
		out = []string{cut(head+open+askShort(a), min(w, proseWidth))}
	}
	out = append(out, p.choices(d, a, w, form)...)
	if !a.Zone || i != p.ask {
		return out
	}
	if p.typing != "" {
		return append(out, cut(paneIndent+p.typing, w))
	}
	return append(out, cut(paneIndent+d.look.dim.Render("t  another zone: an IANA or Windows name, such as Europe/Berlin"), w))
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

// choices are the ways to answer, one a line. Where a line has no room for all,
// the sample stays and the words go: both are told in the whole view.
func (p castPane) choices(d *desk, a engine.Ask, w int, form paneForm) []string {
	options := choicesOf(a)
	value, text, sample := 0, 0, 0
	for _, c := range options {
		value, text, sample = max(value, width(clean(c.Value))), max(text, width(clean(c.Text))), max(sample, width(clean(c.Sample)))
	}
	head := width(paneIndent) + width(d.glyph.on) + 1
	fits := head+value+2+text+2+sample <= w
	var out []string
	for _, c := range options {
		dot := d.glyph.off
		if c.Value == a.Given {
			dot = d.glyph.on
		}
		name := paneIndent + dot + " " + castPadded(clean(c.Value), value) + "  "
		made := clean(c.Sample)
		if form != paneWhole && !fits && head+value+2+sample > w { // what it becomes tells more than what it was
			if _, after, ok := strings.Cut(made, " -> "); ok {
				made = "-> " + after
			}
		}
		if p.old {
			made = d.look.dim.Render(made)
		}
		switch rest := strings.Repeat(" ", head+2); {
		case fits && sample > 0:
			out = append(out, name+castPadded(clean(c.Text), text)+"  "+made)
		case form == paneWhole && made != "":
			out = append(out, wrap(name, strings.Repeat(" ", width(name)), clean(c.Text), min(w, proseWidth))...)
			out = append(out, cut(rest+made, w))
		case sample > 0:
			out = append(out, cut(name+made, w))
		case form == paneShort:
			out = append(out, cut(name+clean(c.Text), w))
		default:
			out = append(out, wrap(name, strings.Repeat(" ", min(width(name), w/2)), clean(c.Text), min(w, proseWidth))...)
		}
	}
	for i := range out {
		out[i] = strings.TrimRight(out[i], " ")
	}
	return out
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
// side, or all of them, one a line with where it was found.
func (p castPane) samples(w int, form paneForm) []string {
	var out []string
	line := ""
	for _, s := range p.line.Samples {
		text := clean(s.Before) + " -> " + clean(s.After)
		switch {
		case form == paneWhole && s.Effect != "":
			text += ", " + s.Effect
			fallthrough
		case form == paneWhole:
			out = append(out, wrap(paneIndent, paneIndent+"  ", text+castPlace(s), w)...)
			continue
		case s.Effect != "":
			continue // its effect tells it
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
	return out
}

// castPlace is where a sample was found.
func castPlace(s engine.SampleView) string {
	switch {
	case s.File == "":
		return ""
	case s.Row == 0:
		return ", in " + clean(s.File)
	}
	return fmt.Sprintf(", in %s row %s", clean(s.File), verdict.Count(s.Row))
}

// counts say what happened to the values that were looked at.
func (p castPane) counts(w int) []string {
	l := p.line
	if l.Values == 0 {
		return nil
	}
	unwritten := "refused"
	if castWaits(l) {
		unwritten = "not written without an answer"
	}
	text := verdict.Plural(l.Values, "value", "values") + " looked at"
	for _, n := range []struct {
		count int64
		what  string
	}{{l.Nulls, "NULL"}, {l.Changed, "changed"}, {l.Refused, unwritten}} {
		if n.count > 0 {
			text += fmt.Sprintf(", %s %s", verdict.Count(n.count), n.what)
		}
	}
	if l.Changed == 0 && l.Refused == 0 && !castWaits(l) {
		text += ", nothing lost"
	}
	out := wrap(paneIndent, paneIndent, text, w)
	for _, e := range l.Effects {
		out = append(out, wrap(paneIndent, paneIndent+"  ", clean(e), min(w, proseWidth))...)
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
