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
		names := make([]string, len(foot.columns))
		for i, c := range foot.columns {
			names[i] = c.Name
		}
		var out []schema.CopyColumn
		for _, f := range snap.Schema.Fields {
			if slices.Contains(snap.Metadata.PartitionColumns, f.Name) {
				out = append(out, schema.CopyColumn{Name: f.Name, Physical: "PARTITION"})
				at.partition[f.Name] = true
				continue
			}
			if i := mode.ColumnOf(f, names, foot.ids); i >= 0 {
				c := foot.columns[i]
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
