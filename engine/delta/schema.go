package delta

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Schema is the table's columns in order.
type Schema struct{ Fields []Field }

// Field is a column, or a member of a nested one.
type Field struct {
	Name     string
	Type     json.RawMessage // "long" in quotes, or the object of a nested type
	Nullable bool
	Metadata Object // comment, delta.typeChanges and whatever else there is

	rest Object // members that the protocol does not name
}

// NewField is a nullable column of a primitive type, with a comment unless that is empty.
func NewField(name, primitive, comment string) (Field, error) {
	t, err := encode(primitive)
	if err != nil {
		return Field{}, err
	}
	f := Field{Name: name, Type: t, Nullable: true}
	if comment != "" {
		err = f.Metadata.Set("comment", comment)
	}
	return f, err
}

// Primitive is the type's name, unless the type is nested.
func (f Field) Primitive() (string, bool) {
	var s string
	if json.Unmarshal(f.Type, &s) != nil {
		return "", false
	}
	return s, true
}

// Comment is the column's comment, or empty.
func (f Field) Comment() string {
	s, _ := f.Metadata.Text("comment")
	return s
}

// MarshalJSON writes the field as the log has it.
func (f Field) MarshalJSON() ([]byte, error) {
	o, err := ObjectOf(Pair{"name", f.Name}, Pair{"type", f.Type}, Pair{"nullable", f.Nullable}, Pair{"metadata", f.Metadata})
	if err != nil {
		return nil, err
	}
	o.members = append(o.members, f.rest.members...)
	return o.MarshalJSON()
}

// UnmarshalJSON reads the field and keeps what it does not know.
func (f *Field) UnmarshalJSON(data []byte) error {
	var rest Object
	if err := rest.UnmarshalJSON(data); err != nil {
		return err
	}
	out := Field{Nullable: true}
	if raw, ok := rest.take("name"); !ok || json.Unmarshal(raw, &out.Name) != nil || out.Name == "" {
		return errors.New("a column without a name")
	}
	raw, ok := rest.take("type")
	if !ok {
		return fmt.Errorf("column %q has no type", out.Name)
	}
	out.Type = raw
	if raw, ok := rest.take("nullable"); ok {
		if err := json.Unmarshal(raw, &out.Nullable); err != nil {
			return fmt.Errorf("column %q: %w", out.Name, err)
		}
	}
	if raw, ok := rest.take("metadata"); ok {
		if err := out.Metadata.UnmarshalJSON(raw); err != nil {
			return fmt.Errorf("metadata of column %q: %w", out.Name, err)
		}
	}
	out.rest = rest
	*f = out
	return nil
}

// ParseSchema reads a schemaString. Nested types are checked as well.
func ParseSchema(text string) (Schema, error) {
	fields, err := structFields(json.RawMessage(text))
	if err != nil {
		return Schema{}, fmt.Errorf("table schema: %w", err)
	}
	s := Schema{fields}
	if err := s.walk(func([]string, Field) {}, func([]string, string) {}); err != nil {
		return Schema{}, fmt.Errorf("table schema: %w", err)
	}
	return s, nil
}

func structFields(raw json.RawMessage) ([]Field, error) {
	var t struct {
		Type   string  `json:"type"`
		Fields []Field `json:"fields"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, err
	}
	if t.Type != "struct" {
		return nil, fmt.Errorf("want a struct, got type %q", t.Type)
	}
	return t.Fields, nil
}

// String is the schema as a schemaString. Fields are always encodable: their
// types and metadata are JSON that was parsed or made by this package.
func (s Schema) String() string {
	fields := s.Fields
	if fields == nil {
		fields = []Field{}
	}
	o, err := ObjectOf(Pair{"type", "struct"}, Pair{"fields", fields})
	if err != nil {
		return ""
	}
	text, err := encode(o)
	if err != nil {
		return ""
	}
	return string(text)
}

// Field finds a top-level column, ignoring case as Delta does.
func (s Schema) Field(name string) (Field, bool) {
	for _, f := range s.Fields {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return Field{}, false
}

// duplicate is a name that two columns share, ignoring case.
func (s Schema) duplicate() (string, bool) {
	seen := map[string]bool{}
	for _, f := range s.Fields {
		key := strings.ToLower(f.Name)
		if seen[key] {
			return f.Name, true
		}
		seen[key] = true
	}
	return "", false
}

// walk visits every field, nested ones too, and every primitive type, with the
// path of names that leads there ("element", "key" and "value" within arrays and maps).
func (s Schema) walk(field func(path []string, f Field), leaf func(path []string, primitive string)) error {
	return walkFields(nil, s.Fields, field, leaf)
}

func walkFields(path []string, fields []Field, field func([]string, Field), leaf func([]string, string)) error {
	for _, f := range fields {
		at := slices.Concat(path, []string{f.Name})
		field(at, f)
		if err := walkType(at, f.Type, field, leaf); err != nil {
			return err
		}
	}
	return nil
}

func walkType(path []string, raw json.RawMessage, field func([]string, Field), leaf func([]string, string)) error {
	var name string
	if json.Unmarshal(raw, &name) == nil && name != "" {
		leaf(path, name)
		return nil
	}
	var t struct {
		Type        string          `json:"type"`
		ElementType json.RawMessage `json:"elementType"`
		KeyType     json.RawMessage `json:"keyType"`
		ValueType   json.RawMessage `json:"valueType"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return fmt.Errorf("type of %q: %w", strings.Join(path, "."), err)
	}
	below := func(name string) []string { return slices.Concat(path, []string{name}) }
	switch t.Type {
	case "struct":
		fields, err := structFields(raw)
		if err != nil {
			return fmt.Errorf("type of %q: %w", strings.Join(path, "."), err)
		}
		return walkFields(path, fields, field, leaf)
	case "array":
		return walkType(below("element"), t.ElementType, field, leaf)
	case "map":
		if err := walkType(below("key"), t.KeyType, field, leaf); err != nil {
			return err
		}
		return walkType(below("value"), t.ValueType, field, leaf)
	default:
		return fmt.Errorf("type of %q: no type %q", strings.Join(path, "."), t.Type)
	}
}
