// Package rewrite makes one file of the target from one file of the copy, all
// of it through Arrow: read, cast, add constant columns, write. What it stages
// is visible whole or not at all.
package rewrite

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
)

// Source gives a file's records in order. A record is valid until the next Next.
type Source interface {
	Next() bool
	Record() arrow.Record
	Err() error
}

// numbered is a Source that knows its rows' numbers in the file, as one has to
// that leaves rows out.
type numbered interface {
	RowOf(i int) int64 // of the present record's i-th row, counted from 1
}

// Job is one file to stage.
type Job struct {
	Key           string            // of the new file, below the target's root
	File          string            // the copy's file, for samples and errors
	Columns       []Column          // of the new file, in order
	Source        Source            // must hold the columns that Caster.Columns names
	Caster        *cast.Caster      // of the file's class, for this job alone
	Codec         parquetfile.Codec // empty is Snappy
	RowGroupBytes int64             // estimated bytes after which a row group ends; 0 is parquetfile's default
	StatsColumns  []string          // columns with statistics; nil is the first 32
}

// Column is a column of the new file: a constant, or one that the caster makes.
// Constant and FromCast make them.
type Column struct {
	Name    string
	Type    schema.Type
	FieldID *int32 // of a table with column mapping; nil has none

	cast  int // index into the caster's arrays; -1 is a constant
	value any
}

// Constant is a column with one value in every row; nil is NULL. Values are
// bool, int, int32, int64, float64, string, []byte, clock.Local (TIMESTAMP_NTZ) and clock.Instant (TIMESTAMP).
func Constant(name string, t schema.Type, value any) Column {
	return Column{Name: name, Type: t, cast: -1, value: value}
}

// FromCast is the column that stands at index in the caster's arrays, the mapping's order.
func FromCast(name string, t schema.Type, index int) Column {
	return Column{Name: name, Type: t, cast: index}
}

// Cast is where the column stands in the caster's arrays; false for a constant.
func (c Column) Cast() (index int, ok bool) { return c.cast, c.cast >= 0 }

// One is a constant's value as an array of one row, of the column's Arrow type.
// The caller releases it.
func (c Column) One(mem memory.Allocator) (arrow.Array, error) {
	t := cast.ArrowType(c.Type)
	if t == nil || c.cast >= 0 {
		return nil, fmt.Errorf("column %q has no type, or is no constant", c.Name)
	}
	k := constant{name: c.Name, typ: t, value: c.value}
	return k.build(mem, 1)
}

// layout is the new file's schema.
func (j Job) layout() (*arrow.Schema, error) {
	fields := make([]arrow.Field, len(j.Columns))
	for i, c := range j.Columns {
		t := cast.ArrowType(c.Type)
		if t == nil {
			return nil, fmt.Errorf("column %q has no type", c.Name)
		}
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: true}
		if c.FieldID != nil {
			fields[i].Metadata = arrow.MetadataFrom(map[string]string{"PARQUET:field_id": strconv.Itoa(int(*c.FieldID))})
		}
	}
	return arrow.NewSchema(fields, nil), nil
}
