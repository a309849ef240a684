package fakeserver

import (
	"strings"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// user is what the session's login may do in database d; nil when it has no
// account there. Everybody may enter the system databases as a guest.
func (s *session) user(d *database) *User {
	if u := s.login.users[strings.ToLower(d.name)]; u != nil {
		return u
	}
	if d.system {
		return &User{Database: d.name}
	}
	return nil
}

// owner tells the callers who may do everything in d.
func (s *session) owner(d *database) bool {
	if s.login.SysAdmin {
		return true
	}
	u := s.user(d)
	return u != nil && hasName(u.Roles, "db_owner")
}

func (s *session) inRole(d *database, role string) bool {
	if strings.EqualFold(role, "public") {
		return true
	}
	if s.login.SysAdmin && strings.EqualFold(role, "db_owner") {
		return true
	}
	u := s.user(d)
	return u != nil && hasName(u.Roles, role)
}

func hasName(list []string, name string) bool {
	for _, n := range list {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// covers tells whether grant g is about schema.name.
func (g Grant) covers(schema, name string) bool {
	if strings.EqualFold(g.On, schema) {
		return true
	}
	on := g.On
	if !strings.Contains(on, ".") {
		on = "dbo." + on
	}
	return strings.EqualFold(on, schema+"."+name)
}

// mayRead tells whether SELECT on one column is allowed; an empty column
// stands for an object whose columns are all alike.
func (s *session) mayRead(d *database, schema, name, column string) bool {
	if s.owner(d) {
		return true
	}
	u := s.user(d)
	if u == nil {
		return false
	}
	for _, g := range u.Deny {
		if g.covers(schema, name) && (len(g.Columns) == 0 || hasName(g.Columns, column)) {
			return false
		}
	}
	if hasName(u.Roles, "db_datareader") {
		return true
	}
	for _, g := range u.Select {
		if g.covers(schema, name) && (len(g.Columns) == 0 || hasName(g.Columns, column)) {
			return true
		}
	}
	return false
}

// mayReadAny tells whether some column of t can be read.
func (s *session) mayReadAny(d *database, t *table) bool {
	for _, c := range t.columns {
		if s.mayRead(d, t.schema, t.name, c.name) {
			return true
		}
	}
	return false
}

// sees tells whether the catalogue shows t to the caller.
func (s *session) sees(d *database, t *table) bool {
	u := s.user(d)
	return s.owner(d) || u != nil && u.ViewDefinition || s.mayReadAny(d, t)
}

// tracks tells whether the caller may use a capture instance: SELECT on all
// of its captured columns, and its gating role when it has one.
func (s *session) tracks(d *database, in *instance) bool {
	if s.owner(d) {
		return true
	}
	if in.role != "" && !s.inRole(d, in.role) {
		return false
	}
	for _, k := range in.columns {
		if !s.mayRead(d, in.table.schema, in.table.name, in.table.columns[k].name) {
			return false
		}
	}
	return true
}

// mayCountPages tells who may read sys.dm_db_partition_stats.
func (s *session) mayCountPages(d *database) bool {
	u := s.user(d)
	return s.owner(d) || s.login.ServerState || u != nil && u.DatabaseState
}

func errNoSelect(d *database, schema, name string) *tds.Error {
	e := tsql.Errorf(229, 14, "The SELECT permission was denied on the object '%s', database '%s', schema '%s'.", name, d.name, schema)
	e.State = 5
	return e
}

func errNoSelectColumn(d *database, schema, name, column string) *tds.Error {
	return tsql.Errorf(230, 14, "The SELECT permission was denied on the column '%s' of the object '%s', database '%s', schema '%s'.", column, name, d.name, schema)
}
