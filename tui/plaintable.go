package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cdcseed/engine/verdict"
)

// pageOf is how many lines of a long list are told at a time.
const pageOf = 10

// table is Table as it is asked for: the list in pages, narrowed by a part of a
// name, and a closer look at what is chosen.
func (p *plain) table(s *tableScreen) error {
	p.tell("Which table do you want to seed?")
	for asks := false; ; {
		err := p.settle()
		if err == nil && !p.noTables(s) {
			if asks || p.answers.Table == "" || s.line < 0 && !p.found.table.good(s.print(p.desk)) {
				if err := p.choose(s); err != nil {
					return err
				}
				err = p.settle()
			}
			if err == nil {
				p.tellTable(s)
				err = p.accept()
			}
		}
		if err != nil && !errors.Is(err, errCutOff) && !errors.Is(err, errChange) {
			return err
		}
		on, again, err := p.tableClosing(s, err != nil)
		if err != nil || on {
			return err
		}
		if asks = !again; again {
			s.again = true
			p.do(s.readAll(p.desk))
		}
	}
}

// noTables tells why there is no list, and reports whether there is none.
func (p *plain) noTables(s *tableScreen) bool {
	k := p.found.tables
	switch {
	case !k.of(s.sourcePrint(p.desk)):
		return true
	case k.err != nil:
		p.refuse(k.err)
		return true
	case len(s.list.lines) == 0:
		p.tellAll(s.nothing(p.desk, unbroken))
		return true
	}
	return false
}

// choose has a line of the list chosen.
func (p *plain) choose(s *tableScreen) error {
	s.list.filter("")
	from := 0
	p.pageOfTables(s, from)
	for {
		text, err := p.ask(asked{
			prompt: fmt.Sprintf("Table, 1-%d or a part of its name [%s]:", len(s.list.match), orNone(p.answers.Table)),
			help:   "A number takes that line. A name or a part of one, of the table or its capture instance, lists what has it.",
			words:  "more, all, uncaptured",
		})
		if err != nil {
			return err
		}
		switch low := strings.ToLower(text); low {
		case "":
			if p.answers.Table != "" {
				return nil
			}
			p.tell("Type a number or a name.")
			continue
		case "more":
			if from+pageOf >= len(s.list.match) {
				p.tell("That was the last page.")
				continue
			}
			from += pageOf
			p.pageOfTables(s, from)
			continue
		case "all":
			from = 0
			s.list.filter("")
			p.pageOfTables(s, from)
			continue
		case "uncaptured":
			drawn := uncapturedLines(p.desk, s.uncaptured, s.uncapturedErr, unbroken)
			p.tellAll(drawn[:len(drawn)-len(inColumns(s.uncaptured, unbroken))])
			p.tell(strings.Join(s.uncaptured, ", "))
			continue
		}
		if line := p.lineOf(s, text, &from); line >= 0 {
			s.list.filter("")
			s.list.choose(line)
			p.do(s.answer(p.desk))
			return nil
		}
	}
}

// lineOf is the line that an answer means, -1 where it only narrows the list.
func (p *plain) lineOf(s *tableScreen, text string, from *int) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(s.list.match) {
		return s.list.match[n-1]
	}
	text, _ = bare(text)
	if line := s.list.find(text); line >= 0 {
		return line
	}
	before := s.list.match
	s.list.filter(text)
	switch len(s.list.match) {
	case 0:
		p.tell(fmt.Sprintf("No captured table has %q in its name.", text))
		p.tellMissing(s)
		s.list.match = before
		return -1
	case 1:
		return s.list.match[0]
	}
	*from = 0
	p.pageOfTables(s, 0)
	return -1
}

// pageOfTables tells a page of the list.
func (p *plain) pageOfTables(s *tableScreen, from int) {
	n := len(s.list.match)
	to := min(n, from+pageOf)
	for i := from; i < to; i++ {
		c := s.list.chosenOf(s.list.match[i])
		rows := "rows not known"
		if c.table.Rows != nil {
			rows = "about " + rowsShort(c.table.Rows) + " rows"
		}
		p.tell(fmt.Sprintf("%d. %s through %s, captured since %s, %s, %s", i+1, clean(c.table.String()), clean(c.instance), c.since,
			verdict.Plural(c.columns, "column", "columns"), rows))
	}
	if to < n {
		p.tell(fmt.Sprintf("These are %d to %d of %s; more tells the next.", from+1, to, verdict.Count(n)))
	}
	if from == 0 && to == n {
		p.tellMissing(s)
	}
}

// tellMissing tells whoever misses a table where it is.
func (p *plain) tellMissing(s *tableScreen) {
	for _, l := range s.notHere(unbroken) {
		p.tell(keyless(sentence(l)))
	}
}

// tellTable tells what a closer look at the answer found.
func (p *plain) tellTable(s *tableScreen) {
	k := p.found.table
	if !k.of(s.print(p.desk)) {
		return
	}
	if k.err != nil {
		p.refuse(k.err)
		return
	}
	p.tellAll(closer(k.value).lines(p.desk, unbroken))
	p.tellAll(p.findings(k.value.Checks, unbroken))
}

// tableClosing is the step's last question.
func (p *plain) tableClosing(s *tableScreen, held bool) (on, again bool, err error) {
	st := s.ready(p.desk)
	off := st.off() || held
	q := asked{
		prompt: "Next, or change [next]:",
		help:   "next goes on to the copy. change chooses another table. again reads the list and looks at the table once more.",
		words:  "next, change, again",
	}
	stands := "next"
	if off {
		if !held {
			p.standing()
		}
		stands = "change"
		cut := !p.found.tables.good(s.sourcePrint(p.desk)) || p.answers.Table != "" && !p.found.table.of(s.print(p.desk))
		if cut || len(s.list.lines) == 0 || errors.Is(p.found.table.err, verdict.SourceUnreachable) {
			stands = "again"
		}
		q.prompt = fmt.Sprintf("Change, or again [%s]:", stands)
	}
	for {
		text, err := p.ask(q)
		if err != nil {
			return false, false, err
		}
		if text == "" {
			text = stands
		}
		switch low := strings.ToLower(text); {
		case low == "next" && !off:
			return true, false, nil
		case low == "next":
			p.standing()
		case low == "again":
			return false, true, nil
		case low == "change" && len(s.list.lines) > 0:
			return false, false, nil
		default:
			p.tell("Type next, change, again, back or quit.")
		}
	}
}
