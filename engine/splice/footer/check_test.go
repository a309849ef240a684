package footer_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// chunkOf is the tree of a chunk and of its metadata, to be spoiled.
func chunkOf(f *footer.Footer, group, leaf int) (chunk, meta *thrift.Struct) {
	s := f.Groups()[group].Chunk(leaf).Struct()
	return s, s.Struct(3)
}

func setMeta(group, leaf int, id int16, v thrift.Value) func(*footer.Footer) {
	return func(f *footer.Footer) {
		_, meta := chunkOf(f, group, leaf)
		meta.Set(id, v)
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	file := made(t)
	empty := thrift.Of(&thrift.Struct{})
	for name, c := range map[string]struct {
		edit   func(*footer.Footer)
		kind   footer.Kind
		remedy footer.Remedy
		says   string
	}{
		"encrypted columns": {func(f *footer.Footer) { f.Struct().Set(8, empty) }, footer.Encrypted, footer.Refuse, "encrypted"},
		"an encrypted column": {func(f *footer.Footer) {
			chunk, _ := chunkOf(f, 1, colText)
			chunk.Set(8, empty)
		}, footer.Encrypted, footer.Refuse, `column "text" in row group 1`},
		"another file": {func(f *footer.Footer) {
			chunk, _ := chunkOf(f, 0, colID)
			chunk.Set(1, thrift.String("other.parquet"))
		}, footer.OtherFile, footer.Refuse, "other.parquet"},
		"no metadata": {func(f *footer.Footer) {
			chunk, _ := chunkOf(f, 0, colID)
			chunk.Delete(3)
		}, footer.Mismatch, footer.Refuse, "no metadata"},
		"beyond the file":     {setMeta(1, colID, 7, thrift.Int64(1<<40)), footer.Outside, footer.Refuse, "1099511627776 bytes"},
		"past the last byte":  {setMeta(1, colID, 7, thrift.Int64(math.MaxInt64)), footer.Outside, footer.Refuse, "among the file's data"},
		"inside the magic":    {setMeta(0, colReal, 9, thrift.Int64(2)), footer.Outside, footer.Refuse, "at 2 are not"},
		"a size below zero":   {setMeta(0, colID, 7, thrift.Int64(-1)), footer.Impossible, footer.Refuse, "-1 bytes"},
		"an offset below 0":   {setMeta(0, colID, 9, thrift.Int64(-1)), footer.Impossible, footer.Refuse, "at -1"},
		"values below zero":   {setMeta(0, colID, 5, thrift.Int64(-50)), footer.Impossible, footer.Refuse, "-50 values"},
		"values in no bytes":  {setMeta(0, colID, 7, thrift.Int64(0)), footer.Impossible, footer.Refuse, "in 0 bytes"},
		"too few values":      {setMeta(0, colID, 5, thrift.Int64(49)), footer.Mismatch, footer.Refuse, "49 values for 50 rows"},
		"too many values":     {setMeta(0, colID, 5, thrift.Int64(51)), footer.Mismatch, footer.Refuse, "51 values for 50 rows"},
		"another type":        {setMeta(0, colID, 1, thrift.Int32(1)), footer.Mismatch, footer.Refuse, "INT32, its schema says INT64"},
		"another column":      {setMeta(0, colID, 3, thrift.ListOf(thrift.Binary, thrift.String("small"))), footer.Mismatch, footer.Refuse, `["small"]`},
		"a codec that is old": {setMeta(0, colID, 4, thrift.Int32(5)), footer.CodecNotKept, footer.Recode, "LZ4"},
		"a codec of its own":  {setMeta(0, colID, 4, thrift.Int32(99)), footer.CodecNotKept, footer.Recode, "codec 99"},
		"an encoding of its own": {
			setMeta(0, colID, 2, thrift.ListOf(thrift.I32, thrift.Int32(0), thrift.Int32(9))),
			footer.EncodingNotKept, footer.Recode, "BYTE_STREAM_SPLIT",
		},
		"a dictionary at 0":        {setMeta(0, colID, 11, thrift.Int64(0)), footer.DictionaryPlace, footer.Keep, "at 0"},
		"a dictionary behind data": {setMeta(0, colID, 11, thrift.Int64(1<<30)), footer.DictionaryPlace, footer.Keep, "at 1073741824"},
		"a filter outside":         {setMeta(0, colID, 14, thrift.Int64(1<<30)), footer.IndexPlace, footer.Keep, "at 1073741824"},
		"a column too many": {func(f *footer.Footer) {
			g := f.Groups()[0].Struct()
			g.Set(1, thrift.ListOf(thrift.Object, append(g.Items(1), g.Items(1)[0])...))
		}, footer.Mismatch, footer.Refuse, "11 column chunks for 10 columns"},
		"rows below zero": {func(f *footer.Footer) { f.Groups()[0].Struct().Set(3, thrift.Int64(-1)) }, footer.Impossible, footer.Refuse, "-1 rows"},
		"rows past counting": {func(f *footer.Footer) {
			f.Groups()[0].Struct().Set(3, thrift.Int64(math.MaxInt64))
		}, footer.Impossible, footer.Refuse, "50 rows behind 9223372036854775807"},
		"another sum of rows": {func(f *footer.Footer) { f.Struct().Set(3, thrift.Int64(99)) }, footer.RowSum, footer.Rewrite, "99 rows, its row groups 100"},
		"chunks that share bytes": {func(f *footer.Footer) {
			_, a := chunkOf(f, 0, colID)
			_, b := chunkOf(f, 0, colDay)
			b.Set(9, a.Get(9))
			b.Delete(11)
			a.Delete(11)
		}, footer.Overlap, footer.Refuse, "inside column"},
		"a chunk over two others": {func(f *footer.Footer) {
			_, a := chunkOf(f, 0, colID)
			_, b := chunkOf(f, 0, colText)
			a.Set(7, thrift.Int64(b.Int(9, 0)+10-a.Int(9, 0)))
		}, footer.Overlap, footer.Refuse, `column "text" in row group 0: it begins`},
		"fewer values than lists": {func(f *footer.Footer) {
			f.Root().Children[colID].Struct().Set(3, thrift.Int32(2))
			_, meta := chunkOf(f, 0, colID)
			meta.Set(5, thrift.Int64(40))
		}, footer.Mismatch, footer.Refuse, "40 values for 50 rows"},
		"a writer that miscounts": {func(f *footer.Footer) {
			f.Struct().Set(6, thrift.String("parquet-mr version 1.2.8 (build abc)"))
		}, footer.ShortChunks, footer.Rewrite, "dictionary's header"},
	} {
		b := edited(t, file, c.edit)
		problems := read(t, b).Check(int64(len(b)))
		if !named(problems, c.kind, c.says) {
			t.Errorf("%s: no %s that says %q among %v", name, c.kind, c.says, problems)
		}
		if c.kind.Remedy() != c.remedy {
			t.Errorf("%s: %s is met with %d, want %d", name, c.kind, c.kind.Remedy(), c.remedy)
		}
	}
}

func named(problems []*footer.Problem, kind footer.Kind, says string) bool {
	for _, p := range problems {
		if p.Kind == kind && strings.Contains(p.Error(), says) {
			return true
		}
	}
	return false
}

func TestCheckFindsNothingInAGoodFile(t *testing.T) {
	file := made(t)
	if problems := read(t, file).Check(int64(len(file))); len(problems) > 0 {
		t.Errorf("a good file: %v", problems)
	}
	if problems := read(t, file).Check(int64(len(file) - 1)); !named(problems, footer.Outside, "nothing") {
		t.Errorf("a byte is gone in front of the footer, and nothing reaches beyond the data: %v", problems)
	}
}

// TestAnEmptyRowGroupMayBeAnywhere has pages of no rows at byte 0, as Arrow's writer leaves them.
func TestAnEmptyRowGroupMayBeAnywhere(t *testing.T) {
	b := edited(t, made(t), func(f *footer.Footer) {
		for _, c := range f.Groups()[1].Chunks() {
			c.Struct().Struct(3).Set(5, thrift.Int64(0))
			c.Struct().Struct(3).Set(9, thrift.Int64(0))
			c.Struct().Struct(3).Delete(11)
		}
		f.Groups()[1].Struct().Set(3, thrift.Int64(0))
		f.Struct().Set(3, thrift.Int64(50))
	})
	f := read(t, b)
	if problems := f.Check(int64(len(b))); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	if c := f.Column(colID, "id", schema.Type{Kind: schema.Long}); c.Low != "-20" || c.High != "29" || c.Nulls != 5 {
		t.Errorf("statistics of the rows that are there: %+v", c)
	}
}

func TestAColumnThatMustBeThereIsKept(t *testing.T) {
	b := edited(t, made(t), func(f *footer.Footer) {
		f.Root().Children[colSmall].Struct().Set(3, thrift.Int32(0))
	})
	f := read(t, b)
	problems := f.Check(int64(len(b)))
	if !named(problems, footer.RequiredKept, "small") || footer.Worst(problems, colSmall).Kind.Remedy() != footer.Keep {
		t.Errorf("a REQUIRED column: %v", problems)
	}
	if p := footer.Worst(problems, colID); p != nil {
		t.Errorf("its neighbour has a problem too: %v", p)
	}
	if n, known := f.NullCount(colSmall); !known || n != 0 {
		t.Errorf("%d nulls (known: %v) where there can be none", n, known)
	}
}

func TestOldLevelsInTheListOfEncodingsAreNoProblem(t *testing.T) {
	b := edited(t, made(t), setMeta(0, colID, 2, thrift.ListOf(thrift.I32, thrift.Int32(4), thrift.Int32(3), thrift.Int32(0))))
	if problems := read(t, b).Check(int64(len(b))); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
	b = edited(t, made(t), func(f *footer.Footer) {
		f.Root().Children[colID].Struct().Set(3, thrift.Int32(2)) // lists hold more values than rows
		_, meta := chunkOf(f, 0, colID)
		meta.Set(5, thrift.Int64(90))
	})
	if problems := read(t, b).Check(int64(len(b))); len(problems) > 0 {
		t.Errorf("%v", problems)
	}
}

func TestWorstIsTheHarshest(t *testing.T) {
	problems := []*footer.Problem{
		{Kind: footer.CodecNotKept, Leaf: 1},
		{Kind: footer.RowSum, Leaf: -1},
		{Kind: footer.Overlap, Leaf: 2},
		{Kind: footer.DictionaryPlace, Leaf: 1},
	}
	for leaf, want := range []footer.Kind{footer.RowSum, footer.RowSum, footer.Overlap} {
		if got := footer.Worst(problems, leaf); got.Kind != want {
			t.Errorf("leaf %d: %s, want %s", leaf, got.Kind, want)
		}
	}
}

func TestEachKindHasItsRemedy(t *testing.T) {
	if footer.Kind("unheard_of").Remedy() != footer.Refuse {
		t.Error("a kind that nobody listed is not refused")
	}
}

// TestEndsOfFiles reads what is no footer, and holds what each is called.
func TestEndsOfFiles(t *testing.T) {
	file := made(t)
	footerOf := func(n uint32, mark string) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte("PAR1 and something"), n), mark...)
	}
	with := func(b string) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte("PAR1"+b), uint32(len(b))), "PAR1"...)
	}
	for name, c := range map[string]struct {
		file []byte
		kind footer.Kind
	}{
		"empty":              {nil, footer.NotParquet},
		"short":              {[]byte("PAR1PAR1"), footer.NotParquet},
		"cut off":            {file[:len(file)-1], footer.NotParquet},
		"sealed":             {footerOf(4, "PARE"), footer.Encrypted},
		"longer than itself": {footerOf(20, "PAR1"), footer.NotParquet},
		"endless":            {footerOf(math.MaxUint32, "PAR1"), footer.NotParquet},
		"no struct":          {with("\x15"), footer.Unreadable},
		"bytes behind":       {with("\x00\x00"), footer.Unreadable},
		"without fields":     {with("\x00"), footer.Unreadable},
		"other kinds":        {with("\x15\x02\x19\x1c\x48\x01a\x00\x16\x00\x19\x05\x00\x00"), footer.Unreadable},
		"no tree":            {with("\x15\x02\x19\x1c\x48\x01a\x15\x0a\x00\x16\x00\x19\x0c\x00"), footer.BadSchema},
	} {
		_, err := footer.Read(bytes.NewReader(c.file), int64(len(c.file)))
		var p *footer.Problem
		if !errors.As(err, &p) || p.Kind != c.kind {
			t.Errorf("%s: %v, want %s", name, err, c.kind)
		}
	}
}

// TestAFooterLongerThanAnyIs is told by its length alone: nothing of it is read.
func TestAFooterLongerThanAnyIs(t *testing.T) {
	const size = 1 << 31
	end := append(binary.LittleEndian.AppendUint32(nil, 1<<30), "PAR1"...)
	in := &counted{ReaderAt: zeros{head: "PAR1", tail: end, size: size}}
	_, err := footer.Read(in, size)
	var p *footer.Problem
	if !errors.As(err, &p) || p.Kind != footer.Unreadable || in.bytes > 1<<20 {
		t.Errorf("%v, after %d bytes", err, in.bytes)
	}
}

// failing is a file that cannot be read.
type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

func TestAFailedReadIsNoFaultOfTheFile(t *testing.T) {
	gone := errors.New("the disk is gone")
	_, err := footer.Read(failing{gone}, 1000)
	var p *footer.Problem
	if !errors.Is(err, gone) || errors.As(err, &p) {
		t.Errorf("%v", err)
	}
	f := read(t, made(t))
	_, err = footer.Walk(failing{gone}, f.Leaves()[0], f.Groups()[0].Chunk(0), nil)
	if !errors.Is(err, gone) || errors.As(err, &p) {
		t.Errorf("%v", err)
	}
}
