package tui

import "github.com/charmbracelet/bubbles/key"

// bind makes a binding whose help is the keys themselves.
func bind(help, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
}

// The bindings of the frame and of the steps, in one place: no two that are on
// at a time share a key, and none is one that a text field uses.
var (
	keyNext    = bind("enter", "next", "enter")
	keyBack    = bind("esc", "back", "esc")
	keyField   = bind("tab", "field", "tab")
	keyRecheck = bind("ctrl+r", "re-check", "ctrl+r")
	keyCommand = bind("ctrl+o", "command", "ctrl+o")
	keyWhy     = bind("ctrl+y", "why", "ctrl+y")
	keyHelp    = bind("ctrl+g", "help", "ctrl+g")
	keyRedraw  = bind("ctrl+l", "redraw", "ctrl+l")
	keyQuit    = bind("ctrl+c", "quit", "ctrl+c")
	keyStop    = bind("ctrl+c", "stop the seed", "ctrl+c") // what keyQuit is while one runs
	keySuspend = bind("ctrl+z", "suspend", "ctrl+z")
	keyPageUp  = bind("pgup", "up", "pgup")
	keyPageDn  = bind("pgdn", "down", "pgdown")
)

// help is a binding as the keys' line shows it.
func help(b key.Binding) string { return b.Help().Key + " " + b.Help().Desc }
