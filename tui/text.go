package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// clean makes text from outside fit to be drawn, as the reports do. A character
// that is there and not seen is spelled out too: terminals do not agree on
// whether it takes a cell.
func clean(s string) string {
	s = report.Clean(s)
	if strings.IndexFunc(s, unseenRune) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unseenRune(r) {
			fmt.Fprintf(&b, "<%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unseenRune tells the fillers, soft hyphens and operators that are drawn as
// nothing or as a blank. What joins letters or chooses their form stays.
func unseenRune(r rune) bool {
	switch r {
	case '\u00ad', '\u115f', '\u1160', '\u180e', '\u3164', '\uffa0':
		return true
	}
	return r >= '\u2060' && r <= '\u2064' || r >= '\ufff9' && r <= '\ufffb'
}

// width is the number of cells that a text takes, colours aside. Terminals do not
// agree on letters that are joined of several, such as families and flags; of the
// ways to count, the one with more cells holds.
func width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return max(ansi.StringWidth(s), ansi.StringWidthWc(s))
		}
	}
	return len(s)
}

// cut makes s at most w cells wide, with ... where something is missing.
func cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if width(s) <= w {
		return s
	}
	tail := "..."
	if w <= len(tail) {
		tail = ""
	}
	out := ansi.Truncate(s, w, tail)
	for n := w - 1; n > 0 && width(out) > w; n-- { // it counts in one way only
		out = ansi.Truncate(s, n, tail)
	}
	return out
}

// fill is s cut or padded to exactly w cells.
func fill(s string, w int) string {
	s = cut(s, w)
	return s + strings.Repeat(" ", max(0, w-width(s)))
}

// apart puts one text at the left and one at the right of w cells. Where they
// do not fit, the left one is cut.
func apart(left, right string, w int) string {
	right = cut(right, w)
	room := w - width(right)
	if right != "" && room > 0 {
		room-- // a blank between them
	}
	left = cut(left, room)
	return left + strings.Repeat(" ", max(0, w-width(left)-width(right))) + right
}

// wrap breaks s at blanks into lines of at most w cells, the first behind one
// indent and the others behind another. A time, a flag or a path stays whole;
// a word wider than a line is cut over several.
func wrap(first, rest, s string, w int) []string {
	const whole = "\u2011" // a hyphen at which no line breaks
	room := max(1, w-max(width(first), width(rest)))
	var out []string
	for _, part := range strings.Split(strings.ReplaceAll(s, "-", whole), "\n") {
		wrapped := strings.ReplaceAll(ansi.Wrap(part, room, ""), whole, "-")
		for _, line := range strings.Split(wrapped, "\n") {
			indent := rest
			if len(out) == 0 {
				indent = first
			}
			out = append(out, cut(strings.TrimRight(indent+line, " "), w))
		}
	}
	return out
}

// word is a level as it begins a line: colour repeats it.
func (t theme) word(l verdict.Level) string {
	text := string(l)
	if l == verdict.Stop {
		text = "STOP"
	}
	return t.level(l).Render(text) + strings.Repeat(" ", max(1, 6-len(text)))
}

// finding draws a check, wrapped, its reason too where it is a warning.
func (d *desk) finding(c verdict.Check, w int) []string {
	text := clean(c.Text)
	if c.Code != "" {
		text = string(c.Code) + ": " + text
		if d.answers.has(c) {
			text += " (accepted)"
		}
	}
	return wrap("  "+d.look.word(c.Level), "        ", text, w)
}

// findings draws all checks, what weighs most first.
func (d *desk) findings(checks []verdict.Check, w int) []string {
	var out []string
	for _, level := range []verdict.Level{verdict.Stop, verdict.Warn, verdict.OK, verdict.Note} {
		for _, c := range checks {
			if c.Level == level {
				out = append(out, d.finding(c, w)...)
			}
		}
	}
	return out
}

// refusal draws an error as the body tells it: what, the values, why, what to do.
func (d *desk) refusal(err error, w int) []string {
	e := verdict.As(err)
	if e == nil {
		return nil
	}
	what := e.What
	if e.Err != nil {
		what += ": " + e.Err.Error()
	}
	const indent = "        "
	out := wrap("  "+d.look.word(verdict.Stop), indent, clean(inFields(strings.ReplaceAll(what, "\n", "; "))), w)
	for _, f := range e.Facts {
		out = append(out, wrap(indent, indent+"  ", clean(f.Name+": "+f.Value), w)...)
	}
	if e.Why != "" {
		out = append(out, wrap(indent, indent, clean(e.Why), w)...)
	}
	for _, h := range e.Hint {
		out = append(out, wrap(indent, indent, clean(inFields(h)), w)...)
	}
	return out
}

// item draws a named value, wrapped.
func item(name, value string, w int) []string {
	return wrap("   "+fill(name, 11), strings.Repeat(" ", 14), value, w)
}

// faded draws lines as of something that does not hold any more.
func (d *desk) faded(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = d.look.dim.Render(ansi.Strip(l))
	}
	return out
}
