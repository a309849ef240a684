package footer_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/footertest"
	"cdcseed/engine/splice/footer/thrift"
)

// spliced is the made file behind gap more bytes, without its first column,
// the second renamed and numbered.
func spliced(t *testing.T, gap int) []byte {
	t.Helper()
	file := made(t)
	f := read(t, file)
	body := len(file) - 8 - len(f.Append(nil))
	id := int32(7)
	p := footer.Parts{Schema: []footer.Element{f.NewRoot(madeColumns - 1)}}
	for _, n := range f.Root().Children[1:] {
		els := n.CloneElements()
		if n.Leaf == 1 {
			els[0].SetName("renamed")
			els[0].SetFieldID(&id)
		}
		p.Schema = append(p.Schema, els...)
		p.Orders = append(p.Orders, n.Leaf)
	}
	for g, old := range f.Groups() {
		var chunks []footer.Chunk
		for _, c := range old.Chunks()[1:] {
			c = c.Moved(int64(gap))
			if c.Path()[0] == "small" {
				c.SetPath([]string{"renamed"})
			}
			chunks = append(chunks, c)
		}
		group, err := footer.NewGroup(g, old.Rows(), chunks)
		if err != nil {
			t.Fatal(err)
		}
		p.Groups = append(p.Groups, group)
	}
	value := "there"
	p.KeyValues = []footer.KeyValue{{Key: "kept", Value: &value}, {Key: "bare"}}
	out, err := f.With(p)
	if err != nil {
		t.Fatal(err)
	}
	b := bytes.Join([][]byte{[]byte("PAR1"), make([]byte, gap), file[4:body]}, nil)
	b, err = out.AppendEnd(b)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnEditedFileReadsAsItWasMeant(t *testing.T) {
	b := spliced(t, 4096)
	f := read(t, b)
	if problems := f.Check(int64(len(b))); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	in, err := parquetfile.Open(inMemory{bytes.NewReader(b)})
	if err != nil {
		t.Fatal(err)
	}
	if ids := in.FieldIDs(); in.Columns()[0].Name != "renamed" || ids[0] != 7 || ids[1] != -1 {
		t.Errorf("columns %v, field ids %v", in.Columns(), ids)
	}
	if v, _ := in.KeyValue("kept"); v != "there" || len(f.KeyValues()) != 2 || f.KeyValues()[1].Value != nil {
		t.Errorf("key-values %v", f.KeyValues())
	}
	scan := in.Read(context.Background(), nil, 1000)
	defer scan.Close()
	rows := 0
	for scan.Next() {
		rec := scan.Record()
		want := madeRows(rows, int(rec.NumRows()))
		for i := range rec.NumCols() {
			if got, want := rec.Column(int(i)).String(), want.Column(int(i)+1).String(); got != want {
				t.Errorf("%s: %s", rec.ColumnName(int(i)), cmp.Diff(want, got))
			}
		}
		rows += int(rec.NumRows())
	}
	if scan.Err() != nil || rows != 100 {
		t.Errorf("%d rows, %v", rows, scan.Err())
	}
	first := f.Groups()[1]
	if at, ok := first.Offset(); !ok || at != first.Chunk(0).Start() || first.Struct().Int(7, -1) != 1 {
		t.Errorf("the second group says it begins at %d and is number %d", at, first.Struct().Int(7, -1))
	}
}

// TestWhatNobodyKnowsIsCarried puts fields of another time into every struct
// that an edit copies.
func TestWhatNobodyKnowsIsCarried(t *testing.T) {
	mark := thrift.String("of another time")
	b := edited(t, made(t), func(f *footer.Footer) {
		f.Struct().Set(90, mark)
		chunk, meta := chunkOf(f, 0, colID)
		chunk.Set(91, mark)
		meta.Set(92, mark)
		meta.Struct(12).Set(93, mark)
		f.Root().Children[colID].Struct().Set(94, mark)
	})
	f := read(t, b)
	moved := f.Groups()[0].Chunk(colID).Moved(10)
	group, err := footer.NewGroup(0, 50, []footer.Chunk{moved})
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.With(footer.Parts{
		Schema: append([]footer.Element{f.NewRoot(1)}, f.Root().Children[colID].CloneElements()...),
		Groups: []footer.Group{group}, Orders: []int{-1},
	})
	if err != nil {
		t.Fatal(err)
	}
	chunk, meta := chunkOf(out, 0, 0)
	for id, s := range map[int16]*thrift.Struct{90: out.Struct(), 91: chunk, 92: meta, 93: meta.Struct(12), 94: out.Root().Children[0].Struct()} {
		if s.Text(id) != "of another time" {
			t.Errorf("field %d was lost", id)
		}
	}
	if out.CreatedBy() != f.CreatedBy() || out.Rows() != 50 || out.SaidRows() != 50 {
		t.Errorf("%q, %d rows, %d said", out.CreatedBy(), out.Rows(), out.SaidRows())
	}
	if ordered, known := out.TypeOrdered(0); !ordered || !known {
		t.Error("the column's order was lost")
	}
	if got := f.Append(nil); !bytes.Equal(got, b[len(b)-8-len(got):len(b)-8]) {
		t.Error("edits reached the source's footer")
	}
}

func TestAMovedChunkLeavesPlacesBehind(t *testing.T) {
	f := read(t, made(t))
	chunk, meta := chunkOf(f, 0, colID)
	for id := int16(4); id <= 7; id++ {
		chunk.Set(id, thrift.Int64(9))
	}
	meta.Set(10, thrift.Int64(0))
	meta.Set(11, thrift.Int64(0)) // is no place
	meta.Set(14, thrift.Int64(9))
	c := f.Groups()[0].Chunk(colID)
	moved := c.Moved(1000)
	if moved.DataOffset() != c.DataOffset()+1000 || moved.Start() != c.DataOffset()+1000 {
		t.Errorf("data at %d, start at %d", moved.DataOffset(), moved.Start())
	}
	for _, id := range []int16{4, 5, 6, 7} {
		if moved.Struct().Has(id) {
			t.Errorf("field %d of the chunk still has a place in the old file", id)
		}
	}
	for _, id := range []int16{10, 11, 14, 15} {
		if moved.Struct().Struct(3).Has(id) {
			t.Errorf("field %d of the metadata still has a place in the old file", id)
		}
	}
	if err := moved.SetIndexes(footer.Region{Offset: 5, Length: 6}, footer.Region{Offset: 11, Length: 7}); err != nil {
		t.Fatal(err)
	}
	if err := moved.SetBloom(footer.Region{Offset: 20, Length: 8}); err != nil {
		t.Fatal(err)
	}
	column, _ := moved.ColumnIndex()
	offset, _ := moved.OffsetIndex()
	bloom, _ := moved.Bloom()
	if column.End() != 11 || offset.End() != 18 || bloom.End() != 28 {
		t.Errorf("%v %v %v", column, offset, bloom)
	}
	if moved.SetBloom(footer.Region{Length: 1 << 40}) == nil || moved.SetIndexes(column, footer.Region{Length: 1 << 40}) == nil {
		t.Error("an index of a terabyte fits")
	}
}

func TestAnnotationsAreThoseTheReaderKnows(t *testing.T) {
	ints := func(physical string, bits int, unsigned bool) schema.CopyColumn {
		return schema.CopyColumn{Physical: physical, Logical: "INT", Bits: bits, Unsigned: unsigned}
	}
	columns := []schema.CopyColumn{
		{Physical: "BOOLEAN"},
		{Physical: "INT32"},
		{Physical: "INT64"},
		{Physical: "DOUBLE"},
		{Physical: "BYTE_ARRAY"},
		{Physical: "BYTE_ARRAY", Logical: "STRING"},
		{Physical: "BYTE_ARRAY", Logical: "ENUM"},
		{Physical: "BYTE_ARRAY", Logical: "JSON"},
		{Physical: "INT32", Logical: "DATE"},
		{Physical: "INT32", Logical: "DECIMAL", Precision: 9, Scale: 2},
		{Physical: "INT64", Logical: "DECIMAL", Precision: 18},
		{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 16, Logical: "DECIMAL", Precision: 38, Scale: 38},
		{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 16, Logical: "UUID"},
		{Physical: "INT64", Logical: "TIMESTAMP", Unit: "MICROS", UTC: true},
		{Physical: "INT64", Logical: "TIMESTAMP", Unit: "MICROS"},
		{Physical: "INT64", Logical: "TIMESTAMP", Unit: "MILLIS", UTC: true},
		{Physical: "INT64", Logical: "TIMESTAMP", Unit: "NANOS"},
		{Physical: "INT64", Logical: "TIME", Unit: "NANOS", UTC: true},
		{Physical: "INT32", Logical: "TIME", Unit: "MILLIS"},
		ints("INT32", 8, false), ints("INT32", 16, false), ints("INT32", 32, false), ints("INT64", 64, false),
		ints("INT32", 8, true), ints("INT32", 16, true), ints("INT32", 32, true), ints("INT64", 64, true),
	}
	file := made(t)
	f := read(t, file)
	p := footer.Parts{Schema: []footer.Element{f.NewRoot(len(columns))}}
	for i := range columns {
		columns[i].Name = string(rune('a' + i))
		e, err := footertest.Element(f.Leaves()[0], columns[i])
		if err != nil {
			t.Fatal(err)
		}
		p.Schema, p.Orders = append(p.Schema, e), append(p.Orders, -1)
	}
	out, err := f.With(p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := out.AppendEnd([]byte("PAR1"))
	if err != nil {
		t.Fatal(err)
	}
	in, err := parquetfile.Open(inMemory{bytes.NewReader(b)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range columns {
		if got := in.Columns()[i]; got != want {
			t.Errorf("%+v reads as %+v", want, got)
		}
		if got := out.Root().Children[i].Describe(); got != want {
			t.Errorf("%+v is described as %+v", want, got)
		}
	}
}

func TestElementsThatCannotBe(t *testing.T) {
	f := read(t, made(t))
	if err := f.Leaves()[0].CloneElements()[0].Annotate(schema.CopyColumn{Physical: "INT32", Logical: "COLOUR"}); err == nil {
		t.Error("a column was annotated with what is no annotation")
	}
	if _, err := f.With(footer.Parts{Schema: []footer.Element{f.NewRoot(2)}}); err == nil {
		t.Error("a root of two columns, of which none is there")
	}
	one, err := footertest.Element(f.Leaves()[0], schema.CopyColumn{Name: "a", Physical: "INT32"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.With(footer.Parts{Schema: []footer.Element{f.NewRoot(1), one}}); err == nil {
		t.Error("a column without its order")
	}
	if _, err := f.With(footer.Parts{Schema: []footer.Element{f.NewRoot(1), one, one}, Orders: []int{-1}}); err == nil {
		t.Error("an element that no tree reaches")
	}
	many := []footer.Element{f.NewRoot(100_000)}
	var orders []int
	for range 100_000 {
		many, orders = append(many, one), append(orders, -1)
	}
	if _, err := f.With(footer.Parts{Schema: many, Orders: orders}); err == nil {
		t.Error("more columns than a schema is read with")
	}
	if _, err := footer.NewGroup(1<<15, 1, nil); err == nil {
		t.Error("more row groups than can be numbered")
	}
}

func TestKeysOfTheSourceStayBehind(t *testing.T) {
	value := "of the source"
	f := read(t, made(t))
	parts := footer.Parts{Schema: []footer.Element{f.NewRoot(0)}, KeyValues: []footer.KeyValue{{Key: "k", Value: &value}}}
	with, err := f.With(parts)
	if err != nil {
		t.Fatal(err)
	}
	parts.KeyValues = nil
	without, err := with.With(parts)
	if err != nil {
		t.Fatal(err)
	}
	if len(with.KeyValues()) != 1 || len(without.KeyValues()) != 0 {
		t.Errorf("%v, then %v", with.KeyValues(), without.KeyValues())
	}
}

func TestGroupsThatNestForEver(t *testing.T) {
	f := read(t, made(t))
	for deep, good := range map[int]bool{60: true, 70: false} {
		elements := []footer.Element{}
		for range deep {
			elements = append(elements, f.NewRoot(1))
		}
		elements = append(elements, f.Root().Children[colID].CloneElements()...)
		if _, err := f.With(footer.Parts{Schema: elements, Orders: []int{-1}}); (err == nil) != good {
			t.Errorf("%d groups inside each other: %v", deep, err)
		}
	}
}

func TestAGroupBeginsWithItsLowestByte(t *testing.T) {
	at := func(data, size int64) footer.Chunk {
		return footer.NewChunk(footer.ChunkParts{Data: data, Size: size, Uncompressed: 2 * size})
	}
	g, err := footer.NewGroup(3, 9, []footer.Chunk{at(500, 10), at(40, 20), at(900, 30)})
	if err != nil {
		t.Fatal(err)
	}
	if from, ok := g.Offset(); !ok || from != 40 {
		t.Errorf("it begins at %d", from)
	}
	if s := g.Struct(); s.Int(2, 0) != 120 || s.Int(6, 0) != 60 || g.Rows() != 9 || g.Len() != 3 {
		t.Errorf("%d bytes, %d uncompressed, %d rows, %d chunks", s.Int(6, 0), s.Int(2, 0), g.Rows(), g.Len())
	}
}

// A new footer is made once a dictionary that is cast: it must not cost what the
// source's row groups do.
func TestWhatIsReplacedIsNotCopied(t *testing.T) {
	f := read(t, made(t))
	one := f.Groups()[:1]
	allocs := func(copies int) float64 {
		many := slices.Repeat(f.Groups(), copies)
		parts := footer.Parts{Groups: many, Schema: schemaOf(f), Orders: make([]int, len(f.Leaves()))}
		large, err := f.With(parts)
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(3, func() {
			if _, err := large.With(footer.Parts{Groups: one, Schema: parts.Schema, Orders: parts.Orders}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocs(1), allocs(1000); many > few+10 {
		t.Errorf("%v allocations beside a few row groups, %v beside a thousand times as many", few, many)
	}
}

func schemaOf(f *footer.Footer) []footer.Element {
	out := []footer.Element{f.NewRoot(len(f.Root().Children))}
	for _, n := range f.Root().Children {
		out = append(out, n.Elements()...)
	}
	return out
}
