package fakeserver

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// enumeration is one of the two table functions that CDC makes for a capture
// instance: all changes, and net changes where the instance supports them.
type enumeration struct {
	prefix  string // of the function's name; the instance's follows
	columns string
	options [3]string
	rows    func(in *instance, from, to LSN, option string) [][]any
}

// enumerationOf reads the name of an enumeration function: which one it is
// and of which instance. The instance is nil where there is no such function.
func (d *database) enumerationOf(name string) (enumeration, *instance) {
	for _, e := range []enumeration{
		{
			"fn_cdc_get_all_changes_", "__$start_lsn binary(10), __$seqval binary(10), __$operation int, __$update_mask varbinary(128)",
			[3]string{"all", "all update old"},
			(*instance).allChanges,
		},
		{
			"fn_cdc_get_net_changes_", "__$start_lsn binary(10), __$operation int, __$update_mask varbinary(128)",
			[3]string{"all", "all with mask", "all with merge"},
			(*instance).netChangesBetween,
		},
	} {
		if len(name) <= len(e.prefix) || !strings.EqualFold(name[:len(e.prefix)], e.prefix) {
			continue
		}
		in := d.instance(name[len(e.prefix):])
		if in != nil && e.options[2] != "" && !in.netChanges {
			in = nil
		}
		return e, in
	}
	return enumeration{}, nil
}

// TableFunction binds an enumeration function of a capture instance.
func (s *session) TableFunction(n tsql.Name, args []tds.Type) ([]tds.Column, func(context.Context, []tsql.Value) ([][]any, error), error) {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	p, err := s.locate(n)
	if err != nil {
		return nil, nil, err
	}
	if !strings.EqualFold(p.schema, "cdc") || !p.db.cdc {
		return nil, nil, errNoObject(p)
	}
	e, in := p.db.enumerationOf(p.name)
	if in == nil {
		return nil, nil, errNoObject(p)
	}
	if !s.tracks(p.db, in) {
		return nil, nil, errNoSelect(p.db, "cdc", e.prefix+in.name)
	}
	switch {
	case len(args) < 3:
		return nil, nil, tsql.Errorf(313, 16, "An insufficient number of arguments were supplied for the procedure or function %s.", p.written)
	case len(args) > 3:
		return nil, nil, tsql.Errorf(8144, 16, "Procedure or function %s has too many arguments specified.", p.written)
	}
	return append(columnsOf(e.columns), in.capturedColumns()...), func(_ context.Context, values []tsql.Value) ([][]any, error) {
		s.srv.lock()
		defer s.srv.mu.Unlock()
		if err := s.mayReadVersions(p.db); err != nil {
			return nil, err
		}
		from, to, option, err := p.db.rangeOf(e, in, values)
		if err != nil {
			return nil, err
		}
		return e.rows(in, from, to, option), nil
	}, nil
}

// errBadRange is SQL Server's answer to a range that reaches outside of what is
// kept, to NULL and to an unknown option; the three dots are its own.
func (e enumeration) errBadRange() *tds.Error {
	err := tsql.Errorf(313, 16, "An insufficient number of arguments were supplied for the procedure or function cdc.%s ... .", e.prefix)
	err.State = 3
	return err
}

// rangeOf checks the arguments of an enumeration function.
func (d *database) rangeOf(e enumeration, in *instance, a arguments) (from, to LSN, option string, err error) {
	low, err := a.lsn(0)
	if err != nil {
		return from, to, "", err
	}
	high, err := a.lsn(1)
	if err != nil {
		return from, to, "", err
	}
	option, _ = a.text(2)
	option = strings.ToLower(option)
	top := d.maxLSN()
	if low == nil || high == nil || top == nil || in.start == nil || option == "" || indexFold(e.options[:], option) < 0 {
		return from, to, "", e.errBadRange()
	}
	if low.less(*in.start) || top.less(*high) || high.less(*low) {
		return from, to, "", e.errBadRange()
	}
	return *low, *high, option, nil
}

func (in *instance) allChanges(from, to LSN, option string) [][]any {
	var out [][]any
	for _, c := range in.changes {
		if c.lsn.less(from) || to.less(c.lsn) || c.op == 3 && option == "all" {
			continue
		}
		out = append(out, append([]any{c.lsn.bytes(), c.seq.bytes(), c.op, c.mask}, c.row...))
	}
	return out
}
