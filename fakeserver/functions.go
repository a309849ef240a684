package fakeserver

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// function is a scalar function: its result type, how many arguments it
// takes, and its value. eval runs under the server's lock.
type function struct {
	result   tds.Type
	min, max int
	eval     func(s *session, a arguments) (any, error)
}

// arguments are a call's argument values.
type arguments []tsql.Value

// text is argument i as nvarchar; ok is false for NULL or a missing one.
func (a arguments) text(i int) (string, bool) {
	if i >= len(a) || a[i].V == nil {
		return "", false
	}
	v, err := tsql.Convert(a[i], tds.NVarChar(-1), 0)
	if err != nil {
		return "", false
	}
	s, ok := v.V.(string)
	return strings.TrimRight(s, " "), ok
}

// integer is argument i as bigint; ok is false for NULL or a missing one.
func (a arguments) integer(i int) (int64, bool) {
	if i >= len(a) || a[i].V == nil {
		return 0, false
	}
	v, err := tsql.Convert(a[i], tds.BigInt, 0)
	if err != nil {
		return 0, false
	}
	n, ok := v.V.(int64)
	return n, ok
}

// lsn is argument i as binary(10), converted as a parameter is.
func (a arguments) lsn(i int) (*LSN, error) {
	v, err := tsql.Convert(a[i], tds.Binary(10), 0)
	if err != nil {
		return nil, err
	}
	b, ok := v.V.([]byte)
	if !ok || len(b) > 10 {
		return nil, nil
	}
	var l LSN
	copy(l[:], b)
	return &l, nil
}

// ScalarFunction binds a function of the server.
func (s *session) ScalarFunction(n tsql.Name, args []tds.Type) (tds.Type, func(context.Context, []tsql.Value) (any, error), error) {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	d, err := s.databaseOf(n)
	if err != nil {
		return tds.Type{}, nil, err
	}
	f, err := s.function(n)
	if err != nil {
		return tds.Type{}, nil, err
	}
	if len(args) < f.min || len(args) > f.max {
		return tds.Type{}, nil, errArguments(n, f, len(args))
	}
	b := &binding{function: f, in: d, answers: map[string]any{}}
	return f.result, func(_ context.Context, values []tsql.Value) (any, error) { return b.answer(s, values) }, nil
}

// databaseOf is the database that a function's or procedure's name means: the
// session's, or with three parts the first of them.
func (s *session) databaseOf(n tsql.Name) (*database, error) {
	if len(n) != 3 || n[0] == "" {
		return s.db, nil
	}
	if s.srv.host.azure() && !strings.EqualFold(n[0], s.db.name) {
		return nil, tsql.Errorf(40515, 15, "Reference to database and/or server name in '%s' is not supported in this version of SQL Server.", strings.Join(n, "."))
	}
	return s.enter(n[0])
}

// within makes d the session's database until the returned function is called.
func (s *session) within(d *database) (back func()) {
	own := s.db
	s.db = d
	return func() { s.db = own }
}

func (s *session) function(n tsql.Name) (function, error) {
	name := strings.ToLower(n[len(n)-1])
	if len(n) == 1 {
		if f, ok := s.builtin(name); ok {
			return f, nil
		}
		if notPlayedFunctions[name] {
			return function{}, errNotPlayed("function " + n[0])
		}
		return function{}, tsql.Errorf(195, 15, "'%s' is not a recognized built-in function name.", n[0])
	}
	if len(n) <= 3 && strings.EqualFold(n[len(n)-2], "sys") {
		if f, ok := cdcFunction(name); ok {
			return f, nil
		}
		if notPlayedFunctions[name] {
			return function{}, errNotPlayed("function " + strings.Join(n, "."))
		}
	}
	return function{}, tsql.Errorf(4121, 16, "Cannot find either column \"%s\" or the user-defined function or aggregate \"%s\", or the name is ambiguous.", n[0], strings.Join(n, "."))
}

func errArguments(n tsql.Name, f function, got int) error {
	name := strings.Join(n, ".")
	switch {
	case len(n) > 1 && got < f.min:
		return tsql.Errorf(313, 16, "An insufficient number of arguments were supplied for the procedure or function %s.", name)
	case len(n) > 1:
		return tsql.Errorf(8144, 16, "Procedure or function %s has too many arguments specified.", name)
	case f.min == f.max:
		return tsql.Errorf(174, 15, "The %s function requires %d argument(s).", strings.ToLower(name), f.min)
	}
	return tsql.Errorf(189, 15, "The %s function requires %d to %d arguments.", strings.ToLower(name), f.min, f.max)
}

// notPlayedFunctions exist in SQL Server and not here.
var notPlayedFunctions = map[string]bool{
	"objectproperty": true, "objectpropertyex": true, "columnproperty": true, "indexproperty": true,
	"object_definition": true, "type_id": true, "typeproperty": true, "file_name": true, "index_col": true,
	"permissions": true, "has_dbaccess": true, "connectionproperty": true, "sessionproperty": true,
	"ident_current": true, "scope_identity": true, "fn_varbintohexstr": true,
}

func errNotPlayed(what string) error {
	return tsql.Errorf(tsql.NotSimulated, 16, "not simulated: %s", what)
}
