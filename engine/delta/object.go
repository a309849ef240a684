package delta

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Object is a JSON object that keeps the order of its keys and the text of its
// values, so that what we do not know survives being written again.
type Object struct{ members []member }

type member struct {
	key   string
	value json.RawMessage
}

// Pair is a key and a value for an Object.
type Pair struct {
	Key   string
	Value any
}

// ObjectOf is an Object with the given members in the given order.
func ObjectOf(pairs ...Pair) (Object, error) {
	var o Object
	for _, p := range pairs {
		if err := o.Set(p.Key, p.Value); err != nil {
			return Object{}, err
		}
	}
	return o, nil
}

// Len is the number of members.
func (o Object) Len() int { return len(o.members) }

// Keys lists the keys in their order.
func (o Object) Keys() []string {
	out := make([]string, len(o.members))
	for i, m := range o.members {
		out[i] = m.key
	}
	return out
}

// Get is the value's JSON text. Of a key that stands twice the last one counts.
func (o Object) Get(key string) (json.RawMessage, bool) {
	for i := len(o.members) - 1; i >= 0; i-- {
		if o.members[i].key == key {
			return o.members[i].value, true
		}
	}
	return nil, false
}

// Text is the value where it is a JSON string.
func (o Object) Text(key string) (string, bool) {
	raw, ok := o.Get(key)
	if !ok {
		return "", false
	}
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// Set replaces the value where the key stands, or adds the key at the end.
func (o *Object) Set(key string, value any) error {
	raw, err := encode(value)
	if err != nil {
		return fmt.Errorf("encode %q: %w", key, err)
	}
	members := make([]member, 0, len(o.members)+1)
	replaced := false
	for _, m := range o.members {
		if m.key == key {
			if replaced {
				continue
			}
			m.value, replaced = raw, true
		}
		members = append(members, m)
	}
	if !replaced {
		members = append(members, member{key, raw})
	}
	o.members = members // a fresh slice: copies of o stay as they were
	return nil
}

// take is the value of key, which leaves the object.
func (o *Object) take(key string) (json.RawMessage, bool) {
	raw, ok := o.Get(key)
	if !ok {
		return nil, false
	}
	rest := make([]member, 0, len(o.members))
	for _, m := range o.members {
		if m.key != key {
			rest = append(rest, m)
		}
	}
	o.members = rest
	return raw, true
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o.members {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := encode(m.key)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		if err := json.Compact(&b, m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON keeps every value's text as it stands. null is an empty object.
func (o *Object) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	first, err := d.Token()
	if err != nil {
		return err
	}
	o.members = nil
	if first == nil {
		return nil
	}
	if first != json.Delim('{') {
		return fmt.Errorf("want a JSON object, got %.40s", data)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return fmt.Errorf("want a member's name, got %v", key)
		}
		o.members = append(o.members, member{name, raw})
	}
	_, err = d.Token()
	return err
}

// encode is JSON without the escapes that only HTML needs.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
