package bronze

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// mappedMarks are the characters that Delta takes in a column's name only under column mapping.
const mappedMarks = " ,;{}()\n\t="

// mappedOnly lists the names that only a table that maps its columns can have.
func mappedOnly(columns []Column) []string {
	var out []string
	for _, c := range columns {
		if strings.ContainsAny(c.Name, mappedMarks) {
			out = append(out, c.Name)
		}
	}
	return out
}

// needsMapping refuses, all at once, new columns that an existing table cannot
// have. Its mapping is not turned on here: that locks out readers of the table
// that this program knows nothing about.
func needsMapping(snap *delta.Snapshot, names []string) error {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return &verdict.Error{
		Code:  verdict.ColumnName,
		What:  fmt.Sprintf("the bronze table %q has no column mapping, and Delta takes the new columns %s only with it", snap.URL(), strings.Join(quoted, ", ")),
		Facts: verdict.Facts("characters that need it", "blank , ; { } ( ) = newline tab", "protocol", snap.Protocol),
		Why:   "The stream stops at such a table too. Nothing is renamed silently, and no table is changed so that older readers stop.",
		Hint: []string{
			"ALTER TABLE ... SET TBLPROPERTIES (" + mappingProperties(snap.Protocol) + ")",
			"Every program that reads or writes the table must then support column mapping. Or seed a new table.",
		},
	}
}

// inFile is a record under the names and with the field ids that the table's
// data files have. The caller releases it. A column that the table lacks keeps
// its name, by which the commit is refused.
func inFile(rec arrow.Record, snap *delta.Snapshot) arrow.Record {
	mode := snap.Metadata.Mapping()
	if !mode.On() {
		rec.Retain()
		return rec
	}
	fields := make([]arrow.Field, len(rec.Schema().Fields()))
	for i, f := range rec.Schema().Fields() {
		if of, ok := snap.Schema.Field(f.Name); ok {
			f.Name = mode.Physical(of)
			if id, ok := of.ID(); ok {
				f.Metadata = arrow.MetadataFrom(map[string]string{"PARQUET:field_id": strconv.Itoa(int(id))})
			}
		}
		fields[i] = f
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), rec.Columns(), rec.NumRows())
}

// mappingProperties turn column mapping on. A table that lists its features gets
// that one; numbers would bring it what else they imply. One that has numbers
// alone needs higher ones.
func mappingProperties(p delta.Protocol) string {
	mode := "'delta.columnMapping.mode' = 'name'"
	if p.MinWriterVersion >= 7 {
		return mode
	}
	return mode + ", 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5'"
}
