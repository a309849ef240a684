package storetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"cdcseed/engine/store"
)

// ranges copies parts of a stored file into a new one, between what is written
// there by hand.
func ranges(t *testing.T, w store.Writer) {
	ctx := t.Context()
	text := string(bytes.Repeat([]byte("0123456789"), 30_000))
	put(t, w, "from", text)
	f, err := w.Open(ctx, "from")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	u, err := w.Create(ctx, "to")
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, part := range []struct {
		off, n int64
		then   string
	}{{7, 100_001, "a"}, {0, 0, ""}, {0, 300_000, "between"}, {299_999, 1, ""}, {4096, 8192, "end"}} {
		if _, err := store.CopyRange(ctx, u, f, part.off, part.n, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Write([]byte(part.then)); err != nil {
			t.Fatal(err)
		}
		want += text[part.off:part.off+part.n] + part.then
	}
	for _, part := range [][2]int64{{-1, 5}, {0, 300_001}, {300_000, 1}, {5, -1}, {1 << 62, 1 << 62}} {
		if _, err := store.CopyRange(ctx, u, f, part[0], part[1], nil); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes at %d: %v", part[1], part[0], err)
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := store.CopyRange(stopped, u, f, 0, 10, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled CopyRange: %v", err)
	}
	o, err := u.Finish(ctx)
	if err != nil || o.Size != int64(len(want)) {
		t.Fatal(o, err)
	}
	content(t, w, "to", want)
	if _, err := store.CopyRange(ctx, u, f, 0, 10, nil); err == nil {
		t.Error("a CopyRange after Finish succeeded")
	}
}
