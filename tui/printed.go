package tui

import (
	"io"
	"slices"
	"strings"

	"cdcseed/engine/verdict"
)

// reported is what a report prints.
func reported(print func(io.Writer)) string {
	var b strings.Builder
	print(&b)
	return strings.TrimRight(b.String(), "\n")
}

// printed draws the text of a report as it is, one cell in. A line that is
// wider than w goes on under the place where its value begins.
func (d *desk) printed(text string, w int) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(" "+clean(line), " ")
		if width(line) <= w {
			out = append(out, d.marked(line))
			continue
		}
		at := hanging(line)
		broken := wrapQuoted(line[:at], strings.Repeat(" ", width(line[:at])), line[at:], w)
		out = append(out, d.marked(broken[0]))
		out = append(out, broken[1:]...)
	}
	return out
}

// wrapQuoted breaks a text as wrap does, and not inside double quotes: blanks
// there are part of a value.
func wrapQuoted(first, rest, s string, w int) []string {
	const blank = "\ue000" // at which no line breaks
	parts := strings.Split(s, `"`)
	for i := 1; i < len(parts)-1; i += 2 {
		parts[i] = strings.ReplaceAll(parts[i], " ", blank)
	}
	out := wrap(first, rest, strings.Join(parts, `"`), w)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], blank, " ")
	}
	return out
}

// hanging is where a line's value begins: behind its name, its level or its
// number, else behind its indent.
func hanging(line string) int {
	const far = 24 // a name so long would leave no room for values
	indent := len(line) - len(strings.TrimLeft(line, " "))
	rest := line[indent:]
	if name := strings.Index(rest, "  "); name > 0 && indent+name < far {
		value := strings.TrimLeft(rest[name:], " ")
		return len(line) - len(value)
	}
	if number, _, ok := strings.Cut(rest, ". "); ok && strings.Trim(number, "0123456789") == "" {
		return indent + len(number) + 2
	}
	return indent
}

// marked colours the level that a line begins with.
func (d *desk) marked(line string) string {
	for _, l := range []verdict.Level{verdict.OK, verdict.Note, verdict.Warn} {
		if rest, ok := strings.CutPrefix(line, "   "+string(l)+" "); ok {
			return "   " + d.look.level(l).Render(string(l)) + " " + rest
		}
	}
	if rest, ok := strings.CutPrefix(line, "   STOP "); ok {
		return "   " + d.look.stop.Render("STOP") + " " + rest
	}
	return line
}

// tightened are lines without as many of their empty ones as h asks for, the
// last ones first. Where that is not enough, all of them stay.
func tightened(lines []string, h int) []string {
	out := slices.Clone(lines)
	for i := len(out) - 1; i >= 0 && len(out) > h; i-- {
		if out[i] == "" {
			out = slices.Delete(out, i, i+1)
		}
	}
	if len(out) > h {
		return lines
	}
	return out
}

// ruled is a line across the body, with words at its end.
func (d *desk) ruled(words string, w int) string {
	if words != "" {
		words = " " + cut(words, max(0, w-6)) + " " + strings.Repeat(d.glyph.rule, 2)
	}
	return d.look.dim.Render(cut(strings.Repeat(d.glyph.rule, max(0, w-width(words)))+words, w))
}

// titleOf is a step's name on the rail.
func titleOf(id stepID) string { return steps()[id-1].title() }
