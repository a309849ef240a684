package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

type reviewScreen struct{ job job }

func newReview() step { return &reviewScreen{job: job{step: reviewStep}} }

func (*reviewScreen) title() string                         { return "Review" }
func (*reviewScreen) enter(*desk) tea.Cmd                   { return nil }
func (s *reviewScreen) leave()                              { s.job.stop() }
func (*reviewScreen) update(*desk, tea.Msg) (tea.Cmd, bool) { return nil, false }
func (*reviewScreen) view(*desk, int, int) page             { return page{focus: -1} }
func (*reviewScreen) keys(*desk) []key.Binding              { return nil }
func (*reviewScreen) ready(*desk) status                    { return fine("") }
func (*reviewScreen) checks(*desk) []verdict.Check          { return nil }
