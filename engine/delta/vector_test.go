package delta_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cdcseed/engine/delta"
	"cdcseed/engine/delta/deltatest"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

func storeObject(key string) store.Object { return store.Object{Key: key, Size: 1} }

func withVector(d *delta.DeletionVector) delta.Add {
	return delta.Add{Path: "f.parquet", Size: 1, DeletionVector: d}
}

func positions(v *delta.Vector, from, to int64) []int64 { return slices.Collect(v.Between(from, to)) }

func TestDeletionVectorsInTheLog(t *testing.T) {
	m := storetest.NewMem()
	v, err := delta.ReadVector(t.Context(), m, withVector(deltatest.Inline(1)), 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := positions(v, 0, 3); !slices.Equal(got, []int64{1}) || v.Count() != 1 {
		t.Errorf("%d rows: %v", v.Count(), got)
	}
	// One that Spark wrote.
	sample := &delta.DeletionVector{StorageType: "i", PathOrInlineDv: "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L", SizeInBytes: 44, Cardinality: 6}
	if v, err = delta.ReadVector(t.Context(), m, withVector(sample), 100); err != nil {
		t.Fatal(err)
	}
	if got := positions(v, 0, 100); !slices.Equal(got, []int64{3, 4, 7, 11, 18, 29}) {
		t.Error(got)
	}
}

// Positions of many containers of every kind come back, from any place to any other.
func TestDeletionVectorsOfAllKinds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var want []int64
	for row := range int64(300_000) {
		dense, sparse, run := row < 65_536 && rnd.IntN(2) == 0, row < 200_000 && rnd.IntN(500) == 0, row > 210_000 && row < 290_000
		if dense || sparse || run {
			want = append(want, row)
		}
	}
	id := uuid.MustParse("d2c639aa-8816-431a-aaf6-d3fe2512ff61")
	key, file, found := deltatest.Stored("ab", id, []int64{7}, want, []int64{299_999})
	m := storetest.NewMem()
	if err := m.CreateOnce(t.Context(), key, file); err != nil {
		t.Fatal(err)
	}
	v, err := delta.ReadVector(t.Context(), m, withVector(found[1]), 300_000)
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for from := int64(0); from < 300_000; {
		to := min(from+1+rnd.Int64N(20_000), 300_000)
		got = append(got, positions(v, from, to)...)
		from = to
	}
	if !slices.Equal(got, want) || v.Count() != int64(len(want)) {
		t.Errorf("%d positions, count %d, want %d", len(got), v.Count(), len(want))
	}
	if _, err := delta.ReadVector(t.Context(), m, withVector(found[2]), 299_999); !errors.Is(err, delta.ErrVector) {
		t.Error("a row behind the file's end:", err)
	}
}

// A file may have more rows than 32 bits count.
func TestDeletionVectorsOfHugeFiles(t *testing.T) {
	data := deltatest.Vector(1, 5)
	binary.LittleEndian.PutUint32(data[12:], 2)
	v, err := delta.ReadVector(t.Context(), storetest.NewMem(), withVector(deltatest.InlineBytes(data, 2)), 2<<32+6)
	if err != nil {
		t.Fatal(err)
	}
	if got := positions(v, 2<<32, 2<<32+6); !slices.Equal(got, []int64{2<<32 + 1, 2<<32 + 5}) || len(positions(v, 0, 2<<32+1)) != 0 {
		t.Error(got)
	}
	if _, err := delta.ReadVector(t.Context(), storetest.NewMem(), withVector(deltatest.InlineBytes(data, 2)), 2<<32+5); !errors.Is(err, delta.ErrVector) {
		t.Error("the last one is behind the file's end:", err)
	}
}

func TestUnsoundDeletionVectors(t *testing.T) {
	id := uuid.MustParse("d2c639aa-8816-431a-aaf6-d3fe2512ff61")
	key, file, found := deltatest.Stored("", id, []int64{1, 5})
	for name, spoil := range map[string]func(d *delta.DeletionVector, file []byte) []byte{
		"checksum":         func(_ *delta.DeletionVector, f []byte) []byte { f[len(f)-1]++; return f },
		"a changed byte":   func(_ *delta.DeletionVector, f []byte) []byte { f[len(f)-6]++; return f },
		"version":          func(_ *delta.DeletionVector, f []byte) []byte { f[0] = 2; return f },
		"size in the file": func(_ *delta.DeletionVector, f []byte) []byte { f[4]--; return f },
		"size in the log":  func(d *delta.DeletionVector, f []byte) []byte { d.SizeInBytes--; return f },
		"negative size":    func(d *delta.DeletionVector, f []byte) []byte { d.SizeInBytes = -1; return f },
		"huge size":        func(d *delta.DeletionVector, f []byte) []byte { d.SizeInBytes = 1 << 40; return f },
		"cut off":          func(_ *delta.DeletionVector, f []byte) []byte { return f[:len(f)-1] },
		"offset":           func(d *delta.DeletionVector, f []byte) []byte { *d.Offset = 1 << 62; return f },
		"negative offset":  func(d *delta.DeletionVector, f []byte) []byte { *d.Offset = -1; return f },
		"cardinality":      func(d *delta.DeletionVector, f []byte) []byte { d.Cardinality = 3; return f },
		"last row":         func(d *delta.DeletionVector, f []byte) []byte { last := int64(4); d.MaxRowIndex = &last; return f },
		"storage type":     func(d *delta.DeletionVector, f []byte) []byte { d.StorageType = "x"; return f },
		"no file":          func(d *delta.DeletionVector, f []byte) []byte { d.PathOrInlineDv = "zz" + d.PathOrInlineDv; return f },
		"a folder above":   func(d *delta.DeletionVector, f []byte) []byte { d.PathOrInlineDv = "../" + d.PathOrInlineDv; return f },
		"no base 85": func(d *delta.DeletionVector, f []byte) []byte {
			d.PathOrInlineDv = `"` + d.PathOrInlineDv[1:]
			return f
		},
		"another place": func(d *delta.DeletionVector, f []byte) []byte {
			d.StorageType, d.PathOrInlineDv = "p", "/etc/passwd"
			return f
		},
		"a bucket elsewhere": func(d *delta.DeletionVector, f []byte) []byte {
			d.StorageType, d.PathOrInlineDv = "p", "s3://b/x.bin"
			return f
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, offset := *found[0], *found[0].Offset
			d.Offset = &offset
			m := storetest.NewMem()
			if err := m.CreateOnce(t.Context(), key, spoil(&d, slices.Clone(file))); err != nil {
				t.Fatal(err)
			}
			v, err := delta.ReadVector(t.Context(), m, withVector(&d), 10)
			if !errors.Is(err, delta.ErrVector) || v != nil || !strings.Contains(err.Error(), `"f.parquet"`) {
				t.Errorf("%v, %v", v, err)
			}
		})
	}
}

// Bytes that nobody's writer made: each is refused, and none makes the reader
// take more memory than the file's rows can ask for.
func TestHostileBitmaps(t *testing.T) {
	sound := deltatest.Vector(1, 5)
	parts := func(n uint64, rest ...byte) []byte {
		return append(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, 1681511377), n), rest...)
	}
	body := sound[12:]
	// Every upper half from 2^31 on would be a negative position.
	behind := func(high uint32) []byte {
		return append(parts(1, binary.LittleEndian.AppendUint32(nil, high)...), body[4:]...)
	}
	for name, c := range map[string]struct {
		data []byte
		rows int64
	}{
		"nothing":            {nil, 10},
		"another magic":      {append([]byte{0x50}, sound[1:]...), 10},
		"cut off":            {sound[:len(sound)-1], 10},
		"more behind it":     {append(slices.Clone(sound), 0, 0, 0, 0), 10},
		"huge count":         {parts(1<<63, body...), 10},
		"more parts than it": {parts(2, body...), 1 << 40},
		"parts twice":        {parts(2, append(slices.Clone(body), body...)...), 1 << 40},
		"unsorted values":    {append(slices.Clone(sound[:len(sound)-4]), 5, 0, 1, 0), 10},
		"equal values":       {append(slices.Clone(sound[:len(sound)-4]), 1, 0, 1, 0), 10},
		"beyond the file":    {sound, 5},
		"many containers":    {parts(1, 0, 0, 0, 0, 0x3a, 0x30, 0, 0, 0xff, 0xff, 0xff, 0xff), 10},
		"upper half":         {behind(1), 1 << 32},
		"negative positions": {behind(1 << 31), 10},
		"the last of all":    {behind(math.MaxUint32), 1 << 62},
		"billions in a few":  {parts(1, append([]byte{0, 0, 0, 0}, everyValue()...)...), 2_000_000},
		"an empty file":      {sound, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := delta.ReadVector(t.Context(), storetest.NewMem(), withVector(deltatest.InlineBytes(c.data, 2)), c.rows); !errors.Is(err, delta.ErrVector) {
				t.Errorf("%v, %v", v, err)
			}
		})
	}
}

// everyValue is a bitmap of all 2^32 values, in less than a megabyte.
func everyValue() []byte {
	const containers = 1 << 16
	out := binary.LittleEndian.AppendUint32(nil, 12347|(containers-1)<<16)
	out = append(out, bytes.Repeat([]byte{0xff}, containers/8)...) // each is of runs
	for key := range containers {
		out = binary.LittleEndian.AppendUint16(out, uint16(key))
		out = binary.LittleEndian.AppendUint16(out, 0xffff)
	}
	for at := range containers {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(out)+at)) // offsets, which nobody reads
	}
	for range containers {
		out = append(out, 1, 0, 0, 0, 0xff, 0xff)
	}
	return out
}

func FuzzVector(f *testing.F) {
	f.Add(deltatest.Vector(1, 5))
	f.Add(deltatest.Vector(slices.Collect(func(yield func(int64) bool) {
		for i := range int64(5000) {
			if !yield(i * 2) {
				return
			}
		}
	})...))
	f.Fuzz(func(t *testing.T, data []byte) {
		const rows = 1 << 20
		for _, count := range []int64{1, 2, 5000} {
			v, err := delta.ReadVector(t.Context(), storetest.NewMem(), withVector(deltatest.InlineBytes(data, count)), rows)
			if err != nil {
				continue
			}
			last, n := int64(-1), int64(0)
			for at := range v.Between(0, rows) {
				if at <= last {
					t.Fatalf("%d after %d", at, last)
				}
				last = at
				n++
			}
			if n != count {
				t.Fatalf("%d positions, counted %d", n, count)
			}
		}
	})
}

// A store that does not answer says nothing about the vector.
func TestVectorsThatCannotBeFetched(t *testing.T) {
	key, file, found := deltatest.Stored("", uuid.New(), []int64{1})
	m := storetest.NewMem()
	if err := m.CreateOnce(t.Context(), key, file); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the network is gone")
	for n := 1; ; n++ {
		r := storetest.FailNth(m, n, broken)
		_, err := delta.ReadVector(t.Context(), r, withVector(found[0]), 3)
		if r.Count() < n {
			if err != nil || n < 3 {
				t.Errorf("%d operations: %v", r.Count(), err)
			}
			return
		}
		if !errors.Is(err, broken) || errors.Is(err, delta.ErrVector) {
			t.Errorf("operation %d: %v", n, err)
		}
	}
}

// A vector named by its whole path is read where that lies in the table.
func TestVectorByPath(t *testing.T) {
	dir := t.TempDir()
	l, err := store.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	key, file, found := deltatest.Stored("", uuid.MustParse("d2c639aa-8816-431a-aaf6-d3fe2512ff61"), []int64{1})
	if err := l.CreateOnce(t.Context(), key, file); err != nil {
		t.Fatal(err)
	}
	d := found[0]
	d.StorageType = "p"
	for _, path := range []string{"file://" + filepath.ToSlash(dir) + "/" + key, "file:" + filepath.ToSlash(dir) + "/" + key, filepath.ToSlash(dir) + "/" + key} {
		d.PathOrInlineDv = path
		if v, err := delta.ReadVector(t.Context(), l, withVector(d), 3); err != nil || v.Count() != 1 {
			t.Errorf("%s: %v", path, err)
		}
	}
	d.PathOrInlineDv = filepath.ToSlash(dir) + "/../" + filepath.Base(dir) + "/" + key
	if _, err := delta.ReadVector(t.Context(), l, withVector(d), 3); !errors.Is(err, delta.ErrVector) {
		t.Error("a path with ..:", err)
	}
}
