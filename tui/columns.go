package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// columnsScreen shows what each column becomes and asks where something may be
// lost. An answer is matched at once; after a rest in answering values are cast
// under it, and what they became before stays meanwhile, dimmed.
type columnsScreen struct {
	job   job
	looks bool          // the job casts values; else it only matches
	far   string        // how far it is, behind its name; empty while that is not told
	since time.Time     // when it began to
	took  time.Duration // the last time, all of it

	shown engine.ColumnsView // under the newest answers that were taken
	basis string             // what it was found for, this step's answers aside; empty while there is none
	old   bool               // its samples and counts are of answers before those
	err   error              // what the newest answers came to instead

	at, ask int  // the line with the cursor, and the question of it
	height  int  // lines that the list showed last: what a page is
	open    bool // only lines that wait for an answer are listed
	by      columnOrder
	order   []int // the lines as they are sorted; those of another view are sorted anew
	whole   bool  // the pane takes the body
	filter  columnEntry
	zone    columnEntry
	gone    []string // answers that were taken out, as nothing takes them any more
	aside   asides   // what was answered for other tables
	drop    func(engine.Request, engine.CopyView, engine.TargetView) (engine.Request, []string)
}

// columnEntry is a line of text that is typed into while it is on.
type columnEntry struct {
	textinput.Model
	on bool
}

func newColumns() step {
	return &columnsScreen{
		job: job{step: columnsStep}, height: 1, drop: engine.DropStale,
		filter: columnEntry{Model: newInput()}, zone: columnEntry{Model: newInput()},
	}
}

func (*columnsScreen) title() string { return "Columns" }

func (s *columnsScreen) enter(d *desk) tea.Cmd {
	if !copyKnown(d) {
		return nil
	}
	s.aside.exchange(&d.answers.Request)
	d.answers.Request, s.gone = s.drop(d.answers.Request, d.found.copy.value, d.found.target.value)
	if k := d.found.columns; k.of(s.print(d)) {
		s.looks = true
		s.take(d, k.value, k.err)
		return nil
	}
	return s.match(d)
}

func (s *columnsScreen) leave() {
	s.job.stop()
	s.filter.on, s.zone.on = false, false
}

// copyKnown reports whether there are columns to ask about.
func copyKnown(d *desk) bool { return d.found.copy.set && d.found.copy.err == nil }

// base is the print of all that the columns depend on beside this step's
// answers: those before as_of, and the copy and the target as they were seen.
func (s *columnsScreen) base(d *desk) string { return d.answers.print(copyStep) + seenAs(d) }

func (s *columnsScreen) print(d *desk) string {
	return d.answers.printWith(copyStep, flagsOf(columnsStep)...) + seenAs(d)
}

// seenAs is the copy and the target as they were last looked at.
func seenAs(d *desk) string {
	c, t := d.found.copy.value, d.found.target.value
	version := int64(-1)
	if c.Version != nil {
		version = *c.Version
	}
	return fmt.Sprint(c.URL, version, c.Files, c.Rows, c.Bytes, c.Last, t.URL, t.Version)
}

// match asks what becomes of the columns under the answers, values aside.
func (s *columnsScreen) match(d *desk) tea.Cmd {
	s.looks, s.old = false, true
	return s.asks(d, "matching columns")
}

// look asks the same and has values cast.
func (s *columnsScreen) look(d *desk) tea.Cmd {
	s.looks, s.old, s.since = true, true, d.now()
	c := d.found.copy.value
	what := "looking at a sample of " + verdict.Plural(c.Files, "file", "files")
	if d.answers.Check == engine.CheckAll {
		what = "looking at every value of " + verdict.Plural(c.Rows, "row", "rows")
	}
	return s.asks(d, what)
}

func (s *columnsScreen) asks(d *desk, what string) tea.Cmd {
	r, c, t, look := d.answers.asked(), d.found.copy.value, d.found.target.value, s.looks
	s.far = ""
	return beginTelling(d, &s.job, what, func(ctx context.Context, tell func(string)) (engine.ColumnsView, error) {
		return d.engine.Columns(ctx, r, c, t, look, func(done, _ int64) { tell(verdict.Count(done) + " seen") })
	})
}

func (s *columnsScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case reply[engine.ColumnsView]:
		return s.heard(d, m), true
	case progressed:
		if m.gen == s.job.gen && s.job.running() {
			s.far = ": " + m.text
		}
		return nil, true
	case pause:
		if m.gen != s.job.gen {
			return nil, true
		}
		return s.look(d), true
	case tea.KeyMsg:
		return s.key(d, m)
	}
	return nil, false
}

// heard takes over what was found. What was only matched is looked at after a
// rest.
func (s *columnsScreen) heard(d *desk, m reply[engine.ColumnsView]) tea.Cmd {
	if !s.job.done(m.gen) {
		return nil
	}
	if s.looks {
		s.took = d.now().Sub(s.since)
		d.found.columns = learn(m.value, m.err, s.print(d))
	}
	s.take(d, m.value, m.err)
	if s.looks || m.err != nil {
		return nil
	}
	return s.job.rest(d)
}

// telling is the line to begin with: the first that waits for an answer, else
// the first that may lose something.
func telling(lines []engine.ColumnLine) int {
	if at := slices.IndexFunc(lines, castWaits); at >= 0 {
		return at
	}
	return max(0, slices.IndexFunc(lines, func(l engine.ColumnLine) bool { return l.Mark == engine.MarkLoses }))
}

// take shows a view, or keeps the one before beside a refusal. The cursor stays
// on its column.
func (s *columnsScreen) take(d *desk, v engine.ColumnsView, err error) {
	if s.err = err; err != nil {
		return
	}
	first := s.basis != s.base(d)
	var was [2]string
	if s.at < len(s.shown.Lines) {
		was = columnName(s.shown.Lines[s.at])
	}
	if !s.looks && !first {
		v = carried(v, s.shown)
	}
	s.shown, s.basis, s.old = v, s.base(d), !s.looks
	if first || len(s.order) != len(v.Lines) {
		s.sort(s.by)
	}
	if first {
		s.at, s.ask = telling(v.Lines), 0
		return
	}
	s.at = max(0, slices.IndexFunc(v.Lines, func(l engine.ColumnLine) bool { return columnName(l) == was }))
	if l := s.line(); l != nil {
		s.ask = min(s.ask, max(0, len(l.Asks)-1))
	}
}

// carried is a view that was only matched, with what the values came to under
// the answers before. A question that only values raise stays, too.
func carried(v, before engine.ColumnsView) engine.ColumnsView {
	v.Rows, v.Depth, v.Checks = before.Rows, before.Depth, before.Checks
	v.Lines = slices.Clone(v.Lines)
	old := map[[2]string]engine.ColumnLine{}
	for _, o := range before.Lines {
		old[columnName(o)] = o
	}
	for i := range v.Lines {
		l := &v.Lines[i]
		o, ok := old[columnName(*l)]
		if !ok {
			continue
		}
		l.Samples, l.Effects, l.Counts, l.Values, l.Changed, l.Refused = o.Samples, o.Effects, o.Counts, o.Values, o.Changed, o.Refused
		l.Asks = slices.Clone(l.Asks)
		for _, a := range o.Asks {
			k := slices.IndexFunc(l.Asks, func(x engine.Ask) bool { return x.Flag == a.Flag && x.Column == a.Column })
			if k < 0 {
				l.Asks = append(l.Asks, a)
				continue
			}
			l.Asks[k].Choices = sampled(l.Asks[k].Choices, a.Choices)
		}
	}
	return v
}

// columnName tells a line from the others.
func columnName(l engine.ColumnLine) [2]string { return [2]string{l.Copy, l.Target} }

// sampled are choices with the samples that the same ones had before.
func sampled(choices, before []engine.Choice) []engine.Choice {
	out := slices.Clone(choices)
	for i := range out {
		for _, b := range before {
			if b.Value == out[i].Value && out[i].Sample == "" {
				out[i].Sample = b.Sample
			}
		}
	}
	return out
}

// line is the line with the cursor; nil where none is listed.
func (s *columnsScreen) line() *engine.ColumnLine {
	if !slices.Contains(s.listed(), s.at) {
		return nil
	}
	return &s.shown.Lines[s.at]
}

// stale reports whether what is shown belongs to other columns than are asked
// about: it takes no answers.
func (s *columnsScreen) stale(d *desk) bool { return s.basis != s.base(d) }

func (s *columnsScreen) ready(d *desk) status {
	open := s.waiting()
	switch {
	case !copyKnown(d):
		return stop("The copy was not looked at: esc goes back to it.")
	case s.zone.on:
		return await("Type the zone's name: enter takes it, esc leaves it as it was.")
	case s.filter.on:
		return await("Type a part of a column's name: enter keeps the filter, esc ends it.")
	case s.stale(d) && s.job.running():
		return await(capital(s.job.what) + ".")
	case s.err != nil && !s.job.running():
		return stop(fmt.Sprintf("%s. Change an answer, or ctrl+r tries again.", verdict.As(s.err).Code))
	case seeded(d):
		return fine("The seed is in the target: no answer is needed, none changes its rows.")
	case len(open) > 0:
		return stop(fmt.Sprintf("%s (%s).", verdict.Plural(len(open), "column needs an answer", "columns need an answer"), someNames(open, 4)))
	case s.job.running() || !d.found.columns.of(s.print(d)):
		return await(s.wait(d) + ".")
	case s.shown.Stop != nil:
		return stop(capital(s.shown.Stop.What) + ".")
	}
	return fine(s.seen(d))
}

// wait is what is awaited, as a sentence.
func (s *columnsScreen) wait(d *desk) string {
	switch {
	case s.job.running() && s.looks && d.answers.Check == engine.CheckAll:
		return capital(s.job.what) + s.far + "; press a to go back to a sample"
	case s.job.running():
		return capital(s.job.what)
	}
	return "Your answer is taken; values are looked at in a moment"
}

// seen says how much was looked at, and what everything would cost.
func (s *columnsScreen) seen(d *desk) string {
	rows := d.found.copy.value.Rows
	if s.shown.Depth == engine.CheckAll {
		return fmt.Sprintf("Ready. Every value of %s was looked at.", verdict.Plural(s.shown.Rows, "row", "rows"))
	}
	text := fmt.Sprintf("Ready. Sampled %s of %s rows; press a to look at all", inMillions(s.shown.Rows), inMillions(rows))
	if s.took > 0 && s.shown.Rows > 0 {
		all := time.Duration(float64(s.took) / float64(s.shown.Rows) * float64(rows))
		text += ", about " + inOneUnit(all)
	}
	return text + "."
}

// inOneUnit is a length of time in one unit, rounded up: it is told of an estimate.
func inOneUnit(t time.Duration) string {
	unit := time.Second
	switch {
	case t >= 90*time.Minute:
		unit = time.Hour
	case t >= 90*time.Second:
		unit = time.Minute
	}
	return clock.Words(max(1, (t+unit-1)/unit) * unit)
}

// waiting are the names of the columns that need an answer.
func (s *columnsScreen) waiting() []string {
	var out []string
	for _, l := range s.shown.Lines {
		switch {
		case !castWaits(l):
		case l.Target != "":
			out = append(out, l.Target)
		default:
			out = append(out, l.Copy)
		}
	}
	return out
}

func (s *columnsScreen) checks(d *desk) []verdict.Check {
	if k := d.found.columns; k.good(s.print(d)) {
		return k.value.Checks
	}
	return nil
}

// someNames are the first names of a list, and how many more there are.
func someNames(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %s more", strings.Join(names[:n], ", "), verdict.Count(len(names)-n))
}

// capital gives a text one.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
