package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

// innerText is a text that a statement runs, with its own variables.
type innerText struct {
	text, decl string
	params     []tds.Param
	backs      []giveBack
}

// giveBack is an OUTPUT argument: where the parameter's last value goes.
type giveBack struct {
	param string // in lower case
	to    *Value
}

// executeSQL takes its two texts by position or as @stmt and @params.
func (s *Session) executeSQL(ctx context.Context, args []Argument, into []string, w Reply) error {
	if len(args) == 0 {
		return Errorf(201, 16, "Procedure or function 'sp_executesql' expects parameter '@statement', which was not supplied.")
	}
	var texts [2]string
	names := [2]string{"@stmt", "@params"}
	var in innerText
	var targets []string
	for i, a := range args {
		at := -1
		for k := range names {
			if strings.EqualFold(a.Name, names[k]) || a.Name == "" && i == k {
				at = k
			}
		}
		if at < 0 {
			in.params = append(in.params, tds.Param{Name: a.Name, Type: a.Value.T, Value: a.Value.V})
			targets = append(targets, into[i])
			continue
		}
		if a.Value.V != nil && !isWide(a.Value.T) {
			return Errorf(214, 16, "Procedure expects parameter '%s' of type 'ntext/nchar/nvarchar'.", names[at])
		}
		texts[at] = textIn(a.Value.V)
	}
	in.text, in.decl = texts[0], texts[1]
	if err := s.findBacks(&in, targets); err != nil {
		return err
	}
	return s.inner(ctx, in, w)
}

// findBacks pairs the OUTPUT arguments with the declared parameters.
func (s *Session) findBacks(in *innerText, targets []string) error {
	list, err := parseDeclarations(in.decl)
	if err != nil {
		return err
	}
	for i, target := range targets {
		if target == "" {
			continue
		}
		for k, d := range list {
			name := in.params[i].Name
			if !strings.EqualFold(name, d.name) && (name != "" || k != i) {
				continue
			}
			if !d.output {
				return noOutput(d.name)
			}
			in.backs = append(in.backs, giveBack{strings.ToLower(d.name), s.vars[strings.ToLower(target)]})
		}
	}
	return nil
}

func noOutput(name string) error {
	return Errorf(8162, 16, "The formal parameter \"%s\" was not declared as an OUTPUT parameter, but the actual parameter "+
		"passed in requested output.", name)
}

// inner runs a text with variables of its own.
func (s *Session) inner(ctx context.Context, in innerText, w Reply) error {
	if s.depth++; s.depth > deepestExec {
		s.depth--
		return Errorf(217, 16, "Maximum stored procedure, function, trigger, or view nesting level exceeded (limit 32).")
	}
	saved := s.vars
	s.vars = map[string]*Value{}
	defer func() { s.vars, s.depth = saved, s.depth-1 }()
	if err := s.bindParams(in.decl, in.params); err != nil {
		return err
	}
	if err := s.runText(ctx, in.text, w); err != nil {
		return unbind(err)
	}
	for _, b := range in.backs {
		v, err := Convert(*s.vars[b.param], b.to.T, 0)
		if err != nil {
			return err
		}
		b.to.V = v.V
	}
	return nil
}
