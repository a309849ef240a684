package fakeserver

import (
	"strings"

	"cdcseed/fakeserver/tds"
)

// builtin is a function without a schema, by its lower-case name.
func (s *session) builtin(name string) (function, bool) {
	if f, ok := s.clockFunction(name); ok {
		return f, true
	}
	if f, ok := metadataFunction(name); ok {
		return f, true
	}
	name128 := tds.NVarChar(128)
	switch name {
	case "serverproperty":
		return function{tds.SQLVariant, 1, 1, serverProperty}, true
	case "databasepropertyex":
		return function{tds.SQLVariant, 2, 2, databaseProperty}, true
	case "collationproperty":
		return function{tds.SQLVariant, 2, 2, collationProperty}, true
	case "suser_sname", "suser_name":
		return function{name128, 0, 0, func(s *session, _ arguments) (any, error) { return s.login.Name, nil }}, true
	case "original_login", "system_user":
		return function{name128, 0, 0, func(s *session, _ arguments) (any, error) { return s.login.Name, nil }}, true
	case "user_name", "current_user", "session_user", "user":
		return function{name128, 0, 0, func(s *session, _ arguments) (any, error) { return s.userName(), nil }}, true
	case "host_name":
		return function{name128, 0, 0, func(s *session, _ arguments) (any, error) { return textOrNil(s.machine), nil }}, true
	case "app_name":
		return function{name128, 0, 0, func(s *session, _ arguments) (any, error) { return s.app, nil }}, true
	case "has_perms_by_name":
		return function{tds.Int, 3, 5, hasPermission}, true
	case "is_rolemember":
		return function{tds.Int, 1, 1, isRoleMember}, true
	case "is_member":
		return function{tds.Int, 1, 1, isRoleMember}, true
	case "is_srvrolemember":
		return function{tds.Int, 1, 1, isServerRoleMember}, true
	}
	return function{}, false
}

func (s *session) userName() string {
	if s.login.SysAdmin {
		return "dbo"
	}
	if s.login.users[strings.ToLower(s.db.name)] == nil {
		return "guest"
	}
	return s.login.Name
}

func flag(b bool) any {
	if b {
		return int64(1)
	}
	return int64(0)
}

func isRoleMember(s *session, a arguments) (any, error) {
	role, ok := a.text(0)
	if !ok || !s.db.hasRole(role) {
		return nil, nil
	}
	return flag(s.inRole(s.db, role)), nil
}

func isServerRoleMember(s *session, a arguments) (any, error) {
	role, ok := a.text(0)
	switch strings.ToLower(role) {
	case "sysadmin", "serveradmin", "securityadmin", "processadmin", "setupadmin", "bulkadmin", "diskadmin", "dbcreator":
		return flag(ok && s.login.SysAdmin), nil
	case "public":
		return int64(1), nil
	}
	return nil, nil
}

// hasPermission plays HAS_PERMS_BY_NAME for SELECT on tables and columns, for the
// whole database and for the whole server.
func hasPermission(s *session, a arguments) (any, error) {
	securable, named := a.text(0)
	class, _ := a.text(1)
	permission, ok := a.text(2)
	if !ok {
		return nil, nil
	}
	permission = strings.ToUpper(permission)
	switch strings.ToUpper(class) {
	case "":
		state := permission == "VIEW SERVER STATE" ||
			s.srv.host.major >= 16 && (permission == "VIEW SERVER PERFORMANCE STATE" || permission == "VIEW SERVER SECURITY STATE")
		return flag(s.login.SysAdmin || s.login.ServerState && state || permission == "CONNECT SQL"), nil
	case "DATABASE":
		d := s.db
		if named {
			if d = s.srv.host.database(unquote(securable)); d == nil {
				return nil, nil
			}
		}
		return flag(s.mayOnDatabase(d, permission)), nil
	case "OBJECT":
		if column, ok := a.text(3); ok {
			return s.mayOnObject(securable, column, permission)
		}
		return s.mayOnObject(securable, "", permission)
	}
	return nil, errNotPlayed("HAS_PERMS_BY_NAME for class " + class)
}

func (s *session) mayOnDatabase(d *database, permission string) bool {
	u := s.user(d)
	switch {
	case s.owner(d):
		return true
	case u == nil:
		return false
	case permission == "CONNECT":
		return true
	case permission == "SELECT":
		return hasName(u.Roles, "db_datareader")
	case permission == "VIEW DATABASE STATE", permission == "VIEW DATABASE PERFORMANCE STATE" && s.srv.host.major >= 16:
		return u.DatabaseState || s.login.ServerState
	case permission == "VIEW DEFINITION":
		return u.ViewDefinition
	}
	return false
}

// mayOnObject answers 0 for an object that is not there or that the caller
// cannot see: nobody has a permission on it. NULL is for a class or a permission
// that does not exist.
func (s *session) mayOnObject(name, column, permission string) (any, error) {
	o := s.object(name)
	if o == nil {
		return int64(0), nil
	}
	if s.owner(s.db) {
		return int64(1), nil
	}
	if permission != "SELECT" {
		return int64(0), nil
	}
	if o.kind == "IF" {
		return int64(1), nil // who sees it may use it
	}
	if column != "" || o.table == nil {
		// Unlike the object's, a column's name stands without brackets.
		return flag((o.table == nil || o.table.column(column) >= 0) && s.mayRead(s.db, o.schema, o.name, column)), nil
	}
	for _, c := range o.table.columns {
		if !s.mayRead(s.db, o.schema, o.name, c.name) {
			return int64(0), nil
		}
	}
	return int64(1), nil
}
