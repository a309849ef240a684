// Package quiet keeps the screens' library from talking to the terminal before
// the program begins. That library asks the terminal for its background while
// it is initialized, in every command of the program that holds it, and reads
// what was typed ahead in search of the answer: of two commands that are pasted
// at once, the second would be lost.
package quiet

import "github.com/charmbracelet/lipgloss"

// A package is initialized before those whose paths sort after its own and that
// it does not import, so that this comes first. The wizard asks for itself.
func init() { lipgloss.SetHasDarkBackground(true) }
