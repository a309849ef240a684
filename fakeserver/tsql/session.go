package tsql

import (
	"context"
	"time"

	"cdcseed/fakeserver/tds"
)

// Session is the state of one connection: its SET options, its open
// transactions and the variables of the batch that runs.
type Session struct {
	catalog Catalog
	now     func() time.Time
}

// NewSession is a session that asks c what names mean; now is the clock that
// WAITFOR TIME looks at.
func NewSession(c Catalog, now func() time.Time) *Session {
	return &Session{catalog: c, now: now}
}

// Run answers one request on w: a batch, a parameterised statement, a
// procedure by name, or a transaction request. A returned *tds.Error is not
// yet on w. The context's end stops a running statement with its cause.
func (s *Session) Run(ctx context.Context, q *tds.Request, w *tds.Reply) error {
	return notSimulated("%s requests", q.Kind)
}
