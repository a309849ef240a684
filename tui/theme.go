package tui

import (
	"github.com/charmbracelet/lipgloss"

	"cdcseed/engine/verdict"
)

// theme is the five roles of colour. Colour only repeats what a word or a
// character says: without it nothing is lost.
type theme struct {
	accent, ok, warn, stop, dim, bold lipgloss.Style
}

// newTheme makes the roles for an output. The pairs are the sixteen colours
// that every terminal's owner has made readable on his own background.
func newTheme(r *lipgloss.Renderer) theme {
	role := func(light, dark string) lipgloss.Style {
		return r.NewStyle().Foreground(lipgloss.AdaptiveColor{Light: light, Dark: dark})
	}
	return theme{
		accent: role("4", "14").Bold(true),
		ok:     role("2", "10"),
		warn:   role("3", "11"),
		stop:   role("1", "9").Bold(true),
		dim:    role("8", "8"),
		bold:   r.NewStyle().Bold(true),
	}
}

// level is the style of a finding's word.
func (t theme) level(l verdict.Level) lipgloss.Style {
	switch l {
	case verdict.OK:
		return t.ok
	case verdict.Warn:
		return t.warn
	case verdict.Stop:
		return t.stop
	default:
		return t.accent
	}
}
