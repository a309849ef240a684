package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

// stepID numbers the steps as the rail does, from 1.
type stepID int

const (
	connectStep stepID = iota + 1
	tableStep
	copyStep
	asOfStep
	columnsStep
	reviewStep
	runStep
	doneStep
)

// step is one screen. It draws and hears; the frame, the rail, warnings and
// the way forward are the wizard's.
type step interface {
	// title names the step on the rail.
	title() string
	// enter is called when the step is shown, again on every return: it takes
	// over the answers and starts what it has to find out.
	enter(*desk) tea.Cmd
	// leave ends all work that was started for the step.
	leave()
	// update hears a key or the reply to a job. Messages that it has no use for
	// are not handled: enter and esc then move on and back.
	update(*desk, tea.Msg) (cmd tea.Cmd, handled bool)
	// view draws the body, every line at most width cells wide.
	view(d *desk, width, height int) page
	// keys lists the bindings beside those of the frame; disabled ones are not shown.
	keys(*desk) []key.Binding
	// ready says where the step stands: a Stop, or a note that something is
	// awaited, turns enter off, and its text tells why.
	ready(*desk) status
	// checks are the step's findings; its open warnings are asked for one by one.
	checks(*desk) []verdict.Check
}

// page is a body: lines of any number. The frame shows the part around focus.
type page struct {
	lines []string
	focus int // line that must stay in sight; -1 for none
}

// status is one sentence on where a step stands.
type status struct {
	level verdict.Level // OK: enter goes on
	text  string
	wait  bool // something is awaited: enter is off until it is there
}

// off reports whether enter is off.
func (s status) off() bool { return s.wait || s.level == verdict.Stop }

func fine(text string) status  { return status{level: verdict.OK, text: text} }
func stop(text string) status  { return status{level: verdict.Stop, text: text} }
func await(text string) status { return status{level: verdict.Note, text: text, wait: true} }
