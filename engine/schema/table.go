package schema

import (
	"fmt"
	"strings"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// Column is a column of a source table.
type Column struct {
	Name     string  `json:"name"`
	ID       int     `json:"id"` // sys.columns.column_id, which a rename keeps
	Type     SQLType `json:"type"`
	Nullable bool    `json:"nullable,omitempty"`
	Computed bool    `json:"computed,omitempty"` // CDC writes NULL for it in every change row
}

// Instance is a capture instance: one captured view of a table.
type Instance struct {
	Name     string      `json:"name"`
	ObjectID int64       `json:"object_id"`           // of its change table
	StartLSN *lsn.LSN    `json:"start_lsn,omitempty"` // nil until capture has set it
	Created  clock.Local `json:"created"`             // on the server's clock
	Role     string      `json:"role,omitempty"`      // the gating role, or empty
	Columns  []Column    `json:"columns"`             // captured ones, by column_ordinal
	Key      []string    `json:"key,omitempty"`       // columns of its unique index
}

// Named is a column of a table by the id that it keeps when it is renamed.
type Named struct {
	Name string `json:"name"`
	ID   int    `json:"id"`
}

// Table is a table with CDC, and its capture instances.
type Table struct {
	Schema    string     `json:"schema"`
	Name      string     `json:"name"`
	ObjectID  int64      `json:"object_id"`
	Instances []Instance `json:"instances"`         // oldest first
	Columns   []Named    `json:"columns,omitempty"` // of the table itself, by column_id; none where its catalogue is not seen
	Rows      *int64     `json:"rows,omitempty"`    // an estimate; nil where the login may not know
}

// Uncaptured reports whether the table has a column that no instance captures.
// later says that it is newer than every captured one: it was added after the
// instances, or left off their lists as the last.
func (t Table) Uncaptured(name string) (later, ok bool) {
	newest := 0
	for _, in := range t.Instances {
		for _, c := range in.Columns {
			if SameName(c.Name, name) {
				return false, false
			}
			newest = max(newest, c.ID)
		}
	}
	for _, c := range t.Columns {
		if SameName(c.Name, name) {
			return c.ID > newest, true
		}
	}
	return false, false
}

// String is the table's name as people type it: schema.table.
func (t Table) String() string { return t.Schema + "." + t.Name }

// TargetColumn is a captured column as the stream writes it.
type TargetColumn struct {
	Name     string  `json:"name"` // the spelling that the target has
	Type     Type    `json:"type"`
	SQL      SQLType `json:"sql"`                // of the instance that decided the type
	Computed bool    `json:"computed,omitempty"` // written NULL whatever the copy holds
	Key      bool    `json:"key,omitempty"`      // in the unique index of an instance
	Nullable bool    `json:"nullable,omitempty"` // in the source
}

// Reserved lists the metadata columns of a bronze table, which no captured
// column may be named like, in any case (contract 3).
func Reserved() []string {
	return []string{
		"_capture_instance", "_start_lsn", "_seqval", "_operation", "_command_id", "_commit_ts",
		"_batch_id", "_snapshot", "_chunk",
	}
}

// TargetColumns is the union of the instances' captured columns as the stream
// makes it (contract 3): by name without case, capture order, older instance
// first, the older spelling kept, a newer type taken only where it holds every
// older value. Computed columns stay in the list, marked. Refusals:
// ColumnUnmapped, ColumnReserved, ColumnsDiffer, ColumnAmbiguous.
func TargetColumns(instances []Instance) ([]TargetColumn, error) {
	var out []TargetColumn
	at := map[string]int{}
	for _, in := range instances {
		seen := map[string]string{}
		for _, c := range in.Columns {
			name := Fold(c.Name)
			if other, twice := seen[name]; twice {
				return nil, ambiguous(in.Name, other, c.Name)
			}
			seen[name] = c.Name
			tc, err := targetColumn(in, c)
			if err != nil {
				return nil, err
			}
			i, known := at[name]
			if !known {
				at[name] = len(out)
				out = append(out, tc)
				continue
			}
			if out[i], err = newer(out[i], tc, in.Name); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func targetColumn(in Instance, c Column) (TargetColumn, error) {
	for _, r := range Reserved() {
		if SameName(r, c.Name) {
			return TargetColumn{}, &verdict.Error{
				Code: verdict.ColumnReserved,
				What: fmt.Sprintf("captured column %q of %q has the name of a metadata column", c.Name, in.Name),
				Why:  "The stream refuses such a table: its own columns carry these names.",
				Hint: []string{"Rename the column in the source and capture the table again."},
			}
		}
	}
	t, err := c.Type.Target()
	if err != nil {
		e := verdict.As(err)
		e.What = fmt.Sprintf("column %q of %q: %s", c.Name, in.Name, e.What)
		return TargetColumn{}, e
	}
	tc := TargetColumn{Name: c.Name, Type: t, SQL: c.Type, Computed: c.Computed, Nullable: c.Nullable}
	for _, k := range in.Key {
		tc.Key = tc.Key || SameName(k, c.Name)
	}
	return tc, nil
}

func newer(old, now TargetColumn, instance string) (TargetColumn, error) {
	if !now.Type.Holds(old.Type) {
		return old, &verdict.Error{
			Code:  verdict.ColumnsDiffer,
			What:  fmt.Sprintf("capture instance %q types column %q so that it does not hold the older instance's values", instance, now.Name),
			Facts: verdict.Facts("older type", old.Type, "newer type", now.Type),
			Why:   "The stream refuses such a table, so no seed of it could be read on.",
			Hint:  []string{"Drop the capture instance that the stream no longer needs."},
		}
	}
	now.Name = old.Name
	now.Key = now.Key || old.Key
	now.Nullable = now.Nullable || old.Nullable
	return now, nil
}

func ambiguous(instance, a, b string) error {
	return &verdict.Error{
		Code: verdict.ColumnAmbiguous,
		What: fmt.Sprintf("capture instance %q has columns that differ only by case: %s", instance, strings.Join([]string{a, b}, ", ")),
		Why:  "Delta does not tell such names apart.",
		Hint: []string{"Capture the table again with one of them."},
	}
}
