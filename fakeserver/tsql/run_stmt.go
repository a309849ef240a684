package tsql

import (
	"context"
	"errors"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

func (s *Session) assign(ctx context.Context, name string, e expr) error {
	v := s.vars[strings.ToLower(name)]
	if v == nil {
		return undeclared(name)
	}
	c, err := (&scope{s: s}).scalar(e)
	if err != nil {
		return bound(err)
	}
	if c, err = c.to(v.T); err != nil {
		return bound(err)
	}
	r, err := c.eval(ctx, rootFrame())
	if err != nil {
		return err
	}
	v.V = r
	s.rowCount = 1
	return nil
}

// selects sends a result set, or assigns where the items are @v = e.
func (s *Session) selects(ctx context.Context, q *query, w Reply) error {
	targets, err := s.targets(q)
	if err != nil {
		return bound(err)
	}
	pl, err := (&scope{s: s}).query(q)
	if err != nil {
		return bound(err)
	}
	n := int64(0)
	if targets != nil {
		if err := s.checkTargets(pl, targets); err != nil {
			return bound(err)
		}
		f := rootFrame()
		f.kept = nil // a variable may change from row to row
		err := pl.run(ctx, f, func(row []any) error {
			n++
			return store(pl, targets, row)
		})
		if err != nil {
			return err
		}
		s.rowCount = n
		w.Affected(uint64(n), s.options["NOCOUNT"] != "ON")
		return nil
	}
	cols := append([]tds.Column{}, pl.cols...)
	for i := range cols {
		cols[i].Type = settled(cols[i].Type)
	}
	w.Columns(cols)
	cut := s.cutter(cols)
	err = pl.run(ctx, rootFrame(), func(row []any) error {
		n++
		return w.Row(cut(row)...)
	})
	s.rowCount = n
	return err
}

// targets are the variables of SELECT @a = x, nil for a SELECT that sends rows.
func (s *Session) targets(q *query) ([]*Value, error) {
	core, ok := q.body.(*selectCore)
	if !ok {
		return nil, nil
	}
	var list []*Value
	for _, it := range core.items {
		if it.variable == "" {
			continue
		}
		v := s.vars[strings.ToLower(it.variable)]
		if v == nil {
			return nil, undeclared(it.variable)
		}
		list = append(list, v)
	}
	if list != nil && len(list) != len(core.items) {
		return nil, Errorf(141, 15, "A SELECT statement that assigns a value to a variable must not be combined with "+
			"data-retrieval operations.")
	}
	return list, nil
}

func (s *Session) checkTargets(pl *plan, targets []*Value) error {
	for i, v := range targets {
		if from := pl.cols[i].Type; !implicit(from, v.T) {
			return clash(from, v.T)
		}
	}
	return nil
}

func store(pl *plan, targets []*Value, row []any) error {
	for i, v := range targets {
		c, err := Convert(Value{pl.cols[i].Type, row[i]}, v.T, 0)
		if err != nil {
			return err
		}
		v.V = c.V
	}
	return nil
}

// use changes the database and tells the client so, as drivers expect.
func (s *Session) use(ctx context.Context, database string, w Reply) error {
	before := s.databaseName(ctx)
	if err := s.catalog.Use(database); err != nil {
		return err
	}
	after := s.databaseName(ctx)
	if after == "" {
		after = database
	}
	w.Env(1, after, before)
	s.say(w, Errorf(5701, 0, "Changed database context to '%s'.", after))
	w.Affected(0, false)
	return nil
}

func (s *Session) databaseName(ctx context.Context) string {
	_, run, err := s.catalog.ScalarFunction(Name{"DB_NAME"}, nil)
	if err != nil {
		return ""
	}
	v, err := run(ctx, nil)
	if err != nil {
		return ""
	}
	return textIn(v)
}

func (s *Session) print(ctx context.Context, x *printStmt, w Reply) error {
	v, err := s.evaluate(ctx, x.e)
	if err != nil {
		return err
	}
	text, err := Convert(v, tds.NVarChar(4000), 0)
	if err != nil {
		return err
	}
	s.say(w, &tds.Error{State: 1, Message: textIn(text.V)})
	return nil
}

// wait is WAITFOR DELAY, and WAITFOR TIME by the session's clock.
func (s *Session) wait(ctx context.Context, x *waitStmt) error {
	v, err := s.evaluate(ctx, x.e)
	if err != nil {
		return err
	}
	at, err := Convert(v, tds.DateTime, 0)
	m, ok := at.V.(time.Time)
	if err != nil || !ok {
		return Errorf(148, 15, "Incorrect time syntax in time string '%v' used with WAITFOR.", v.V)
	}
	day := func(t time.Time) time.Duration {
		return t.Sub(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location()))
	}
	d := day(m)
	if x.until {
		if d -= day(wall(s.now())); d < 0 {
			d += 24 * time.Hour
		}
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// throw gives an error of its own, or again the one that CATCH caught.
func (s *Session) throw(ctx context.Context, x *throwStmt) error {
	if len(x.args) == 0 {
		if len(s.caught) == 0 {
			return Errorf(10704, 15, "To rethrow an error, a THROW statement must be used inside a CATCH block. Insert the "+
				"THROW statement inside a CATCH block, or add error parameters to the THROW statement.")
		}
		return s.caught[len(s.caught)-1]
	}
	number, err := s.evaluate(ctx, x.args[0])
	if err != nil {
		return err
	}
	text, err := s.evaluate(ctx, x.args[1])
	if err != nil {
		return err
	}
	state, err := s.evaluate(ctx, x.args[2])
	if err != nil {
		return err
	}
	n, err1 := intOf(number)
	st, err2 := intOf(state)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if n < 50000 || int64(n) != int64(int32(n)) {
		return Errorf(35100, 16, "Error number %d in the THROW statement is outside the valid range. "+
			"Specify an error number in the valid range of 50000 to 2147483647.", n)
	}
	e := Errorf(int32(n), 16, "%v", text.V)
	e.State = byte(st)
	return e
}
