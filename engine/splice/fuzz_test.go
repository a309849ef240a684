package splice_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

// FuzzSplice spoils bytes of whole files and splices them. Nothing panics, no file
// is left behind by an error, and what is spliced reads as the spoiled file does,
// wherever that can be read at all.
func FuzzSplice(f *testing.F) {
	bases := spoilable(f)
	m := fewColumns(f, bases[0])
	for base := range len(bases) {
		f.Add([]byte{byte(base)})
		f.Add([]byte{byte(base), 1, 10, 0xff, 0, 90, 0x01})
		f.Add([]byte{byte(base), 0, 200, 0x80})
		f.Add([]byte{byte(base), 3, 7, 0x02, 2, 2, 0x10, 0x80, 30, 0x04})
	}
	f.Fuzz(func(t *testing.T, edits []byte) {
		if len(edits) == 0 {
			return
		}
		data := spoil(bases[int(edits[0])%len(bases)], edits[1:])
		spoiled(t, data, m)
	})
}

// A few hundred files, each spoiled in a byte or two, most of them in the footer.
func TestSpoiledFiles(t *testing.T) {
	bases := spoilable(t)
	m := fewColumns(t, bases[0])
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 150 {
		var edits []byte
		for range 1 + rnd.IntN(2) {
			at := byte(rnd.IntN(32))
			if rnd.IntN(3) > 0 {
				at |= 0x80
			}
			edits = append(edits, at, byte(rnd.IntN(256)), 1<<rnd.IntN(8))
		}
		base := rnd.IntN(len(bases))
		if spoiled(t, spoil(bases[base], edits), m); t.Failed() {
			t.Fatal(base, edits)
		}
	}
}

// fewColumns maps columns whose bytes are copied whatever the footer says of them,
// and some that are cast. One whose range the footer is to prove is not among
// them: a footer that lies of it is believed.
func fewColumns(t testing.TB, base []byte) *cast.Mapping {
	few := slices.DeleteFunc(captured(t), func(c schema.TargetColumn) bool {
		return !slices.Contains([]string{"id", "wide", "name", "flag", "ratio", "when_text", "absent"}, c.Name)
	})
	p, err := parquetfile.Open(opened(t, base))
	if err != nil {
		t.Fatal(err)
	}
	m, err := cast.Match(few, []schema.FileClass{{ID: "c1", Columns: p.Columns()}}, answers())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func spoilable(t testing.TB) [][]byte {
	small := parquet.WithDataPageSize(300)
	return [][]byte{
		parquetOf(t, made([]int{40, 30}, 1), small),
		parquetOf(t, made([]int{40, 30}, 1), parquet.WithDictionaryDefault(false), parquet.WithDataPageVersion(parquet.DataPageV2)),
		parquetOf(t, made([]int{60}, 2), small, parquet.WithCompression(compress.Codecs.Snappy)),
	}
}

// spoil changes bytes: two say where, from the start or, with the first bit set,
// from the end, where the footer is; one says how.
func spoil(base, edits []byte) []byte {
	out := append([]byte(nil), base...)
	for ; len(edits) >= 3; edits = edits[3:] {
		at := (int(edits[0]&0x7f)<<8 | int(edits[1])) % len(out)
		if edits[0]&0x80 != 0 {
			at = len(out) - 1 - at
		}
		out[at] ^= edits[2]
	}
	return out
}

func opened(t testing.TB, data []byte) store.File {
	m := storetest.NewMem()
	if err := m.CreateOnce(context.Background(), "f", data); err != nil {
		t.Fatal(err)
	}
	f, err := m.Open(context.Background(), "f")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func spoiled(t *testing.T, data []byte, m *cast.Mapping) {
	from := opened(t, data)
	src, err := splice.Look(from, from.Size())
	if err != nil {
		return
	}
	columns := []rewrite.Column{rewrite.Constant("_operation", schema.Type{Kind: schema.Integer}, 0)}
	for i, p := range m.Columns {
		columns = append(columns, rewrite.FromCast(p.Target.Name, p.Target.Type, i))
	}
	d, err := splice.Decide(src, columns, m, "c1", nil, nil)
	if err != nil || d.Rewrite != "" {
		return
	}
	target := storetest.NewMem()
	r, err := splice.Stage(t.Context(), target, splice.Job{Key: "k", File: "f", From: from, Columns: columns, Mapping: m, Class: "c1", Ways: d.Columns}, nil)
	if err != nil || r.Rows == 0 {
		if got := keysOf(t, target); len(got) != 0 {
			t.Errorf("%v, and %q is left", err, got)
		}
		return
	}
	made, err := target.Open(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	old, err := parquetfile.Open(from)
	if err != nil {
		return // a seed opens every file of the copy before it splices one
	}
	spliced, err := parquetfile.Open(made)
	if err != nil {
		t.Fatalf("the new file cannot be opened: %v", err)
	}
	for i, c := range columns {
		at, isCast := c.Cast()
		if !isCast || !r.Ways[i].Way.Copies() {
			continue
		}
		want, err := column(t.Context(), old, m.Columns[at].Rules[0].From)
		if err != nil {
			continue // a copy of bytes is as good as the bytes
		}
		got, err := column(t.Context(), spliced, c.Name)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("column %q (%s): %v, %v; the copy has %v", c.Name, r.Ways[i].Way, got, err, want)
		}
	}
}

// column reads one column without a word of its annotation.
func column(ctx context.Context, p *parquetfile.File, name string) (out []string, err error) {
	scan := p.Read(ctx, []string{name}, 1000)
	defer scan.Close()
	for scan.Next() {
		a := scan.Record().Column(0)
		for i := range a.Len() {
			if ts, ok := a.(*array.Timestamp); ok && ts.IsValid(i) {
				out = append(out, fmt.Sprint(int64(ts.Value(i))))
				continue
			}
			out = append(out, cast.ValueText(a, i))
		}
	}
	return out, scan.Err()
}
