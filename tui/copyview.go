package tui

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// The heights of the body from which it is set with more air, and with less.
const roomyBody, tightBody = 22, 14

// view draws the questions first, so that nothing moves under the person who
// types, and below them what was found at each place: what is in the way comes
// first.
func (s *copyScreen) view(d *desk, w, h int) page {
	lines := []string{apart(" "+d.look.bold.Render("Where is the copy, and where does the seed go?"), "both are only read here ", w)}
	if h >= roomyBody {
		lines = append(lines, "")
	}
	fields, focus := s.form.lines(d, w)
	focus += len(lines)
	if lines = append(lines, fields...); h >= tightBody {
		lines = append(lines, "")
	}
	first, second := s.copyLines(d, w, h >= roomyBody), s.targetLines(d, w)
	if s.targetFirst(d) {
		first, second = second, first
	}
	if h >= roomyBody && len(first) > 0 {
		first = append(first, "")
	}
	return page{lines: append(append(lines, first...), second...), focus: focus}
}

// targetFirst reports whether something about the target is in the way and
// nothing as heavy about the copy.
func (s *copyScreen) targetFirst(d *desk) bool {
	c, t := d.found.copy, d.found.target
	switch {
	case c.err != nil:
		return false
	case t.err != nil || t.value.NeedsNTZ != nil || placesRefusal(d.answers.asked()) != nil:
		return true
	}
	return len(d.answers.open(c.value.Checks)) == 0 && len(d.answers.open(t.value.Checks)) > 0
}

// place heads what was found at a place; while it is looked at, that is told
// beside, and what stands there of an earlier look is dimmed.
func (d *desk) place(name, wait string, lines []string, w int) []string {
	if wait != "" {
		wait += " ... "
		lines = d.faded(lines)
	}
	return append([]string{apart(" "+d.look.bold.Render(name), wait, w)}, lines...)
}

func (s *copyScreen) copyLines(d *desk, w int, roomy bool) []string {
	k := d.found.copy
	if d.answers.Copy == "" {
		return nil
	}
	wait := ""
	if s.copy.running() || !k.of(s.copyPrint(d)) {
		if wait = "checking"; s.far != "" {
			wait = s.far
		}
	}
	prose := min(w, proseWidth)
	lines := copyFound(k.value, d.answers.Copy, prose, roomy)
	if k.err != nil {
		lines = append(lines, d.refusal(k.err, prose)...)
	}
	return d.place("The copy", wait, append(lines, d.weighed(k.value.Checks, prose)...), w)
}

// copyFound tells what lies at the copy's path. typed is the path as it was
// given. Without much room what shows when it began is left out: a refusal of an
// as_of tells it again.
func copyFound(v engine.CopyView, typed string, w int, roomy bool) []string {
	if v.Kind == "" {
		return nil
	}
	kind := "Parquet"
	if v.Version != nil {
		kind = fmt.Sprintf("Delta, version %d", *v.Version)
	}
	var out []string
	if v.URL != typed && v.URL != "" {
		out = append(out, item("At", clean(v.URL), w)...)
	}
	out = append(out, item("Found", fmt.Sprintf("%s: %s, %s, %s", kind, verdict.Plural(v.Files, "file", "files"), report.Size(v.Bytes),
		verdict.Plural(v.Rows, "row", "rows")), w)...)
	out = append(out, item("Columns", columnsFound(v), w)...)
	files, began := "written "+span(v.First, v.Last), moment(v.Evidence)
	if roomy {
		out = append(out, item("Files", files, w)...)
		return append(out, item("Began", fmt.Sprintf("no later than %s (%s)", began, clean(v.SeenIn)), w)...)
	}
	if day := len("2026-01-02 "); minute(v.Last)[:day] == began[:day] {
		began = began[day:]
	}
	return append(out, item("Files", files+"; began by "+began, w)...)
}

// columnsFound compares the copy's columns with the captured ones.
func columnsFound(v engine.CopyView) string {
	text := fmt.Sprintf("%d: %d match by name", v.Columns, v.Matched)
	if len(v.Missing) > 0 {
		text += "; missing " + few(v.Missing)
	}
	if len(v.Extra) > 0 {
		text += "; extra " + few(v.Extra)
	}
	return text
}

// few are the first of some names.
func few(names []string) string {
	const most = 4
	text := clean(strings.Join(names[:min(len(names), most)], ", "))
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// moment is a time to the second, minute one to the minute that it is in.
func moment(i clock.Instant) string { return i.Time().Format("2006-01-02 15:04:05Z") }
func minute(i clock.Instant) string { return i.Time().Format("2006-01-02 15:04Z") }

// span is from one time to another, whose day is told once.
func span(from, to clock.Instant) string {
	a, b := minute(from), minute(to)
	switch day := len("2006-01-02 "); {
	case a == b:
		return a
	case a[:day] == b[:day]:
		return a + " to " + b[day:]
	}
	return a + " to " + b
}

func (s *copyScreen) targetLines(d *desk, w int) []string {
	k := d.found.target
	if d.answers.Target == "" {
		return nil
	}
	wait := ""
	if s.target.running() || !k.of(s.targetPrint(d)) {
		wait = "checking"
	}
	prose := min(w, proseWidth)
	var lines []string
	if v := k.value; v.URL != "" && v.URL != d.answers.Target {
		lines = append(lines, item("At", clean(v.URL), prose)...)
	}
	switch {
	case k.err != nil:
		lines = append(lines, d.refusal(k.err, prose)...)
	case k.value.NeedsNTZ != nil && !d.answers.UpgradeProtocol:
		lines = append(lines, d.refusal(k.value.NeedsNTZ, prose)...)
	}
	if k.set && k.err == nil {
		lines = append(lines, d.weighed(s.targetChecks(d), prose)...)
	}
	lines = d.place("The target", wait, lines, w)
	switch wrong := placesRefusal(d.answers.asked()); {
	case wrong != nil:
		lines = slices.Insert(lines, 1, d.refusal(wrong, prose)...)
	case d.answers.Facts == "":
		lines = append(lines, d.finding(withoutFacts(), prose)...)
	}
	return lines
}

// withoutFacts says what an empty facts field means.
func withoutFacts() verdict.Check {
	return verdict.Noted("no facts table: the stream finds the seed by its rows in the target; a snapshot that it has not finished goes unseen", "")
}

// weighed draws findings, what asks for attention first.
func (d *desk) weighed(checks []verdict.Check, w int) []string {
	var fine, other []verdict.Check
	for _, c := range checks {
		if c.Level == verdict.OK {
			fine = append(fine, c)
		} else {
			other = append(other, c)
		}
	}
	return append(d.findings(other, w), d.findings(fine, w)...)
}
