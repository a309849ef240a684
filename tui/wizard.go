package tui

import (
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// wizard is the frame around the steps: it routes messages, moves between
// steps, asks for warnings, and lets nobody leave by accident.
type wizard struct {
	*desk
	version string
	steps   []step // connectStep first
	at      stepID
	prints  map[stepID]string // of each answered step: the answers when it was left forward
	over    overlay           // what lies over the body, nil for nothing
	w, h    int               // of the terminal, in cells

	top    int  // first line of the body that shows, where the person scrolled
	scroll bool // the person scrolled since the last other key

	asked   time.Time // when ctrl+c was last pressed
	leaving bool      // ends as soon as the running seed has
	left    bool      // the person left before the end
}

func newWizard(d *desk, version string, steps []step) *wizard {
	return &wizard{desk: d, version: version, steps: steps, at: connectStep, prints: map[stepID]string{}, w: 80, h: 24}
}

func (w *wizard) step() step { return w.steps[w.at-1] }

// Init shows the first step.
func (w *wizard) Init() tea.Cmd { return tea.Batch(w.begin, w.step().enter(w.desk), w.tick()) }

// tick keeps the clocks on the screen going.
func (w *wizard) tick() tea.Cmd { return w.after(time.Second, second{}) }

// Update hears a message.
func (w *wizard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		w.w, w.h = m.Width, m.Height
		return w, nil
	case second:
		return w, w.tick()
	case nextMsg:
		if m.from != w.at {
			return w, nil
		}
		return w, w.next()
	case acceptMsg:
		return w, w.accepted(m)
	case goToMsg:
		return w, w.goTo(m.step)
	case StopAsked:
		return w, w.stopAsked(m)
	case tea.KeyMsg:
		return w, w.key(m)
	case tea.MouseMsg:
		return w, w.wheel(m)
	case backgroundMsg:
		w.dark(m.dark)
		return w, nil
	case resumedMsg:
		return w, w.suspended("")
	case backMsg:
		return w, nil
	case finishedMsg:
		w.over = nil // what it asked is answered
		cmd, _ := w.steps[runStep-1].update(w.desk, m)
		if w.leaving {
			return w, tea.Quit
		}
		return w, cmd
	case promptMsg:
		w.steps[connectStep-1].update(w.desk, m)
		if w.at != connectStep { // a connection that broke is opened again
			w.over = promptOverlay(m.text)
		}
		return w, nil
	case addressed:
		cmd, _ := w.steps[m.to()-1].update(w.desk, m)
		return w, cmd
	}
	cmd, _ := w.step().update(w.desk, msg)
	return w, cmd
}

// key hears a key: what lies over the body first, then the frame's own, then
// the step, then the way on and back.
func (w *wizard) key(k tea.KeyMsg) tea.Cmd {
	if two(k) {
		k.Alt = false
		return tea.Batch(w.key(tea.KeyMsg{Type: tea.KeyEsc}), w.key(k))
	}
	switch {
	case key.Matches(k, keyQuit):
		return w.stopAsked(StopAsked{})
	case key.Matches(k, keySuspend):
		return w.suspended(w.whileAway())
	}
	if w.tooFew() && w.over == nil {
		return nil // nobody sees what it would do
	}
	if k.Type == tea.KeyRunes && !k.Paste && len(k.Runes) > 1 { // pressed one by one, read at once
		var cmds []tea.Cmd
		for _, r := range k.Runes {
			one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}
			if r == ' ' {
				one.Type = tea.KeySpace
			}
			cmds = append(cmds, w.key(one))
		}
		return tea.Batch(cmds...)
	}
	if w.over != nil {
		over, cmd := w.over.update(w, k)
		w.over = over
		return cmd
	}
	switch {
	case key.Matches(k, keyCommand):
		w.over = commandOverlay(w)
		return nil
	case key.Matches(k, keyWhy):
		w.over = whyOverlay(w)
		return nil
	case key.Matches(k, keyHelp):
		w.over = helpOverlay(w)
		return nil
	case key.Matches(k, keyRedraw):
		return tea.ClearScreen
	}
	if key.Matches(k, keyPageUp, keyPageDn) {
		if cmd, handled := w.step().update(w.desk, k); handled {
			return cmd
		}
		w.page(key.Matches(k, keyPageDn))
		return nil
	}
	scrolled := w.scroll
	w.scroll = false
	if cmd, handled := w.step().update(w.desk, k); handled {
		return cmd
	}
	switch {
	case k.Type == tea.KeyUp, k.Type == tea.KeyDown:
		w.scroll = scrolled
		w.scrollBy(arrow(k))
	case key.Matches(k, keyNext):
		return w.enter()
	case key.Matches(k, keyBack):
		return w.back()
	}
	return nil
}

// two reports whether a key is esc and another, which came so close behind that a
// terminal sends them as one with alt. Only what text fields use with alt is one.
func two(k tea.KeyMsg) bool {
	if !k.Alt || k.Paste {
		return false
	}
	switch k.Type {
	case tea.KeyRunes, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyBackspace, tea.KeyDelete:
		return false
	}
	return true
}

// enter goes on, where the step is ready and its warnings are accepted.
func (w *wizard) enter() tea.Cmd {
	if w.at >= reviewStep || w.step().ready(w.desk).off() {
		return nil // review and what follows take enter themselves
	}
	done, later := w.accepts.press(w.desk, w.step().checks(w.desk))
	if done {
		return w.next()
	}
	return later
}

// accepted goes on once the last warning of a step is accepted.
func (w *wizard) accepted(m acceptMsg) tea.Cmd {
	switch done := w.accepts.accept(m, w.desk, w.step().checks(w.desk)); {
	case !done:
		return nil
	case w.at < reviewStep:
		return w.next()
	}
	return say(acceptedMsg{w.at})
}

func (w *wizard) next() tea.Cmd {
	if w.at == doneStep {
		return nil
	}
	w.prints[w.at] = w.answers.print(w.at)
	return w.show(w.at + 1)
}

func (w *wizard) back() tea.Cmd {
	if w.at == connectStep || w.at >= runStep {
		return nil
	}
	return w.show(w.at - 1)
}

// goTo goes back to a step that has to change.
func (w *wizard) goTo(to stepID) tea.Cmd {
	if to >= w.at || w.running() {
		return nil
	}
	return w.show(to)
}

func (w *wizard) show(to stepID) tea.Cmd {
	w.step().leave()
	w.at, w.over, w.top, w.scroll = to, nil, 0, false
	w.accepts = w.accepts.anew()
	return w.step().enter(w.desk)
}

// marks are the steps as the rail shows them.
func (w *wizard) marks() []mark {
	out := make([]mark, len(w.steps))
	refusals := w.refusals()
	for i := range w.steps {
		id := stepID(i + 1)
		print, ok := w.prints[id]
		switch {
		case id < reviewStep && slices.ContainsFunc(refusals, func(c verdict.Code) bool { return blames(c, id) }):
			out[i] = blocked
		case id < reviewStep && (!ok || print != w.answers.print(id)) && len(w.refused(id)) > 0:
			out[i] = blocked
		case !ok:
		case print == w.answers.print(id):
			out[i] = answered
		default:
			out[i] = doubtful
		}
	}
	return out
}

// refusals are why the last seed failed, and why the plan cannot be run as the
// answers stand.
func (w *wizard) refusals() []verdict.Code {
	var out []verdict.Code
	if w.found.failure != nil {
		out = append(out, w.found.failure.Code)
	}
	if k := w.found.plan; k.of(w.answers.print(reviewStep)) {
		if k.err != nil {
			out = append(out, verdict.As(k.err).Code)
		}
		for _, s := range k.value.Stops {
			out = append(out, s.Code)
		}
	}
	return out
}

func (w *wizard) titles() []string {
	out := make([]string, len(w.steps))
	for i, s := range w.steps {
		out[i] = s.title()
	}
	return out
}

// running reports whether the seed is being written.
func (w *wizard) running() bool { return w.found.running }

// The write state's words: what the corner of the screen says.
const (
	stateReadOnly   = "READ-ONLY until step 7"
	stateNotYet     = "NOT WRITTEN YET"
	stateWriting    = "WRITING, not visible"
	stateCommitting = "COMMITTING"
	stateWritten    = "WRITTEN"
	stateNothing    = "NOTHING WRITTEN"
	stateNoRows     = "NO ROWS WRITTEN"
	stateSeeded     = "ALREADY SEEDED"
	stateUnknown    = "NOT KNOWN, read below"
)

// state answers what somebody at night asks first: was anything written?
func (w *wizard) state() string {
	failed := w.found.failure
	wrote := failed != nil && failed.WroteText() != verdict.NothingWritten
	switch {
	case wrote || failed != nil && w.at >= runStep: // wherever one went back to
		return stateAfter(failed)
	case w.at < reviewStep:
		return stateReadOnly
	case w.at == reviewStep && w.found.plan.good(w.answers.print(reviewStep)) && w.found.plan.value.State == engine.AlreadySeeded:
		return stateSeeded
	case w.at == reviewStep:
		return stateNotYet
	case w.found.result != nil && w.found.result.State == engine.AlreadySeeded:
		return stateSeeded
	case w.found.result != nil || w.found.committed:
		return stateWritten
	case !w.running():
		return stateNotYet
	case w.found.plan.value.State == engine.AlreadySeeded:
		return stateNoRows
	case w.found.phase == engine.Commit:
		return stateCommitting
	default:
		return stateWriting
	}
}

// stateAfter is what a failure left behind.
func stateAfter(e *engine.Error) string {
	switch {
	case e.Code == verdict.FactsFailed:
		return stateWritten
	case e.Code == verdict.CommitUnknown:
		return stateUnknown
	case e.WroteText() == verdict.NothingWritten:
		return stateNothing
	default:
		return stateNoRows
	}
}

// status is the sentence under the body.
func (w *wizard) status() status {
	st := w.step().ready(w.desk)
	if st.off() || w.at >= reviewStep {
		return st
	}
	if s, open := w.accepts.status(w.answers, w.step().checks(w.desk)); open && (w.accepts.armed != "" || st.level == verdict.OK) {
		return s
	} else if open { // the step's own word comes before its warnings
		n := len(w.answers.open(w.step().checks(w.desk)))
		return status{level: st.level, text: st.text + " Then " + verdict.Plural(n, "warning", "warnings") + "."}
	}
	return st
}

// stopAsked asks whether to leave, or leaves where nobody can answer.
func (w *wizard) stopAsked(m StopAsked) tea.Cmd {
	switch {
	case w.running() && m.Now:
		w.leaving, w.found.stopping = true, true
		w.cease()
		return nil
	case w.running():
		w.over = stopAsk{}
		return nil
	case m.Now, w.at == doneStep, w.found.failure != nil && w.at == runStep, w.now().Sub(w.asked) < time.Second:
		w.left = w.found.result == nil
		return tea.Quit
	}
	w.asked = w.now()
	w.over = leaveOverlay(w)
	return nil
}
