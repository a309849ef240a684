package fakeserver

import (
	"fmt"
	"slices"
	"strings"
)

// addLogin checks an account: every database, object, column and role that it
// names must be there.
func (h *host) addLogin(w Login, path string) error {
	if w.Name == "" || w.Password == "" {
		return at(path, "a name and a password are needed")
	}
	if h.login(w.Name) != nil {
		return at(path+".name", "there is a login %q already", w.Name)
	}
	switch w.LoginError {
	case 0, 18456, 4060, 40613:
	default:
		return at(path+".login_error", "%d is not 18456, 4060 or 40613", w.LoginError)
	}
	if w.DefaultDatabase != "" && h.database(w.DefaultDatabase) == nil {
		return at(path+".default_database", "there is no database %q", w.DefaultDatabase)
	}
	l := &login{Login: w, users: map[string]*User{}}
	for i := range w.Users {
		u := &w.Users[i]
		p := fmt.Sprintf("%s.users[%d]", path, i)
		d := h.database(u.Database)
		if d == nil {
			return at(p+".database", "there is no database %q", u.Database)
		}
		key := strings.ToLower(d.name)
		if l.users[key] != nil {
			return at(p+".database", "database %q is given twice", u.Database)
		}
		if err := d.checkUser(u, p); err != nil {
			return err
		}
		l.users[key] = u
	}
	h.logins = append(h.logins, l)
	return nil
}

func (d *database) checkUser(u *User, path string) error {
	for i, r := range u.Roles {
		if !d.hasRole(r) {
			return at(fmt.Sprintf("%s.roles[%d]", path, i), "database %q has no role %q", d.name, r)
		}
	}
	for i, g := range u.Select {
		if err := d.checkGrant(g, fmt.Sprintf("%s.select[%d]", path, i)); err != nil {
			return err
		}
	}
	for i, g := range u.Deny {
		if err := d.checkGrant(g, fmt.Sprintf("%s.deny[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (d *database) hasRole(name string) bool {
	for _, r := range []string{"db_owner", "db_datareader", "public"} {
		if strings.EqualFold(r, name) {
			return true
		}
	}
	for _, r := range d.roles {
		if strings.EqualFold(r, name) {
			return true
		}
	}
	for _, in := range d.instances {
		if in.role != "" && strings.EqualFold(in.role, name) {
			return true
		}
	}
	return false
}

// checkGrant resolves what a grant is on: a schema, a table, a table of the
// cdc schema, or in msdb a table of jobs.
func (d *database) checkGrant(g Grant, path string) error {
	if t := d.tableByText(g.On); t != nil {
		for i, c := range g.Columns {
			if t.column(c) < 0 {
				return at(fmt.Sprintf("%s.columns[%d]", path, i), "table %q has no column %q", g.On, c)
			}
		}
		return nil
	}
	if len(g.Columns) > 0 {
		return at(path+".on", "there is no table %q", g.On)
	}
	schema, name, isObject := strings.Cut(g.On, ".")
	switch {
	case !isObject && d.schemaID(schema) > 0:
		return nil
	case d.name == "msdb" && strings.EqualFold(schema, "dbo") && slices.Contains(msdbTables, strings.ToLower(name)):
		return nil
	case d.cdc && strings.EqualFold(schema, "cdc") && d.cdcView(name) != nil:
		return nil
	}
	return at(path+".on", "database %q has no table or schema %q", d.name, g.On)
}
