package fakeserver

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
)

// insertable tells the columns that a row must give from those that the
// server fills in.
func (c *column) insertable() bool { return c.computed == nil && !c.typ.isRowVersion() }

// rowFrom reads a row written as an array of all columns that are neither
// computed nor a rowversion, or as an object; in an object nullable columns
// may be left out.
func (t *table) rowFrom(raw json.RawMessage, path string) ([]any, error) {
	row := make([]any, len(t.columns))
	given := make([]bool, len(t.columns))
	set := func(i int, v json.RawMessage, path string) error {
		c := t.columns[i]
		if !c.insertable() {
			return at(path, "the server computes this column")
		}
		x, err := c.cell(v)
		if err != nil {
			return at(path, "%v", err)
		}
		row[i], given[i] = x, true
		return nil
	}
	if err := t.eachCell(raw, path, set); err != nil {
		return nil, err
	}
	for i, c := range t.columns {
		if !given[i] && c.insertable() && !c.nullable {
			return nil, at(path, "column %s is missing and not nullable", c.name)
		}
	}
	return row, nil
}

// eachCell calls set for each value of an array or object.
func (t *table) eachCell(raw json.RawMessage, path string, set func(int, json.RawMessage, string) error) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return at(path, "there is no row")
	}
	if raw[0] != '[' {
		return eachMember(raw, path, func(key string, v json.RawMessage) error {
			i := t.column(key)
			if i < 0 {
				return at(join(path, key), "table %s.%s has no such column", t.schema, t.name)
			}
			return set(i, v, join(path, key))
		})
	}
	var order []int
	for i, c := range t.columns {
		if c.insertable() {
			order = append(order, i)
		}
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || len(list) != len(order) {
		return at(path, "a row of %s.%s has %d values, not %d", t.schema, t.name, len(order), len(list))
	}
	for n, i := range order {
		if err := set(i, list[n], fmt.Sprintf("%s[%d]", path, n)); err != nil {
			return err
		}
	}
	return nil
}

// complete fills in what the server computes: rowversion and computed columns.
func (d *database) complete(t *table, row []any, path string) error {
	for i, c := range t.columns {
		if c.typ.isRowVersion() {
			d.lastRowVersion++
			row[i] = d.rowVersionBytes()
		}
	}
	for i, c := range t.columns {
		if c.computed == nil {
			continue
		}
		v, err := c.computed.value(t, c, row)
		if err != nil {
			return at(path, "%s: %v", c.name, err)
		}
		row[i] = v
	}
	return nil
}

// find reads an object of key columns (and, unless onlyKey, others) and
// answers the row it means and the values it gives.
func (t *table) find(raw json.RawMessage, path string, onlyKey bool) ([]any, map[int]any, error) {
	given, err := t.given(raw, path)
	if err != nil {
		return nil, nil, err
	}
	if len(t.key) == 0 {
		return nil, nil, at(path, "table %s.%s has no primary key", t.schema, t.name)
	}
	if onlyKey && len(given) != len(t.key) {
		return nil, nil, at(path, "a key of %s.%s has %d columns", t.schema, t.name, len(t.key))
	}
	probe := make([]any, len(t.columns))
	for _, k := range t.key {
		v, ok := given[k]
		if !ok {
			return nil, nil, at(path, "key column %s is missing", t.columns[k].name)
		}
		probe[k] = v
	}
	i, ok := t.at[t.keyText(probe)]
	if !ok {
		return nil, nil, at(path, "table %s.%s has no row with this key", t.schema, t.name)
	}
	return t.rows[i], given, nil
}

// given reads an object of values, by column.
func (t *table) given(raw json.RawMessage, path string) (map[int]any, error) {
	given := map[int]any{}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return nil, at(path, "an object with the key of %s.%s is needed", t.schema, t.name)
	}
	err := t.eachCell(raw, path, func(i int, v json.RawMessage, path string) error {
		c := t.columns[i]
		if !c.insertable() {
			return at(path, "the server computes this column")
		}
		x, err := c.cell(v)
		if err != nil {
			return at(path, "%v", err)
		}
		given[i] = x
		return nil
	})
	return given, err
}

func keyNames(t *table) string {
	var names []string
	for _, k := range t.key {
		names = append(names, "["+t.columns[k].name+"]")
	}
	return strings.Join(names, ", ")
}

// rowVersionBytes is the newest rowversion of the database.
func (d *database) rowVersionBytes() []byte {
	return binary.BigEndian.AppendUint64(nil, d.lastRowVersion)
}
