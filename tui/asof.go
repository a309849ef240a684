package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

type asOfScreen struct{ job job }

func newAsOf() step { return &asOfScreen{job: job{step: asOfStep}} }

func (*asOfScreen) title() string                         { return "As of" }
func (*asOfScreen) enter(*desk) tea.Cmd                   { return nil }
func (s *asOfScreen) leave()                              { s.job.stop() }
func (*asOfScreen) update(*desk, tea.Msg) (tea.Cmd, bool) { return nil, false }
func (*asOfScreen) view(*desk, int, int) page             { return page{focus: -1} }
func (*asOfScreen) keys(*desk) []key.Binding              { return nil }
func (*asOfScreen) ready(*desk) status                    { return fine("") }
func (*asOfScreen) checks(*desk) []verdict.Check          { return nil }
