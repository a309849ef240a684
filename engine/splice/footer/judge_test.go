package footer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
)

// inMemory is a file's bytes as the store gives them.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// typeOf is the column type that holds what reading the file gives; ok is false
// for what the target has no type for.
func typeOf(t arrow.DataType) (out schema.Type, ok bool) {
	switch t := t.(type) {
	case *arrow.BooleanType:
		out.Kind = schema.Boolean
	case *arrow.Int8Type, *arrow.Int16Type:
		out.Kind = schema.Short
	case *arrow.Int32Type:
		out.Kind = schema.Integer
	case *arrow.Int64Type:
		out.Kind = schema.Long
	case *arrow.Float32Type:
		out.Kind = schema.Float
	case *arrow.Float64Type:
		out.Kind = schema.Double
	case *arrow.Date32Type:
		out.Kind = schema.Date
	case *arrow.Decimal128Type:
		out = schema.DecimalOf(int(t.Precision), int(t.Scale))
	case *arrow.TimestampType:
		if t.Unit != arrow.Microsecond {
			return out, false
		}
		out.Kind = schema.TimestampNTZ
		if t.TimeZone != "" {
			out.Kind = schema.Timestamp
		}
	case *arrow.StringType:
		out.Kind = schema.String
	case *arrow.BinaryType:
		out.Kind = schema.Binary
	default:
		return out, false
	}
	return out, true
}

// document is what a Delta add action's stats say.
type document struct {
	Rows  int64                      `json:"numRecords"`
	Low   map[string]json.RawMessage `json:"minValues"`
	High  map[string]json.RawMessage `json:"maxValues"`
	Nulls map[string]int64           `json:"nullCount"`
}

func parse(t *testing.T, text string) document {
	t.Helper()
	var out document
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// tally counts what was compared, so that a test that compares nothing fails.
type tally struct{ counts, bounds int }

// judge holds what the footer tells of each flat column against the values
// themselves, read in full.
func judge(t *testing.T, path string, seen *tally) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := read(t, file)
	in, err := parquetfile.Open(inMemory{bytes.NewReader(file)})
	if err != nil {
		t.Logf("%s is not read by the library: %v", filepath.Base(path), err)
		return
	}
	scan := in.Read(context.Background(), nil, 1)
	defer scan.Close()
	if scan.Err() != nil {
		t.Logf("%s is not read by the library: %v", filepath.Base(path), scan.Err())
		return
	}
	var names []string
	types := map[string]schema.Type{}
	var entries []parquetfile.ColumnBounds
	for i, field := range scan.Schema().Fields() {
		node := f.Root().Children[i]
		typ, ok := typeOf(field.Type)
		if !ok || !node.IsLeaf() || node.Repetition() == footer.Repeated || slices.Contains(names, field.Name) {
			continue
		}
		names, types[field.Name] = append(names, field.Name), typ
		entries = append(entries, f.Column(node.Leaf, field.Name, typ))
	}
	rows, text, err := parquetfile.Statistics(context.Background(), inMemory{bytes.NewReader(file)}, names)
	if err != nil {
		t.Logf("%s is not read by the library: %v", filepath.Base(path), err)
		return
	}
	if rows != f.Rows() {
		t.Errorf("%s: the footer says %d rows, reading gives %d", path, f.Rows(), rows)
	}
	want := parse(t, text)
	got := parse(t, parquetfile.Document(f.Rows(), entries))
	for _, name := range names {
		compare(t, path+", "+name, name, types[name].Kind == schema.String, got, want, seen)
	}
}

func compare(t *testing.T, where, name string, text bool, got, want document, seen *tally) {
	t.Helper()
	if n, known := got.Nulls[name]; known {
		seen.counts++
		if n != want.Nulls[name] {
			t.Errorf("%s: the footer says %d nulls, its values have %d", where, n, want.Nulls[name])
		}
	}
	for high, pair := range map[bool][2]json.RawMessage{false: {got.Low[name], want.Low[name]}, true: {got.High[name], want.High[name]}} {
		ours, theirs := pair[0], pair[1]
		if ours == nil {
			continue
		}
		seen.bounds++
		if same := bytes.Equal(ours, theirs); !same && (!text || !wider(ours, theirs, high)) {
			t.Errorf("%s: the footer's bound is %s, that of the values %s", where, ours, theirs)
		}
	}
}

// wider reports whether a text as a bound reaches over the bound of the values,
// which may have none where the text is too long: a footer may have cut it.
func wider(ours, theirs json.RawMessage, high bool) bool {
	if theirs == nil {
		return true
	}
	var a, b string
	if json.Unmarshal(ours, &a) != nil || json.Unmarshal(theirs, &b) != nil {
		return false
	}
	return high && a >= b || !high && a <= b
}

func TestStatisticsAreTrueOfPublicFiles(t *testing.T) {
	var seen tally
	for _, path := range publicFiles(t) {
		judge(t, path, &seen)
	}
	t.Logf("%d null counts and %d bounds were compared", seen.counts, seen.bounds)
	if seen.counts < 200 || seen.bounds < 200 {
		t.Errorf("only %d null counts and %d bounds were compared", seen.counts, seen.bounds)
	}
}

func TestColumnsAreDescribedAsTheReaderDescribesThem(t *testing.T) {
	described := 0
	for _, path := range publicFiles(t) {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		in, err := parquetfile.Open(inMemory{bytes.NewReader(file)})
		if err != nil {
			continue
		}
		for i, want := range in.Columns() {
			if got := read(t, file).Root().Children[i].Describe(); got != want {
				t.Errorf("%s: %+v, where the reader has %+v", path, got, want)
			}
			described++
		}
	}
	if described < 500 {
		t.Errorf("only %d columns were described", described)
	}
}
