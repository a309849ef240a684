package duplicates

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// randomFiles are files with keys from a few values, so that many stand twice.
func randomFiles(rnd *rand.Rand, files, most int) [][]rowOf {
	words := []string{"", "a", "A", "a  ", "b", "é", "E\u0301", "e", "ß", "SS", "ss", "æ", "AE", "x\x01", "x", strings.Repeat("long", 60)}
	numbers := 1 + rnd.IntN(40)
	out := make([][]rowOf, files)
	for i := range out {
		for range rnd.IntN(most) {
			var r rowOf
			if n := int32(rnd.IntN(numbers)); n > 0 {
				r.id = &n
			}
			if w := rnd.IntN(len(words) + 1); w < len(words) {
				r.code = &words[w]
			}
			out[i] = append(out[i], r)
		}
	}
	return out
}

// What is counted is what a map counts: in memory or over the disk, in one pass or
// many, by one writer or several, under any collation, and where all hashes are
// equal.
func TestCountIsExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	spilled, narrowed := 0, 0
	for _, hash := range []hasher{nil, func([]byte) uint64 { return 9 << 60 }, func(b []byte) uint64 { return uint64(len(b)) << 58 }} {
		for round := range 40 {
			columns := []Column{intColumn("id"), textColumn("code", "varchar",
				[]string{"SQL_Latin1_General_CP1_CI_AS", "Latin1_General_100_CS_AS", "Latin1_General_BIN2", "Latin1_General_CI_AI", ""}[round%5])}
			files := randomFiles(rnd, 1+rnd.IntN(6), 600)
			space := &heldSpace{free: -1}
			o := Options{
				Columns: columns, Writers: 1 + rnd.IntN(3), Memory: []int64{0, 4 << 10, 20 << 10, 100 << 10}[rnd.IntN(4)],
				Space: space.on(), Text: shown, hash: hash,
			}
			got, err := counted(t, o, files)
			if err != nil {
				t.Fatal(err)
			}
			want := obvious(columns, files)
			if len(got.OpenSamples) != int(min(got.Open, samplesKept)) {
				t.Errorf("%d samples of %d groups", len(got.OpenSamples), got.Open)
			}
			got.OpenSamples = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("memory %d, %d writers, %s: -want +got\n%s", o.Memory, o.Writers, columns[1].SQL.Collation, diff)
			}
			if space.open != 0 {
				t.Fatalf("%d files stay open", space.open)
			}
			if space.made > 0 {
				spilled++
			}
			if space.made > o.Writers {
				narrowed++
			}
		}
	}
	if spilled < 20 || narrowed < 5 {
		t.Errorf("%d rounds went over the disk and %d took more than one pass: too few to tell", spilled, narrowed)
	}
}

// Nothing goes to the disk that fits in memory.
func TestSmallCountsStayInMemory(t *testing.T) {
	o := Options{Columns: []Column{intColumn("id"), textColumn("code", "varchar", "")}, Writers: 2, Text: shown, Space: func() (Space, error) {
		t.Error("the disk was asked for")
		return nil, errors.New("no disk")
	}}
	rnd := rand.New(rand.NewPCG(1, 2))
	if _, err := counted(t, o, randomFiles(rnd, 4, 2000)); err != nil {
		t.Error(err)
	}
}

// The types of a key, by which of their values an index takes for one.
func TestValuesOfAKey(t *testing.T) {
	ints := func(typ arrow.DataType, values ...string) arrow.Array {
		b := array.NewBuilder(memory.DefaultAllocator, typ)
		for _, v := range values {
			if v == "NULL" {
				b.AppendNull()
			} else if err := b.AppendValueFromString(v); err != nil {
				t.Fatal(err)
			}
		}
		return b.NewArray()
	}
	zeros := array.NewFloat64Builder(memory.DefaultAllocator)
	zeros.AppendValues([]float64{0, math.Copysign(0, -1), 1}, nil)
	reals := array.NewFloat32Builder(memory.DefaultAllocator)
	reals.AppendValues([]float32{0, float32(math.Copysign(0, -1)), -1}, nil)
	bytes := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	for _, v := range [][]byte{{1}, {1, 0, 0}, {0, 1}, {}, {0}} {
		bytes.Append(v)
	}
	decimals := array.NewDecimal128Builder(memory.DefaultAllocator, &arrow.Decimal128Type{Precision: 38, Scale: 2})
	for _, v := range []decimal128.Num{decimal128.New(1, 5), decimal128.New(0, 5), decimal128.New(-1, 5), decimal128.New(1, 5)} {
		decimals.Append(v)
	}
	for _, c := range []struct {
		sql         string
		values      arrow.Array
		keys, extra int64
	}{
		{"int", ints(arrow.PrimitiveTypes.Int32, "1", "2", "1", "NULL", "NULL", "NULL", "-1"), 2, 3},
		{"smallint", ints(arrow.PrimitiveTypes.Int16, "1", "256", "1"), 1, 1},
		{"bigint", ints(arrow.PrimitiveTypes.Int64, "1", "4294967297", "1"), 1, 1},
		{"bit", ints(arrow.FixedWidthTypes.Boolean, "true", "false", "true"), 1, 1},
		{"date", ints(arrow.FixedWidthTypes.Date32, "2026-01-01", "2026-01-02", "2026-01-01"), 1, 1},
		{"datetime2", ints(arrow.FixedWidthTypes.Timestamp_us, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000001Z"), 0, 0},
		{"float", zeros.NewArray(), 1, 1},
		{"real", reals.NewArray(), 1, 1},
		{"decimal", decimals.NewArray(), 1, 1},
		{"varbinary", bytes.NewArray(), 2, 2},
		{"uniqueidentifier", ints(arrow.BinaryTypes.String, "A", "a", "A "), 0, 0}, // no collation's
		{"time", ints(arrow.BinaryTypes.String, "12:00:00.000000000", "12:00:00.000000000"), 1, 1},
		{"nchar", ints(arrow.BinaryTypes.String, "A", "a", "A "), 1, 2},
	} {
		col := Column{Name: "k", SQL: schema.SQLType{Name: c.sql, Collation: "Latin1_General_CI_AS"}, Type: c.values.DataType()}
		n := New(Options{Columns: []Column{col}, Text: shown})
		if err := n.Writer(0).Add(t.Context(), []arrow.Array{c.values}, 0, from(1)); err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		got, err := n.Count(t.Context(), nil)
		if err != nil || got.Keys != c.keys || got.Extra != c.extra || got.Rows != int64(c.values.Len()) {
			t.Errorf("%s: %+v, %v, want %d keys and %d rows too many", c.sql, got, err, c.keys, c.extra)
		}
		for _, s := range got.Samples {
			for _, p := range s.Places {
				if want := "k = " + shown(c.values, int(p.Row-1)); p.Key != want && c.sql != "float" && c.sql != "real" {
					t.Errorf("%s: row %d is told as %q, want %q", c.sql, p.Row, p.Key, want)
				}
			}
		}
	}
	n := New(Options{Columns: []Column{{Name: "k", Type: arrow.PrimitiveTypes.Uint8}}, Text: shown})
	if err := n.Writer(0).Add(t.Context(), []arrow.Array{ints(arrow.PrimitiveTypes.Uint8, "1")}, 0, from(1)); err == nil || !strings.Contains(err.Error(), `"k"`) {
		t.Error("a type that no key is made of:", err)
	}
}

// A disk without room is refused before it is filled, with both numbers; one that
// fills up all the same ends the count, and its files are closed.
func TestTheDiskIsFull(t *testing.T) {
	columns := []Column{intColumn("id"), textColumn("code", "varchar", "")}
	rnd := rand.New(rand.NewPCG(4, 4))
	files := randomFiles(rnd, 3, 3000)
	small := &heldSpace{free: 1000}
	_, err := counted(t, Options{Columns: columns, Writers: 1, Memory: 10 << 10, Rows: 1_000_000, Space: small.on(), Text: shown}, files)
	var e *verdict.Error
	if !errors.As(err, &e) || e.Code != verdict.StoreFull || len(e.Facts) != 3 || !strings.Contains(e.Error(), "/scratch") || len(e.Hint) == 0 || small.written != 0 {
		t.Error(err, small.written)
	}
	filled := errors.New("no space left")
	for _, limit := range []int64{0, 5000, 20_000, 60_000} {
		full := &heldSpace{free: -1, fail: filled, limit: limit}
		_, err = counted(t, Options{Columns: columns, Writers: 2, Memory: 10 << 10, Space: full.on(), Text: shown}, files)
		if !errors.Is(err, filled) || full.open != 0 {
			t.Errorf("filled at %d: %v, %d files open", limit, err, full.open)
		}
	}
	if _, err := counted(t, Options{Columns: columns, Writers: 2, Memory: 10 << 10, Text: shown, Space: func() (Space, error) { return nil, filled }}, files); !errors.Is(err, filled) {
		t.Error(err)
	}
}

// A stop ends adding, writing to the disk and comparing.
func TestStop(t *testing.T) {
	columns := []Column{intColumn("id"), textColumn("code", "varchar", "")}
	rnd := rand.New(rand.NewPCG(8, 8))
	rows := randomFiles(rnd, 1, 5000)[0]
	space := &heldSpace{free: -1}
	for _, memory := range []int64{0, 8 << 10} {
		c := New(Options{Columns: columns, Memory: memory, Space: space.on(), Text: shown})
		if err := c.Writer(0).Add(t.Context(), batchOf(rows), 0, from(1)); err != nil {
			t.Fatal(err)
		}
		if err := c.Writer(0).Add(cancelled(), batchOf(rows), 0, from(1)); !errors.Is(err, context.Canceled) {
			t.Error("adding goes on:", err)
		}
		if err := c.Writer(0).spill(cancelled()); memory > 0 && len(c.Writer(0).full) > 0 && !errors.Is(err, context.Canceled) {
			t.Error("writing goes on:", err)
		}
		if _, err := c.Count(cancelled(), nil); !errors.Is(err, context.Canceled) {
			t.Error("comparing goes on:", err)
		}
		if err := c.Close(); err != nil || space.open != 0 {
			t.Error(err, space.open)
		}
	}
}

// Bytes that come back otherwise than they were written are an error, not a count.
func TestDamagedRecords(t *testing.T) {
	e := newEncoder([]Column{textColumn("code", "varchar", "Latin1_General_CI_AS")})
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Append("Straße")
	if err := e.row([]arrow.Array{b.NewArray()}, 0); err != nil {
		t.Fatal(err)
	}
	whole := appendRecord(nil, e, 300, 1<<40)
	r, err := readRecord(whole)
	if err != nil || r.file != 300 || r.row != 1<<40 || r.size != len(whole) || string(r.raw) != string(e.raw) || string(r.sure) != string(e.sure) || string(r.wide) != string(e.wide) {
		t.Fatalf("%+v, %v", r, err)
	}
	for n := range whole {
		if _, err := readRecord(whole[:n]); !errors.Is(err, errCut) {
			t.Errorf("%d bytes of %d: %v", n, len(whole), err)
		}
	}
	for n := range e.raw {
		if _, err := keyText([]Column{textColumn("code", "varchar", "")}, e.raw[:n], shown); !errors.Is(err, errCut) {
			t.Errorf("%d bytes of a key: %v", n, err)
		}
	}
}
