package parquetfile

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// node is a field of a nested column.
type node struct {
	name     string
	typ      arrow.DataType
	nullable bool
	def, rep int16 // levels at which the node itself has a value
	children []*node
	index    int  // leaf column, where there are no children
	leaf     leaf // set by bind
	build    func() error
}

// planner reads a schema's tree in leaf order.
type planner struct {
	sc   *pqschema.Schema
	leaf int
}

// field plans a node under the levels of its parent.
func (p *planner) field(n pqschema.Node, def, rep int16) (*node, error) {
	switch n.RepetitionType() {
	case parquet.Repetitions.Optional:
		out, err := p.value(n, def+1, rep)
		if out != nil {
			out.nullable = true
		}
		return out, err
	case parquet.Repetitions.Repeated: // a list that nobody annotated
		item, err := p.value(n, def+1, rep+1)
		return listOf(n.Name(), item, def+1, rep+1, err)
	default:
		return p.value(n, def, rep)
	}
}

// value plans what a node holds where it is present, at its own levels.
func (p *planner) value(n pqschema.Node, def, rep int16) (*node, error) {
	switch n := n.(type) {
	case *pqschema.PrimitiveNode:
		typ, err := leafType(n)
		p.leaf++
		return &node{name: n.Name(), typ: typ, def: def, rep: rep, index: p.leaf - 1}, err
	case *pqschema.GroupNode:
		_, isMap := n.LogicalType().(pqschema.MapLogicalType)
		_, isList := n.LogicalType().(pqschema.ListLogicalType)
		inner, ok := onlyRepeated(n)
		switch {
		case (isMap || isList) && !ok:
			return nil, fmt.Errorf("field %q is annotated as a list or map and has not one repeated part", n.Name())
		case isMap || isList:
			return p.elements(n, inner, isMap, def, rep)
		default:
			return p.group(n, def, rep)
		}
	}
	return nil, fmt.Errorf("field %q is neither primitive nor group", n.Name())
}

func onlyRepeated(n *pqschema.GroupNode) (pqschema.Node, bool) {
	if n.NumFields() != 1 || n.Field(0).RepetitionType() != parquet.Repetitions.Repeated {
		return nil, false
	}
	return n.Field(0), true
}

// elements plans a list or map by the format's rules for all its historic
// forms: a repeated primitive, a repeated group that is the element itself, and
// one that only wraps it.
func (p *planner) elements(n *pqschema.GroupNode, inner pqschema.Node, isMap bool, def, rep int16) (*node, error) {
	g, ok := inner.(*pqschema.GroupNode)
	if !ok {
		item, err := p.value(inner, def+1, rep+1)
		return listOf(n.Name(), item, def+1, rep+1, err)
	}
	if isMap && g.NumFields() == 2 {
		entry, err := p.group(g, def+1, rep+1)
		if err != nil {
			return nil, err
		}
		kv := entry.children
		return &node{name: n.Name(), typ: arrow.MapOf(kv[0].typ, kv[1].typ), def: def + 1, rep: rep + 1, children: []*node{entry}}, nil
	}
	wraps := g.NumFields() == 1 && (isMap || g.Name() != "array" && g.Name() != n.Name()+"_tuple" &&
		g.Field(0).RepetitionType() != parquet.Repetitions.Repeated)
	if wraps {
		item, err := p.field(g.Field(0), def+1, rep+1)
		return listOf(n.Name(), item, def+1, rep+1, err)
	}
	item, err := p.value(g, def+1, rep+1) // which may be a list of its own
	return listOf(n.Name(), item, def+1, rep+1, err)
}

func listOf(name string, item *node, def, rep int16, err error) (*node, error) {
	if err != nil {
		return nil, err
	}
	typ := arrow.ListOfField(arrow.Field{Name: "element", Type: item.typ, Nullable: item.nullable})
	return &node{name: name, typ: typ, def: def, rep: rep, children: []*node{item}}, nil
}

func (p *planner) group(g *pqschema.GroupNode, def, rep int16) (*node, error) {
	if g.NumFields() == 0 {
		return nil, fmt.Errorf("field %q has no columns", g.Name())
	}
	out := &node{name: g.Name(), def: def, rep: rep}
	var fields []arrow.Field
	for i := range g.NumFields() {
		c, err := p.field(g.Field(i), def, rep)
		if err != nil {
			return nil, err
		}
		out.children = append(out.children, c)
		fields = append(fields, arrow.Field{Name: c.name, Type: c.typ, Nullable: c.nullable})
	}
	out.typ = arrow.StructOf(fields...)
	return out, nil
}
