package sqlserver

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"cdcseed/engine/schema"
)

// Table finds a captured table by what the user calls it (see Resolve) and
// reads its instances' columns with their types. chosen is the capture instance
// whose name the stream is configured with, spelled as the caller spelled it
// where he named one. Refusals: verdict.CDCOff, verdict.NoInstance,
// verdict.InstanceAmbiguous, verdict.SourceDenied.
func (s *Source) Table(ctx context.Context, name string) (t schema.Table, chosen string, err error) {
	tables, err := s.Tables(ctx)
	if err != nil {
		return schema.Table{}, "", err
	}
	t, chosen, err = Resolve(tables, name)
	if err != nil {
		return schema.Table{}, "", s.unresolved(ctx, name, err)
	}
	source, err := s.sourceColumns(ctx, t)
	if err != nil {
		return schema.Table{}, "", err
	}
	for _, id := range slices.Sorted(maps.Keys(source)) {
		t.Columns = append(t.Columns, schema.Named{Name: source[id].name, ID: int(id)})
	}
	for i := range t.Instances {
		if err := s.capturedColumns(ctx, &t.Instances[i], source); err != nil {
			return schema.Table{}, "", err
		}
	}
	return t, chosen, nil
}

// sourceColumn is what only the source table's own catalogue row tells.
type sourceColumn struct {
	name      string
	length    int
	codePage  int
	collation string
	padded    bool
	nullable  bool
	computed  bool
}

// sourceColumns reads the source table's columns by column_id, which a rename keeps.
func (s *Source) sourceColumns(ctx context.Context, t schema.Table) (out map[int64]sourceColumn, err error) {
	err = s.read(ctx, "source_columns", func(rows *sql.Rows) error {
		out = map[int64]sourceColumn{}
		for rows.Next() {
			var id int64
			var name string
			var length, page sql.NullInt64
			var collation sql.NullString
			var padded, nullable, computed sql.NullBool
			if err := rows.Scan(&id, &name, &length, &page, &collation, &padded, &nullable, &computed); err != nil {
				return err
			}
			out[id] = sourceColumn{name, int(length.Int64), int(page.Int64), collation.String, padded.Bool, nullable.Bool, computed.Bool}
		}
		return nil
	}, text("schema", t.Schema), text("table", t.Name))
	return out, err
}

// capturedColumns fills in an instance's columns, in capture order.
func (s *Source) capturedColumns(ctx context.Context, in *schema.Instance, source map[int64]sourceColumn) error {
	type ordered struct {
		schema.Column
		ordinal int64
	}
	var list []ordered
	err := s.read(ctx, "captured_columns", func(rows *sql.Rows) error {
		list = nil
		scan, err := newNamedScan(rows)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := scan.next(rows); err != nil {
				return err
			}
			id := scan.integer("column_id")
			c := capturedColumn(scan)
			if src, ok := source[id]; ok {
				c.Type.Length, c.Type.CodePage, c.Type.AnsiPad = lengthOf(c.Type.Name, src.length), src.codePage, src.padded
				c.Type.Collation = src.collation
				c.Nullable, c.Computed = src.nullable, src.computed
			} else {
				c.Nullable = true // dropped from the table since: it reads NULL from then on
			}
			list = append(list, ordered{c, scan.integer("column_ordinal", "ordinal_position")})
		}
		return nil
	}, text("instance", in.Name))
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return noInstance(in.Name, nil)
	}
	slices.SortStableFunc(list, func(a, b ordered) int { return int(a.ordinal - b.ordinal) })
	in.Columns = in.Columns[:0:0]
	for _, c := range list {
		in.Columns = append(in.Columns, c.Column)
	}
	return nil
}

// capturedColumn is a column as the capture instance knows it.
func capturedColumn(row *namedScan) schema.Column {
	t := schema.SQLType{Name: strings.ToLower(row.text("data_type"))}
	switch t.Name {
	case "decimal", "numeric":
		t.Precision, t.Scale = int(row.integer("numeric_precision")), int(row.integer("numeric_scale"))
	case "time", "datetime2", "datetimeoffset":
		t.Scale = int(row.integer("datetime_precision"))
	case "nchar", "nvarchar":
		if t.Length = int(row.integer("character_maximum_length")); t.Length > 0 {
			t.Length *= 2 // bytes, as sys.columns counts
		}
	case "char", "varchar", "binary", "varbinary":
		t.Length = int(row.integer("character_maximum_length"))
	}
	return schema.Column{Name: row.text("column_name"), ID: int(row.integer("column_id")), Type: t}
}

// lengthOf keeps max_length for the types that have one.
func lengthOf(name string, length int) int {
	switch name {
	case "char", "varchar", "nchar", "nvarchar", "binary", "varbinary":
		return length
	}
	return 0
}
