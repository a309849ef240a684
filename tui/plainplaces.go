package tui

import (
	"errors"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// connecting is Connect as it is asked for.
func (p *plain) connecting(s *connectScreen) filling {
	d := p.desk
	return filling{
		form:  &s.form,
		intro: []string{"Where is the source? cdcseed reads it and never changes it."},
		needs: func() int {
			user, must := d.answers.PasswordUser()
			for i, at := range []string{d.answers.Server, d.answers.Database} {
				if at == "" {
					return i
				}
			}
			switch {
			case must && user != "" && d.answers.password == "":
				return fieldPassword
			case d.answers.Encrypt == pinned:
				return fieldPin
			}
			return -1
		},
		skips: func(x *field) bool {
			user, _ := d.answers.PasswordUser()
			return x == s.form.fields[fieldUser] && wordsFor(d.answers.SignIn).user == noneTaken ||
				x == s.form.fields[fieldPassword] && user == ""
		},
		given: func(*field) { s.part(d); s.words(d) },
		looks: []sought{{
			&s.job, func() string { return s.print(d) }, func() bool { return d.found.source.of(s.print(d)) },
			func() tea.Cmd { return s.try(d) },
		}},
		tells: func() { p.tellAll(s.found(d, unbroken)) },
		wrong: func() int { return s.wrong(d) },
	}
}

// places is Copy as it is asked for.
func (p *plain) places(s *copyScreen) filling {
	d := p.desk
	return filling{
		form:  &s.form,
		intro: []string{"Where is the copy, and where does the seed go? Both are only read here."},
		needs: func() int {
			switch {
			case d.answers.Copy == "":
				return fieldCopy
			case d.answers.Target == "":
				return fieldTarget
			}
			return -1
		},
		looks: []sought{
			{
				&s.copy, func() string { return s.copyPrint(d) }, func() bool { return d.found.copy.of(s.copyPrint(d)) },
				func() tea.Cmd { return s.lookAtCopy(d) },
			},
			{
				&s.target, func() string { return s.targetPrint(d) }, func() bool { return d.found.target.of(s.targetPrint(d)) },
				func() tea.Cmd { return s.lookAtTarget(d) },
			},
		},
		tells: func() { p.tellPlaces(s) },
		wrong: func() int {
			if s.failed(d) != nil {
				return -1
			}
			if n, _, asks := s.asks(d); asks {
				return n
			}
			return -1
		},
	}
}

// tellPlaces tells what was found at both places.
func (p *plain) tellPlaces(s *copyScreen) {
	d := p.desk
	c, t := d.found.copy, d.found.target
	p.tellAll(s.sourceLines(d, unbroken))
	if c.of(s.copyPrint(d)) && !elsewhere(c.err) {
		p.tell("The copy:")
		p.tellAll(copyFound(c.value, d.answers.Copy, unbroken, true))
		p.refuse(c.err)
		p.tellAll(doubtLines(d, s.copyDoubts(d), unbroken))
		p.tellAll(d.weighed(c.value.Checks, unbroken))
	}
	if !t.of(s.targetPrint(d)) || elsewhere(t.err) {
		return
	}
	p.tell("The target:")
	if t.value.URL != "" && t.value.URL != d.answers.Target {
		p.tellAll(item("At", clean(t.value.URL), unbroken))
	}
	p.refuse(t.err)
	if e := t.value.NeedsNTZ; e != nil && t.err == nil && !d.answers.UpgradeProtocol {
		p.refuse(e)
	}
	p.tellAll(doubtLines(d, s.targetDoubts(d), unbroken))
	if t.value.Recovery != nil {
		p.tellAll(s.recoveryLines(d, unbroken))
		shown := filling{form: &s.form}.shown(d.answers)
		x := s.form.fields[fieldReseed]
		p.tell(fmt.Sprintf("%d. %s: %s", slices.Index(shown, x)+1, x.name, p.valueOf(x)))
	}
	if t.err == nil {
		p.tellAll(d.weighed(s.targetChecks(d), unbroken))
	}
	switch wrong := placesRefusal(d.answers.asked()); {
	case wrong != nil:
		p.refuse(wrong)
	case d.answers.Facts == "":
		p.tellAll(d.finding(withoutFacts(), unbroken))
	}
}

// moment is As of as it is asked for.
func (p *plain) moment(s *asOfScreen) filling {
	d := p.desk
	return filling{
		form:  &s.form,
		intro: p.momentIntro(s),
		needs: func() int {
			switch {
			case d.answers.AsOf == "":
				return fieldAsOf
			case s.lagErr != nil:
				return fieldLag
			}
			return -1
		},
		takes: func(x *field) error { return p.takesMoment(s, x) },
		looks: []sought{{
			&s.job, func() string { return s.print(d) }, func() bool { return d.found.asOf.of(s.print(d)) },
			func() tea.Cmd { return s.ask(d) },
		}},
		tells: func() { p.tellMapping(s) },
		asks:  func() (bool, error) { return p.readings(s) },
		wrong: func() int {
			if n := s.wrong(d); n >= 0 {
				return n
			}
			if k := d.found.asOf; k.of(s.print(d)) && k.err != nil && stepFor(verdict.As(k.err).Code) == asOfStep {
				return fieldAsOf
			}
			return -1
		},
	}
}

// takesMoment has an answer of As of corrected where it is typed. What a time
// without a zone means is asked when that is known to be so, and not behind
// questions that follow.
func (p *plain) takesMoment(s *asOfScreen, x *field) error {
	d := p.desk
	if x == s.form.fields[fieldLag] && s.lagErr != nil {
		p.tell("STOP: Copy lag: " + clean(s.lagErr.Error()))
		return errNotTaken
	}
	if x != s.form.fields[fieldAsOf] || d.answers.AsOf == "" {
		return nil
	}
	if wrong := engine.CheckAsOf(d.answers.AsOf); errors.Is(wrong, verdict.AsOfInvalid) {
		p.refuse(wrong)
		return errNotTaken
	}
	if s.lagErr == nil && zoneless(d.answers.AsOf) {
		return p.zoned(s)
	}
	return nil
}

// zoned looks a time without a zone up and asks which one it was meant in.
func (p *plain) zoned(s *asOfScreen) error {
	d := p.desk
	p.do(s.ask(d))
	err := p.settle()
	switch {
	case errors.Is(err, errCutOff): // it is looked up again behind the other questions
		return nil
	case err != nil:
		return err
	}
	if k := d.found.asOf; !s.offers(d) && k.of(s.print(d)) && errors.Is(k.err, verdict.AsOfNoZone) {
		p.refuse(k.err)
		return errNotTaken
	}
	if _, err = p.readings(s); errors.Is(err, errChange) {
		return errNotTaken
	}
	return err
}

// zoneless reports whether a text is a time that lacks its zone.
func zoneless(text string) bool { return errors.Is(engine.CheckAsOf(text), verdict.AsOfNoZone) }

func (p *plain) momentIntro(s *asOfScreen) []string {
	intro := []string{"When did the copy START being read? Earlier is safe. Later loses commits."}
	if p.answers.AsOf == "" {
		for _, l := range s.empty(p.desk, unbroken) {
			intro = append(intro, sentence(l))
		}
	}
	return intro
}

// tellMapping tells what an as_of maps to, or why to nothing.
func (p *plain) tellMapping(s *asOfScreen) {
	d := p.desk
	k := d.found.asOf
	if !k.of(s.print(d)) {
		return
	}
	words := s.words(d, k.value, k.err != nil, unbroken)
	p.tellAll(words)
	if k.value.Kept.LowTime != nil {
		p.tell("CDC keeps changes since " + k.value.Kept.LowTime.FloorSecond().String() + ".")
	}
	if k.err != nil {
		if !s.offers(d) {
			p.refuse(k.err)
		}
		return
	}
	p.tellAll(keptLines(k.value, unbroken))
	for _, c := range k.value.Checks {
		if c.Level != verdict.Warn && (c.Level != verdict.Note || c.Text != readable(k.value)) {
			p.tellAll(d.finding(c, unbroken))
		}
	}
}

// readings has a person choose what a time without a zone means. None stands as
// a default.
func (p *plain) readings(s *asOfScreen) (asks bool, err error) {
	d := p.desk
	if !s.offers(d) {
		return false, nil
	}
	e := verdict.As(d.found.asOf.err)
	p.tell("STOP: " + e.What)
	p.tell("Which clock was it read from?")
	var texts, names []string
	var at []int
	for i, v := range s.readings.known.value {
		text := clean(v.Zone)
		if v.Note != "" {
			text += ", " + clean(v.Note)
		}
		if v.Value == "" {
			p.tell("Not possible: " + text)
			continue
		}
		texts, names, at = append(texts, fmt.Sprintf("%s, %s", v.At, text)), append(names, v.Value), append(at, i)
	}
	n, err := p.pick("Reading", texts, names, -1, asked{help: "A number takes that reading. change types another time.", words: "change"},
		func(text string) bool { return text == "change" })
	if errors.Is(err, errBack) || n < 0 {
		return true, errChange
	}
	if err != nil {
		return true, err
	}
	s.readings.at = at[n]
	d.answers.AsOf = s.readings.take(d.answers.AsOf)
	s.form.load(d.answers)
	return true, nil
}
