package thrift

import (
	"iter"
	"slices"
)

// Struct is a struct's fields in the order in which they stand.
type Struct struct {
	fields []field
}

type field struct {
	id int16
	// wide is how many bytes spelled the id behind the head. 0 is a step from the
	// field before inside the head, where it can be.
	wide uint8
	val  Value
}

// Get is the field's value; the zero Value where the struct lacks it.
func (s *Struct) Get(id int16) Value {
	if s != nil {
		for i := range s.fields {
			if s.fields[i].id == id {
				return s.fields[i].val
			}
		}
	}
	return Value{}
}

// Has reports whether the struct has the field.
func (s *Struct) Has(id int16) bool { return s.Get(id).kind != Stop }

// Int is a number field's value, or other where the struct lacks the field.
func (s *Struct) Int(id int16, other int64) int64 {
	if v := s.Get(id); v.kind != Stop {
		return v.Int()
	}
	return other
}

// Text is a binary field as text; empty where the struct lacks it.
func (s *Struct) Text(id int16) string { return string(s.Get(id).Raw()) }

// Items are a list field's items. Callers do not change them.
func (s *Struct) Items(id int16) []Value { return s.Get(id).Items() }

// Struct is a struct field, or nil.
func (s *Struct) Struct(id int16) *Struct { return s.Get(id).obj }

// All are the fields in the order in which they stand.
func (s *Struct) All() iter.Seq2[int16, Value] {
	return func(yield func(int16, Value) bool) {
		for i := range s.fields {
			if !yield(s.fields[i].id, s.fields[i].val) {
				return
			}
		}
	}
}

// Set gives the field a value. A new field stands before the first with a
// greater id, as generated writers put it.
func (s *Struct) Set(id int16, v Value) {
	for i := range s.fields {
		if s.fields[i].id == id {
			s.fields[i].val = v
			return
		}
	}
	at := slices.IndexFunc(s.fields, func(f field) bool { return f.id > id })
	if at < 0 {
		at = len(s.fields)
	}
	s.fields = slices.Insert(s.fields, at, field{id: id, val: v})
}

// Delete takes fields out.
func (s *Struct) Delete(ids ...int16) {
	s.fields = slices.DeleteFunc(s.fields, func(f field) bool { return slices.Contains(ids, f.id) })
}

// Clone is a copy that can be edited without touching s.
func (s *Struct) Clone() *Struct {
	if s == nil {
		return nil
	}
	out := &Struct{fields: slices.Clone(s.fields)}
	for i := range out.fields {
		out.fields[i].val = out.fields[i].val.clone()
	}
	return out
}

// CloneWithout is a Clone that lacks the given fields, whose trees are not copied.
func (s *Struct) CloneWithout(ids ...int16) *Struct {
	flat := &Struct{fields: slices.Clone(s.fields)}
	flat.Delete(ids...)
	return flat.Clone()
}
