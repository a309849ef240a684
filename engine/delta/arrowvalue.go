package delta

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// structure reads a struct column's fields by name. A field that is missing,
// null, or of another type than asked for has the zero value.
type structure struct{ fields map[string]arrow.Array }

func structOf(a *array.Struct) structure {
	out := structure{map[string]arrow.Array{}}
	for i := range a.NumField() {
		out.fields[fieldName(a, i)] = a.Field(i)
	}
	return out
}

// fieldName is the name of a struct column's field i.
func fieldName(a *array.Struct, i int) string {
	if t, ok := a.DataType().(*arrow.StructType); ok {
		return t.Field(i).Name
	}
	return ""
}

// sub is the struct in field name, with the row to ask it for; nothing where it is null.
func (s structure) sub(name string, i int) (structure, int) {
	a, ok := s.fields[name].(*array.Struct)
	if !ok || a.IsNull(i) {
		return structure{}, i
	}
	return structOf(a), i
}

func (s structure) text(name string, i int) string {
	v, _ := textAt(s.fields[name], i)
	return v
}

func textAt(a arrow.Array, i int) (string, bool) {
	if a == nil || a.IsNull(i) {
		return "", false
	}
	switch a := a.(type) {
	case *array.String:
		return a.Value(i), true
	case *array.LargeString:
		return a.Value(i), true
	case *array.Binary: // a string column without its annotation, as old writers left it
		return string(a.Value(i)), true
	}
	return "", false
}

func (s structure) int(name string, i int) int64 {
	if v := s.intOrNil(name, i); v != nil {
		return *v
	}
	return 0
}

func (s structure) intOrNil(name string, i int) *int64 {
	a := s.fields[name]
	if a == nil || a.IsNull(i) {
		return nil
	}
	var v int64
	switch a := a.(type) {
	case *array.Int64:
		v = a.Value(i)
	case *array.Int32:
		v = int64(a.Value(i))
	default:
		return nil
	}
	return &v
}

func (s structure) bool(name string, i int) bool {
	a, ok := s.fields[name].(*array.Boolean)
	return ok && a.IsValid(i) && a.Value(i)
}

// texts is nil for null, so that a protocol without lists stays without.
func (s structure) texts(name string, i int) []string {
	a, ok := s.fields[name].(*array.List)
	if !ok || a.IsNull(i) {
		return nil
	}
	from, to := a.ValueOffsets(i)
	out := make([]string, 0, to-from)
	for j := from; j < to; j++ {
		if v, ok := textAt(a.ListValues(), int(j)); ok {
			out = append(out, v)
		}
	}
	return out
}

func (s structure) textMap(name string, i int) map[string]*string {
	a, ok := s.fields[name].(*array.Map)
	if !ok || a.IsNull(i) {
		return nil
	}
	from, to := a.ValueOffsets(i)
	out := make(map[string]*string, to-from)
	for j := int(from); j < int(to); j++ {
		key, _ := textAt(a.Keys(), j)
		out[key] = nil
		if v, ok := textAt(a.Items(), j); ok {
			out[key] = &v
		}
	}
	return out
}
