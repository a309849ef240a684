package tsql

import (
	"context"
	"errors"

	"cdcseed/fakeserver/tds"
)

// bindError is an error found while a statement was compiled. SQL Server does
// not let a TRY around the statement catch it, only one around its batch.
type bindError struct{ err error }

func (e *bindError) Error() string { return e.err.Error() }
func (e *bindError) Unwrap() error { return e.err }

func bound(err error) error {
	if err == nil {
		return nil
	}
	return &bindError{err}
}

func unbind(err error) error {
	var b *bindError
	if errors.As(err, &b) {
		return b.err
	}
	return err
}

// errReturn ends a batch at RETURN.
var errReturn = errors.New("return")

// runText parses a whole batch, then compiles and runs it statement by
// statement, so that a name is looked up when its statement is reached.
func (s *Session) runText(ctx context.Context, text string, w Reply) error {
	b, err := parseBatch(text)
	if err != nil {
		return err
	}
	if err := s.declareAll(b); err != nil {
		return err
	}
	err = s.block(ctx, b.list, w)
	if errors.Is(err, errReturn) {
		return nil
	}
	return err
}

func (s *Session) block(ctx context.Context, list []statement, w Reply) error {
	return s.statements(ctx, list, w, false)
}

// statements runs one after the other. An error that ends only its statement
// is sent and the next statement runs, unless a TRY waits for it.
func (s *Session) statements(ctx context.Context, list []statement, w Reply, inTry bool) error {
	for i := range list {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		s.line = list[i].line
		err := s.statement(ctx, &list[i], w, inTry)
		if err == nil || errors.Is(err, errReturn) {
			if err != nil {
				return err
			}
			continue
		}
		err = s.note(err, list[i].line)
		if inTry || !s.survives(err) {
			return err
		}
		var e *tds.Error
		errors.As(err, &e)
		w.Message(e)
		w.StatementError()
	}
	return nil
}

// say sends a message from the statement that runs.
func (s *Session) say(w Reply, e *tds.Error) { w.Message(atLine(e, s.line)) }

// note gives an error its line and remembers its number for @@ERROR.
func (s *Session) note(err error, line int32) error {
	var e *tds.Error
	if !errors.As(err, &e) {
		return err
	}
	s.lastErr = e.Number
	var b *bindError
	at := error(atLine(e, line))
	if errors.As(err, &b) {
		return &bindError{at}
	}
	return at
}

// survives: these end the statement and not the batch. With XACT_ABORT every
// error but that of RAISERROR ends the batch.
func (s *Session) survives(err error) bool {
	var e *tds.Error
	var b *bindError
	if !errors.As(err, &e) || errors.As(err, &b) || e.Class >= 20 {
		return false
	}
	switch e.Number {
	case raised:
		return true
	case 512, 517, 535, 2812, 8115, 8134, 8730, 9812, 9820:
		return s.options["XACT_ABORT"] != "ON"
	}
	return false
}

func (s *Session) statement(ctx context.Context, st *statement, w Reply, inTry bool) error {
	switch x := st.body.(type) {
	case *blockStmt:
		return s.statements(ctx, x.list, w, inTry)
	case *ifStmt:
		return s.ifElse(ctx, x, w, inTry)
	case *tryStmt:
		return s.try(ctx, x, w, inTry)
	case *throwStmt:
		return s.throw(ctx, x)
	case *returnStmt:
		return returns(x)
	}
	err := s.simple(ctx, st, w)
	if err == nil {
		s.lastErr = 0
	}
	return err
}

func (s *Session) simple(ctx context.Context, st *statement, w Reply) error {
	switch x := st.body.(type) {
	case *declareStmt:
		if x.init == nil {
			return nil
		}
		return s.assign(ctx, x.name, x.init)
	case *setStmt:
		return s.assign(ctx, x.name, x.e)
	case *optionStmt:
		return s.setOption(x, w)
	case *selectStmt:
		s.beginUnseen(x.q, w)
		return s.selects(ctx, x.q, w)
	case *execStmt:
		return s.exec(ctx, x, w)
	case *tranStmt:
		return s.transact(x, w)
	case *useStmt:
		return s.use(ctx, x.database, w)
	case *waitStmt:
		return s.wait(ctx, x)
	case *printStmt:
		return s.print(ctx, x, w)
	case *raiseStmt:
		return s.raise(ctx, x, w)
	}
	return notSimulated("%T", st.body)
}

func (s *Session) ifElse(ctx context.Context, x *ifStmt, w Reply, inTry bool) error {
	p, err := (&scope{s: s}).predicate(x.when)
	if err != nil {
		return bound(err)
	}
	t, err := p(ctx, rootFrame())
	if err != nil {
		return err
	}
	branch := x.then
	if t != isTrue {
		branch = x.orElse
	}
	if branch == nil {
		return nil
	}
	return s.statements(ctx, []statement{*branch}, w, inTry)
}

// try: errors of class 11 to 19 that are not of compiling go to CATCH.
func (s *Session) try(ctx context.Context, x *tryStmt, w Reply, inTry bool) error {
	err := s.statements(ctx, x.try, w, true)
	var e *tds.Error
	var b *bindError
	if !errors.As(err, &e) || errors.As(err, &b) || e.Class >= 20 || e.Number == NotSimulated {
		return err
	}
	s.caught = append(s.caught, e)
	defer func() { s.caught = s.caught[:len(s.caught)-1] }()
	return s.statements(ctx, x.catch, w, inTry)
}

func returns(x *returnStmt) error {
	if x.e != nil {
		return Errorf(178, 15, "A RETURN statement with a return value cannot be used in this context.")
	}
	return errReturn
}

// evaluate compiles and runs one expression outside any query.
func (s *Session) evaluate(ctx context.Context, e expr) (Value, error) {
	c, err := (&scope{s: s}).scalar(e)
	if err != nil {
		return Value{}, bound(err)
	}
	v, err := c.eval(ctx, rootFrame())
	return Value{settled(c.t), v}, err
}
