package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// tableScreen asks which captured table is seeded, through which capture
// instance. The line with the cursor is the answer.
type tableScreen struct {
	read   job // the list
	look   job // a closer look at the answer
	list   *tableList
	given  string // the answer as it came, which spells an instance as the job may
	line   int    // that it means, -1 for none
	filter *field
	again  bool // the answer is looked at again though nothing changed
	onward bool // enter came before the closer look: it counts when that is there

	typing bool   // the filter has the keys
	before int    // the line that was chosen before it had, or with the cursor's keys since
	named  string // and the answer

	uncaptured    []string
	uncapturedErr error
	aside         aside
}

// aside is what is shown in the list's place.
type aside int

const (
	asideNothing aside = iota
	asideUncaptured
	asideDetails
)

// tablesFound is one reading of both lists.
type tablesFound struct {
	captured      []engine.Table
	uncaptured    []string
	uncapturedErr error
}

func newTable() step {
	return &tableScreen{
		read: job{step: tableStep}, look: job{step: tableStep},
		list: newTableList(nil), line: -1, filter: &field{input: newInput()},
	}
}

func (*tableScreen) title() string { return "Table" }

func (s *tableScreen) enter(d *desk) tea.Cmd {
	s.typing, s.aside = false, asideNothing
	if d.found.tables.good(s.sourcePrint(d)) {
		return s.take(d)
	}
	return s.readAll(d)
}

func (s *tableScreen) leave() {
	s.onward = false
	s.read.stop()
	s.look.stop()
}

// sourcePrint is of the answers that the list depends on, print of those that
// the closer look does.
func (s *tableScreen) sourcePrint(d *desk) string { return d.answers.print(connectStep) }
func (s *tableScreen) print(d *desk) string       { return d.answers.print(tableStep) }

func (s *tableScreen) readAll(d *desk) tea.Cmd {
	return begin(d, &s.read, "reading the captured tables", func(ctx context.Context) (tablesFound, error) {
		captured, err := d.engine.Tables(ctx)
		if err != nil {
			return tablesFound{}, err
		}
		f := tablesFound{captured: captured}
		f.uncaptured, f.uncapturedErr = d.engine.Uncaptured(ctx)
		return f, nil
	})
}

// take shows the list that was read, with the cursor on what was answered.
func (s *tableScreen) take(d *desk) tea.Cmd {
	by := s.list.by
	s.list = newTableList(d.found.tables.value)
	s.list.sort(by)
	s.given = d.answers.Table
	s.line = s.list.find(s.given)
	s.list.filter(s.filter.input.Value())
	if k := d.found.table; s.line < 0 && s.given != "" && k.good(s.print(d)) {
		s.line = s.list.seen(k.value)
	}
	if s.given == "" && len(s.list.lines) == 1 && s.list.move(0) { // nothing is chosen among several but by a person
		d.answers.Table = s.list.lines[s.list.line()].answer
	}
	if s.given != "" {
		s.list.choose(s.line)
	}
	if s.line >= 0 && s.list.at < 0 { // the filter hides it
		s.filter.input.SetValue("")
		s.list.filter("")
		s.list.choose(s.line)
	}
	if d.answers.Table == "" || d.found.table.good(s.print(d)) && !s.again {
		return nil
	}
	return s.inspect(d)
}

// inspect takes a closer look at the answer.
func (s *tableScreen) inspect(d *desk) tea.Cmd {
	s.again = false
	name := d.answers.Table
	return begin(d, &s.look, "looking at "+name, func(ctx context.Context) (engine.TableView, error) {
		return d.engine.Table(ctx, name)
	})
}

func (s *tableScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case reply[tablesFound]:
		if !s.read.done(m.gen) {
			return nil, true
		}
		d.found.tables = learn(m.value.captured, m.err, s.sourcePrint(d))
		s.uncaptured, s.uncapturedErr = m.value.uncaptured, m.value.uncapturedErr
		if m.err != nil {
			return nil, true
		}
		return s.take(d), true
	case reply[engine.TableView]:
		if s.look.done(m.gen) {
			return s.looked(d, m), true
		}
		return nil, true
	case pause:
		if m.gen == s.look.gen {
			return s.inspect(d), true
		}
		return nil, true
	case tea.KeyMsg:
		switch {
		case s.aside != asideNothing:
			return nil, s.browse(m)
		case s.typing:
			return s.typed(d, m)
		}
		return s.key(d, m)
	}
	return nil, false
}

// looked takes a closer look. An enter that came before it goes on now, unless
// there is something to read first.
func (s *tableScreen) looked(d *desk, m reply[engine.TableView]) tea.Cmd {
	d.found.table = learn(m.value, m.err, s.print(d))
	if m.err == nil && s.list.at < 0 && d.answers.Table == s.given {
		s.line = s.list.seen(m.value)
		s.list.choose(s.line)
	}
	onward := s.onward
	if s.onward = false; onward && !s.ready(d).off() && len(d.answers.open(s.checks(d))) == 0 {
		return say(nextMsg{tableStep})
	}
	return nil
}

// hidden reports whether the filter leaves the answer's line out.
func (s *tableScreen) hidden() bool { return s.filter.input.Value() != "" && s.list.at < 0 }

// shown reports whether there is an answer that a person sees.
func (s *tableScreen) shown(d *desk) bool { return d.answers.Table != "" && !s.hidden() }

// pending reports whether all that enter waits for is the closer look.
func (s *tableScreen) pending(d *desk) bool {
	return s.aside == asideNothing && !s.typing && !s.read.running() && d.found.tables.good(s.sourcePrint(d)) && s.shown(d) &&
		(s.look.running() || !d.found.table.of(s.print(d)))
}

// key hears a key while the list has them.
func (s *tableScreen) key(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	if s.onward && (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) {
		return nil, true // typed for the step that enter goes on to
	}
	s.onward = false
	switch {
	case key.Matches(k, keyNext) && s.pending(d):
		s.onward = true
		if s.look.running() {
			return nil, true
		}
		return s.inspect(d), true
	case key.Matches(k, keyBack) && s.filter.input.Value() != "":
		s.unfilter(d)
		return nil, true
	case key.Matches(k, keyReread):
		s.again = true
		return s.readAll(d), true
	case key.Matches(k, keyFilter) && len(s.list.lines) > 0:
		s.typing, s.before, s.named = true, s.list.line(), d.answers.Table
		s.filter.input.Focus()
		return nil, true
	case key.Matches(k, keyUncaptured) && d.found.tables.good(s.sourcePrint(d)):
		s.aside = asideUncaptured
		return nil, true
	case key.Matches(k, keyDetails) && s.shown(d):
		s.aside = asideDetails
		return nil, true
	case key.Matches(k, keySort):
		s.resort()
		return nil, true
	}
	return s.moved(d, k)
}

// unfilter shows all lines again, with the cursor on the answer's.
func (s *tableScreen) unfilter(d *desk) {
	line := s.list.line()
	if line < 0 {
		line = s.list.find(d.answers.Table)
	}
	s.filter.input.SetValue("")
	s.list.filter("")
	s.list.choose(line)
}

// moved moves the cursor.
func (s *tableScreen) moved(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	const all, page = 1 << 30, 10
	by, ok := map[tea.KeyType]int{
		tea.KeyUp: -1, tea.KeyDown: 1, tea.KeyPgUp: -page, tea.KeyPgDown: page, tea.KeyHome: -all, tea.KeyEnd: all,
	}[k.Type]
	if !ok {
		return nil, false
	}
	if !s.list.move(by) {
		return nil, true
	}
	return s.answer(d), true
}

// answer makes the line with the cursor the answer, and looks at it when the
// cursor rests.
func (s *tableScreen) answer(d *desk) tea.Cmd {
	line := s.list.line()
	if line < 0 {
		return nil
	}
	if d.answers.Table = s.list.lines[line].answer; line == s.line && s.given != "" {
		d.answers.Table = s.given
	}
	return s.rest(d)
}

// rest takes a closer look when the answer stays what it is for a moment.
func (s *tableScreen) rest(d *desk) tea.Cmd {
	if d.found.table.good(s.print(d)) {
		s.look.stop()
		return nil
	}
	return s.look.rest(d)
}

// typed hears a key while the filter has them. Esc takes back what typing did.
func (s *tableScreen) typed(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case k.Type == tea.KeyEnter:
		s.typing = false
		return nil, true
	case k.Type == tea.KeyEsc:
		s.typing = false
		s.filter.input.SetValue("")
	case k.Type == tea.KeyUp, k.Type == tea.KeyDown, k.Type == tea.KeyPgUp, k.Type == tea.KeyPgDown:
		cmd, handled := s.moved(d, k)
		s.before, s.named = s.list.line(), d.answers.Table
		return cmd, handled
	case strings.HasPrefix(k.String(), "ctrl+") && !editing(k):
		return nil, false
	default:
		s.filter.input, _ = s.filter.input.Update(k)
	}
	return s.narrow(d), true
}

// narrow applies the filter. The line that was chosen before keeps the cursor
// where it matches; else the only one that does has it, and of several none.
func (s *tableScreen) narrow(d *desk) tea.Cmd {
	was := d.answers.Table
	s.list.filter(s.filter.input.Value())
	s.list.choose(s.before)
	d.answers.Table = s.named
	if s.hidden() && len(s.list.match) == 1 && s.list.move(0) {
		d.answers.Table = s.list.lines[s.list.line()].answer
	}
	if d.answers.Table == was {
		return nil
	}
	return s.rest(d)
}

func (s *tableScreen) ready(d *desk) status {
	tables, table := d.found.tables, d.found.table
	switch {
	case s.read.running():
		return await("Reading the captured tables.")
	case !tables.of(s.sourcePrint(d)):
		return await("ctrl+r reads the captured tables.")
	case tables.err != nil:
		code := verdict.As(tables.err).Code
		return stopFor(code, onList(code))
	case s.aside == asideUncaptured:
		return await("None of these can be seeded yet.")
	case len(s.list.lines) == 0:
		return stop("No table is captured: a DBA has to capture it first.")
	case s.typing:
		return await("Type a part of a table's or an instance's name.")
	case len(s.list.match) == 0:
		return stop("Nothing matches the filter: / changes it, esc clears.")
	case s.hidden():
		return await("Choose a line with up and down; esc clears the filter.")
	case d.answers.Table == "":
		return await("Choose a line with up and down; / finds one.")
	case s.onward:
		return await("Looking at " + d.answers.Table + ", then on to the copy.")
	case !table.of(s.print(d)) || s.look.running():
		return await("Looking at " + d.answers.Table + ".")
	case table.err != nil:
		code := verdict.As(table.err).Code
		return stopFor(code, onTable(code))
	}
	text := d.answers.Table + " selected."
	if n := notes(table.value.Checks); n > 0 {
		text += " " + verdict.Plural(n, "note", "notes") + "."
	}
	return fine(text)
}

// notes counts the findings that are neither fine nor to be accepted.
func notes(checks []verdict.Check) int {
	n := 0
	for _, c := range checks {
		if c.Level == verdict.Note {
			n++
		}
	}
	return n
}

func (s *tableScreen) checks(d *desk) []verdict.Check {
	if k := d.found.table; k.good(s.print(d)) {
		return k.value.Checks
	}
	return nil
}
