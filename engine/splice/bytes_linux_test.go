package splice_test

import (
	"bytes"
	"testing"

	"cdcseed/engine/splice/footer"
	"cdcseed/engine/store"
)

// The hard test of what splicing is for: between local files, not one byte of a
// copied chunk passes through the program.
func TestNoByteOfACopiedChunkIsSeen(t *testing.T) {
	s := common(t)
	data := bytesOf(t, s.copy, s.file)
	from, err := store.OpenLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	to, err := store.OpenLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := from.CreateOnce(t.Context(), s.file, data); err != nil {
		t.Fatal(err)
	}
	s.copy, s.target = from, to
	r, ways := s.splice()
	if r.Counts.Seen != 0 {
		t.Errorf("%d bytes of %d went through the program", r.Counts.Seen, r.Counts.Copied)
	}
	f := footerOf(t, data)
	var want int64
	for _, n := range f.Root().Children {
		name := n.Name()
		if name == "ID" {
			name = "id"
		}
		if !ways[name].Copies() {
			continue
		}
		for _, g := range f.Groups() {
			want += g.Chunk(n.Leaves()[0].Leaf).Size()
		}
	}
	if r.Counts.Copied != want || want < int64(len(data))/3 {
		t.Errorf("%d bytes were copied, the chunks have %d, the file %d", r.Counts.Copied, want, len(data))
	}
	s.rewrite()
	s.compare()
}

// And none of its pages is decompressed: pages of bytes that no codec understands
// are copied as faithfully as any.
func TestNoPageOfACopiedColumnIsDecoded(t *testing.T) {
	s := common(t)
	data := bytes.Clone(bytesOf(t, s.copy, s.file))
	_, ways := s.splice()
	want := bytesOf(t, s.target, "spliced.parquet")
	f := footerOf(t, data)
	spoiled := 0
	for _, n := range f.Root().Children {
		name := n.Name()
		if name == "ID" {
			name = "id"
		}
		if !ways[name].Copies() {
			continue
		}
		for _, g := range f.Groups() {
			if _, err := footer.Walk(bytes.NewReader(data), n, g.Chunk(n.Leaf), func(p footer.Page) error {
				for i := p.Offset + int64(p.Header); i < p.End(); i++ {
					data[i] ^= 0x5a
					spoiled++
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.copy.Remove(t.Context(), s.file); err != nil {
		t.Fatal(err)
	}
	if err := s.copy.CreateOnce(t.Context(), s.file, data); err != nil {
		t.Fatal(err)
	}
	if err := s.target.Remove(t.Context(), "spliced.parquet"); err != nil {
		t.Fatal(err)
	}
	s.splice()
	got := bytesOf(t, s.target, "spliced.parquet")
	differ := 0
	for i := range got {
		if got[i] != want[i] {
			if got[i] != want[i]^0x5a {
				t.Fatalf("byte %d became %x, was %x", i, got[i], want[i])
			}
			differ++
		}
	}
	if len(got) != len(want) || differ != spoiled || spoiled < 10_000 {
		t.Errorf("%d bytes, want %d; %d differ, %d were spoiled", len(got), len(want), differ, spoiled)
	}
}
