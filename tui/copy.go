package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

type copyScreen struct{ job job }

func newCopy() step { return &copyScreen{job: job{step: copyStep}} }

func (*copyScreen) title() string                         { return "Copy" }
func (*copyScreen) enter(*desk) tea.Cmd                   { return nil }
func (s *copyScreen) leave()                              { s.job.stop() }
func (*copyScreen) update(*desk, tea.Msg) (tea.Cmd, bool) { return nil, false }
func (*copyScreen) view(*desk, int, int) page             { return page{focus: -1} }
func (*copyScreen) keys(*desk) []key.Binding              { return nil }
func (*copyScreen) ready(*desk) status                    { return fine("") }
func (*copyScreen) checks(*desk) []verdict.Check          { return nil }
