package tui

import (
	"fmt"
	"runtime/debug"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// careful is the wizard as the program runs it. A panic in it or in one of its
// commands ends the program in order: the terminal becomes what it was, a
// running seed is stopped and waited for, and the fall is told afterwards.
type careful struct {
	*wizard
	mu   sync.Mutex
	fell *Fall
}

// Fall is a panic and where it was.
type Fall struct {
	Cause string
	Stack string
}

// Init shows the first step.
func (c *careful) Init() (cmd tea.Cmd) {
	defer c.catch(&cmd)
	return c.careful(c.wizard.Init())
}

// Update hears a message.
func (c *careful) Update(m tea.Msg) (model tea.Model, cmd tea.Cmd) {
	model = c
	defer c.catch(&cmd)
	_, cmd = c.wizard.Update(m)
	return model, c.careful(cmd)
}

// View draws the screen. One that cannot be drawn ends the program with the
// next message, which the clock sends.
func (c *careful) View() (screen string) {
	defer func() {
		if r := recover(); r != nil {
			c.fall(r)
		}
	}()
	return c.wizard.View()
}

// careful makes a command, and those that come of it, ones that may panic.
func (c *careful) careful(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				c.fall(r)
				msg = tea.QuitMsg{}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = c.careful(batch[i])
			}
		}
		return msg
	}
}

func (c *careful) catch(cmd *tea.Cmd) {
	if r := recover(); r != nil {
		c.fall(r)
		*cmd = tea.Quit
	}
}

// fall keeps the first panic: others may come of it.
func (c *careful) fall(cause any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fell == nil {
		c.fell = &Fall{Cause: fmt.Sprint(cause), Stack: string(debug.Stack())}
	}
}

// fallen is the first panic, nil for none.
func (c *careful) fallen() *Fall {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fell
}

// guard keeps the program from ending under a running seed, whoever asks. A
// wizard that fell is ended: its screen tells nothing any more.
func (c *careful) guard(_ tea.Model, msg tea.Msg) tea.Msg {
	if c.fallen() != nil {
		return tea.QuitMsg{}
	}
	if _, quits := msg.(tea.QuitMsg); quits && c.running() {
		return StopAsked{}
	}
	return msg
}
