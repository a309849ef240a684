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

// roomyBody is the height of the body from which the copy's files are told on
// lines of their own.
const roomyBody = 22

// view draws the questions first, so that nothing moves under the person who
// types, and below them what was found at each place, the copy's always first.
// Where the target is in the way and not all fits, the copy is told on one line
// and in full at the end.
func (s *copyScreen) view(d *desk, w, h int) page {
	out := page{lines: []string{apart(" "+d.look.bold.Render("Where is the copy, and where does the seed go?"), "both are only read here ", w), ""}}
	wrong, _, asks := s.asks(d)
	if !asks {
		wrong = -1
	}
	fields, focus := s.form.hinted(d, w, wrong)
	out.focus = focus + len(out.lines)
	out.lines = append(out.lines, fields...)
	parts := [][]string{s.form.unfolded(d, w, h-len(out.lines)), s.sourceLines(d, w), s.copyLines(d, w, h >= roomyBody), s.targetLines(d, w)}
	if n := len(parts); s.targetWeighs(d) && len(out.lines)+total(parts) > h {
		whole := parts[n-2]
		whole[0] = cut(" "+d.look.bold.Render("The copy in full"), w)
		parts[n-2] = []string{s.copyShort(d, w)}
		parts = append(parts, whole)
	}
	for _, lines := range parts {
		if len(lines) > 0 {
			out.lines = append(append(out.lines, ""), lines...)
		}
	}
	return out.tight(h)
}

// total is how many lines there are.
func total(parts [][]string) int {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	return n
}

// targetWeighs reports whether something about the target is to be read and
// nothing as heavy about the copy.
func (s *copyScreen) targetWeighs(d *desk) bool {
	c, t := d.found.copy, d.found.target
	if !c.good(s.copyPrint(d)) || s.copy.running() || len(d.answers.open(c.value.Checks)) > 0 || len(s.copyDoubts(d)) > 0 {
		return false
	}
	return t.err != nil || t.value.NeedsNTZ != nil || t.value.Recovery != nil || placesRefusal(d.answers.asked()) != nil ||
		len(d.answers.open(t.value.Checks)) > 0 || len(s.targetDoubts(d)) > 0
}

// sourceLines tell what neither place is to blame for, once.
func (s *copyScreen) sourceLines(d *desk, w int) []string {
	e := s.failed(d)
	if e == nil {
		return nil
	}
	name, way := "The source", "nothing to change here; ctrl+r looks again "
	if stepFor(e.Code) == tableStep {
		name, way = "The table", "esc goes back to it; ctrl+r looks again "
	}
	lines := append([]string{apart(" "+d.look.bold.Render(name), way, w)}, d.refusal(e, min(w, proseWidth))...)
	if s.copy.running() || s.target.running() {
		lines = d.faded(lines)
	}
	return lines
}

// place heads what was found at a place; while it is looked at, or cannot be,
// that is told beside, and what stands there of an earlier look is dimmed.
func (d *desk) place(name, wait string, lines []string, w int) []string {
	switch wait {
	case "":
	case unseen:
		wait += " "
	default:
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
	switch {
	case elsewhere(k.err) && wait == "":
		return d.place("The copy", unseen, nil, w)
	case k.err != nil && !elsewhere(k.err):
		lines = append(lines, d.refusal(k.err, prose)...)
	}
	lines = append(lines, doubtLines(d, s.copyDoubts(d), prose)...)
	return d.place("The copy", wait, append(lines, d.weighed(k.value.Checks, prose)...), w)
}

// unseen is told of a place that could not be looked at for another's fault.
const unseen = "not looked at"

// copyShort is the copy on the line that heads it.
func (s *copyScreen) copyShort(d *desk, w int) string {
	return cut(" "+d.look.bold.Render("The copy")+"   "+copyKind(d.found.copy.value), w)
}

// copyKind is what lies at the copy's path, and how much of it.
func copyKind(v engine.CopyView) string {
	kind := "Parquet"
	if v.Version != nil {
		kind = fmt.Sprintf("Delta, version %d", *v.Version)
	}
	return fmt.Sprintf("%s: %s, %s, %s", kind, verdict.Plural(v.Files, "file", "files"), report.Size(v.Bytes), verdict.Plural(v.Rows, "row", "rows"))
}

// copyFound tells what lies at the copy's path. typed is the path as it was
// given. Without much room what shows when it began is left out: a refusal of an
// as_of tells it again.
func copyFound(v engine.CopyView, typed string, w int, roomy bool) []string {
	if v.Kind == "" {
		return nil
	}
	var out []string
	if v.URL != typed && v.URL != "" {
		out = append(out, item("At", clean(v.URL), w)...)
	}
	out = append(out, item("Found", copyKind(v), w)...)
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
	case elsewhere(k.err):
		if wait == "" {
			wait = unseen
		}
	case k.err != nil:
		lines = append(lines, d.refusal(k.err, prose)...)
	case k.value.NeedsNTZ != nil && !d.answers.UpgradeProtocol:
		lines = append(lines, d.refusal(k.value.NeedsNTZ, prose)...)
	}
	lines = append(lines, s.recoveryLines(d, prose)...)
	lines = append(lines, doubtLines(d, s.targetDoubts(d), prose)...)
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
