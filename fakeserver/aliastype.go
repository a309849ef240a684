package fakeserver

import (
	"fmt"
	"strings"
)

// firstAliasID is the user_type_id of a database's first alias type.
const firstAliasID = 257

// aliasType is a name that a database has given to a system type.
type aliasType struct {
	schema, name string
	id           int64
	typ          dataType
	nullable     bool
}

// addAlias checks an alias type's description and makes it.
func (d *database) addAlias(w AliasType, path string) error {
	a := &aliasType{schema: w.Schema, name: w.Name, id: firstAliasID + int64(len(d.aliases)), nullable: w.Nullable}
	if a.schema == "" {
		a.schema = "dbo"
	}
	if a.name == "" {
		return at(path+".name", "a name is needed")
	}
	if _, ok := systemTypeByName(strings.ToLower(a.name)); ok || d.alias(a.schema, a.name) != nil {
		return at(path+".name", "there is a type %q already", a.name)
	}
	var err error
	if a.typ, err = parseDataType(w.Type); err != nil {
		return at(path+".type", "%v", err)
	}
	if st, _ := systemTypeByName(a.typ.name); st.systemID == 240 || a.typ.isRowVersion() || a.typ.name == "xml" {
		return at(path+".type", "%s has no alias types", a.typ)
	}
	d.aliases = append(d.aliases, a)
	return nil
}

func (d *database) alias(schema, name string) *aliasType {
	for _, a := range d.aliases {
		if strings.EqualFold(a.schema, schema) && strings.EqualFold(a.name, name) {
			return a
		}
	}
	return nil
}

// columnType reads a column's type: a system type, or an alias type of the
// database, in dbo where no schema stands before it.
func (d *database) columnType(text string) (dataType, *aliasType, error) {
	parts := splitName(text)
	var a *aliasType
	switch len(parts) {
	case 1:
		a = d.alias("dbo", parts[0])
	case 2:
		if a = d.alias(parts[0], parts[1]); a == nil {
			return dataType{}, nil, fmt.Errorf("%q is not a type of the database", text)
		}
	}
	if a != nil {
		return a.typ, a, nil
	}
	t, err := parseDataType(text)
	return t, nil, err
}

// typeID is sys.columns.user_type_id.
func (c *column) typeID() int64 {
	if c.alias != nil {
		return c.alias.id
	}
	st, _ := systemTypeByName(c.typ.name)
	return st.userID
}

// aliasRows are the alias types' rows of sys.types.
func aliasRows(d *database) [][]any {
	var out [][]any
	for _, a := range d.aliases {
		st, _ := systemTypeByName(a.typ.name)
		var collation any
		if a.typ.isText() {
			collation = d.collation
		}
		out = append(out, []any{
			a.name, st.systemID, a.id, d.schemaID(a.schema), nil, a.typ.maxLength(), int64(a.typ.precision), int64(a.typ.scale),
			collation, a.nullable, true, false, int64(0), int64(0), false,
		})
	}
	return out
}
