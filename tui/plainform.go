package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// filling is a step whose questions are the fields of a form.
type filling struct {
	form  *form
	intro []string             // told before the first question
	needs func() int           // the first field that has to be given and is not, -1 for none
	skips func(x *field) bool  // fields that have no use now; nil for none
	given func(x *field)       // after a field was answered; nil for nothing
	takes func(x *field) error // what stands in the way of an answer, told at once; nil for nothing
	looks []sought             // at the answers
	tells func()               // what was found
	asks  func() (bool, error) // a question that what was found raises: whether there was one; nil for none
	wrong func() int           // the field to correct, -1 where none can be told
}

// sought is one look at answers. Where one of them changes, what runs for the
// older ones is of no use any more: its reply would pass for the new one's.
type sought struct {
	job   *job
	print func() string // of the answers that it depends on
	known func() bool   // it was had, of the answers as they stand
	begin func() tea.Cmd
}

// look begins every look that is not had yet and not under way, or each once more.
func (f filling) look(again bool) tea.Cmd {
	var cmds []tea.Cmd
	for _, l := range f.looks {
		if again || !l.known() && !l.job.running() {
			cmds = append(cmds, l.begin())
		}
	}
	return tea.Batch(cmds...)
}

// prints are of what the looks depend on.
func (f filling) prints() []string {
	out := make([]string, len(f.looks))
	for i, l := range f.looks {
		out[i] = l.print()
	}
	return out
}

// outdate ends the looks that run for other answers than those of now.
func (f filling) outdate(before []string) {
	for i, l := range f.looks {
		if l.print() != before[i] {
			l.job.stop()
		}
	}
}

// filled leads through a step that is a form. Answers that are there already are
// told; where one is missing that the step needs, everything is asked for that
// was not given.
func (p *plain) filled(f filling) error {
	for _, l := range f.intro {
		p.tell(l)
	}
	f.form.load(p.answers)
	if n := f.needs(); n < 0 || f.form.fields[n].secret() {
		p.list(f)
	} else if err := p.fill(f); err != nil {
		return err
	}
	again := false
	for {
		for n := f.needs(); n >= 0; n = f.needs() {
			if err := p.field(f, f.form.fields[n]); err != nil {
				return err
			}
		}
		p.do(f.look(again))
		again = false
		err := p.settle()
		if err == nil {
			f.tells()
			if f.asks != nil {
				more, err := f.asks()
				if more && err == nil {
					continue
				}
				if more && !errors.Is(err, errChange) {
					return err
				}
			}
			err = p.accept()
		}
		if err != nil && !errors.Is(err, errChange) && !errors.Is(err, errCutOff) {
			return err
		}
		on, anew, err := p.closing(f, err != nil)
		if err != nil || on {
			return err
		}
		again = anew
	}
}

// shown are the fields that are asked for, in order.
func (f filling) shown(a *answers) []*field {
	var out []*field
	for _, x := range f.form.fields {
		if x.shown == nil || x.shown(a) {
			out = append(out, x)
		}
	}
	return out
}

// fill asks for every field that is of use and was not given. Those that were
// are told before. Back is the field before.
func (p *plain) fill(f filling) error {
	had := map[*field]bool{}
	for i, x := range f.shown(p.answers) {
		if had[x] = x.get(p.answers) != ""; had[x] {
			p.tell(fmt.Sprintf("%d. %s: %s", i+1, x.name, p.valueOf(x)))
		}
	}
	var asked []int
	for i := 0; i < len(f.form.fields); {
		x := f.form.fields[i]
		if had[x] || x.shown != nil && !x.shown(p.answers) || f.skips != nil && f.skips(x) {
			i++
			continue
		}
		switch err := p.field(f, x); {
		case err == nil:
			asked = append(asked, i)
			i++
		case errors.Is(err, errBack) && len(asked) > 0:
			i, asked = asked[len(asked)-1], asked[:len(asked)-1]
		default:
			return err
		}
	}
	return nil
}

// list tells the answers, numbered as they are changed.
func (p *plain) list(f filling) {
	for i, x := range f.shown(p.answers) {
		p.tell(fmt.Sprintf("%d. %s: %s", i+1, x.name, p.valueOf(x)))
	}
}

// valueOf is an answer in words.
func (p *plain) valueOf(x *field) string {
	switch v := x.get(p.answers); {
	case x.choices != nil:
		if options, at := x.options(p.answers); at >= 0 {
			return options[at].text
		}
		return "none"
	case x.secret() && v != "":
		return "given"
	default:
		return orNone(v)
	}
}

// field asks for one, until what is answered can be taken.
func (p *plain) field(f filling, x *field) error {
	was, before := x.get(p.answers), f.prints()
	refused := f.refused(p.answers, x)
	for {
		if err := p.fieldOnly(x, refused); err != nil {
			return err
		}
		if f.given != nil {
			f.given(x)
		}
		f.outdate(before)
		f.form.load(p.answers)
		if f.takes == nil {
			return nil
		}
		err := f.takes(x)
		if !errors.Is(err, errNotTaken) {
			return err
		}
		x.set(p.answers, was)
		f.outdate(before)
		before = f.prints()
		f.form.load(p.answers)
	}
}

// errNotTaken is an answer that cannot be one, as was told.
var errNotTaken = errors.New("not taken")

// refused reports whether the answer that stands in a field is one to correct.
// It is then no default: an empty line would only have it refused once more.
func (f filling) refused(a *answers, x *field) bool {
	n := f.wrong()
	return n >= 0 && f.form.fields[n] == x && x.choices == nil && !x.secret() && x.get(a) != ""
}

func (p *plain) fieldOnly(x *field, refused bool) error {
	switch {
	case x.choices != nil:
		options, at := x.options(p.answers)
		texts, names := make([]string, len(options)), make([]string, len(options))
		for i, o := range options {
			texts[i], names[i] = o.text, o.value
		}
		n, err := p.pick(x.name, texts, names, at, asked{}, nil)
		if err == nil {
			x.set(p.answers, options[n].value)
		}
		return err
	case x.secret():
		text, err := p.hidden(x.name, p.valueOf(x))
		if err == nil && text != "" {
			x.set(p.answers, text)
		}
		return err
	}
	help := x.name + " takes any text."
	if x.hint != "" {
		help = x.name + ": " + x.hint + "."
		if x.get(p.answers) == "" {
			p.tell(help)
		}
	}
	q := asked{prompt: fmt.Sprintf("%s [%s]:", x.name, p.valueOf(x)), help: help, words: "none takes the answer away"}
	if refused {
		q.prompt = fmt.Sprintf("%s, in place of %s:", x.name, p.valueOf(x))
	}
	for {
		text, err := p.ask(q)
		switch {
		case err != nil:
			return err
		case text == "" && refused:
			p.tell("Type another answer, none for no answer, or back.")
			continue
		case text == "":
			return nil
		}
		text, _ = bare(text)
		x.set(p.answers, text)
		return nil
	}
}

// closing is a step's last question: whether it goes on, or what changes. Where
// the step is not ready, or was not gone through, it does not go on.
func (p *plain) closing(f filling, held bool) (on, again bool, err error) {
	st := p.step().ready(p.desk)
	off := st.off() || held
	fields := f.shown(p.answers)
	wrong := f.wrong()
	stands := "next"
	if off {
		if !held {
			p.standing()
		}
		stands = "again"
		for i, x := range fields {
			if wrong >= 0 && x == f.form.fields[wrong] {
				stands = strconv.Itoa(i + 1)
			}
		}
	}
	q := asked{
		prompt: fmt.Sprintf("Next, or 1-%d to change an answer [%s]:", len(fields), stands),
		help:   "next goes on to the step after this one. A number changes that answer; list tells them all. again looks once more.",
		words:  "next, again, list",
	}
	if off {
		q.prompt = fmt.Sprintf("Change 1-%d, or again [%s]:", len(fields), stands)
	}
	for {
		text, err := p.ask(q)
		if err != nil {
			return false, false, err
		}
		if text == "" {
			text = stands
		}
		switch low := strings.ToLower(text); low {
		case "next":
			if !off {
				return true, false, nil
			}
			p.standing()
			continue
		case "again":
			return false, true, nil
		case "list":
			p.list(f)
			continue
		}
		if x := named(fields, text); x != nil {
			err := p.field(f, x)
			if errors.Is(err, errBack) {
				continue
			}
			return false, false, err
		}
		p.tell(fmt.Sprintf("Type a number from 1 to %d, or ? for help.", len(fields)))
	}
}

// named is the field of a number or a name, nil for none.
func named(fields []*field, text string) *field {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(fields) {
		return fields[n-1]
	}
	for _, x := range fields {
		if strings.EqualFold(x.name, text) {
			return x
		}
	}
	return nil
}

// accept has each open warning of the step accepted by its code.
func (p *plain) accept() error {
	for {
		open := p.answers.open(p.step().checks(p.desk))
		if len(open) == 0 {
			return nil
		}
		same := asking(open)
		if len(open) > len(same) {
			p.tell(fmt.Sprintf("%d warnings are open. The first:", len(open)))
		}
		it := "it"
		if len(same) > 1 {
			it = fmt.Sprintf("these %d", len(same))
		}
		for _, c := range same {
			p.tell(fmt.Sprintf("Warning %s: %s.", c.Code, c.Text))
			if c.Why != "" {
				p.tell(c.Why)
			}
		}
		code := string(same[0].Code)
		for {
			text, err := p.ask(asked{
				prompt: fmt.Sprintf("To accept %s, type %s [no]:", it, code),
				help:   "A warning costs something that only you can weigh. Its code accepts it; it is then listed on Review, in the plan and in the commit. change goes to the answers of this step.",
				words:  "change",
			})
			if err != nil {
				return err
			}
			if text == code {
				for _, c := range same {
					p.answers.accept(c)
				}
				p.tell("Accepted.")
				break
			}
			if strings.EqualFold(text, "change") {
				return errChange
			}
			p.tell("Not accepted. Type its code, change to change an answer, back, or quit.")
		}
	}
}
