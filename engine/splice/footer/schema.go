package footer

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"cdcseed/engine/splice/footer/thrift"
)

// Physical is a leaf's type as its bytes have it, numbered as the format does.
type Physical int32

// The physical types; NoType is a group's.
const (
	NoType     Physical = -1
	Boolean    Physical = 0
	Int32      Physical = 1
	Int64      Physical = 2
	Int96      Physical = 3
	Float      Physical = 4
	Double     Physical = 5
	ByteArray  Physical = 6
	FixedBytes Physical = 7
)

var physicalNames = []string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}

// String is the format's own name of the type.
func (p Physical) String() string {
	if p >= 0 && int(p) < len(physicalNames) {
		return physicalNames[p]
	}
	return "GROUP"
}

// Repetition is how often a field stands in its parent.
type Repetition int32

// The repetitions, numbered as the format does.
const (
	Required Repetition = 0
	Optional Repetition = 1
	Repeated Repetition = 2
)

// Element is an entry of the schema's list: a field, or the root.
type Element struct{ s *thrift.Struct }

// Name is the field's name.
func (e Element) Name() string { return e.s.Text(elementName) }

// Physical is the leaf's type; NoType for a group.
func (e Element) Physical() Physical {
	return Physical(e.s.Int(elementType, int64(NoType)))
}

// Length is the bytes of a value of FixedBytes.
func (e Element) Length() int { return int(e.s.Int(elementLength, 0)) }

// Repetition is how often the field stands; the root, which has none, is Required.
func (e Element) Repetition() Repetition { return Repetition(e.s.Int(elementRepetition, 0)) }

// FieldID is the id that a table's schema may know the field by.
func (e Element) FieldID() (id int32, ok bool) {
	v := e.s.Get(elementFieldID)
	return int32(v.Int()), v.Kind() != thrift.Stop
}

// SetName renames the field. The paths in the chunks are renamed with Chunk.SetPath.
func (e Element) SetName(name string) { e.s.Set(elementName, thrift.String(name)) }

// SetFieldID sets the field's id; nil takes it out.
func (e Element) SetFieldID(id *int32) {
	if id == nil {
		e.s.Delete(elementFieldID)
		return
	}
	e.s.Set(elementFieldID, thrift.Int32(*id))
}

// Struct is the tree beneath, a SchemaElement.
func (e Element) Struct() *thrift.Struct { return e.s }

// Node is a field in the schema's tree.
type Node struct {
	Element
	Parent   *Node
	Children []*Node
	Leaf     int // the leaf's number, from 0; -1 for a group
	Def, Rep int // the greatest definition and repetition level
}

// IsLeaf reports whether the node has values of its own.
func (n *Node) IsLeaf() bool { return n.Leaf >= 0 }

// Path is the names from the top-level column down, as chunks spell them.
func (n *Node) Path() []string {
	var out []string
	for ; n.Parent != nil; n = n.Parent {
		out = append(out, n.Name())
	}
	slices.Reverse(out)
	return out
}

// Leaves are the leaves at or below the node, in order.
func (n *Node) Leaves() []*Node {
	if n.IsLeaf() {
		return []*Node{n}
	}
	var out []*Node
	for _, c := range n.Children {
		out = append(out, c.Leaves()...)
	}
	return out
}

// Elements are the node's and its descendants', in the order of a schema's list.
func (n *Node) Elements() []Element {
	out := []Element{n.Element}
	for _, c := range n.Children {
		out = append(out, c.Elements()...)
	}
	return out
}

// Root is the schema's root; its children are the top-level columns.
func (f *Footer) Root() *Node { return f.tree }

// Leaves are the leaf columns, in the order of the chunks of a row group.
func (f *Footer) Leaves() []*Node { return f.leaves }

// Bounds of a schema: how far its groups may nest, and its elements in all.
const (
	deepest     = 64
	maxElements = 100_000
)

// plant makes the tree of the schema's list.
func (f *Footer) plant() error {
	els := f.root.Items(fileSchema)
	if len(els) > maxElements {
		return fmt.Errorf("a schema of %d elements; %d is the most that is read", len(els), maxElements)
	}
	p := planter{els: els}
	root, err := p.node(nil, 0)
	if err != nil {
		return err
	}
	if p.next != len(els) {
		return fmt.Errorf("the schema's tree has %d elements, its list %d", p.next, len(els))
	}
	f.tree, f.leaves = root, p.leaves
	return nil
}

type planter struct {
	els    []thrift.Value
	next   int
	leaves []*Node
}

func (p *planter) node(parent *Node, depth int) (*Node, error) {
	if p.next == len(p.els) {
		return nil, errors.New("the schema's list ends before its tree does")
	}
	if depth > deepest {
		return nil, fmt.Errorf("the schema nests deeper than %d", deepest)
	}
	n := &Node{Element: Element{p.els[p.next].Struct()}, Parent: parent, Leaf: -1}
	p.next++
	if parent != nil {
		n.Def, n.Rep = parent.Def, parent.Rep
		switch r := n.Repetition(); r {
		case Required:
		case Optional:
			n.Def++
		case Repeated:
			n.Def, n.Rep = n.Def+1, n.Rep+1
		default:
			return nil, fmt.Errorf("column %q has repetition %d", n.Name(), r)
		}
	}
	if parent != nil && !n.s.Has(elementChildren) || parent != nil && n.s.Has(elementType) {
		return n, p.leaf(n)
	}
	children := n.s.Int(elementChildren, 0)
	if children < 0 || children > int64(len(p.els)-p.next) {
		return nil, fmt.Errorf("group %q says it has %d fields, %d are left", n.Name(), children, len(p.els)-p.next)
	}
	for range children {
		c, err := p.node(n, depth+1)
		if err != nil {
			return nil, err
		}
		n.Children = append(n.Children, c)
	}
	return n, nil
}

func (p *planter) leaf(n *Node) error {
	t := n.Physical()
	switch {
	case n.s.Int(elementChildren, 0) != 0:
		return fmt.Errorf("column %q has a type and %d fields", n.Name(), n.s.Int(elementChildren, 0))
	case !n.s.Has(elementType), t < 0, t > FixedBytes:
		return fmt.Errorf("column %q has type %d", n.Name(), t)
	case t == FixedBytes && (n.s.Int(elementLength, 0) < 1 || n.s.Int(elementLength, 0) > math.MaxInt32):
		return fmt.Errorf("column %q has values of %d bytes", n.Name(), n.s.Int(elementLength, 0))
	}
	n.Leaf = len(p.leaves)
	p.leaves = append(p.leaves, n)
	return nil
}
