package delta_test

import (
	"encoding/json"
	"testing"

	"cdcseed/engine/delta"
)

func TestColumnOf(t *testing.T) {
	field := func(text string) delta.Field {
		var f delta.Field
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	plain := field(`{"name":"Id","type":"integer","nullable":true,"metadata":{}}`)
	mapped := field(`{"name":"Id","type":"integer","nullable":true,"metadata":{"delta.columnMapping.id":7,"delta.columnMapping.physicalName":"col-a"}}`)
	none := []int32{-1, -1, -1}
	for _, c := range []struct {
		name  string
		mode  delta.Mapping
		field delta.Field
		names []string
		ids   []int32
		want  int
	}{
		{"the exact name", delta.Unmapped, plain, []string{"ID", "id", "Id"}, none, 2},
		{"the first in another case", delta.Unmapped, plain, []string{"x", "ID", "id"}, none, 1},
		{"none", delta.Unmapped, plain, []string{"x", "y", "z"}, none, -1},
		{"by physical name", delta.ByName, mapped, []string{"Id", "COL-A", "col-a"}, none, 2},
		{"by physical name in another case", delta.ByName, mapped, []string{"Id", "COL-A", "z"}, none, 1},
		{"the logical name is none of its", delta.ByName, mapped, []string{"Id", "y", "z"}, []int32{7, 1, 2}, -1},
		{"a physical name in a table that maps none", delta.Unmapped, mapped, []string{"col-a", "Id", "z"}, none, 1},
		{"by id", delta.ByID, mapped, []string{"col-a", "x", "Id"}, []int32{-1, 7, 8}, 1},
		{"by id in a file without ids", delta.ByID, mapped, []string{"col-a", "x", "Id"}, none, -1},
		{"by id, of a field without one", delta.ByID, plain, []string{"Id", "y", "z"}, none, -1},
	} {
		if got := c.mode.ColumnOf(c.field, c.names, c.ids); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
