package footer

import (
	"fmt"

	"cdcseed/engine/splice/footer/thrift"
)

// Group is a row group.
type Group struct{ s *thrift.Struct }

// Groups are the row groups, in order.
func (f *Footer) Groups() []Group {
	items := f.root.Items(fileGroups)
	out := make([]Group, len(items))
	for i, it := range items {
		out[i] = Group{it.Struct()}
	}
	return out
}

// Rows is the number of rows that the group claims.
func (g Group) Rows() int64 { return g.s.Int(groupRows, 0) }

// Offset is where the group says it begins; ok is false where it does not say.
func (g Group) Offset() (at int64, ok bool) {
	v := g.s.Get(groupOffset)
	return v.Int(), v.Kind() != thrift.Stop
}

// Chunks are the group's column chunks, one a leaf.
func (g Group) Chunks() []Chunk {
	items := g.s.Items(groupChunks)
	out := make([]Chunk, len(items))
	for i, it := range items {
		out[i] = Chunk{it.Struct()}
	}
	return out
}

// Len is the number of chunks.
func (g Group) Len() int { return g.s.Get(groupChunks).Len() }

// Chunk is the chunk of a leaf.
func (g Group) Chunk(leaf int) Chunk { return Chunk{g.s.Items(groupChunks)[leaf].Struct()} }

// Struct is the tree beneath, a RowGroup.
func (g Group) Struct() *thrift.Struct { return g.s }

// NewGroup is a row group of chunks that stand at their new places: sizes are
// summed and the group's place is the lowest byte of its chunks. It names no
// sorting columns.
func NewGroup(ordinal int, rows int64, chunks []Chunk) (Group, error) {
	if int(int16(ordinal)) != ordinal {
		return Group{}, fmt.Errorf("row group %d: a file holds at most 32,768", ordinal)
	}
	var raw, packed, low int64
	items := make([]*thrift.Struct, len(chunks))
	for i, c := range chunks {
		items[i] = c.s
		raw, packed = raw+c.Uncompressed(), packed+c.Size()
		if i == 0 || c.Start() < low {
			low = c.Start()
		}
	}
	g := Group{&thrift.Struct{}}
	g.s.Set(groupChunks, thrift.Structs(items...))
	g.s.Set(groupBytes, thrift.Int64(raw))
	g.s.Set(groupRows, thrift.Int64(rows))
	g.s.Set(groupOffset, thrift.Int64(low))
	g.s.Set(groupCompressed, thrift.Int64(packed))
	g.s.Set(groupOrdinal, thrift.Int16(int16(ordinal)))
	return g, nil
}

// Parts are what a new footer has of its own.
type Parts struct {
	Schema    []Element // the root first, as a schema's list
	Groups    []Group
	KeyValues []KeyValue
	// Orders has an entry for each leaf: the source leaf whose order it keeps, or
	// -1 for the order of its type. A source without orders gives none.
	Orders []int
}

// With is a footer that keeps of f what Parts does not replace: the version,
// created_by, and fields that nobody here knows.
func (f *Footer) With(p Parts) (*Footer, error) {
	// What is replaced is most of a footer, and this is asked for once a dictionary.
	root := f.root.CloneWithout(fileSchema, fileGroups, fileRows, fileKeyValues, fileOrders)
	elements := make([]*thrift.Struct, len(p.Schema))
	for i, e := range p.Schema {
		elements[i] = e.s
	}
	groups := make([]*thrift.Struct, len(p.Groups))
	var rows int64
	for i, g := range p.Groups {
		groups[i], rows = g.s, rows+g.Rows()
	}
	root.Set(fileSchema, thrift.Structs(elements...))
	root.Set(fileGroups, thrift.Structs(groups...))
	root.Set(fileRows, thrift.Int64(rows))
	if len(p.KeyValues) > 0 {
		root.Set(fileKeyValues, keyValues(p.KeyValues))
	}
	if f.HasOrders() {
		orders := f.root.Items(fileOrders)
		var out []thrift.Value
		for _, leaf := range p.Orders {
			if leaf >= 0 && leaf < len(orders) {
				out = append(out, orders[leaf])
				continue
			}
			byType := &thrift.Struct{}
			byType.Set(orderByType, thrift.Of(&thrift.Struct{}))
			out = append(out, thrift.Of(byType))
		}
		root.Set(fileOrders, thrift.ListOf(thrift.Object, out...))
	}
	out, err := of(root)
	if err == nil && f.HasOrders() && len(p.Orders) != len(out.leaves) {
		err = fmt.Errorf("%d column orders for %d leaves", len(p.Orders), len(out.leaves))
	}
	return out, err
}

func keyValues(kvs []KeyValue) thrift.Value {
	items := make([]*thrift.Struct, len(kvs))
	for i, kv := range kvs {
		items[i] = &thrift.Struct{}
		items[i].Set(1, thrift.String(kv.Key))
		if kv.Value != nil {
			items[i].Set(2, thrift.String(*kv.Value))
		}
	}
	return thrift.Structs(items...)
}

// NewRoot is a schema's root of so many top-level columns, named as the source's is.
func (f *Footer) NewRoot(columns int) Element {
	e := Element{f.tree.s.Clone()}
	e.s.Set(elementChildren, thrift.Int32(int32(columns)))
	e.s.Delete(elementFieldID)
	return e
}

// CloneElements are copies of a node's elements, without field ids, to be edited.
func (n *Node) CloneElements() []Element {
	out := n.Elements()
	for i := range out {
		out[i] = Element{out[i].s.Clone()}
		out[i].SetFieldID(nil)
	}
	return out
}
