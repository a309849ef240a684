package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// The wheel scrolls. A terminal that is asked for it (1007) sends arrow keys for
// the wheel and leaves everything else of the mouse to the person, who marks and
// copies text as ever. Where that is not enough, as inside a tmux that has the
// mouse itself, CDCSEED_MOUSE=1 takes the mouse; then shift marks text.
const (
	wheelKeys    = "\x1b[?1007s\x1b[?1007h" // what it was is kept
	wheelAsItWas = "\x1b[?1007r"
)

// takesMouse reports whether the mouse is asked for as a whole.
func takesMouse(env func(string) (string, bool)) bool {
	v, ok := env("CDCSEED_MOUSE")
	return ok && v != "" && v != "0"
}

// notch is how many lines one turn of the wheel scrolls.
const notch = 3

// wheel hears the mouse, of which only the wheel means something: it is as many
// presses of an arrow key, and on a form, whose cursor stays, it scrolls the page.
func (w *wizard) wheel(m tea.MouseMsg) tea.Cmd {
	k := tea.KeyMsg{Type: tea.KeyDown}
	switch m.Button {
	case tea.MouseButtonWheelDown:
	case tea.MouseButtonWheelUp:
		k.Type = tea.KeyUp
	default:
		return nil
	}
	if w.over == nil && (w.at == connectStep || w.at == copyStep || w.at == asOfStep) {
		w.scrollBy(notch * arrow(k))
		return nil
	}
	var cmds []tea.Cmd
	for range notch {
		cmds = append(cmds, w.key(k))
	}
	return tea.Batch(cmds...)
}
