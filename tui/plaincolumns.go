package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// columnsStep is Columns as it is asked for: the columns that wait for an answer
// one after the other, and any other by its number.
func (p *plain) columnsStep(s *columnsScreen) error {
	p.tell("How does each column of the copy become a column of the stream?")
	for _, g := range s.gone {
		p.tell("note: " + clean(g) + " is taken out: nothing takes it any more.")
	}
	told, held := false, false
	for {
		err := p.settle()
		switch {
		case errors.Is(err, errCutOff):
			held = true
		case err != nil:
			return err
		case !copyKnown(p.desk):
			p.standing()
			return goToError{copyStep}
		case s.err != nil:
			p.refuse(s.err)
		default:
			if !told {
				p.tellColumns(s)
				told = true
			}
			if more, err := p.openColumns(s); more || err != nil {
				if err != nil && !errors.Is(err, errChange) {
					return err
				}
				if err == nil {
					continue
				}
				held = true
			}
		}
		if !held {
			p.tellLosses(s)
			err = p.accept()
			if held = errors.Is(err, errChange); err != nil && !held {
				return err
			}
		}
		on, err := p.columnsClosing(s, held)
		if err != nil || on {
			return err
		}
		held = false
	}
}

// tellColumns tells how the columns stand, and those that are not taken as they
// are.
func (p *plain) tellColumns(s *columnsScreen) {
	p.tell(fmt.Sprintf("Columns: %s. %s.", castSides(s.shown.Lines), castCounts(s.shown.Lines, s.old)))
	for i, l := range s.shown.Lines {
		if l.Mark == engine.MarkLoses || l.Mark == engine.MarkLeftOut {
			p.tell(p.columnLine(s, i))
		}
	}
	p.tell("list tells them all; column, with a number or a name, all about one.")
}

// columnLine is a column in one line.
func (p *plain) columnLine(s *columnsScreen, i int) string {
	l := s.shown.Lines[i]
	text := fmt.Sprintf("Column %d of %d: %s", i+1, len(s.shown.Lines), castPane{line: l}.heading())
	if l.Target != "" {
		text += ", " + clean(l.Cast)
	}
	if castWaits(l) {
		text += ", needs an answer"
	}
	return text
}

// tellColumn tells all about one.
func (p *plain) tellColumn(s *columnsScreen, i int) {
	l := s.shown.Lines[i]
	p.tell(p.columnLine(s, i) + ".")
	pane := castPane{line: l, old: s.old, stop: s.shown.Stop}
	for _, lines := range [][]string{pane.counts(unbroken, paneWhole), pane.samples(unbroken, paneWhole), pane.reasons(unbroken, paneFull)} {
		for _, t := range lines {
			p.tell(strings.TrimSpace(t))
		}
	}
}

// openColumns asks what the first column that waits is to become. more tells that
// an answer was given, and that another column may wait.
func (p *plain) openColumns(s *columnsScreen) (more bool, err error) {
	if seeded(p.desk) {
		return false, nil
	}
	for i, l := range s.shown.Lines {
		for j, a := range l.Asks {
			if a.Open && a.Given == "" { // what is answered and stands in the way all the same is told below
				p.tellColumn(s, i)
				return true, p.answerColumn(s, i, j)
			}
		}
	}
	return false, nil
}

// answerColumn asks one question of a column.
func (p *plain) answerColumn(s *columnsScreen, i, j int) error {
	l := s.shown.Lines[i]
	a := l.Asks[j]
	p.tell(askText(a) + ".")
	options := choicesOf(a)
	texts, names, now := make([]string, len(options)), make([]string, len(options)), -1
	same, undecided := undivided(l, a)
	for k, o := range options {
		texts[k], names[k] = clean(o.Text), o.Value
		if !strings.HasPrefix(o.Text, o.Value) {
			texts[k] = clean(o.Value + ": " + o.Text)
		}
		if o.Sample != "" && !undecided {
			texts[k] += ", " + clean(o.Sample)
		}
		if o.Value == a.Given {
			now = k
		}
	}
	if undecided {
		p.tell("Whatever the answer, no value looked at changes: " + same)
	}
	q := asked{help: "A number or a word takes that answer. list tells every column, column NAME all about one.", words: "change, list, list PART, more, column", tells: p.columnsTold(s, len(options))}
	other, hasOther := otherCast(l, a)
	switch {
	case a.Zone:
		q.help += " Or type another zone: an IANA or Windows name, such as Europe/Berlin."
	case a.Flag == encodingFlag:
		q.help += " Or type another encoding: a code page or an IANA name, such as windows-1251 or ISO-8859-15."
		if hasOther {
			q.help += " " + other.words() + " answers for the values that are no text, as --cast does."
		}
	}
	if a.Given != "" {
		q.words += ", none takes the answer back"
	}
	value, stop := "", false
	n, err := p.pick(clean(cmp.Or(l.Target, l.Copy)), texts, names, now, q, func(text string) bool {
		text, cleared := bare(text)
		switch {
		case strings.EqualFold(text, "change"):
			stop = true
		case cleared:
		case hasOther && other.takes(text):
			a, value = other.Ask, strings.ToLower(text)
		case a.Zone, a.Flag == encodingFlag:
			value = text
		default:
			return false
		}
		return true
	})
	switch {
	case err != nil:
		return err
	case stop:
		return errChange
	case n >= 0:
		value = options[n].Value
	}
	if value != a.Given {
		p.do(s.give(p.desk, a, value))
	}
	return nil
}

// tellLosses tells what the answers came to where they lose something, and why
// the columns cannot be written, where they cannot.
func (p *plain) tellLosses(s *columnsScreen) {
	if s.err != nil || len(s.waiting()) > 0 {
		return
	}
	for _, l := range s.shown.Lines {
		for _, e := range l.Effects {
			p.tell(clean(l.Target + ": " + e))
		}
	}
	if s.shown.Stop != nil && !seeded(p.desk) {
		p.refuse(s.shown.Stop)
	}
}

// columnsClosing is the step's last question.
func (p *plain) columnsClosing(s *columnsScreen, held bool) (on bool, err error) {
	off := s.ready(p.desk).off() || held
	stands := "next"
	q := asked{
		prompt: fmt.Sprintf("Next, or a column, 1-%d [next]:", len(s.shown.Lines)),
		help: "next goes on to the plan. A number or a name tells all about that column and asks again what was asked of it. " +
			"list tells every column, list PART those with that part in their names. all looks at every value, sample at some. again looks once more.",
		words: "next, list, list PART, more, all, sample, again",
	}
	if off {
		stands = "again"
		q.prompt = fmt.Sprintf("A column, 1-%d, or again [again]:", len(s.shown.Lines))
	}
	if !held {
		p.standing()
	}
	part, from := "", 0 // of what is listed
	for {
		text, err := p.ask(q)
		if err != nil {
			return false, err
		}
		if text == "" {
			text = stands
		}
		verb, rest, _ := strings.Cut(strings.ToLower(text), " ")
		switch {
		case verb == "next" && !off:
			return true, nil
		case verb == "next":
			p.standing()
		case verb == "again":
			p.do(s.look(p.desk))
			return false, nil
		case verb == "all" && p.answers.Check != engine.CheckAll, verb == "sample" && p.answers.Check == engine.CheckAll:
			p.do(s.every(p.desk))
			return false, nil
		case verb == "list":
			part, from = strings.TrimSpace(rest), 0
			from = p.listColumns(s, part, from)
		case verb == "more":
			from = p.listColumns(s, part, from)
		default:
			asked, err := p.oneColumn(s, text)
			if asked && (err == nil || errors.Is(err, errBack) || errors.Is(err, errChange)) {
				return false, nil
			}
			if err != nil {
				return false, err
			}
		}
	}
}

// columnNamed is the place of the column that a number or a name means, -1 for none.
func columnNamed(s *columnsScreen, text string) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(s.shown.Lines) {
		return n - 1
	}
	name, _ := bare(text)
	if name == "" {
		return -1
	}
	return slices.IndexFunc(s.shown.Lines, func(l engine.ColumnLine) bool {
		return strings.EqualFold(l.Target, name) || l.Target == "" && strings.EqualFold(l.Copy, name)
	})
}

// oneColumn tells about a column and asks again what was asked of it.
func (p *plain) oneColumn(s *columnsScreen, text string) (asked bool, err error) {
	at := columnNamed(s, text)
	if at < 0 {
		p.tell("No column has that number or name. list tells them all.")
		return false, nil
	}
	p.tellColumn(s, at)
	if s.stale(p.desk) {
		return false, nil
	}
	for j := range s.shown.Lines[at].Asks {
		if err := p.answerColumn(s, at, j); err != nil {
			return true, err
		}
		asked = true
		if err := p.settle(); err != nil {
			if errors.Is(err, errCutOff) {
				return true, errChange
			}
			return true, err
		}
		if at >= len(s.shown.Lines) || j+1 >= len(s.shown.Lines[at].Asks) {
			break
		}
	}
	return asked, nil
}

// listColumns tells a page of the columns whose names have a part, those from one
// on, and answers where the next page begins.
func (p *plain) listColumns(s *columnsScreen, part string, from int) (next int) {
	var match []int
	for i, l := range s.shown.Lines {
		if strings.Contains(strings.ToLower(l.Copy), part) || strings.Contains(strings.ToLower(l.Target), part) {
			match = append(match, i)
		}
	}
	if from >= len(match) && from > 0 {
		p.tell("That was the last page.")
		return from
	}
	next = min(len(match), from+2*pageOf)
	for _, i := range match[from:next] {
		p.tell(p.columnLine(s, i))
	}
	if next < len(match) {
		p.tell(fmt.Sprintf("These are %d to %d of %s; more tells the next.", from+1, next, verdict.Count(len(match))))
		return next
	}
	p.tell(verdict.Plural(len(match), "column", "columns") + ".")
	return next
}
