package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

// The messages that cross between steps.
type (
	nextMsg struct{ from stepID } // on to the step after it; a second one, of a key pressed twice, finds it left
	goToMsg struct{ step stepID } // back to the step that has to change
)

// StopAsked is somebody who wants the program to end: ctrl+c or a signal.
// Where nobody can answer, because the terminal is gone or the machine goes
// down, Now ends it without a question, as safely.
type StopAsked struct{ Now bool }

// addressed is a message for one step, shown or not.
type addressed interface{ to() stepID }

// reply is what a job found out.
type reply[T any] struct {
	step  stepID
	gen   int
	value T
	err   error
}

func (r reply[T]) to() stepID { return r.step }

// pause is the end of a rest in typing.
type pause struct {
	step stepID
	gen  int
}

func (p pause) to() stepID { return p.step }

// progressed is how far a job is, in words.
type progressed struct {
	step stepID
	gen  int
	text string
}

func (p progressed) to() stepID { return p.step }

// eventMsg is something that the running seed says.
type eventMsg struct{ event engine.Event }

func (eventMsg) to() stepID { return runStep }

// finishedMsg is the end of the running seed.
type finishedMsg struct {
	result engine.Result
	err    error
}

func (finishedMsg) to() stepID { return runStep }

// promptMsg tells what to do elsewhere to sign in, such as to enter a code.
type promptMsg struct{ text string }

func (promptMsg) to() stepID { return connectStep }

// backgroundMsg is the terminal's answer about its background.
type backgroundMsg struct{ dark bool }

// second is the tick of the clock on screens that show one.
type second struct{}

func say(m tea.Msg) tea.Cmd { return func() tea.Msg { return m } }
