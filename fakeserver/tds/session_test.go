package tds_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// session answers by the first word of a request's text; the rest are its arguments.
type session struct{ r *rig }

var _ tds.Session = (*session)(nil)

func (s *session) Close() {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.r.closed++
}

func (s *session) Run(ctx context.Context, q *tds.Request, w *tds.Reply) error {
	s.r.mu.Lock()
	s.r.requests = append(s.r.requests, *q)
	s.r.mu.Unlock()
	switch q.Kind {
	case tds.KindBegin, tds.KindCommit, tds.KindRollback, tds.KindSave:
		return nil
	}
	if q.ProcID == 0 && q.Proc != "" {
		return procedure(q, w)
	}
	word, rest, _ := strings.Cut(q.SQL, " ")
	var n, class int64
	fmt.Sscan(rest, &n, &class)
	switch word {
	case "echo":
		return echo(q, w)
	case "types":
		return everyType(w)
	case "shapes":
		return shapes(w, n)
	case "rows":
		return rows(w, n, 0)
	case "slow":
		return rows(w, n, time.Millisecond)
	case "error":
		return &tds.Error{Number: int32(n), Class: byte(class), State: 3, Message: "scripted", Proc: "dbo.p", Line: 7}
	case "midway":
		if err := rows(w, 10, 0); err != nil {
			return err
		}
		return &tds.Error{Number: 1205, Class: 13, State: 51, Message: "deadlock victim"}
	case "plain":
		return errors.New("not a message of SQL Server")
	case "info":
		w.Message(&tds.Error{Number: 5701, Class: 0, State: 1, Message: "just so you know"})
		w.Affected(uint64(n), true)
		return nil
	case "several":
		return several(w)
	case "drop":
		if err := rows(w, n, 0); err != nil {
			return err
		}
		w.Flush()
		return tds.ErrDrop
	case "wait":
		<-ctx.Done()
		return ctx.Err()
	case "misfit":
		w.Columns([]tds.Column{{Name: "a", Type: tds.TinyInt}})
		return w.Row(int64(256))
	case "failed": // a statement that fails, and one more
		w.Columns([]tds.Column{{Name: "a", Type: tds.TinyInt}})
		w.Message(&tds.Error{Number: 8134, Class: 16, State: 1, Message: "failed"})
		w.StatementError()
	case "begin":
		w.TranBegun("")
	case "end":
		w.TranRolledBack()
	}
	w.Affected(1, true)
	return nil
}

func rows(w *tds.Reply, n int64, pause time.Duration) error {
	w.Columns([]tds.Column{{Name: "n", Type: tds.BigInt}, {Name: "text", Type: tds.NVarChar(40), Nullable: true}})
	for i := range n {
		if err := w.Row(i, fmt.Sprintf("row %d", i)); err != nil {
			return err
		}
		if pause > 0 {
			w.Flush()
			time.Sleep(pause)
		}
	}
	return nil
}

// shapes sends a row with so many NULLs, of columns that COLMETADATA flags.
func shapes(w *tds.Reply, nulls int64) error {
	w.Columns([]tds.Column{
		{Name: "id", Type: tds.Int, Identity: true},
		{Name: "sum", Type: tds.BigInt, Nullable: true, Computed: true},
		{Name: "x", Type: tds.XML, Nullable: true},
		{Name: "t", Type: tds.NText, Nullable: true},
		{Name: "v", Type: tds.VarChar(3), Nullable: true},
	})
	vals := []any{int64(7), int64(8), "<a/>", "b", "c"}
	for i := range nulls {
		vals[1+i] = nil
	}
	return w.Row(vals...)
}

// echo returns the parameters as one row, in the types in which they came.
func echo(q *tds.Request, w *tds.Reply) error {
	var cols []tds.Column
	var vals []any
	for _, p := range q.Params {
		cols = append(cols, tds.Column{Name: p.Name, Type: p.Type, Nullable: true})
		vals = append(vals, p.Value)
	}
	w.Columns(cols)
	return w.Row(vals...)
}

// several answers with two result sets, a count and a failed statement between.
func several(w *tds.Reply) error {
	if err := rows(w, 2, 0); err != nil {
		return err
	}
	w.Affected(5, true)
	w.Columns([]tds.Column{{Name: "only", Type: tds.Int}})
	return w.Row(int64(42))
}

// procedure doubles @in into @out and returns 7.
func procedure(q *tds.Request, w *tds.Reply) error {
	if q.Proc != "double" {
		return &tds.Error{Number: 2812, Class: 16, State: 62, Message: "Could not find stored procedure '" + q.Proc + "'."}
	}
	for _, p := range q.Params {
		if n, ok := p.Value.(int64); ok && p.Name == "@in" {
			w.Output(tds.Param{Name: "@out", Type: tds.BigInt, Value: 2 * n})
		}
	}
	w.SetStatus(7)
	return nil
}
