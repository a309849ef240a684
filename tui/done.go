package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

type doneScreen struct{ job job }

func newDone() step { return &doneScreen{job: job{step: doneStep}} }

func (*doneScreen) title() string                         { return "Done" }
func (*doneScreen) enter(*desk) tea.Cmd                   { return nil }
func (s *doneScreen) leave()                              { s.job.stop() }
func (*doneScreen) update(*desk, tea.Msg) (tea.Cmd, bool) { return nil, false }
func (*doneScreen) view(*desk, int, int) page             { return page{focus: -1} }
func (*doneScreen) keys(*desk) []key.Binding              { return nil }
func (*doneScreen) ready(*desk) status                    { return fine("") }
func (*doneScreen) checks(*desk) []verdict.Check          { return nil }
