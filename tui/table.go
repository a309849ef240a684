package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

type tableScreen struct{ job job }

func newTable() step { return &tableScreen{job: job{step: tableStep}} }

func (*tableScreen) title() string                         { return "Table" }
func (*tableScreen) enter(*desk) tea.Cmd                   { return nil }
func (s *tableScreen) leave()                              { s.job.stop() }
func (*tableScreen) update(*desk, tea.Msg) (tea.Cmd, bool) { return nil, false }
func (*tableScreen) view(*desk, int, int) page             { return page{focus: -1} }
func (*tableScreen) keys(*desk) []key.Binding              { return nil }
func (*tableScreen) ready(*desk) status                    { return fine("") }
func (*tableScreen) checks(*desk) []verdict.Check          { return nil }
