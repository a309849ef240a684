package fakeserver

import (
	"strings"

	"cdcseed/fakeserver/tds"
)

// object is something with an id that the caller may see.
type object struct {
	schema, name string
	id           int64
	table        *table // nil for what is in the cdc schema
	kind         string // U, or IF for a function
}

// objects lists what the session sees in its database, once for a function of a
// statement.
func (s *session) objects() *objectList {
	list := s.seen
	if list == nil {
		list = &objectList{}
	}
	if list.listed {
		return list
	}
	list.listed, list.all, list.byID = true, s.listObjects(), map[int64]int{}
	for i, o := range list.all {
		if _, ok := list.byID[o.id]; !ok {
			list.byID[o.id] = i
		}
	}
	return list
}

func (s *session) listObjects() []object {
	s.srv.work.lists++
	var out []object
	for _, t := range s.visibleTables(s.db) {
		out = append(out, object{t.schema, t.name, t.id, t, "U"})
	}
	names, ids := s.cdcObjects(s.db)
	for i := range names {
		out = append(out, object{"cdc", names[i], ids[i], nil, "U"})
	}
	for _, f := range s.visibleEnumerations(s.db) {
		out = append(out, object{"cdc", f.name, f.id, nil, "IF"})
	}
	return out
}

// object finds an object by a name such as [dbo].[Orders].
func (s *session) object(name string) *object {
	parts := splitName(name)
	if len(parts) == 0 || len(parts) > 3 || len(parts) == 3 && !strings.EqualFold(parts[0], s.db.name) {
		return nil
	}
	schema := "dbo"
	if len(parts) > 1 && parts[len(parts)-2] != "" {
		schema = parts[len(parts)-2]
	}
	for _, o := range s.objects().all {
		if strings.EqualFold(o.schema, schema) && strings.EqualFold(o.name, parts[len(parts)-1]) {
			return &o
		}
	}
	return nil
}

func (s *session) objectByID(id int64) *object {
	list := s.objects()
	if i, ok := list.byID[id]; ok {
		return &list.all[i]
	}
	return nil
}

// splitName takes a name of several parts apart, with [ ] and " " around
// parts or not. A name that is not well formed has no parts.
func splitName(name string) []string {
	var parts []string
	var b strings.Builder
	rest := strings.TrimSpace(name)
	for rest != "" {
		end := byte(0)
		switch rest[0] {
		case '[':
			end = ']'
		case '"':
			end = '"'
		}
		if end == 0 {
			word, after, more := strings.Cut(rest, ".")
			parts = append(parts, strings.TrimSpace(word))
			if rest = after; more && rest == "" {
				return nil
			}
			continue
		}
		b.Reset()
		i := 1
		for ; i < len(rest); i++ {
			if rest[i] == end {
				if i+1 < len(rest) && rest[i+1] == end {
					i++
				} else {
					break
				}
			}
			b.WriteByte(rest[i])
		}
		if i >= len(rest) {
			return nil // not closed
		}
		parts = append(parts, b.String())
		rest = strings.TrimSpace(rest[i+1:])
		if rest == "" {
			break
		}
		if rest[0] != '.' || len(rest) == 1 {
			return nil
		}
		rest = strings.TrimSpace(rest[1:])
	}
	return parts
}

// unquote is a single name without its brackets.
func unquote(name string) string {
	if p := splitName(name); len(p) == 1 {
		return p[0]
	}
	return name
}

// metadataFunction is a function that turns names into ids or back.
func metadataFunction(name string) (function, bool) {
	name128 := tds.NVarChar(128)
	switch name {
	case "object_id":
		return function{tds.Int, 1, 2, objectID}, true
	case "object_name":
		return function{name128, 1, 1, objectPart(func(o *object) string { return o.name })}, true
	case "object_schema_name":
		return function{name128, 1, 1, objectPart(func(o *object) string { return o.schema })}, true
	case "schema_name":
		return function{name128, 0, 1, schemaName}, true
	case "schema_id":
		return function{tds.Int, 0, 1, schemaIDFunction}, true
	case "type_name":
		return function{name128, 1, 1, typeNameFunction}, true
	case "col_name":
		return function{name128, 2, 2, columnNameFunction}, true
	case "col_length":
		return function{tds.SmallInt, 2, 2, columnLength}, true
	case "db_name":
		return function{name128, 0, 1, databaseName}, true
	case "db_id":
		return function{tds.SmallInt, 0, 1, databaseID}, true
	}
	return function{}, false
}

func objectID(s *session, a arguments) (any, error) {
	name, ok := a.text(0)
	kind, given := a.text(1)
	if o := s.object(name); ok && o != nil && (!given || strings.EqualFold(kind, o.kind)) {
		return o.id, nil
	}
	return nil, nil
}

func objectPart(part func(*object) string) func(*session, arguments) (any, error) {
	return func(s *session, a arguments) (any, error) {
		id, ok := a.integer(0)
		if o := s.objectByID(id); ok && o != nil {
			return part(o), nil
		}
		return nil, nil
	}
}

func schemaName(s *session, a arguments) (any, error) {
	if len(a) == 0 {
		return "dbo", nil
	}
	id, ok := a.integer(0)
	if ok && id == 4 {
		return "sys", nil
	}
	for _, name := range s.db.schemas() {
		if ok && s.db.schemaID(name) == id {
			return name, nil
		}
	}
	return nil, nil
}

func schemaIDFunction(s *session, a arguments) (any, error) {
	if len(a) == 0 {
		return int64(1), nil
	}
	name, ok := a.text(0)
	if id := s.db.schemaID(name); ok && id > 0 {
		return id, nil
	}
	return nil, nil
}

func typeNameFunction(s *session, a arguments) (any, error) {
	id, ok := a.integer(0)
	for _, t := range systemTypes {
		if ok && t.userID == id {
			return t.name, nil
		}
	}
	for _, t := range s.db.aliases {
		if ok && t.id == id {
			return t.name, nil
		}
	}
	return nil, nil
}

func columnNameFunction(s *session, a arguments) (any, error) {
	id, ok := a.integer(0)
	n, ok2 := a.integer(1)
	o := s.objectByID(id)
	if !ok || !ok2 || o == nil || o.table == nil {
		return nil, nil
	}
	for _, c := range o.table.columns {
		if int64(c.id) == n {
			return c.name, nil
		}
	}
	return nil, nil
}

func columnLength(s *session, a arguments) (any, error) {
	name, ok := a.text(0)
	column, ok2 := a.text(1)
	o := s.object(name)
	if !ok || !ok2 || o == nil || o.table == nil || o.table.column(column) < 0 {
		return nil, nil
	}
	return o.table.columns[o.table.column(column)].typ.maxLength(), nil
}

func databaseName(s *session, a arguments) (any, error) {
	if len(a) == 0 {
		return s.db.name, nil
	}
	id, ok := a.integer(0)
	for _, d := range s.srv.host.databases {
		if ok && d.id == id {
			return d.name, nil
		}
	}
	return nil, nil
}

func databaseID(s *session, a arguments) (any, error) {
	if len(a) == 0 {
		return s.db.id, nil
	}
	name, ok := a.text(0)
	if d := s.srv.host.database(name); ok && d != nil {
		return d.id, nil
	}
	return nil, nil
}
