package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

type runScreen struct{ job job }

func newRun() step { return &runScreen{job: job{step: runStep}} }

func (*runScreen) title() string                         { return "Run" }
func (*runScreen) enter(*desk) tea.Cmd                   { return nil }
func (s *runScreen) leave()                              { s.job.stop() }
func (*runScreen) update(*desk, tea.Msg) (tea.Cmd, bool) { return nil, false }
func (*runScreen) view(*desk, int, int) page             { return page{focus: -1} }
func (*runScreen) keys(*desk) []key.Binding              { return nil }
func (*runScreen) ready(*desk) status                    { return fine("") }
func (*runScreen) checks(*desk) []verdict.Check          { return nil }
