package tui

import (
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

// post brings a seed's messages to the wizard in their order and keeps nobody
// waiting: a screen that stands still, because its terminal does, must not hold
// up the seed. Of counts that wait, only the newest is brought.
type post struct {
	send func(tea.Msg)

	mu    sync.Mutex
	queue []tea.Msg
	busy  bool // somebody is on the way
}

// put takes a message.
func (p *post) put(m tea.Msg) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.queue) - 1; last >= 0 && counts(p.queue[last]) && counts(m) {
		p.queue[last] = m
	} else {
		p.queue = append(p.queue, m)
	}
	if !p.busy {
		p.busy = true
		go p.deliver()
	}
}

func (p *post) deliver() {
	for m, ok := p.next(); ok; m, ok = p.next() {
		p.send(m)
	}
}

func (p *post) next() (tea.Msg, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		p.busy = false
		return nil, false
	}
	m := p.queue[0]
	p.queue = p.queue[1:]
	return m, true
}

// counts reports whether a message is a count of a running phase.
func counts(m tea.Msg) bool {
	e, ok := m.(eventMsg)
	if !ok {
		return false
	}
	_, ok = e.event.(engine.Progress)
	return ok
}
