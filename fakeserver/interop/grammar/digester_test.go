package grammar

import (
	"reflect"
	"slices"
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

// digester lists what teesql found in a text, in the words of the fake's own
// digest. What it does not know it walks through, so a node that matters and is
// missing here shows as a difference.
type digester struct{ out []string }

func digestOf(s *ast.Script) []string {
	d := &digester{}
	d.walk(reflect.ValueOf(s))
	slices.Sort(d.out)
	return d.out
}

func (d *digester) add(kind, what string) {
	if what != "" {
		d.out = append(d.out, kind+":"+strings.ToLower(what))
	}
}

// clauseIf adds a clause that is there or not.
func (d *digester) clauseIf(there bool, what string) {
	if there {
		d.add("clause", what)
	}
}

func (d *digester) walkAll(nodes ...any) {
	for _, n := range nodes {
		d.walk(reflect.ValueOf(n))
	}
}

// walk visits every node below v.
func (d *digester) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			d.walk(v.Elem())
		}
	case reflect.Pointer:
		if !v.IsNil() && !d.node(v.Interface()) {
			d.fields(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.walk(v.Index(i))
		}
	}
}

func (d *digester) fields(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported() || f.Name == "Fragment":
		case f.Name == "Collation":
			if id, ok := v.Field(i).Interface().(*ast.Identifier); ok && id != nil {
				d.add("operator", "collate "+id.Value)
			}
		default:
			d.walk(v.Field(i))
		}
	}
}

// node adds what n itself says and tells whether its fields are done with too.
func (d *digester) node(n any) bool {
	return d.name(n) || d.literal(n) || d.condition(n) || d.expression(n) || d.clause(n) || d.statement(n)
}

func identifiers(list []*ast.Identifier) string {
	var parts []string
	for _, id := range list {
		parts = append(parts, id.Value)
	}
	return strings.Join(parts, ".")
}

func text(id *ast.Identifier) string {
	if id == nil {
		return ""
	}
	return id.Value
}

func (d *digester) aliases(list []*ast.Identifier) {
	for _, id := range list {
		d.add("alias", id.Value)
	}
}

// name: what a text refers to.
func (d *digester) name(n any) bool {
	switch x := n.(type) {
	case *ast.ColumnReferenceExpression:
		if x.ColumnType == "Wildcard" {
			d.out = append(d.out, "star")
			return true
		}
		if x.MultiPartIdentifier == nil {
			d.add("column", x.ColumnType)
			return true
		}
		d.add("column", identifiers(x.MultiPartIdentifier.Identifiers))
		return x.Collation == nil
	case *ast.SelectStarExpression:
		star := "star"
		if x.Qualifier != nil {
			star += ":" + strings.ReplaceAll(strings.ToLower(identifiers(x.Qualifier.Identifiers)), ".", ":")
		}
		d.out = append(d.out, star)
	case *ast.NamedTableReference:
		d.add("table", identifiers(x.SchemaObject.Identifiers))
		d.add("alias", text(x.Alias))
	case *ast.SchemaObjectFunctionTableReference:
		d.add("rowset", identifiers(x.SchemaObject.Identifiers))
		d.add("alias", text(x.Alias))
		d.aliases(x.Columns)
		d.walkAll(x.Parameters)
	case *ast.GlobalFunctionTableReference:
		d.add("rowset", text(x.Name))
		d.add("alias", text(x.Alias))
		d.aliases(x.Columns)
		d.walkAll(x.Parameters)
	case *ast.VariableReference:
		d.add("variable", x.Name)
	case *ast.GlobalVariableExpression:
		d.add("variable", x.Name)
	case *ast.SqlDataTypeReference:
		d.add("type", strings.Replace(x.SqlDataTypeOption, "Numeric", "Decimal", 1)) // one type by two names
	case *ast.XmlDataTypeReference:
		d.add("type", "xml")
	case *ast.UserDataTypeReference:
		d.add("type", identifiers(x.Name.Identifiers))
	default:
		return false
	}
	return true
}
