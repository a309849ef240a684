package tds

import (
	"context"
	"errors"
)

// step is one piece of work in a message. A message holds one, except for
// batched procedure calls and for a commit that begins the next transaction.
type step struct {
	req  *Request       // for the session; nil when the wire does the work alone
	fail *Error         // the answer, when the step cannot be run
	then func(w *Reply) // after success, before the closing DONE
}

// run does the work of one message. It leaves the reply without its end of
// message; an error ends the connection.
func (c *conn) run(j *job, sess Session, w *Reply) error {
	if j.reset != 0 {
		c.resetConnection(w, j.reset == statusResetKeep)
	}
	steps, err := c.decode(j.message)
	if err != nil {
		c.srv.cfg.trace("decode: %v", err)
		var e *Error
		if !errors.As(err, &e) {
			e = badStream(err)
		}
		steps = []step{{fail: e}}
	}
	for i, s := range steps {
		w.more = i < len(steps)-1
		if err := c.runStep(j.ctx, s, sess, w); err != nil {
			return err
		}
		if j.ctx.Err() != nil && w.more {
			return nil
		}
	}
	return nil
}

func (c *conn) runStep(ctx context.Context, s step, sess Session, w *Reply) error {
	w.status, w.outs = 0, nil
	if s.fail != nil {
		return w.fail(ctx, s.fail)
	}
	if s.req != nil {
		s.req.Reset, s.req.KeepTran = c.reset, c.keepTran
		c.reset, c.keepTran = false, false
		if c.srv.cfg.Trace != nil {
			c.srv.cfg.Trace("%s", describeRequest(s.req))
		}
		err := sess.Run(ctx, s.req, w)
		if errors.Is(err, ErrDrop) {
			return err
		}
		if err != nil {
			w.open = false // its only DONE is the one with the error bit
			return w.fail(ctx, err)
		}
		w.endResult()
	}
	if s.then != nil {
		s.then(w)
	}
	w.complete()
	return nil
}

// resetConnection puts the connection back to where the login left it.
func (c *conn) resetConnection(w *Reply, keepTran bool) {
	w.envBytes(envResetAck, nil, nil)
	c.reset, c.keepTran = true, keepTran
	c.stmts = statements{}
	if !keepTran {
		c.tran = transaction{}
	}
}

// fail ends a step with an error message. It returns an error when the
// connection ends with it.
func (w *Reply) fail(ctx context.Context, err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
	case w.c.w.err != nil:
		return w.c.w.err
	case errors.Is(context.Cause(ctx), errAttention):
		return nil // the loop ends the response and acknowledges
	case ctx.Err() != nil:
		return err // the client is gone or the server is closing
	default:
		e = &Error{Number: 50000, Class: 16, State: 1, Message: err.Error()}
	}
	w.Message(e)
	if w.rpc {
		w.returnStatus(e.Number)
	}
	if e.Class >= fatalClass {
		w.more = false
		w.done(w.lastToken(), doneError|doneSrvError)
		return e
	}
	w.done(w.lastToken(), doneError)
	return nil
}

// complete ends a step that went well.
func (w *Reply) complete() {
	if !w.rpc {
		w.finishBatch()
		return
	}
	w.returnStatus(w.status)
	status := uint16(0)
	if err := w.returnValues(); err != nil {
		w.Message(&Error{Number: 50000, Class: 16, State: 1, Message: err.Error()})
		status = doneError
	}
	w.done(tokDoneProc, status)
}
