package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// The cases of columns and values: a copy is made, planned, seeded, and what is
// in the target is read back and compared; or it is refused and nothing is there.

var (
	bools = arrow.FixedWidthTypes.Boolean
	dates = arrow.FixedWidthTypes.Date32
	raw   = arrow.BinaryTypes.Binary
	wall  = &arrow.TimestampType{Unit: arrow.Microsecond}
)

// idAnd is a scene whose table has the kit's key and one more column.
func idAnd(name, sql string) scene {
	return scene{columns: fmt.Sprintf(`{"name": "id", "type": "int"}, {"name": %q, "type": %q, "nullable": true}`, name, sql)}
}

// numbered makes the copy's rows: 1, 2, 3 ... beside the values as JSON.
func numbered(name string, values ...string) string {
	rows := make([]string, len(values))
	for i, v := range values {
		rows[i] = fmt.Sprintf(`{"id": %d, %q: %s}`, i+1, name, v)
	}
	return "[" + strings.Join(rows, ", ") + "]"
}

// copyOf is the scene's kit with a copy of the key and one column.
func copyOf(t *testing.T, s scene, name string, kind arrow.DataType, values ...string) *kit {
	t.Helper()
	k := withoutCopy(t, s)
	k.moreCopy("a.parquet", []arrow.Field{field("id", int32s), field(name, kind)}, numbered(name, values...))
	return k
}

// writes seeds and compares the target's rows, as text in the order of that text.
func (k *kit) writes(columns []string, rows ...string) engine.Plan {
	k.t.Helper()
	p, err := k.build()
	k.must(err)
	k.request.Accept = append(k.request.Accept, unaccepted(p)...)
	k.seeded(int64(len(rows)))
	slices.Sort(rows)
	if got := k.tableRows("bronze", columns...); !slices.Equal(got, rows) {
		k.t.Errorf("the target holds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(rows, "\n"))
	}
	return p
}

// counts compares how often an effect was met in the preview of a column.
func (k *kit) counts(p engine.Plan, column string, e cast.Effect, want int64) {
	k.t.Helper()
	if got := p.Preview.Report.Columns[column]; got.Of(e) != want {
		k.t.Errorf("%s: %d %s, want %d: %v", column, got.Of(e), e, want, got.Effects)
	}
}

// refusedAs plans and seeds: both are refused with the code, name what they
// must, and write nothing.
func (k *kit) refusedAs(code verdict.Code, says ...string) *verdict.Error {
	k.t.Helper()
	before := k.tree()
	p, err := k.build()
	if err == nil {
		err = p.Refusal()
	}
	e := refusal{code: code, exit: code.Exit(), says: says}.check(k, err)
	if _, err := k.seed(); !isCode(err, code) {
		k.t.Errorf("the seed itself: %v, want %s", err, code)
	}
	same(k.t, "refused", before, k.tree())
	return e
}

// latest is the newest image of each key over the seed and the change rows that a
// stream writes after it: the key and a column, as the target holds them.
func (k *kit) latest(key, column string, changes ...string) []string {
	k.t.Helper()
	for i, c := range changes {
		l := lsnAt(40 + i)
		k.appendRows("bronze", fmt.Sprintf(`[{"_capture_instance": "dbo_orders", "_start_lsn": %q, "_seqval": %q, "_operation": 4, %s}]`, l, l, c))
	}
	at, newest := map[string]string{}, map[string]string{}
	for _, row := range k.tableCells("bronze", key, "_start_lsn", column) {
		if row[1] > at[row[0]] {
			at[row[0]], newest[row[0]] = row[1], row[2]
		}
	}
	var out []string
	for of, value := range newest {
		out = append(out, of+" = "+value)
	}
	slices.Sort(out)
	return out
}

// rawColumn is a required column with its values, one batch of the physical type.
type rawColumn struct {
	node   pqschema.Node
	values any
}

// rawFile writes a file of the copy with a schema and footer keys that the
// product's own writer does not make.
func (k *kit) rawFile(name string, keys map[string]string, columns ...rawColumn) {
	k.t.Helper()
	var buf bytes.Buffer
	fields := make(pqschema.FieldList, len(columns))
	for i, c := range columns {
		fields[i] = c.node
	}
	w := file.NewParquetWriter(&buf, pqschema.MustGroup(pqschema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)))
	g := w.AppendRowGroup()
	for _, c := range columns {
		cw, err := g.NextColumn()
		k.must(err)
		switch v := c.values.(type) {
		case []int32:
			_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch(v, nil, nil)
		case []int64:
			_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(v, nil, nil)
		case []parquet.ByteArray:
			_, err = cw.(*file.ByteArrayColumnChunkWriter).WriteBatch(v, nil, nil)
		case []parquet.FixedLenByteArray:
			_, err = cw.(*file.FixedLenByteArrayColumnChunkWriter).WriteBatch(v, nil, nil)
		default:
			k.t.Fatalf("no column of %T", v)
		}
		k.must(errors.Join(err, cw.Close()))
	}
	for key, value := range keys {
		k.must(w.AppendKeyValueMetadata(key, value))
	}
	k.must(errors.Join(g.Close(), w.Close()))
	k.putCopy(name, buf.String())
}

// fixed is a column of values of one length.
func fixed(name string, values ...string) rawColumn {
	out := make([]parquet.FixedLenByteArray, len(values))
	for i, v := range values {
		out[i] = parquet.FixedLenByteArray(v)
	}
	return rawColumn{pqschema.NewFixedLenByteArrayNode(name, parquet.Repetitions.Required, int32(len(values[0])), -1), out}
}

// ints is a column of 32-bit numbers.
func ints(name string, values ...int32) rawColumn {
	return rawColumn{pqschema.NewInt32Node(name, parquet.Repetitions.Required, -1), values}
}

// textColumn is a column of text, which need be no UTF-8.
func textColumn(name string, values ...string) rawColumn {
	out := make([]parquet.ByteArray, len(values))
	for i, v := range values {
		out[i] = parquet.ByteArray(v)
	}
	return rawColumn{annotated(name, pqschema.StringLogicalType{}, parquet.Types.ByteArray, -1), out}
}

// annotated is a required column of a physical type with a logical one.
func annotated(name string, logical pqschema.LogicalType, physical parquet.Type, length int) pqschema.Node {
	return pqschema.Must(pqschema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required, logical, physical, length, -1))
}

// moreCopy writes one more file of the copy, of rows as JSON.
func (k *kit) moreCopy(name string, fields []arrow.Field, rows string) {
	k.t.Helper()
	rec := recordOf(k.t, fields, rows)
	defer rec.Release()
	k.writeFile(name, rec)
}

// putCopy places a file of the copy, dated as the copy is.
func (k *kit) putCopy(name, content string) {
	k.t.Helper()
	k.place(content, append([]string{"copy"}, strings.Split(name, "/")...)...)
	k.date(k.path("copy", filepath.FromSlash(name)))
}

// withoutCopy is the scene's kit before a copy was made.
func withoutCopy(t *testing.T, s scene) *kit {
	t.Helper()
	k := kitIn(t, s)
	k.must(os.RemoveAll(k.path("copy")))
	return k
}
