package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"
	"testing"

	"cdcseed/engine/store"
)

// RunContract proves that a store keeps what the interfaces of package store
// promise, and that a Link, where it has one, makes a second name of a file.
// newWriter gives a new, empty store each time.
func RunContract(t *testing.T, newWriter func() store.Writer) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, store.Writer)
	}{
		{"missing", missing},
		{"create", create},
		{"createTaken", createTaken},
		{"abort", abort},
		{"createOnce", createOnce},
		{"remove", remove},
		{"link", link},
		{"keys", keys},
		{"foreignKeys", foreignKeys},
		{"list", list},
		{"readAt", readAt},
		{"ranges", ranges},
		{"etag", etag},
		{"cancel", cancel},
		{"race", race},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, newWriter()) })
	}
}

func missing(t *testing.T, w store.Writer) {
	ctx := t.Context()
	if _, err := w.Stat(ctx, "a/b"); !errors.Is(err, store.ErrNotExist) {
		t.Errorf("Stat: %v", err)
	}
	if _, err := w.Open(ctx, "a/b"); !errors.Is(err, store.ErrNotExist) {
		t.Errorf("Open: %v", err)
	}
	if err := w.Remove(ctx, "a/b"); err != nil {
		t.Errorf("Remove: %v", err)
	}
	if got := listed(t, w, "", ""); len(got) != 0 {
		t.Errorf("List: %v", got)
	}
	if got := listed(t, w, "a/", ""); len(got) != 0 {
		t.Errorf("List: %v", got)
	}
}

func create(t *testing.T, w store.Writer) {
	ctx := t.Context()
	u, err := w.Create(ctx, "d/e/f.bin")
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("0123456789"), 20_000)
	for chunk := range slices.Chunk(want, 7_777) {
		if n, err := u.Write(chunk); err != nil || n != len(chunk) {
			t.Fatal(n, err)
		}
	}
	if _, err := w.Stat(ctx, "d/e/f.bin"); !errors.Is(err, store.ErrNotExist) {
		t.Errorf("the file is visible before Finish: %v", err)
	}
	o, err := u.Finish(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if o.Key != "d/e/f.bin" || o.Size != int64(len(want)) || o.Modified == 0 {
		t.Errorf("Finish: %+v", o)
	}
	if st, err := w.Stat(ctx, "d/e/f.bin"); err != nil || st != o {
		t.Errorf("Stat says %+v %v, Finish said %+v", st, err, o)
	}
	if got, err := store.ReadAll(ctx, w, "d/e/f.bin"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes, %v", len(got), err)
	}
	if err := u.Abort(ctx); err != nil {
		t.Error(err)
	}
	if _, err := u.Finish(ctx); err == nil {
		t.Error("a second Finish succeeded")
	}
	if _, err := u.Write([]byte("x")); err == nil {
		t.Error("a Write after Finish succeeded")
	}
	if got := listed(t, w, "", ""); !slices.Equal(got, []string{"d/e/f.bin"}) {
		t.Errorf("left behind: %v", got)
	}
}

func createTaken(t *testing.T, w store.Writer) {
	ctx := t.Context()
	put(t, w, "k", "first")
	u, err := w.Create(ctx, "k")
	if err == nil {
		_, err = u.Write([]byte("second"))
	}
	if err == nil {
		_, err = u.Finish(ctx)
	}
	if !errors.Is(err, store.ErrExist) {
		t.Errorf("want ErrExist, got %v", err)
	}
	if u != nil {
		if err := u.Abort(ctx); err != nil {
			t.Error(err)
		}
	}
	content(t, w, "k", "first")
	if got := listed(t, w, "", ""); !slices.Equal(got, []string{"k"}) {
		t.Errorf("left behind: %v", got)
	}
}

func abort(t *testing.T, w store.Writer) {
	ctx := t.Context()
	u, err := w.Create(ctx, "x/y")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := u.Abort(ctx); err != nil {
			t.Error(err)
		}
	}
	if _, err := u.Finish(ctx); err == nil {
		t.Error("Finish after Abort succeeded")
	}
	if got := listed(t, w, "", ""); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

func createOnce(t *testing.T, w store.Writer) {
	ctx := t.Context()
	for _, want := range []string{"", "one line\n"} {
		key := fmt.Sprintf("log/%d.json", len(want))
		if err := w.CreateOnce(ctx, key, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if err := w.CreateOnce(ctx, key, []byte("other")); !errors.Is(err, store.ErrExist) {
			t.Errorf("want ErrExist, got %v", err)
		}
		content(t, w, key, want)
	}
	if got := listed(t, w, "", ""); !slices.Equal(got, []string{"log/0.json", "log/9.json"}) {
		t.Errorf("left behind: %v", got)
	}
}

func remove(t *testing.T, w store.Writer) {
	ctx := t.Context()
	put(t, w, "a/b", "x")
	if err := w.Remove(ctx, "a/b"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Stat(ctx, "a/b"); !errors.Is(err, store.ErrNotExist) {
		t.Error(err)
	}
	put(t, w, "a/b", "again")
	content(t, w, "a/b", "again")
}

func keys(t *testing.T, w store.Writer) {
	odd := []string{"k=a b/part+1.parquet", "é/ü%2F.parquet", "letter=%252F/x", "_delta_log/.s3-optimization-0", "a&b#c", "x;y,(z)"}
	for _, k := range odd {
		put(t, w, k, k)
	}
	for _, k := range odd {
		content(t, w, k, k)
	}
	sort.Strings(odd)
	if got := listed(t, w, "", ""); !slices.Equal(got, odd) {
		t.Errorf("got %q, want %q", got, odd)
	}
}

func foreignKeys(t *testing.T, w store.Writer) {
	ctx := t.Context()
	for _, k := range []string{"", ".", "/a", "a/", "a//b", "../a", "a/../../b", "a/./b", "a/.."} {
		if _, err := w.Stat(ctx, k); err == nil {
			t.Errorf("Stat took %q", k)
		}
		if _, err := w.Open(ctx, k); err == nil {
			t.Errorf("Open took %q", k)
		}
		if u, err := w.Create(ctx, k); err == nil {
			t.Errorf("Create took %q", k)
			_ = u.Abort(ctx)
		}
		if err := w.CreateOnce(ctx, k, nil); err == nil || errors.Is(err, store.ErrExist) {
			t.Errorf("CreateOnce on %q: %v", k, err)
		}
		if err := w.Remove(ctx, k); err == nil {
			t.Errorf("Remove took %q", k)
		}
	}
}

func list(t *testing.T, w store.Writer) {
	all := []string{"a.x/2", "a/1", "a/b.c", "a/b/c", "a/b0", "b/1", "b/2/3", "c"}
	for _, k := range slices.Backward(all) {
		put(t, w, k, k)
	}
	for _, prefix := range []string{"", "a", "a/", "a/b", "a/b/", "a.", "b/2/3", "nothing", "nothing/at/all", "c/"} {
		for _, after := range append([]string{"", "a/b", "a/b/", "a/zz", "z", "A"}, all...) {
			var want []string
			for _, k := range all {
				if len(k) >= len(prefix) && k[:len(prefix)] == prefix && k > after {
					want = append(want, k)
				}
			}
			if got := listed(t, w, prefix, after); !slices.Equal(got, want) {
				t.Errorf("List(%q, %q): got %q, want %q", prefix, after, got, want)
			}
		}
	}
	for o, err := range w.List(t.Context(), "a/", "") {
		if err != nil || o.Size != int64(len(o.Key)) || o.Modified == 0 {
			t.Errorf("%+v %v", o, err)
		}
		break // stopping early is allowed
	}
}

func readAt(t *testing.T, w store.Writer) {
	put(t, w, "f", "0123456789")
	f, err := w.Open(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	if f.Size() != 10 {
		t.Errorf("size %d", f.Size())
	}
	p := make([]byte, 4)
	if n, err := f.ReadAt(p, 3); n != 4 || err != nil || string(p) != "3456" {
		t.Errorf("%d %v %q", n, err, p)
	}
	if n, err := f.ReadAt(p, 8); n != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %d %v", n, err)
	}
	if n, err := f.ReadAt(p, 10); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %d %v", n, err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			q := make([]byte, 1)
			if _, err := f.ReadAt(q, int64(i)); err != nil || q[0] != byte('0'+i) {
				t.Errorf("at %d: %q %v", i, q, err)
			}
		})
	}
	wg.Wait()
}

func etag(t *testing.T, w store.Writer) {
	ctx := t.Context()
	put(t, w, "f", "one")
	a, err := w.Stat(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Stat(ctx, "f"); err != nil || again != a {
		t.Errorf("%+v became %+v by itself, %v", a, again, err)
	}
	if err := w.Remove(ctx, "f"); err != nil {
		t.Fatal(err)
	}
	put(t, w, "f", "two")
	b, err := w.Stat(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	if a.ETag != "" && a.ETag == b.ETag {
		t.Errorf("another content has the same tag %q", a.ETag)
	}
}

func cancel(t *testing.T, w store.Writer) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := w.CreateOnce(ctx, "f", []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("CreateOnce: %v", err)
	}
	if _, err := w.Stat(ctx, "f"); !errors.Is(err, context.Canceled) {
		t.Errorf("Stat: %v", err)
	}
	if _, err := w.Stat(t.Context(), "f"); !errors.Is(err, store.ErrNotExist) {
		t.Errorf("a cancelled call wrote: %v", err)
	}
}

// race lets many writers want the same keys: each has one winner, whose bytes stay.
func race(t *testing.T, w store.Writer) {
	const writers, rounds = 12, 20
	for round := range rounds {
		key := fmt.Sprintf("_delta_log/%020d.json", round)
		won := make([]bool, writers)
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range writers {
			wg.Go(func() {
				<-start
				err := w.CreateOnce(t.Context(), key, fmt.Appendf(nil, "writer %d", i))
				if err != nil && !errors.Is(err, store.ErrExist) {
					t.Errorf("writer %d: %v", i, err)
				}
				won[i] = err == nil
			})
		}
		close(start)
		wg.Wait()
		winner := slices.Index(won, true)
		if winner < 0 || slices.Contains(won[winner+1:], true) {
			t.Fatalf("round %d: winners %v", round, won)
		}
		content(t, w, key, fmt.Sprintf("writer %d", winner))
	}
	if got := listed(t, w, "", ""); len(got) != rounds {
		t.Errorf("left behind: %v", got)
	}
}

func put(t *testing.T, w store.Writer, key, text string) {
	t.Helper()
	if err := w.CreateOnce(t.Context(), key, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, w store.Writer, key, text string) {
	t.Helper()
	got, err := store.ReadAll(t.Context(), w, key)
	if err != nil || string(got) != text {
		t.Errorf("%q holds %q, %v; want %q", key, got, err, text)
	}
}

func listed(t *testing.T, w store.Writer, prefix, after string) []string {
	t.Helper()
	var out []string
	for o, err := range w.List(t.Context(), prefix, after) {
		if err != nil {
			t.Fatalf("List(%q, %q): %v", prefix, after, err)
		}
		out = append(out, o.Key)
	}
	return out
}
