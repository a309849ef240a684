package tds

import (
	"context"
	"errors"
)

// loop answers messages until the connection ends. It returns when the
// goroutine that reads messages is gone too.
func (c *conn) loop(ctx context.Context, sess Session) error {
	ctx, stop := context.WithCancelCause(ctx)
	in := &inbox{jobs: make(chan *job, ahead), closed: make(chan struct{})}
	go func() {
		defer close(in.closed)
		in.read(ctx, stop, c.r, c.srv.cfg.MaxMessage)
		// A client that has stopped sending is gone; without this a reply that
		// it does not read would block for ever.
		hangUp(c.nc)
	}()
	defer func() {
		stop(nil)
		hangUp(c.nc)
		<-in.closed
	}()
	for {
		select {
		case j := <-in.jobs:
			if err := c.answer(j, sess); err != nil {
				return err
			}
		case <-in.closed:
			return in.err
		}
	}
}

// answer replies to one message. An error ends the connection.
func (c *conn) answer(j *job, sess Session) error {
	defer j.cancel(nil)
	c.w.begin(pktReply)
	w := &Reply{c: c, ctx: j.ctx, rpc: j.typ == pktRPC}
	var err error
	switch {
	case j.typ == pktAttention: // nothing was running
		w.done(tokDone, doneAttn)
	case j.ignore:
		// The client took the message back before it was whole: a reply is
		// due, an acknowledgement is not (MS-TDS 2.2.1.7).
		w.done(tokDone, 0)
	default:
		err = c.run(j, sess, w)
	}
	if errors.Is(err, ErrDrop) {
		return err
	}
	if j.finish() {
		if err := w.acknowledge(); err != nil {
			return err
		}
	}
	return errors.Join(err, c.w.end())
}

// acknowledge answers an attention that met a running request. The broken-off
// response is ended first and the acknowledgement is a message of its own: some
// clients wait for both.
func (w *Reply) acknowledge() error {
	if !w.final {
		w.done(w.lastToken(), doneError)
	}
	if err := w.c.w.end(); err != nil {
		return err
	}
	w.c.w.begin(pktReply)
	w.done(tokDone, doneAttn)
	return nil
}
