package sqlserver

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
)

// Tables lists the captured tables that the login may read, by name, each with
// its capture instances oldest first, their key columns and the names of their
// captured columns. Table gives a column's type. Refusals: verdict.CDCOff.
func (s *Source) Tables(ctx context.Context) ([]schema.Table, error) {
	if err := s.CheckCDC(ctx); err != nil {
		return nil, err
	}
	tables, err := s.instances(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.rowCounts(ctx)
	if err != nil {
		return nil, err
	}
	for i := range tables {
		if n, ok := rows[tables[i].ObjectID]; ok {
			tables[i].Rows = &n
		}
	}
	return tables, nil
}

// instances reads sys.sp_cdc_help_change_data_capture, which lists what the
// caller may use.
func (s *Source) instances(ctx context.Context) (tables []schema.Table, err error) {
	err = s.read(ctx, "instances", func(rows *sql.Rows) error {
		tables = nil
		scan, err := newNamedScan(rows)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := scan.next(rows); err != nil {
				return err
			}
			if tables, err = addInstance(tables, scan); err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(tables, func(a, b schema.Table) int {
		return cmp.Or(strings.Compare(a.Schema, b.Schema), strings.Compare(a.Name, b.Name))
	})
	for i := range tables {
		slices.SortStableFunc(tables[i].Instances, olderFirst)
	}
	return tables, err
}

// addInstance puts the instance of the present row under its table.
func addInstance(tables []schema.Table, row *namedScan) ([]schema.Table, error) {
	in := schema.Instance{
		Name:     row.text("capture_instance"),
		ObjectID: row.integer("object_id"),
		Role:     row.text("role_name"),
		Key:      bracketed(row.text("index_column_list")),
	}
	for _, name := range bracketed(row.text("captured_column_list")) {
		in.Columns = append(in.Columns, schema.Column{Name: name})
	}
	if t, ok := row.value("create_date").(time.Time); ok {
		in.Created = clock.WallOf(t)
	}
	if b, ok := row.value("start_lsn").([]byte); ok {
		l, err := lsn.FromBytes(b)
		if err != nil {
			return nil, fmt.Errorf("start_lsn of %q: %w", in.Name, err)
		}
		if !l.IsZero() {
			in.StartLSN = &l
		}
	}
	id := row.integer("source_object_id")
	for i := range tables {
		if tables[i].ObjectID == id {
			tables[i].Instances = append(tables[i].Instances, in)
			return tables, nil
		}
	}
	return append(tables, schema.Table{
		Schema:    row.text("source_schema"),
		Name:      row.text("source_table"),
		ObjectID:  id,
		Instances: []schema.Instance{in},
	}), nil
}

// olderFirst is the order in which the stream takes a table's instances.
func olderFirst(a, b schema.Instance) int {
	start := func(in schema.Instance) string {
		if in.StartLSN == nil {
			return ""
		}
		return in.StartLSN.String()
	}
	return cmp.Or(cmp.Compare(a.Created, b.Created), strings.Compare(start(a), start(b)))
}

// rowCounts estimates rows by object id. The catalogue shows them of every
// table that the login may see; nothing is shown of the others.
func (s *Source) rowCounts(ctx context.Context) (out map[int64]int64, err error) {
	err = s.read(ctx, "row_counts", func(rows *sql.Rows) error {
		out = map[int64]int64{}
		for rows.Next() {
			var id int64
			var n sql.NullInt64
			if err := rows.Scan(&id, &n); err != nil {
				return err
			}
			if n.Valid {
				out[id] = n.Int64
			}
		}
		return nil
	})
	return out, err
}

// Uncaptured lists the user tables that nothing captures, as schema.table in
// order: those that the login may see.
func (s *Source) Uncaptured(ctx context.Context) (names []string, err error) {
	tables, err := s.uncaptured(ctx)
	for _, t := range tables {
		names = append(names, t.String())
	}
	slices.Sort(names)
	return names, err
}

func (s *Source) uncaptured(ctx context.Context) (tables []schema.Table, err error) {
	err = s.read(ctx, "uncaptured_tables", func(rows *sql.Rows) error {
		tables = nil
		for rows.Next() {
			var t schema.Table
			if err := rows.Scan(&t.Schema, &t.Name); err != nil {
				return err
			}
			tables = append(tables, t)
		}
		return nil
	})
	return tables, err
}

// bracketed reads a list of names such as [a], [b ]] c], as CDC's help
// procedure writes it.
func bracketed(list string) (names []string) {
	for {
		open := strings.IndexByte(list, '[')
		if open < 0 {
			return names
		}
		var name strings.Builder
		i := open + 1
		for ; i < len(list); i++ {
			if list[i] == ']' {
				if i+1 >= len(list) || list[i+1] != ']' {
					break
				}
				i++
			}
			name.WriteByte(list[i])
		}
		names = append(names, name.String())
		list = list[min(i+1, len(list)):]
	}
}
