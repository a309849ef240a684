package tui

import (
	"io"

	"github.com/charmbracelet/x/ansi"
)

// sentOut is what is known of a copy: no terminal says whether it took it.
const sentOut = "Sent to the terminal's clipboard, where the terminal allows it."

// copyOut sends text to the terminal's clipboard (OSC 52). It is one write, so
// that it never falls into a drawing of the screen. A terminal that does not
// allow it ignores it.
func copyOut(w io.Writer, text string) { _, _ = io.WriteString(w, ansi.SetSystemClipboard(text)) }
