package tds

import (
	"bufio"
	"context"
	"errors"
	"sync"
)

// errAttention is the cause that ends a request's context when the client
// cancels it.
var errAttention = errors.New("tds: the client cancelled the request")

// ahead is how many messages may wait behind the one that runs. A client sends
// the next one after the answer, so that none waits but for a moment.
const ahead = 8

// errAhead ends a connection whose client does not wait for answers.
var errAhead = errors.New("tds: too many requests are sent ahead of their answers")

// job is a message on its way through the loop.
type job struct {
	message
	ctx    context.Context //nolint:containedctx // of the request that the message is: it travels with it to another goroutine
	cancel context.CancelCauseFunc

	mu        sync.Mutex
	attention bool // arrived while the job was running
	finished  bool
}

// interrupt cancels a job that is not finished; false when it is.
func (j *job) interrupt() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.finished {
		return false
	}
	j.attention = true
	j.cancel(errAttention)
	return true
}

// finish marks the job as done and reports whether an attention met it. One
// that comes later is a message of its own.
func (j *job) finish() (attention bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.finished = true
	return j.attention
}

// inbox reads messages in a goroutine of its own, so that an attention is seen
// while a request runs.
type inbox struct {
	jobs   chan *job
	closed chan struct{} // closed after read has returned
	err    error         // why it returned
}

// read runs until the connection or ctx ends, and then ends whatever runs.
func (in *inbox) read(ctx context.Context, stop context.CancelCauseFunc, r *bufio.Reader, maxLen int) {
	var last *job // the latest request; an attention is not one
	for {
		m, err := readMessage(r, maxLen)
		if err != nil {
			in.err = err
			stop(err)
			return
		}
		if m.typ == pktAttention && last != nil && last.interrupt() {
			continue // the running job acknowledges it
		}
		j := &job{message: m}
		j.ctx, j.cancel = context.WithCancelCause(ctx)
		select {
		case in.jobs <- j:
			if last = j; m.typ == pktAttention {
				last = nil
			}
		default: // it goes on reading while a request runs, to see the client's end
			in.err = errAhead
			j.cancel(nil)
			stop(errAhead)
			return
		}
	}
}
