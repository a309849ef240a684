package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

// deepestExec is how far SQL Server lets EXEC nest.
const deepestExec = 32

func (s *Session) exec(ctx context.Context, x *execStmt, w Reply) error {
	if x.text != nil {
		v, err := s.evaluate(ctx, x.text)
		if err != nil {
			return err
		}
		return s.inner(ctx, innerText{text: textIn(v.V)}, w)
	}
	var args []Argument
	var into []string
	for _, a := range x.args {
		if a.e == nil {
			continue // DEFAULT: as if it were not there
		}
		v, err := s.evaluate(ctx, a.e)
		if err != nil {
			return err
		}
		args, into = append(args, Argument{a.name, v}), append(into, a.target())
	}
	if err := s.call(ctx, Name(x.name), args, into, w); err != nil {
		return err
	}
	if x.status != "" {
		return s.assign(ctx, x.status, literal{Value{tds.Int, int64(0)}})
	}
	return nil
}

// target is the variable that an OUTPUT argument is given back to.
func (a execArg) target() string {
	v, ok := a.e.(variable)
	if !ok || !a.output {
		return ""
	}
	return v.name
}

// call runs a procedure: sp_executesql here, all others in the catalogue. into
// names the variable of each OUTPUT argument, "" of the others.
func (s *Session) call(ctx context.Context, name Name, args []Argument, into []string, w Reply) error {
	switch strings.ToLower(name[len(name)-1]) {
	case "sp_executesql":
		return s.executeSQL(ctx, args, into, w)
	case "sp_reset_connection":
		s.reset()
		return nil
	}
	rel, err := s.catalog.Procedure(ctx, name, args)
	if err != nil {
		return err
	}
	for i, target := range into {
		if target != "" {
			return noOutput(args[i].Name) // no procedure of the catalogue gives anything back
		}
	}
	if rel == nil {
		return nil
	}
	rows, err := rel.Rows(ctx)
	if err != nil {
		return err
	}
	w.Columns(rel.Columns)
	for _, row := range rows {
		if err := w.Row(row...); err != nil {
			return err
		}
	}
	s.rowCount = int64(len(rows))
	return nil
}
