package fakeserver

import (
	"context"
	"time"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// before lasts the fault's delay and then is the error that comes in the
// statement's place, nil where the statement runs.
func (f *fault) before(ctx context.Context) error {
	if err := f.wait(ctx); err != nil || f.After || f.AfterRows > 0 || f.AfterPackets > 0 {
		return err
	}
	return f.outcome()
}

// reply is w, or one that breaks off when enough rows are sent; packets are
// counted by the wire.
func (f *fault) reply(w *tds.Reply) tsql.Reply {
	if f.AfterPackets > 0 {
		w.DropAfter(f.AfterPackets)
	}
	if f.AfterRows == 0 {
		return w
	}
	return &brokenReply{Reply: w, fault: f, left: f.AfterRows}
}

// after is the error that comes behind the statement's rows, or nil.
func (f *fault) after(w *tds.Reply) error {
	if !f.After {
		return nil
	}
	return f.sent(w)
}

// sent is the outcome behind rows, which reach the client even when the
// connection is dropped.
func (f *fault) sent(w *tds.Reply) error {
	w.Flush()
	return f.outcome()
}

// wait lasts the fault's delay, or until the request is given up.
func (f *fault) wait(ctx context.Context) error {
	if f.delay == 0 {
		return nil
	}
	timer := time.NewTimer(f.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// brokenReply ends a statement in the middle of its rows.
type brokenReply struct {
	*tds.Reply
	fault *fault
	left  int64
}

// Row sends a row; the last one that may pass fails with the fault's outcome.
func (b *brokenReply) Row(vals ...any) error {
	if err := b.Reply.Row(vals...); err != nil {
		return err
	}
	if b.left--; b.left == 0 {
		return b.fault.sent(b.Reply)
	}
	return nil
}
