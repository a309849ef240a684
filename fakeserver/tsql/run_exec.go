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
		return s.inner(ctx, textIn(v.V), "", nil, w)
	}
	var args []Argument
	for _, a := range x.args {
		if a.output {
			return notSimulated("OUTPUT arguments of EXEC")
		}
		if a.e == nil {
			continue // DEFAULT: as if it were not there
		}
		v, err := s.evaluate(ctx, a.e)
		if err != nil {
			return err
		}
		args = append(args, Argument{a.name, v})
	}
	if err := s.call(ctx, Name(x.name), args, w); err != nil {
		return err
	}
	if x.status != "" {
		return s.assign(ctx, x.status, literal{Value{tds.Int, int64(0)}})
	}
	return nil
}

// call runs a procedure: sp_executesql here, all others in the catalogue.
func (s *Session) call(ctx context.Context, name Name, args []Argument, w Reply) error {
	switch strings.ToLower(name[len(name)-1]) {
	case "sp_executesql":
		return s.executeSQL(ctx, args, w)
	case "sp_reset_connection":
		s.reset()
		return nil
	}
	rel, err := s.catalog.Procedure(ctx, name, args)
	if err != nil {
		return err
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

// executeSQL takes its two texts by position or as @stmt and @params.
func (s *Session) executeSQL(ctx context.Context, args []Argument, w Reply) error {
	var texts [2]string
	names := [2]string{"@stmt", "@params"}
	var params []tds.Param
	for i, a := range args {
		at := -1
		for k := range names {
			if strings.EqualFold(a.Name, names[k]) || a.Name == "" && i == k {
				at = k
			}
		}
		if at < 0 {
			params = append(params, tds.Param{Name: a.Name, Type: a.Value.T, Value: a.Value.V})
			continue
		}
		if a.Value.V != nil && !isWide(a.Value.T) {
			return Errorf(214, 16, "Procedure expects parameter '%s' of type 'ntext/nchar/nvarchar'.", names[at])
		}
		texts[at] = textIn(a.Value.V)
	}
	if len(args) == 0 {
		return Errorf(201, 16, "Procedure or function 'sp_executesql' expects parameter '@statement', which was not supplied.")
	}
	return s.inner(ctx, texts[0], texts[1], params, w)
}

// inner runs a text with variables of its own.
func (s *Session) inner(ctx context.Context, text, decl string, params []tds.Param, w Reply) error {
	if s.depth++; s.depth > deepestExec {
		s.depth--
		return Errorf(217, 16, "Maximum stored procedure, function, trigger, or view nesting level exceeded (limit 32).")
	}
	saved := s.vars
	s.vars = map[string]*Value{}
	defer func() { s.vars, s.depth = saved, s.depth-1 }()
	if err := s.bindParams(decl, params); err != nil {
		return err
	}
	return unbind(s.runText(ctx, text, w))
}
