// Package thrift reads structs of Thrift's compact protocol into a tree, lets
// them be edited, and writes them again: what nobody edited comes out byte for
// byte, fields that the reader does not know and unusual spellings included.
package thrift

// Kind is a type of the compact protocol, as the wire numbers it.
type Kind uint8

// The kinds. False is a kind of the wire alone: a boolean Value has kind True
// and tells which it is.
const (
	Stop   Kind = 0
	True   Kind = 1
	False  Kind = 2
	Byte   Kind = 3
	I16    Kind = 4
	I32    Kind = 5
	I64    Kind = 6
	Double Kind = 7
	Binary Kind = 8
	List   Kind = 9
	Set    Kind = 10
	Map    Kind = 11
	Object Kind = 12 // a struct
	UUID   Kind = 13
)

var kindNames = [...]string{"stop", "bool", "bool", "byte", "i16", "i32", "i64", "double", "binary", "list", "set", "map", "struct", "uuid"}

// String is the kind as Thrift's own language writes it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown kind"
}

// Value is one value of the tree. The zero Value is no value. Values are copied
// freely; a Struct and a list's items are shared by the copies.
type Value struct {
	kind Kind
	// wide is how many bytes spelled the number, or the length or count. 0 is the
	// shortest spelling, and for a list a count inside its head where it can be.
	wide uint8
	elem Kind // of a list or set; of a map's keys
	item Kind // of a map's values
	num  int64
	raw  []byte // of a binary, a double or a UUID
	list *[]Value
	obj  *Struct
}

// Bool is a boolean.
func Bool(v bool) Value {
	if v {
		return Value{kind: True, num: int64(True)}
	}
	return Value{kind: True, num: int64(False)}
}

// Int16 is an i16.
func Int16(v int16) Value { return Value{kind: I16, num: int64(v)} }

// Int32 is an i32.
func Int32(v int32) Value { return Value{kind: I32, num: int64(v)} }

// Int64 is an i64.
func Int64(v int64) Value { return Value{kind: I64, num: v} }

// Int8 is a byte.
func Int8(v int8) Value { return Value{kind: Byte, num: int64(v)} }

// Bytes is a binary; the caller no longer changes b.
func Bytes(b []byte) Value { return Value{kind: Binary, raw: b} }

// String is a binary that holds text.
func String(s string) Value { return Value{kind: Binary, raw: []byte(s)} }

// Of is a struct as a value.
func Of(s *Struct) Value { return Value{kind: Object, obj: s} }

// ListOf is a list of items of one kind.
func ListOf(kind Kind, items ...Value) Value { return Value{kind: List, elem: kind, list: &items} }

// Structs is a list of structs.
func Structs(items ...*Struct) Value {
	out := make([]Value, len(items))
	for i, s := range items {
		out[i] = Of(s)
	}
	return ListOf(Object, out...)
}

// Kind is what the value is; Stop where it is none.
func (v Value) Kind() Kind { return v.kind }

// Elem is the kind of a list's or set's items, or of a map's keys.
func (v Value) Elem() Kind { return v.elem }

// Truth is a boolean's value. Writers spell true as 1; false as 2 or 0.
func (v Value) Truth() bool { return v.kind == True && v.num == int64(True) }

// Int is the number of a byte, i16, i32 or i64, else 0.
func (v Value) Int() int64 {
	switch v.kind {
	case Byte, I16, I32, I64:
		return v.num
	}
	return 0
}

// Raw are the bytes of a binary, else nothing. Callers do not change them.
func (v Value) Raw() []byte {
	if v.kind != Binary {
		return nil
	}
	return v.raw
}

// Len is the number of items of a list, set or map; a map's keys and values count each.
func (v Value) Len() int {
	if v.list == nil {
		return 0
	}
	return len(*v.list)
}

// Items are those of a list or set; of a map a key and a value in turn.
// Callers do not change them.
func (v Value) Items() []Value {
	if v.list == nil {
		return nil
	}
	return *v.list
}

// Struct is the struct that the value is, or nil.
func (v Value) Struct() *Struct { return v.obj }

// clone is the value with structs and lists of its own.
func (v Value) clone() Value {
	if v.list != nil {
		items := make([]Value, len(*v.list))
		for i, it := range *v.list {
			items[i] = it.clone()
		}
		v.list = &items
	}
	if v.obj != nil {
		v.obj = v.obj.Clone()
	}
	return v
}

// fits reports whether a number is one of its kind.
func fits(k Kind, v int64) bool {
	switch k {
	case I16:
		return int64(int16(v)) == v
	case I32:
		return int64(int32(v)) == v
	}
	return true
}
