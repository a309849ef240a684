package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

// declaration is one parameter of sp_executesql's list.
type declaration struct {
	name   string
	t      tds.Type
	init   expr
	output bool
}

func parseDeclarations(text string) ([]declaration, error) {
	var list []declaration
	err := parseWith(text, func(p *parser) {
		for p.cur().kind != tokEnd {
			d := declaration{name: p.variable()}
			p.words("AS")
			d.t = p.typeName(typePlace{d.name, len(list) + 1})
			if p.op("=") {
				d.init = p.constant()
			}
			d.output = p.words("OUTPUT") || p.words("OUT")
			list = append(list, d)
			if p.cur().kind != tokEnd {
				p.needOp(",")
				if p.cur().kind == tokEnd {
					p.fail()
				}
			}
		}
	})
	return list, err
}

// bindParams declares the parameters of a statement and gives them the values
// that were sent, by name or by position.
func (s *Session) bindParams(decl string, params []tds.Param) error {
	list, err := parseDeclarations(decl)
	if err != nil {
		return err
	}
	used := make([]bool, len(params))
	for i, d := range list {
		key := strings.ToLower(d.name)
		if s.vars[key] != nil {
			return duplicateVariable(d.name)
		}
		v, ok, err := d.value(i, params, used)
		if err != nil {
			return err
		}
		if !ok {
			return Errorf(8178, 16, "The parameterized query '(%s)' expects the parameter '%s', which was not supplied.", decl, d.name)
		}
		s.vars[key] = &v
	}
	for i, p := range params {
		if !used[i] && p.Name != "" {
			return Errorf(8145, 16, "%s is not a parameter for procedure sp_executesql.", p.Name)
		}
		if !used[i] {
			return Errorf(8144, 16, "Procedure or function sp_executesql has too many arguments specified.")
		}
	}
	return nil
}

func (d declaration) value(at int, params []tds.Param, used []bool) (Value, bool, error) {
	for i, p := range params {
		if used[i] || !strings.EqualFold(p.Name, d.name) && (p.Name != "" || i != at) {
			continue
		}
		used[i] = true
		if p.Default {
			break
		}
		v := paramValue(p)
		if v.V != nil && !implicit(v.T, d.t) {
			return v, true, clash(v.T, d.t)
		}
		v, err := Convert(v, d.t, 0)
		return v, true, err
	}
	if d.init == nil {
		return Value{}, false, nil
	}
	c, _ := d.init.(literal)
	v, err := Convert(c.v, d.t, 0)
	return v, true, err
}

func duplicateVariable(name string) error {
	return Errorf(134, 15, "The variable name '%s' has already been declared. Variable names must be unique within a query "+
		"batch or stored procedure.", name)
}

// declareAll makes the variables of a batch before it runs, and refuses the
// whole batch where one is used before its declaration.
func (s *Session) declareAll(b *batch) error {
	for _, u := range b.vars {
		key := strings.ToLower(u.name)
		switch {
		case u.declared != nil && s.vars[key] != nil:
			return lineOf(duplicateVariable(u.name), u.line)
		case u.declared != nil:
			s.vars[key] = &Value{T: *u.declared}
		case s.vars[key] == nil:
			return lineOf(undeclared(u.name), u.line)
		}
	}
	return nil
}

func undeclared(name string) error {
	return Errorf(137, 15, "Must declare the scalar variable \"%s\".", name)
}

// variable compiles @x and @@X.
func (s *Session) variable(name string) (scalar, error) {
	if own, ok := s.ownGlobal(strings.ToUpper(name)); ok {
		return own, nil
	}
	if global, ok := strings.CutPrefix(name, "@@"); ok {
		v, err := s.catalog.Global(strings.ToUpper(global))
		return constant(v), ifUnplayed(err, 137, "variable", unplayedGlobals, global)
	}
	v := s.vars[strings.ToLower(name)]
	if v == nil {
		return scalar{}, undeclared(name)
	}
	return scalar{t: v.T, nullable: true, eval: func(context.Context, *frame) (any, error) { return v.V, nil }}, nil
}
