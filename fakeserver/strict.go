package fakeserver

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// decodeStrict reads one JSON value into dst. Unknown keys, keys given twice,
// values of the wrong kind and anything after the value are refused, with the
// JSON path of the place.
func decodeStrict(r io.Reader, dst any) error {
	all, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if !json.Valid(all) { // Unmarshal says where
		return json.Unmarshal(all, dst)
	}
	if err := checkShape(all, reflect.TypeOf(dst).Elem(), ""); err != nil {
		return err
	}
	return json.Unmarshal(all, dst)
}

// checkShape compares raw with the Go type that will hold it.
func checkShape(raw json.RawMessage, t reflect.Type, path string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if string(bytes.TrimSpace(raw)) == "null" {
		return nil
	}
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return checkRepeats(raw, path)
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
	case t.Kind() == reflect.Struct:
		return checkStruct(raw, t, path)
	case t.Kind() == reflect.Map:
		return eachMember(raw, path, func(key string, v json.RawMessage) error {
			return checkShape(v, t.Elem(), join(path, key))
		})
	case t.Kind() == reflect.Slice:
		return eachElement(raw, path, func(i int, v json.RawMessage) error {
			return checkShape(v, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
		})
	}
	if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
		return at(path, "%s is not %s", short(raw), kindName(t))
	}
	return nil
}

func checkStruct(raw json.RawMessage, t reflect.Type, path string) error {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		fields[name] = t.Field(i).Type
	}
	return eachMember(raw, path, func(key string, v json.RawMessage) error {
		ft, ok := fields[key]
		if !ok {
			return at(join(path, key), "unknown key")
		}
		return checkShape(v, ft, join(path, key))
	})
}

// checkRepeats looks for keys given twice inside a value of free shape.
func checkRepeats(raw json.RawMessage, path string) error {
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '{':
		return eachMember(raw, path, func(key string, v json.RawMessage) error {
			return checkRepeats(v, join(path, key))
		})
	case '[':
		return eachElement(raw, path, func(i int, v json.RawMessage) error {
			return checkRepeats(v, fmt.Sprintf("%s[%d]", path, i))
		})
	}
	return nil
}

// eachMember calls f for the members of an object in their order.
func eachMember(raw json.RawMessage, path string, f func(string, json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return at(path, "%s is not an object", short(raw))
	}
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		key, _ := tok.(string)
		if seen[key] {
			return at(join(path, key), "key given twice")
		}
		seen[key] = true
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err
		}
		if err := f(key, v); err != nil {
			return err
		}
	}
	return nil
}

func eachElement(raw json.RawMessage, path string, f func(int, json.RawMessage) error) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return at(path, "%s is not an array", short(raw))
	}
	for i, v := range list {
		if err := f(i, v); err != nil {
			return err
		}
	}
	return nil
}

// at is an error about the value at a JSON path.
func at(path, format string, a ...any) error {
	if path == "" {
		path = "the world"
	}
	return fmt.Errorf("%s: %w", path, fmt.Errorf(format, a...))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// short shows a JSON value in a message without filling the screen.
func short(raw json.RawMessage) string {
	s := string(bytes.TrimSpace(raw))
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

func kindName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[LSN]():
		return "an LSN (0x and 1 to 20 hexadecimal digits)"
	case t.PkgPath() == "time":
		return "an instant such as 2026-10-25T01:00:00Z"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number in range"
}
