package tui

import tea "github.com/charmbracelet/bubbletea"

// relayed is what the wizard hears from outside, other than keys.
type relayed struct {
	stops   <-chan StopAsked
	resumed <-chan struct{}
	done    <-chan struct{} // of the context
	ended   <-chan struct{} // of the program
	over    chan<- struct{} // closed when nobody can be asked any more
}

// relay makes messages of signals, and of the end of the context, until the
// program has ended. What cannot wait for an answer stops a running seed by
// itself: a terminal that hangs may keep the program from hearing of it.
func relay(r relayed, stop func(), send func(tea.Msg)) {
	for {
		s := StopAsked{Now: true}
		select {
		case <-r.ended:
			return
		case <-r.resumed:
			send(resumedMsg{})
			continue
		case <-r.done:
			r.done = nil
		case s = <-r.stops:
		}
		if s.Now {
			stop()
			if r.over != nil {
				close(r.over)
				r.over = nil
			}
		}
		send(s)
	}
}
