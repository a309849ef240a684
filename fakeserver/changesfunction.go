package fakeserver

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// TableFunction binds cdc.fn_cdc_get_all_changes_<instance>, the only table
// function played here.
func (s *session) TableFunction(n tsql.Name, args []tds.Type) ([]tds.Column, func(context.Context, []tsql.Value) ([][]any, error), error) {
	s.srv.mu.Lock()
	defer s.srv.mu.Unlock()
	p, err := s.locate(n)
	if err != nil {
		return nil, nil, err
	}
	if !strings.EqualFold(p.schema, "cdc") || !p.db.cdc {
		return nil, nil, errNoObject(p)
	}
	lower := strings.ToLower(p.name)
	if name, ok := strings.CutPrefix(lower, "fn_cdc_get_net_changes_"); ok {
		if in := p.db.instance(p.name[len(p.name)-len(name):]); in != nil && in.netChanges {
			return nil, nil, errNotPlayed("function " + p.written)
		}
		return nil, nil, errNoObject(p)
	}
	name, ok := strings.CutPrefix(lower, "fn_cdc_get_all_changes_")
	in := p.db.instance(p.name[len(p.name)-len(name):])
	if !ok || in == nil {
		return nil, nil, errNoObject(p)
	}
	if !s.tracks(p.db, in) {
		return nil, nil, errNoSelect(p.db, "cdc", "fn_cdc_get_all_changes_"+in.name)
	}
	switch {
	case len(args) < 3:
		return nil, nil, tsql.Errorf(313, 16, "An insufficient number of arguments were supplied for the procedure or function %s.", p.written)
	case len(args) > 3:
		return nil, nil, tsql.Errorf(8144, 16, "Procedure or function %s has too many arguments specified.", p.written)
	}
	cs := columnsOf("__$start_lsn binary(10), __$seqval binary(10), __$operation int, __$update_mask varbinary(128)")
	return append(cs, in.capturedColumns()...), func(_ context.Context, values []tsql.Value) ([][]any, error) {
		s.srv.mu.Lock()
		defer s.srv.mu.Unlock()
		if err := s.mayReadVersions(p.db); err != nil {
			return nil, err
		}
		return p.db.allChanges(in, values)
	}, nil
}

// errBadRange is SQL Server's answer to a range that reaches outside of what is
// kept, to NULL and to an unknown option; the three dots are its own.
func errBadRange() *tds.Error {
	e := tsql.Errorf(313, 16, "An insufficient number of arguments were supplied for the procedure or function cdc.fn_cdc_get_all_changes_ ... .")
	e.State = 3
	return e
}

func (d *database) allChanges(in *instance, a arguments) ([][]any, error) {
	from, err := a.lsn(0)
	if err != nil {
		return nil, err
	}
	to, err := a.lsn(1)
	if err != nil {
		return nil, err
	}
	option, _ := a.text(2)
	option = strings.ToLower(option)
	top := d.maxLSN()
	if from == nil || to == nil || top == nil || in.start == nil || option != "all" && option != "all update old" {
		return nil, errBadRange()
	}
	if from.less(*in.start) || top.less(*to) || to.less(*from) {
		return nil, errBadRange()
	}
	var out [][]any
	for _, c := range in.changes {
		if c.lsn.less(*from) || to.less(c.lsn) || c.op == 3 && option == "all" {
			continue
		}
		out = append(out, append([]any{c.lsn.bytes(), c.seq.bytes(), c.op, c.mask}, c.row...))
	}
	return out, nil
}
