package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

type columnsScreen struct{ job job }

func newColumns() step { return &columnsScreen{job: job{step: columnsStep}} }

func (*columnsScreen) title() string                         { return "Columns" }
func (*columnsScreen) enter(*desk) tea.Cmd                   { return nil }
func (s *columnsScreen) leave()                              { s.job.stop() }
func (*columnsScreen) update(*desk, tea.Msg) (tea.Cmd, bool) { return nil, false }
func (*columnsScreen) view(*desk, int, int) page             { return page{focus: -1} }
func (*columnsScreen) keys(*desk) []key.Binding              { return nil }
func (*columnsScreen) ready(*desk) status                    { return fine("") }
func (*columnsScreen) checks(*desk) []verdict.Check          { return nil }
