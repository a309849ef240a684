package tsql

import (
	"context"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// Session is the state of one connection: its SET options, its open
// transactions, and the variables of the batch that runs. It is not safe for
// use by several goroutines, as a connection is not.
type Session struct {
	catalog  Catalog
	now      func() time.Time
	vars     map[string]*Value
	options  map[string]string
	tran     transaction
	rowCount int64
	lastErr  int32
	line     int32        // of the statement that runs
	caught   []*tds.Error // of the CATCH blocks that run, innermost last
	depth    int          // of EXEC in EXEC
}

// NewSession is a session that asks c what names mean; now is the clock that
// WAITFOR TIME looks at.
func NewSession(c Catalog, now func() time.Time) *Session {
	s := &Session{catalog: c, now: now}
	s.reset()
	return s
}

func (s *Session) reset() {
	s.options, s.vars = map[string]string{}, map[string]*Value{}
	s.tran, s.rowCount, s.lastErr, s.caught, s.depth = transaction{}, 0, 0, nil, 0
}

// Reset makes the session as new; with keepTran an open transaction stays open.
// Run does it for a request that asks for it.
func (s *Session) Reset(keepTran bool) {
	open := s.tran
	s.reset()
	if keepTran {
		s.tran = open
	}
}

const isolationOption = "TRANSACTION ISOLATION LEVEL"

// Option is the value of a SET option in upper case, such as "ON", or "" where
// the session has not set it. The isolation level's name is
// "TRANSACTION ISOLATION LEVEL".
func (s *Session) Option(name string) string { return s.options[strings.ToUpper(name)] }

// Snapshot tells whether statements run under snapshot isolation.
func (s *Session) Snapshot() bool { return s.options[isolationOption] == "SNAPSHOT" }

// TranCount is how many transactions are open, one inside the other.
func (s *Session) TranCount() int { return s.tran.depth }

// Reply is what the statements need of *tds.Reply. It is an interface so that
// a caller can come between, and because a tds.Reply exists on a connection only.
type Reply interface {
	Columns(cols []tds.Column)
	Row(vals ...any) error
	Affected(n uint64, count bool)
	Message(e *tds.Error)
	StatementError()
	Env(typ byte, now, old string)
	Output(p tds.Param)
	TranBegun(name string)
	TranCommitted()
	TranRolledBack()
}

var _ Reply = (*tds.Reply)(nil)

// Run answers one request on w: a batch, a parameterised statement, a
// procedure by name, or a transaction request. A returned *tds.Error is not
// yet on w. The context's end stops a running statement with its cause.
func (s *Session) Run(ctx context.Context, q *tds.Request, w Reply) error {
	if q.Reset {
		s.Reset(q.KeepTran)
	}
	s.vars, s.caught, s.depth = map[string]*Value{}, nil, 0
	switch q.Kind {
	case tds.KindBegin, tds.KindCommit, tds.KindRollback, tds.KindSave:
		if level := isolationLevel(q.Iso); level != "" && q.Kind == tds.KindBegin {
			s.options[isolationOption] = level
		}
		return s.tran.request(q)
	}
	err := unbind(s.runRequest(ctx, q, w))
	if err != nil {
		s.Failed(err, w)
	}
	return err
}

func (s *Session) runRequest(ctx context.Context, q *tds.Request, w Reply) error {
	if q.Kind == tds.KindRPC && q.SQL == "" && q.ProcID == 0 {
		return s.callByName(ctx, q, w)
	}
	if err := s.bindParams(q.Decl, q.Params); err != nil {
		return err
	}
	if err := s.runText(ctx, q.SQL, w); err != nil {
		return err
	}
	for _, p := range q.Params {
		if v := s.vars[strings.ToLower(p.Name)]; v != nil && p.Output {
			w.Output(tds.Param{Name: p.Name, Type: v.T, Value: v.V})
		}
	}
	return nil
}

// callByName runs a procedure that the client called without any SQL.
func (s *Session) callByName(ctx context.Context, q *tds.Request, w Reply) error {
	name, err := parseName(q.Proc)
	if err != nil {
		return err
	}
	var args []Argument
	for _, p := range q.Params {
		if !p.Default {
			args = append(args, Argument{p.Name, paramValue(p)})
		}
	}
	return s.call(ctx, name, args, make([]string, len(args)), w)
}

// paramValue gives a parameter the type that a column of its kind would have.
func paramValue(p tds.Param) Value {
	t := p.Type
	switch t.ID {
	case tds.NullType:
		t = tds.NVarChar(1)
	case tds.Int1Type, tds.Int2Type, tds.Int4Type, tds.Int8Type:
		t.ID = tds.IntNType
	case tds.BitType:
		t.ID = tds.BitNType
	case tds.Flt4Type, tds.Flt8Type:
		t.ID = tds.FltNType
	case tds.MoneyType, tds.Money4Type:
		t.ID = tds.MoneyNType
	case tds.DateTimeType, tds.DateTim4Type:
		t.ID = tds.DateTimNType
	case tds.DecimalNType:
		t = tds.Decimal(t.Prec, t.Scale)
	case tds.DateTime2NType:
		t = tds.DateTime2(t.Scale)
	case tds.DateTimeOffType:
		t = tds.DateTimeOffset(t.Scale)
	}
	return Value{t, p.Value}
}
