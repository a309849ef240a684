package storetest_test

import (
	"context"
	"errors"
	"testing"

	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

// use does one of everything and answers the first error.
func use(ctx context.Context, w store.Writer) error {
	if err := w.CreateOnce(ctx, "a", []byte("x")); err != nil {
		return err
	}
	if _, err := store.ReadAll(ctx, w, "a"); err != nil {
		return err
	}
	u, err := w.Create(ctx, "b")
	if err != nil {
		return err
	}
	if _, err := u.Write([]byte("y")); err != nil {
		return err
	}
	if _, err := u.Finish(ctx); err != nil {
		return err
	}
	if err := u.Abort(ctx); err != nil {
		return err
	}
	if _, err := w.Stat(ctx, "b"); err != nil {
		return err
	}
	for _, err := range w.List(ctx, "", "") {
		if err != nil {
			return err
		}
	}
	return w.Remove(ctx, "a")
}

func TestEachOperationFailsOnce(t *testing.T) {
	names := []string{"CreateOnce", "Open", "ReadAt", "Create", "Write", "Finish", "Abort", "Stat", "List", "Remove"}
	ours := errors.New("injected")
	for n := 1; ; n++ {
		w := storetest.NewMem()
		f := storetest.FailNth(w, n, ours)
		err := use(t.Context(), f)
		if f.Count() < n {
			if err != nil || f.Count() != len(names) {
				t.Errorf("%d operations, %v", f.Count(), err)
			}
			return
		}
		if !errors.Is(err, ours) {
			t.Errorf("operation %d: %v", n, err)
		}
		if op := f.Ops()[n-1]; op.N != n || op.Name != names[n-1] {
			t.Errorf("operation %d is %+v", n, op)
		}
	}
}

func TestLostAnswerIsDone(t *testing.T) {
	ours := errors.New("injected")
	w := storetest.NewMem()
	if err := storetest.LoseNth(w, 1, ours).CreateOnce(t.Context(), "k", []byte("x")); !errors.Is(err, ours) {
		t.Error(err)
	}
	if data, err := store.ReadAll(t.Context(), w, "k"); err != nil || string(data) != "x" {
		t.Errorf("%q %v", data, err)
	}
	if err := storetest.LoseNth(w, 1, ours).CreateOnce(t.Context(), "k", nil); !errors.Is(err, store.ErrExist) {
		t.Error(err)
	}
	if err := storetest.FailNth(w, 1, ours).CreateOnce(t.Context(), "new", nil); !errors.Is(err, ours) {
		t.Error(err)
	}
	if _, err := w.Stat(t.Context(), "new"); !errors.Is(err, store.ErrNotExist) {
		t.Error("an operation that failed was done:", err)
	}
}
