package tui

import (
	"strings"

	"cdcseed/engine"
)

// choiceRows are the ways to answer an ask as they are drawn: what each is
// called, what it does, and what it makes of a value of the copy.
type choiceRows struct {
	asked                engine.Ask
	options              []engine.Choice
	value, text, sample  int // cells of the widest
	short                int // and of the widest sample without the value before
	dim                  bool
	noDifference, equals string // told below: that no looked-at value tells the choices apart, and one of them
}

func rowsOf(p castPane, a engine.Ask) choiceRows {
	c := choiceRows{asked: a, options: choicesOf(a), dim: p.old}
	for _, o := range c.options {
		c.value, c.text = max(c.value, width(clean(o.Value))), max(c.text, width(clean(o.Text)))
		c.sample, c.short = max(c.sample, width(clean(o.Sample))), max(c.short, width(madeOf(o)))
	}
	if same, ok := undivided(p.line, a); ok {
		c.equals = same
		c.noDifference = "whatever the answer, no value looked at changes"
		c.sample, c.short = 0, 0
	}
	return c
}

// undivided is what becomes of a value where every answer makes the same of all
// that were looked at.
func undivided(l engine.ColumnLine, a engine.Ask) (sample string, ok bool) {
	if a.Flag != "--cast" || len(a.Choices) < 2 || l.Values == 0 || l.Changed > 0 || l.Refused > 0 {
		return "", false
	}
	for _, c := range a.Choices {
		if c.Sample == "" || c.Sample != a.Choices[0].Sample {
			return "", false
		}
	}
	return clean(a.Choices[0].Sample), true
}

// madeOf is what a choice makes of its sample, without the value before: it is
// the same one for all.
func madeOf(o engine.Choice) string {
	if _, after, ok := strings.Cut(clean(o.Sample), " -> "); ok {
		return "-> " + after
	}
	return clean(o.Sample)
}

// choices are the ways to answer, one a line where all of it has room. Else the
// sample goes to a line of its own, and in the short form, the words are cut.
func (p castPane) choices(d *desk, a engine.Ask, w int, form paneForm) []string {
	c := rowsOf(p, a)
	head := width(paneIndent) + width(d.glyph.on) + 1 + c.value + 2
	made := func(o engine.Choice) string { return clean(o.Sample) }
	wide := c.sample
	if form != paneWhole && head+c.text+2+wide > w {
		made, wide = madeOf, c.short
	}
	if c.sample == 0 {
		made = func(engine.Choice) string { return "" }
	}
	var out []string
	for _, o := range c.options {
		dot := d.glyph.off
		if o.Value == a.Given {
			dot = d.glyph.on
		}
		name := paneIndent + dot + " " + castPadded(clean(o.Value), c.value) + "  "
		out = append(out, c.draw(d, w, form, name, clean(o.Text), made(o), wide)...)
	}
	for i := range out {
		out[i] = strings.TrimRight(out[i], " ")
	}
	if c.noDifference == "" {
		return out
	}
	said := wrap(paneIndent, paneIndent+"  ", c.noDifference+": "+c.equals, min(w, proseWidth))
	if c.dim {
		said = d.faded(said)
	}
	return append(out, said...)
}

// draw is one choice. wide are the cells of the widest sample.
func (c choiceRows) draw(d *desk, w int, form paneForm, name, text, made string, wide int) []string {
	const least = 12 // cells below which cut words tell nothing
	shown := made
	if c.dim {
		shown = d.look.dim.Render(made)
	}
	room := w - width(name)
	if wide > 0 {
		room -= wide + 2
	}
	switch {
	case wide > 0 && c.text <= room:
		return []string{name + castPadded(text, c.text) + "  " + shown}
	case form >= paneShort && form != paneWhole && wide > 0 && room < least:
		return []string{cut(name+shown, w)}
	case form >= paneShort && form != paneWhole && wide > 0:
		return []string{name + castPadded(cut(text, room), room) + "  " + shown}
	case form >= paneShort && form != paneWhole:
		return []string{cut(name+text, w)}
	}
	indent := strings.Repeat(" ", min(width(name), w/2))
	out := wrap(name, indent, text, min(w, proseWidth))
	if made == "" {
		return out
	}
	if last := len(out) - 1; width(out[last])+2+width(made) <= w {
		out[last] += "  " + shown
		return out
	}
	return append(out, cut(indent+shown, w))
}
