package splice_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"

	"cdcseed/engine/rewrite"
	"cdcseed/engine/splice"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

func keysOf(t *testing.T, r store.Reader) (out []string) {
	t.Helper()
	for o, err := range r.List(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, o.Key)
	}
	return out
}

// Whatever operation of the target fails, before it is done or behind it, nothing
// is left that a reader could take for a file of the table.
func TestEveryFailureLeavesNothing(t *testing.T) {
	s := newScene(t, parquetOf(t, made([]int{30, 20}, 3)), captured(t), answers())
	d := s.decide()
	broken := errors.New("the disk is gone")
	for name, fail := range map[string]func(store.Writer, int, error) *storetest.Faulty{"fails": storetest.FailNth, "answer lost": storetest.LoseNth} {
		for n := 1; ; n++ {
			base := storetest.NewMem()
			w := fail(base, n, broken)
			f := s.open()
			r, err := splice.Stage(t.Context(), w, s.job(d, f), nil)
			f.Close()
			if w.Count() < n {
				if err != nil || r.Rows != 50 {
					t.Fatalf("without a failure: %v, %+v", err, r.Staged)
				}
				break
			}
			if !errors.Is(err, broken) || r.Key != "" {
				t.Errorf("%s at operation %d: %v, %+v", name, n, err, r.Staged)
			}
			if got := keysOf(t, base); len(got) != 0 {
				t.Errorf("%s at operation %d left %q", name, n, got)
			}
		}
	}
}

func TestAKeyThatIsTakenStays(t *testing.T) {
	s := common(t)
	if err := s.target.CreateOnce(t.Context(), "spliced.parquet", []byte("another's")); err != nil {
		t.Fatal(err)
	}
	f := s.open()
	defer f.Close()
	if _, err := splice.Stage(t.Context(), s.target, s.job(s.decide(), f), nil); !errors.Is(err, store.ErrExist) {
		t.Error(err)
	}
	if got := string(bytesOf(t, s.target, "spliced.parquet")); got != "another's" {
		t.Errorf("it holds %q now", got)
	}
}

// A stop is heard between row groups and between ranges, and leaves nothing.
func TestAStopLeavesNothing(t *testing.T) {
	s := common(t)
	f := s.open()
	defer f.Close()
	ctx, stop := context.WithCancel(t.Context())
	var rows []int64
	_, err := splice.Stage(ctx, s.target, s.job(s.decide(), f), func(n, bytes int64) {
		rows = append(rows, n)
		stop()
	})
	if !errors.Is(err, context.Canceled) || len(rows) != 1 || rows[0] != 2000 {
		t.Errorf("%v after %v rows", err, rows)
	}
	if got := keysOf(t, s.target); len(got) != 0 {
		t.Errorf("left %q", got)
	}
}

// stopper stops a run at the n-th time that its file is read.
type stopper struct {
	store.File
	n    int64
	read atomic.Int64
	stop context.CancelFunc
}

func (s *stopper) ReadAt(p []byte, off int64) (int, error) {
	if s.read.Add(1) == s.n {
		s.stop()
	}
	return s.File.ReadAt(p, off)
}

// A stop is told as one, wherever it is heard, and never as a fault of the file.
func TestAStopIsNoFault(t *testing.T) {
	s := newScene(t, parquetOf(t, made([]int{300, 200}, 3), parquet.WithDictionaryDefault(false)), captured(t), answers())
	d := s.decide()
	for n := int64(1); ; n++ {
		ctx, stop := context.WithCancel(t.Context())
		f := &stopper{File: s.open(), n: n, stop: stop}
		_, err := splice.Stage(ctx, s.target, s.job(d, f), nil)
		stop()
		f.Close()
		if f.read.Load() < n {
			if err != nil {
				t.Errorf("without a stop: %v", err)
			}
			return
		}
		if err == nil { // all was read: nothing is left to be stopped
			if err := s.target.Remove(t.Context(), "spliced.parquet"); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "early") {
			t.Errorf("at read %d: %v", n, err)
		}
	}
}

// A refused value of a column that is recoded stops the file with its report.
func TestARefusedValue(t *testing.T) {
	recs := made([]int{10, 10}, 3)
	s := newScene(t, parquetOf(t, recs, parquet.WithDictionaryDefault(false)), captured(t), answers())
	for i, p := range s.mapping.Columns {
		if p.Target.Name == "guid" {
			s.mapping.Columns[i].Rules[0].Source.Name, s.mapping.Columns[i].Rules[0].From = "name", "name"
		}
	}
	f := s.open()
	defer f.Close()
	r, err := splice.Stage(t.Context(), s.target, s.job(s.decide(), f), nil)
	if err == nil || !strings.Contains(err.Error(), `column "guid" has values that cannot be written`) {
		t.Error(err)
	}
	if r.Report.Columns["guid"].Refused == 0 || len(keysOf(t, s.target)) != 0 {
		t.Errorf("%+v", r.Report.Columns["guid"])
	}
}

// edited is a file with another footer.
func edited(t *testing.T, data []byte, edit func(*footer.Footer)) []byte {
	t.Helper()
	f, err := footer.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	from := len(data) - 8 - len(f.Append(nil))
	edit(f)
	out, err := f.AppendEnd(bytes.Clone(data[:from]))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Files that no way of reading can be trusted with are refused, by a problem with
// a name, before anything is written.
func TestHostileFilesAreRefused(t *testing.T) {
	whole := parquetOf(t, made([]int{50, 50}, 3))
	meta := func(f *footer.Footer, g, leaf int) *thrift.Struct {
		return f.Groups()[g].Chunk(leaf).Struct().Struct(3)
	}
	for name, c := range map[string]struct {
		kind footer.Kind
		edit func(*footer.Footer)
	}{
		"a chunk behind the file's end": {footer.Outside, func(f *footer.Footer) { meta(f, 1, 1).Delete(11); meta(f, 1, 1).Set(9, thrift.Int64(1<<40)) }},
		"a chunk of more than the file": {footer.Outside, func(f *footer.Footer) { meta(f, 1, 1).Set(7, thrift.Int64(1<<50)) }},
		"a negative size":               {footer.Impossible, func(f *footer.Footer) { meta(f, 0, 1).Set(7, thrift.Int64(-5)) }},
		"two chunks in one place":       {footer.Overlap, func(f *footer.Footer) { meta(f, 0, 3).Set(9, thrift.Int64(meta(f, 0, 2).Int(9, 0))) }},
		"a chunk in another file":       {footer.OtherFile, func(f *footer.Footer) { f.Groups()[0].Chunk(1).Struct().Set(1, thrift.String("b")) }},
		"an encrypted chunk":            {footer.Encrypted, func(f *footer.Footer) { f.Groups()[0].Chunk(1).Struct().Set(8, thrift.Of(&thrift.Struct{})) }},
		"an encrypted file":             {footer.Encrypted, func(f *footer.Footer) { f.Struct().Set(8, thrift.Of(&thrift.Struct{})) }},
		"fewer values than rows":        {footer.Mismatch, func(f *footer.Footer) { meta(f, 0, 1).Set(5, thrift.Int64(3)) }},
	} {
		s := newScene(t, whole, captured(t), answers())
		s.copy = storetest.NewMem()
		if err := s.copy.CreateOnce(t.Context(), s.file, edited(t, whole, c.edit)); err != nil {
			t.Fatal(err)
		}
		f := s.open()
		src, err := splice.Look(f, f.Size())
		if err == nil {
			_, err = splice.Decide(src, s.columns, s.mapping, "c1", nil, nil)
		}
		var p *footer.Problem
		if !errors.As(err, &p) || p.Kind != c.kind {
			t.Errorf("%s: %v", name, err)
		}
		all := make([]splice.Choice, len(s.columns))
		if _, err := splice.Stage(t.Context(), s.target, s.job(splice.Decision{Columns: all}, f), nil); !errors.As(err, &p) {
			t.Errorf("%s: staged all the same: %v", name, err)
		}
		f.Close()
		if got := keysOf(t, s.target); len(got) != 0 {
			t.Errorf("%s left %q", name, got)
		}
	}
}

// Page headers that do not fill their chunk are found before anything is written,
// though the footer looks right.
func TestCorruptPageHeadersAreRefused(t *testing.T) {
	s := common(t)
	data := bytes.Clone(bytesOf(t, s.copy, s.file))
	n := leaf(footerOf(t, data), "name")
	at := footerOf(t, data).Groups()[1].Chunk(n.Leaf).Start()
	for name, spoil := range map[string]func([]byte){
		"no header at all": func(b []byte) { copy(b, bytes.Repeat([]byte{0xff}, 40)) },
		"another page size": func(b []byte) {
			h, n, err := thrift.Parse(b, thrift.Limits{Depth: 9, Values: 99})
			if err != nil {
				t.Fatal(err)
			}
			h.Set(3, thrift.Int32(int32(h.Int(3, 0)-1)))
			if got := h.Append(nil); len(got) == n {
				copy(b, got)
			}
		},
		"zeros": func(b []byte) { clear(b[:64]) },
	} {
		bad := bytes.Clone(data)
		spoil(bad[at:])
		b := newScene(t, data, captured(t), answers())
		d := b.decide()
		b.copy = storetest.NewMem()
		if err := b.copy.CreateOnce(t.Context(), b.file, bad); err != nil {
			t.Fatal(err)
		}
		f := b.open()
		var p *footer.Problem
		if _, err := splice.Stage(t.Context(), b.target, b.job(d, f), nil); !errors.As(err, &p) || p.Kind != footer.BadPages {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
		if got := keysOf(t, b.target); len(got) != 0 {
			t.Errorf("%s left %q", name, got)
		}
	}
}

// A file whose columns all change is no file to splice, and one without rows gives none.
func TestFilesThatAreNotSpliced(t *testing.T) {
	s := newScene(t, parquetOf(t, made([]int{0}, 3)), captured(t), answers())
	f := s.open()
	defer f.Close()
	ways := make([]splice.Choice, len(s.columns))
	for i, c := range s.columns {
		if ways[i].Way = splice.Constant; strings.HasPrefix(c.Name, "_") {
			continue
		}
		ways[i].Way = splice.Null
	}
	r, err := splice.Stage(t.Context(), s.target, s.job(splice.Decision{Columns: ways}, f), nil)
	if err != nil || r.Staged != (rewrite.Staged{}) || len(keysOf(t, s.target)) != 0 {
		t.Errorf("%+v, %v, %q", r.Staged, err, keysOf(t, s.target))
	}
}
