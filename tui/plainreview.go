package tui

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// review is Review as it is read out: the plan, its warnings, and the table's
// name, which has the seed written.
func (p *plain) review(s *reviewScreen) error {
	for {
		switch err := p.settle(); {
		case errors.Is(err, errCutOff):
		case err != nil:
			return err
		}
		if p.at != reviewStep { // the seed was started, or a step is to change
			return nil
		}
		var err error
		switch s.stands(p.desk) {
		case planAwaited, planMissing:
			err = p.replan(s, "There is no plan for these answers.")
		case planRefused:
			p.tell("No plan could be made. " + verdict.NothingWritten)
			p.refuse(p.found.plan.err)
			p.tellAll(s.changeLine(stepFor(verdict.As(p.found.plan.err).Code), unbroken))
			err = p.mustChange(s)
		case planBlocked:
			p.readOut(p.found.plan.value)
			for _, stop := range s.stops(p.desk) {
				p.refuse(stop.Err())
				p.tellAll(s.changeLine(stepFor(stop.Code), unbroken))
			}
			err = p.mustChange(s)
		case planOpen:
			p.readOut(p.found.plan.value)
			if err = p.accept(); err == nil {
				p.do(s.settle(p.desk))
			}
		case planIdle:
			err = p.idle(s)
		default:
			err = p.confirm(s)
		}
		if errors.Is(err, errChange) {
			return errBack
		}
		if err != nil {
			return err
		}
	}
}

// readOut tells a plan, once.
func (p *plain) readOut(plan engine.Plan) {
	key := plan.MadeAt.String() + string(plan.State)
	if p.spoken == key {
		return
	}
	p.spoken = key
	for _, l := range p.planned(plan, p.wide+1) {
		p.write(strings.TrimPrefix(l, " ") + "\n")
	}
	p.tell("")
	p.tellAll(lossLine(plan, unbroken))
}

// settledPlan tells what stands beside the last question.
func (p *plain) settledPlan(s *reviewScreen) {
	plan := p.found.plan.value
	p.readOut(plan)
	if list := accepted(plan); len(list) > 0 {
		var codes []string
		for _, c := range list {
			codes = append(codes, string(c.Code))
		}
		p.tell("You accepted " + strings.Join(codes, ", ") + ".")
	}
	p.tellAll(p.keptLine(plan, unbroken))
	switch {
	case s.saveErr != nil:
		p.tell("note: the plan is kept nowhere: " + s.saveErr.Error() + ". That stops nothing here.")
	case p.found.kept != "" && plan.Writes():
		p.tell("The plan is kept. To stop here and run exactly it later, where plans are kept in the same folder:")
		p.write(clean(s.runs(p.desk)) + "\n")
	}
}

// planHelp is what Review takes.
const planHelp = "checks tells what is checked again before anything is written, again plans once more, keys plans once more with the copy's keys counted, or without."

// confirm asks for the table's name.
func (p *plain) confirm(s *reviewScreen) error {
	p.settledPlan(s)
	plan := p.found.plan.value
	if plan.State != engine.AlreadySeeded {
		p.tell("The seed stops when this program does: start it where it may run to its end, such as in tmux or screen.")
	}
	question := strings.Split(reported(func(w io.Writer) { report.Question(w, plan) }), "\n")
	p.tell(strings.TrimSpace(strings.Join(question[:len(question)-1], " ")))
	for {
		text, err := p.ask(asked{
			prompt: capital(strings.TrimSpace(question[len(question)-1])),
			help:   "The name, case included, has the seed written. " + planHelp,
			words:  "checks, again, keys",
		})
		if err != nil {
			return err
		}
		switch strings.ToLower(text) {
		case "checks":
			p.preconditions(plan)
			continue
		case "again":
			p.do(s.make(p.desk))
			return nil
		case "keys":
			p.do(s.countKeys(p.desk))
			return nil
		}
		s.name.input.SetValue(text)
		if s.stands(p.desk) == planConfirmed {
			p.do(s.forward(p.desk))
			return nil
		}
		if strings.HasPrefix(plan.Table.String(), text) {
			p.tell("Nothing is written before the whole name is typed: " + plan.Table.String() + ".")
			continue
		}
		p.tell(s.unnamed(plan).text + " Nothing is written.")
	}
}

func (p *plain) preconditions(plan engine.Plan) {
	p.tell("Checked again before anything is written:")
	for _, c := range plan.Preconditions {
		p.tell(c.Text)
	}
}

// idle asks for nothing but to go on: nothing is left to write.
func (p *plain) idle(s *reviewScreen) error {
	p.settledPlan(s)
	for {
		text, err := p.ask(asked{
			prompt: "Nothing is left to write. finish checks the seed once more and says what to do next [finish]:",
			help:   planHelp, words: "finish, checks, again",
		})
		if err != nil {
			return err
		}
		switch strings.ToLower(text) {
		case "", "finish":
			p.do(s.forward(p.desk))
			return nil
		case "checks":
			p.preconditions(p.found.plan.value)
		case "again":
			p.do(s.make(p.desk))
			return nil
		default:
			p.tell("Type finish, again, back or quit.")
		}
	}
}

// mustChange offers the step whose answer has to change.
func (p *plain) mustChange(s *reviewScreen) error {
	to := s.mustChange(p.desk)
	switch k := p.found.plan; {
	case to < reviewStep:
	case k.err == nil && s.stops(p.desk)[0].Code == verdict.NoKey:
		return p.replan(s, "keys plans without counting them.")
	default:
		return p.replan(s, "No answer has to change.")
	}
	for {
		text, err := p.ask(asked{
			prompt: fmt.Sprintf("Go to step %d, %s, or plan again [%d]:", to, titleOf(to), to),
			help:   "Every answer is kept. again plans once more; back goes to the step before this one.", words: "again",
		})
		switch {
		case err != nil:
			return err
		case strings.EqualFold(text, "again"):
			p.do(s.make(p.desk))
			return nil
		case text == "" || text == fmt.Sprint(int(to)):
			p.do(s.forward(p.desk)) // which forgets what does not hold any more
			return nil
		}
		p.tell(fmt.Sprintf("Type %d, again, back or quit.", to))
	}
}

// replan asks whether to plan once more.
func (p *plain) replan(s *reviewScreen, why string) error {
	for {
		text, err := p.ask(asked{prompt: why + " again plans once more [again]:", help: planHelp, words: "again, keys"})
		switch {
		case err != nil:
			return err
		case text == "" || strings.EqualFold(text, "again"):
			p.do(s.make(p.desk))
			return nil
		case strings.EqualFold(text, "keys"):
			p.do(s.countKeys(p.desk))
			return nil
		}
		p.tell("Type again, keys, back or quit.")
	}
}
