package lakecopy

import (
	"fmt"
	"slices"

	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// byTable takes, of a file's columns, those that the table has, under the
// table's names. A partition column's copy in the file is ignored, and so is a
// column that the table has dropped; one that the file lacks is null there.
func byTable(snap *delta.Snapshot) shape {
	mode := snap.Metadata.Mapping()
	return func(foot footer) ([]schema.CopyColumn, layout) {
		at := layout{physical: map[string]string{}, partition: map[string]bool{}}
		var out []schema.CopyColumn
		for _, f := range snap.Schema.Fields {
			if slices.Contains(snap.Metadata.PartitionColumns, f.Name) {
				out = append(out, schema.CopyColumn{Name: f.Name, Physical: "PARTITION"})
				at.partition[f.Name] = true
				continue
			}
			if c, ok := foot.columnOf(f, mode); ok {
				at.physical[f.Name] = c.Name
				c.Name = f.Name
				out = append(out, c)
				continue
			}
			out = append(out, schema.CopyColumn{Name: f.Name, Physical: schema.Absent})
		}
		return out, at
	}
}

// columnOf finds a column of the table in a file. Physical names and ids are
// exact; a name of the table itself may be spelled otherwise in the file.
func (f footer) columnOf(field delta.Field, mode delta.Mapping) (schema.CopyColumn, bool) {
	switch mode {
	case delta.ByID:
		id, _ := field.ID()
		if i := slices.Index(f.ids, id); i >= 0 && id > 0 {
			return f.columns[i], true
		}
		return schema.CopyColumn{}, false
	case delta.ByName:
		physical := mode.Physical(field)
		i := slices.IndexFunc(f.columns, func(c schema.CopyColumn) bool { return c.Name == physical })
		if i < 0 {
			return schema.CopyColumn{}, false
		}
		return f.columns[i], true
	default:
		return columnOf(f.columns, field.Name)
	}
}

// columnOf prefers the exact name: a file may hold a second one in another case.
func columnOf(columns []schema.CopyColumn, name string) (schema.CopyColumn, bool) {
	for _, c := range columns {
		if c.Name == name {
			return c, true
		}
	}
	for _, c := range columns {
		if schema.SameName(c.Name, name) {
			return c, true
		}
	}
	return schema.CopyColumn{}, false
}

// identified refuses, in a table that finds its columns by field id, a file whose
// columns have none, or one id twice: which column is which cannot be told.
func identified(snap *delta.Snapshot, files []File, feet []footer) error {
	if snap.Metadata.Mapping() != delta.ByID {
		return nil
	}
	for i, foot := range feet {
		what, seen := "", map[int32]bool{}
		for j, id := range foot.ids {
			switch {
			case id < 1:
				what = fmt.Sprintf("column %q has no field id", foot.columns[j].Name)
			case seen[id]:
				what = fmt.Sprintf("field id %d stands twice", id)
			}
			seen[id] = true
		}
		if what == "" {
			continue
		}
		return &verdict.Error{
			Code:  verdict.CopyFeature,
			What:  fmt.Sprintf("the Delta table %q uses %q in mode id, and in data file %q %s", snap.URL(), delta.MappingFeature, files[i].Key, what),
			Facts: verdict.Facts("version", snap.Version, "protocol", snap.Protocol),
			Why:   "In that mode files tell their columns apart by field id alone.",
			Hint:  []string{"Write the table again: CREATE TABLE ... AS SELECT * FROM ..."},
		}
	}
	return nil
}
