package parquetfile_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/footertest"
	"cdcseed/engine/splice/footer/thrift"
)

// handmade is a file of one optional column whose pages are laid out here, in
// an encoding that no writer at hand has. Every third row is NULL.
func handmade(t *testing.T, c schema.CopyColumn, e footer.Encoding, v2 bool, pages [][][]byte) []byte {
	t.Helper()
	c.Name = "c"
	base := bytes.Buffer{}
	w, err := parquetfile.NewWriter(&base, arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int32, Nullable: true}}, nil), parquetfile.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := footer.Read(bytes.NewReader(base.Bytes()), int64(base.Len()))
	if err != nil {
		t.Fatal(err)
	}
	out := []byte("PAR1")
	rows := 0
	for _, values := range pages {
		out = append(out, dataPage(values, e, v2)...)
		rows += len(values) * 3 / 2
	}
	el, err := footertest.Element(f.Leaves()[0], c)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(out) - 4)
	chunk := footer.NewChunk(footer.ChunkParts{
		Physical: el.Physical(), Encodings: []footer.Encoding{e, footer.RLE}, Path: []string{"c"},
		Values: int64(rows), Size: size, Uncompressed: size, Data: 4,
	})
	group, err := footer.NewGroup(0, int64(rows), []footer.Chunk{chunk})
	if err != nil {
		t.Fatal(err)
	}
	f, err = f.With(footer.Parts{Schema: []footer.Element{f.NewRoot(1), el}, Groups: []footer.Group{group}, Orders: []int{-1}})
	if err != nil {
		t.Fatal(err)
	}
	if out, err = f.AppendEnd(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// dataPage is a page of the values, two of them before each NULL.
func dataPage(values [][]byte, e footer.Encoding, v2 bool) []byte {
	rows := len(values) * 3 / 2
	groups := (rows + 7) / 8
	levels := binary.AppendUvarint(nil, uint64(groups)<<1|1)
	packed := make([]byte, groups)
	for i := range rows {
		if i%3 != 2 {
			packed[i/8] |= 1 << (i % 8)
		}
	}
	levels = append(levels, packed...)
	body := apart(values)
	if e == footer.DeltaByteArray {
		body = shared(values)
	}
	of := func(ns ...int) *thrift.Struct {
		s := &thrift.Struct{}
		for i, n := range ns {
			s.Set(int16(i+1), thrift.Int32(int32(n)))
		}
		return s
	}
	h := &thrift.Struct{}
	if v2 {
		h.Set(1, thrift.Int32(int32(footer.DataPageV2)))
		d := of(rows, rows-len(values), rows, int(e), len(levels), 0)
		d.Set(7, thrift.Bool(false))
		h.Set(8, thrift.Of(d))
	} else {
		h.Set(1, thrift.Int32(int32(footer.DataPage)))
		h.Set(5, thrift.Of(of(rows, int(e), int(footer.RLE), int(footer.RLE))))
		levels = append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
	}
	body = append(levels, body...)
	h.Set(2, thrift.Int32(int32(len(body))))
	h.Set(3, thrift.Int32(int32(len(body))))
	return append(h.Append(nil), body...)
}

// apart writes all first bytes, then all second ones.
func apart(values [][]byte) (out []byte) {
	for k := range values[0] {
		for _, v := range values {
			out = append(out, v[k])
		}
	}
	return out
}

// shared writes how much each value has in common with the one before it, how
// much it has of its own, and that.
func shared(values [][]byte) []byte {
	var before, own []int64
	var rest, last []byte
	for _, v := range values {
		n := 0
		for n < len(last) && v[n] == last[n] {
			n++
		}
		before, own = append(before, int64(n)), append(own, int64(len(v)-n))
		rest, last = append(rest, v[n:]...), v
	}
	return append(append(deltaPacked(before), deltaPacked(own)...), rest...)
}

// deltaPacked writes numbers in blocks of 128, in four parts.
func deltaPacked(ns []int64) []byte {
	out := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, 128), 4), uint64(len(ns)))
	out = binary.AppendVarint(out, ns[0])
	var deltas []int64
	for i := 1; i < len(ns); i++ {
		deltas = append(deltas, ns[i]-ns[i-1])
	}
	for len(deltas) > 0 {
		block := deltas[:min(128, len(deltas))]
		deltas = deltas[len(block):]
		least := block[0]
		for _, d := range block {
			least = min(least, d)
		}
		out = binary.AppendVarint(out, least)
		var widths, parts []byte
		for k := range 4 {
			part := block[min(32*k, len(block)):min(32*k+32, len(block))]
			width := 0
			for _, d := range part {
				width = max(width, bits.Len64(uint64(d-least)))
			}
			room := make([]byte, 4*width)
			for i, d := range part {
				for b := range width {
					room[(i*width+b)/8] |= byte(uint64(d-least)>>b&1) << ((i*width + b) % 8)
				}
			}
			if len(part) == 0 {
				room = nil
			}
			widths, parts = append(widths, byte(width)), append(parts, room...)
		}
		out = append(append(out, widths...), parts...)
	}
	return out
}

// readBack is the values of a file of one column, as the bytes of each; a NULL is empty.
func readBack(t *testing.T, file []byte) (out []string, err error) {
	t.Helper()
	f, err := parquetfile.Open(inMemory(file))
	if err != nil {
		return nil, err
	}
	s := f.Read(context.Background(), nil, 1000)
	defer s.Close()
	for s.Next() {
		a := s.Record().Column(0)
		for i := range a.Len() {
			if a.IsNull(i) {
				out = append(out, "")
				continue
			}
			switch a := a.(type) {
			case *array.Float32:
				out = append(out, fmt.Sprintf("%x", binary.LittleEndian.AppendUint32(nil, math.Float32bits(a.Value(i)))))
			case *array.Float64:
				out = append(out, fmt.Sprintf("%x", binary.LittleEndian.AppendUint64(nil, math.Float64bits(a.Value(i)))))
			case *array.Int32:
				out = append(out, fmt.Sprintf("%x", binary.LittleEndian.AppendUint32(nil, uint32(a.Value(i)))))
			case *array.Int64:
				out = append(out, fmt.Sprintf("%x", binary.LittleEndian.AppendUint64(nil, uint64(a.Value(i)))))
			case *array.FixedSizeBinary:
				out = append(out, fmt.Sprintf("%x", a.Value(i)))
			case *array.Binary:
				out = append(out, fmt.Sprintf("%x", a.Value(i)))
			default:
				t.Fatalf("a column of %s", a.DataType())
			}
		}
	}
	return out, s.Err()
}

// odd are the columns that have an encoding of which the library has no decoder.
var odd = []struct {
	column schema.CopyColumn
	width  int
	e      footer.Encoding
}{
	{schema.CopyColumn{Physical: "FLOAT"}, 4, footer.ByteStreamSplit},
	{schema.CopyColumn{Physical: "DOUBLE"}, 8, footer.ByteStreamSplit},
	{schema.CopyColumn{Physical: "INT32"}, 4, footer.ByteStreamSplit},
	{schema.CopyColumn{Physical: "INT64"}, 8, footer.ByteStreamSplit},
	{schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 5}, 5, footer.ByteStreamSplit},
	{schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 5}, 5, footer.DeltaByteArray},
	{schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 300}, 300, footer.DeltaByteArray},
}

// pagesOf are two pages of values that often begin alike.
func pagesOf(rng *rand.Rand, width int) (pages [][][]byte, want []string) {
	for _, n := range []int{400, 2} {
		var values [][]byte
		last := make([]byte, width)
		for range n {
			v := bytes.Clone(last)
			for k := rng.IntN(width + 1); k < width; k++ {
				v[k] = byte(rng.IntN(256))
			}
			values, last = append(values, v), v
		}
		for i, v := range values {
			want = append(want, fmt.Sprintf("%x", v))
			if i%2 == 1 {
				want = append(want, "")
			}
		}
		pages = append(pages, values)
	}
	return pages, want
}

func TestEncodingsThatTheLibraryLacks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range odd {
		for _, v2 := range []bool{false, true} {
			pages, want := pagesOf(rng, c.width)
			got, err := readBack(t, handmade(t, c.column, c.e, v2, pages))
			if err != nil || len(got) != len(want) {
				t.Errorf("%v in %s, v2 %v: %d of %d values, %v", c.column, c.e, v2, len(got), len(want), err)
				continue
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%v in %s, v2 %v, row %d: %s, want %s", c.column, c.e, v2, i, got[i], want[i])
				}
			}
		}
	}
}

// TestDamagedEncodingsThatTheLibraryLacks changes single bytes: what comes back
// is all rows or an error.
func TestDamagedEncodingsThatTheLibraryLacks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	refused := 0
	for _, c := range odd[4:6] {
		for _, v2 := range []bool{false, true} {
			pages, want := pagesOf(rng, c.width)
			file := handmade(t, c.column, c.e, v2, pages)
			for range 400 {
				spoiled := bytes.Clone(file)
				spoiled[4+rng.IntN(500)] = byte(rng.IntN(256))
				got, err := readBack(t, spoiled)
				if err == nil && len(got) != len(want) {
					t.Fatalf("%v in %s: %d of %d rows and no error", c.column, c.e, len(got), len(want))
				}
				if err != nil {
					refused++
				}
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d damaged files were refused", refused)
	}
}

func TestBooleansAreNotSplit(t *testing.T) {
	file := handmade(t, schema.CopyColumn{Physical: "BOOLEAN"}, footer.ByteStreamSplit, false, [][][]byte{{{1}, {0}}})
	if _, err := readBack(t, file); err == nil {
		t.Error("booleans whose bytes stand apart were read")
	}
}
