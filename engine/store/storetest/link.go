package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"cdcseed/engine/store"
)

func link(t *testing.T, w store.Writer) {
	l, ok := w.(linker)
	if !ok {
		t.Skip("this store has no links")
	}
	ctx := t.Context()
	put(t, w, "a/b", "x")
	put(t, w, "taken", "y")
	for range 2 { // one that went wrong must have left nothing behind
		if _, err := l.Link(ctx, "a/b", "taken"); errors.Is(err, errors.ErrUnsupported) {
			t.Skip("this place has no links:", err)
		} else if !errors.Is(err, store.ErrExist) {
			t.Errorf("onto a name that is taken: %v", err)
		}
		if _, err := l.Link(ctx, "a/nothing", "c"); !errors.Is(err, store.ErrNotExist) {
			t.Errorf("of nothing: %v", err)
		}
		for _, key := range []string{"", "../c", "a//c"} {
			if _, err := l.Link(ctx, "a/b", key); err == nil {
				t.Errorf("Link took %q", key)
			}
		}
	}
	o, err := l.Link(ctx, "a/b", "c/d")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a/b", "c/d"} {
		st, err := w.Stat(ctx, key)
		if err != nil || st.Size != 1 || st.Modified != o.Modified {
			t.Errorf("Stat of %q says %+v %v, Link said %+v", key, st, err, o)
		}
		content(t, w, key, "x")
	}
	if st, err := w.Stat(ctx, "c/d"); err != nil || st != o {
		t.Errorf("Stat says %+v %v, Link said %+v", st, err, o)
	}
	content(t, w, "taken", "y")
	if err := w.Remove(ctx, "a/b"); err != nil {
		t.Fatal(err)
	}
	content(t, w, "c/d", "x")
	if got := listed(t, w, "", ""); !slices.Equal(got, []string{"c/d", "taken"}) {
		t.Errorf("left behind: %v", got)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := l.Link(stopped, "c/d", "e"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Link: %v", err)
	}
}
