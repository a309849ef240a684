package tui

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

func (s *reviewScreen) view(d *desk, w, h int) page {
	if s.sheet {
		return page{lines: s.keptLines(d, w), focus: -1}
	}
	switch s.stands(d) {
	case planAwaited, planMissing:
		return page{lines: s.awaitedLines(d, w), focus: -1}
	case planRefused:
		lines := append([]string{" " + d.look.bold.Render("No plan could be made. "+verdict.NothingWritten), ""}, d.refusal(d.found.plan.err, w)...)
		return page{lines: append(lines, s.changeLine(stepFor(verdict.As(d.found.plan.err).Code), w)...), focus: -1}
	case planBlocked:
		return page{lines: s.blockedLines(d, w), focus: -1}
	}
	foot, focus := s.foot(d, w, h)
	plan := s.planLines(d, w, h)
	asked, at := s.asked(d, w)
	if s.reads = h < roomy && focus >= 0 && s.plan.top > 0 && len(plan) > h-len(asked)-1; s.reads {
		foot, focus = asked, at
	}
	shown, more := s.plan.draw(plan, max(2, h-len(foot)-1))
	for len(shown)+1+len(foot) < h {
		shown = append(shown, "")
	}
	lines := append(append([]string{}, shown...), d.ruled(more, w))
	if focus >= 0 {
		focus += len(lines)
	}
	return page{lines: append(lines, foot...), focus: focus}
}

// awaitedLines are the wait and, dimmed, the plan that was there before.
func (s *reviewScreen) awaitedLines(d *desk, w int) []string {
	k := d.found.plan
	lines := wrap(" ", " ", clean(s.waiting())+" ..."+s.lasts(d)+" The table's name is asked when the plan is there.", w)
	if !s.build.running() {
		lines = wrap(" ", " ", "There is no plan for these answers: ctrl+r makes it.", w)
	}
	if !k.set {
		return append(append(lines, ""), wrap("   ", "   ",
			"The source, the copy, the target and the facts table are read once more, and every check is made again. Nothing is written.", min(w, 80))...)
	}
	var old []string
	if k.err != nil {
		old = d.refusal(k.err, w)
	} else {
		old = d.planned(k.value, w)
	}
	lines = append(lines, "", d.look.dim.Render(" The plan before, as it was:"))
	return append(lines, d.faded(old)...)
}

// lasts is how long planning takes, once a person would ask.
func (s *reviewScreen) lasts(d *desk) string {
	if took := d.now().Sub(s.began); took >= 3*time.Second {
		return " " + lasted(took) + " so far."
	}
	return ""
}

// changeLine names the step whose answer makes a refusal go away.
func (s *reviewScreen) changeLine(to stepID, w int) []string {
	if to >= reviewStep {
		return nil
	}
	return wrap("        ", "        ", fmt.Sprintf("Change it on step %d, %s.", to, titleOf(to)), w)
}

// blockedLines are what has to change, each with its step, and then the plan.
func (s *reviewScreen) blockedLines(d *desk, w int) []string {
	p := d.found.plan.value
	heading := verdict.Plural(len(p.Stops), "thing has to change", "things have to change") + " before this plan can run."
	lines := []string{" " + d.look.bold.Render(cut(heading, w-1)), ""}
	for _, stop := range s.stops(d) {
		lines = append(lines, d.refusal(stop.Err(), w)...)
		lines = append(lines, s.changeLine(stepFor(stop.Code), w)...)
	}
	lines = append(lines, d.ruled("", w))
	return append(lines, d.printed(planText(p), w)...)
}

// planLines are the plan, what was accepted, and what is checked again.
func (s *reviewScreen) planLines(d *desk, w, h int) []string {
	p := d.found.plan.value
	lines := d.planned(p, w)
	if h < roomy { // little room is for what is said
		lines = packed(lines)
	}
	if h < roomy {
		lines = append(lines, acceptedWords(d, p, w)...)
	}
	lines = append(lines, "", d.look.bold.Render(cut(" Checked again before anything is written", w)))
	for _, c := range p.Preconditions {
		lines = append(lines, wrap("   ", "     ", clean(c.Text), min(w, 100))...)
	}
	return lines
}

// roomy is the height from which what was accepted stands in full beside the
// confirmation.
const roomy = 28

// acceptedWords are the warnings that were accepted, whole.
func acceptedWords(d *desk, p engine.Plan, w int) []string {
	list := accepted(p)
	if len(list) == 0 {
		return nil
	}
	lines := []string{"", d.look.bold.Render(" You accepted")}
	for i, c := range list {
		head := fmt.Sprintf("   %d  ", i+1)
		lines = append(lines, wrapQuoted(head, strings.Repeat(" ", width(head)), string(c.Code)+": "+clean(c.Text), min(w, 100))...)
	}
	return lines
}

// planned is the plan as it is printed. Of a seed that is in the target the
// answers of now tell nothing about its rows, and it is said.
func (d *desk) planned(p engine.Plan, w int) []string {
	lines := d.printed(planText(p), w)
	if p.State != engine.AlreadySeeded || len(lines) == 0 {
		return lines
	}
	lines[0] = cut(fmt.Sprintf(" Plan %s (not run). It writes no rows.", p.Digest[:8]), w)
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "   columns ") })
	if at < 0 {
		return lines
	}
	said := wrap("     ", "     ", "as asked now: the rows in the target keep the casts that they were made with", min(w, proseWidth))
	return slices.Insert(lines, at+1, said...)
}

// packed are lines without the empty ones.
func packed(lines []string) []string {
	var out []string
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			out = append(out, l)
		}
	}
	return out
}

// foot is what stays in sight under the plan: what is asked now, with the line
// that has the cursor, -1 for none.
func (s *reviewScreen) foot(d *desk, w, h int) (lines []string, focus int) {
	p := d.found.plan.value
	switch s.stands(d) {
	case planOpen:
		return s.openLines(d, w, h), -1
	case planIdle:
		return wrap(" ", " ", "Nothing is left to write, so no name is asked. enter checks the seed once more and says what to do next.", min(w, 100)), -1
	}
	lines = append(lines, s.weighed(d, w, h)...)
	lines = append(lines, d.keptLine(p, w)...)
	question := questionOf(p)
	lines = append(lines, wrap(" ", " ", clean(strings.TrimSpace(strings.Join(question[:len(question)-1], " "))), min(w, 100))...)
	asked, at := s.asked(d, w)
	focus = len(lines) + at
	lines = append(lines, asked...)
	if p.State != engine.AlreadySeeded {
		lines = append(lines, wrap(" ", " ", "A closed window stops a running seed: use tmux or screen.", w)...)
	}
	return lines, focus
}

// questionOf are the lines that ask for the name, as a command prints them.
func questionOf(p engine.Plan) []string {
	return strings.Split(reported(func(w io.Writer) { report.Question(w, p) }), "\n")
}

// asked is the field for the name, and its line with the cursor.
func (s *reviewScreen) asked(d *desk, w int) (lines []string, focus int) {
	p := d.found.plan.value
	question := questionOf(p)
	prompt := clean(strings.TrimSpace(question[len(question)-1]))
	if room := w - width(prompt) - 4; room >= len(p.Table.String())+2 {
		lines = append(lines, " "+d.look.bold.Render(prompt)+" "+s.name.typed(d, room))
	} else {
		lines = append(lines, wrap(" ", " ", prompt, w)...)
		lines = append(lines, " "+d.look.accent.Render(d.glyph.cursor)+" "+s.name.typed(d, max(1, w-4)))
	}
	return lines, len(lines) - 1
}

// openLines are the warnings that are asked for, with their reasons.
func (s *reviewScreen) openLines(d *desk, w, h int) []string {
	open := d.answers.open(d.found.plan.value.Checks)
	heading := verdict.Plural(len(open), "warning is open", "warnings are open")
	asked := asking(open)
	if len(open) > len(asked) {
		heading += "; the first"
	}
	lines := []string{" " + d.look.bold.Render(heading+":")}
	for i, c := range asked {
		lines = append(lines, d.finding(c, min(w, 100))...)
		if c.Why != "" && (i == 0 || c.Why != asked[i-1].Why) {
			lines = append(lines, wrap("        ", "        ", clean(c.Why), min(w, 100))...)
		}
	}
	if most := max(5, h/2); len(lines) > most {
		lines = append(lines[:most-1], "        ... ctrl+y has the rest.")
	}
	return lines
}

// weighed is what weighs in the decision and has to be in sight beside it: the
// casts that lose, what the engine noted, and what was accepted.
func (s *reviewScreen) weighed(d *desk, w, h int) []string {
	p := d.found.plan.value
	lines := lossLine(p, w)
	var notes []string
	for _, c := range p.Checks {
		// How long L stays readable is told beside the question, by the minute.
		if c.Level == verdict.Note && (p.AsOf.KeptUntil == nil || !strings.HasPrefix(c.Text, "L stays readable")) {
			notes = append(notes, clean(c.Text))
		}
	}
	few := max(1, (h-11)/3) // lines for notes
	for i, n := range notes {
		if more := len(notes) - i; i == few-1 && more > 1 {
			lines = append(lines, cut(fmt.Sprintf(" note  %s stand in the plan (pgdn)", verdict.Plural(more, "note", "notes")), w))
			break
		}
		head := " " + d.look.word(verdict.Note)
		if h < roomy {
			lines = append(lines, cut(head+n, w))
			continue
		}
		lines = append(lines, wrapQuoted(head, strings.Repeat(" ", width(head)), n, min(w, 100))...)
	}
	if h >= roomy {
		return append(lines, trimmedTop(acceptedWords(d, p, w))...)
	}
	return append(lines, acceptedLine(p, w)...)
}

// trimmedTop are lines without an empty one before them.
func trimmedTop(lines []string) []string {
	if len(lines) > 0 && lines[0] == "" {
		return lines[1:]
	}
	return lines
}

// acceptedLine names the accepted warnings; their words stand under the plan.
func acceptedLine(p engine.Plan, w int) []string {
	list := accepted(p)
	if len(list) == 0 {
		return nil
	}
	words := "You accepted "
	for i, c := range list {
		words += fmt.Sprintf(" %d %s ", i+1, c.Code)
	}
	return []string{cut(" "+strings.TrimRight(words, " "), w)}
}

// keptLine tells for how long L stays readable, where that is known.
func (d *desk) keptLine(p engine.Plan, w int) []string {
	until := p.AsOf.KeptUntil
	if until == nil || p.State == engine.AlreadySeeded {
		return nil
	}
	left := until.Sub(d.server())
	if left < time.Second {
		return wrap(" "+d.look.word(verdict.Warn), " ", "Cleanup may pass L at any time.", w)
	}
	head := " "
	if left < shortTime {
		head += d.look.word(verdict.Warn)
	}
	line := "L stays readable for about " + about(left)
	if whole := fmt.Sprintf("%s, until %s.", line, until.FloorSecond()); width(head)+width(whole) <= w {
		return []string{head + whole}
	}
	return wrap(head, " ", line+".", w)
}

// keptLines are where the plan is kept and how to run it from there.
func (s *reviewScreen) keptLines(d *desk, w int) []string {
	const indent = "   "
	lines := []string{" " + d.look.bold.Render("The plan is kept"), ""}
	add := func(text string) { lines = append(lines, wrap(indent, indent, clean(text), min(w, 100))...) }
	switch {
	case s.saveErr != nil:
		lines[0] = " " + d.look.bold.Render("The plan is kept nowhere")
		add(s.saveErr.Error())
		add("That stops nothing here: only cdcseed seed --plan needs the file.")
	case d.found.kept == "":
		lines[0] = " " + d.look.bold.Render("The plan is being kept ...")
	default:
		add(d.found.kept)
		add("")
		add("Any shell of this user runs exactly it, and nothing else, with:")
		lines = append(lines, wrap(indent+"  ", indent+"  ", clean(s.runs(d)), w)...)
		add("")
		add("It holds no password. Everything that made it right is checked again before anything is written.")
	}
	if s.copied {
		lines = append(lines, "")
		add(sentOut)
	}
	return lines
}

// runs is the command that runs the kept plan.
func (s *reviewScreen) runs(d *desk) string {
	p := d.found.plan.value
	return engine.Command("seed", []string{"--plan", p.Digest[:8], "--confirm", p.Table.String()})
}

func (s *reviewScreen) readSheet(d *desk, m tea.KeyMsg) {
	switch {
	case key.Matches(m, keyClose, keySave):
		s.sheet = false
	case key.Matches(m, keyCopy) && d.found.kept != "":
		d.copied(s.runs(d))
		s.copied = true
	}
}

// accepted are the plan's warnings that were accepted, as they stand in it.
func accepted(p engine.Plan) []verdict.Check {
	var out []verdict.Check
	for _, c := range p.Checks {
		if c.Level == verdict.Warn && slices.Contains(p.Accepted, string(c.Code)) {
			out = append(out, c)
		}
	}
	return out
}

// planText is the plan as seed --dry-run prints it.
func planText(p engine.Plan) string {
	return reported(func(w io.Writer) { report.PlanNotRun(w, p) })
}
