package splice

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/splice/footer"
)

// twoColumns is a file of two columns of whole numbers, in two row groups.
func twoColumns(t *testing.T) []byte {
	t.Helper()
	sc := arrow.NewSchema([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "b", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
	var out bytes.Buffer
	w, err := parquetfile.NewWriter(&out, sc, parquetfile.WriterOptions{ByHand: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		b := array.NewRecordBuilder(memory.DefaultAllocator, sc)
		for i := range 500 {
			b.Field(0).(*array.Int64Builder).Append(int64(i * i))
			b.Field(1).(*array.Int64Builder).Append(int64(-i * i))
		}
		err = errors.Join(err, w.Write(b.NewRecord()), w.EndRowGroup())
		b.Release()
	}
	if _, last := w.Close(); err != nil || last != nil {
		t.Fatal(err, last)
	}
	return out.Bytes()
}

// A new file's end is read as readers read it before it is kept. What is wrong with
// it is never told as a fault of the copy.
func TestANewEndIsRead(t *testing.T) {
	data := twoColumns(t)
	for name, c := range map[string]struct {
		edit func(f *footer.Footer)
		rows int64
		says string
	}{
		"as it was": {func(*footer.Footer) {}, 1000, ""},
		"another size": {func(f *footer.Footer) {
			set64(f.Groups()[0].Chunk(1).Struct().Struct(chunkMeta), metaCompressed, 1<<40)
		}, 1000, "the new footer is wrong"},
		"other rows": {func(*footer.Footer) {}, 999, "says 1000 rows, 999 were written"},
		"a middle outside": {func(f *footer.Footer) { // a reader would give the group to another split, or to none
			g := f.Groups()[1]
			first, second := g.Chunk(0).Struct().Struct(chunkMeta), g.Chunk(1).Struct().Struct(chunkMeta)
			for _, field := range []int16{metaCompressed, metaUncompressed, metaData, metaDictionary} {
				a, b := first.Get(field), second.Get(field)
				first.Set(field, b)
				second.Set(field, a)
			}
		}, 1000, "its middle is taken for"},
	} {
		f, err := footer.Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		before := int64(len(data) - 8 - len(f.Append(nil)))
		c.edit(f)
		end, err := f.AppendEnd(nil)
		if err != nil {
			t.Fatal(err)
		}
		err = checkNew(end, before+int64(len(end)), c.rows)
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var p *footer.Problem
		if err == nil || !strings.Contains(err.Error(), c.says) || errors.As(err, &p) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if err := checkNew([]byte("PAR1"), 8, 0); err == nil || errors.As(err, new(*footer.Problem)) {
		t.Errorf("no footer at all: %v", err)
	}
}
