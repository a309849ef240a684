package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// Every way of naming must have one winner by itself: it is all there is on
// some file system.
func TestEachPlacer(t *testing.T) {
	for name, way := range map[string]placer{"link": os.Link, "rename": renameNew, "claim": claimThenRename} {
		t.Run(name, func(t *testing.T) {
			l := &Local{url: "test", root: t.TempDir(), placer: []placer{
				func(string, string) error { return errors.ErrUnsupported },
				way,
			}}
			var lacks atomic.Bool
			for round := range 20 {
				key := fmt.Sprintf("log/%d.json", round)
				var wins atomic.Int32
				var winner atomic.Int32
				var wg sync.WaitGroup
				for i := range 8 {
					wg.Go(func() {
						err := l.CreateOnce(t.Context(), key, fmt.Appendf(nil, "%d", i))
						switch {
						case err == nil:
							wins.Add(1)
							winner.Store(int32(i))
						case unsupported(err):
							lacks.Store(true)
						case !errors.Is(err, ErrExist):
							t.Error(err)
						}
					})
				}
				wg.Wait()
				if lacks.Load() {
					t.Skip("the file system of the temporary folder has no such way")
				}
				data, err := ReadAll(t.Context(), l, key)
				if err != nil || wins.Load() != 1 || string(data) != fmt.Sprint(winner.Load()) {
					t.Fatalf("%d winners, content %q, %v", wins.Load(), data, err)
				}
			}
			left, err := filepath.Glob(filepath.Join(l.root, "log", ".*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left behind %v, %v", left, err)
			}
		})
	}
}

// An answer that was lost, or given for a repeated request, is settled by
// looking: the link is there or it is not.
func TestLostLinkAnswer(t *testing.T) {
	for _, answer := range []error{syscall.EIO, os.ErrExist} {
		l := &Local{url: "test", root: t.TempDir(), placer: []placer{func(temp, final string) error {
			return errors.Join(os.Link(temp, final), answer)
		}}}
		if err := l.CreateOnce(t.Context(), "f", []byte("x")); err != nil {
			t.Errorf("%v: %v", answer, err)
		}
	}
	l := &Local{url: "test", root: t.TempDir(), placer: []placer{func(string, string) error { return syscall.EIO }}}
	if err := l.CreateOnce(t.Context(), "f", nil); err == nil || errors.Is(err, ErrExist) {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(l.root, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
}

// A name that was made but not proved is taken back by Abort.
func TestAbortAfterUnprovedFinish(t *testing.T) {
	l := &Local{url: "test", root: t.TempDir(), placer: []placer{func(temp, final string) error {
		if err := os.WriteFile(temp, []byte("shortened"), 0o666); err != nil {
			return err
		}
		return os.Link(temp, final)
	}}}
	u, err := l.Create(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.Write([]byte("a longer text")); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Finish(t.Context()); err == nil {
		t.Error("a file of another size was finished")
	}
	if err := u.Abort(t.Context()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(l.root); err != nil || len(left) > 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
}

func TestAnswers(t *testing.T) {
	for err, want := range map[error]error{
		syscall.ENOENT: ErrNotExist, syscall.EEXIST: ErrExist, syscall.EACCES: ErrDenied, syscall.EROFS: ErrDenied,
	} {
		l := &Local{url: "/data"}
		got := l.fail("open", "a", &os.PathError{Op: "open", Path: "/data/a", Err: err})
		if !errors.Is(got, want) || !errors.Is(got, err) || got.Error() != fmt.Sprintf(`open "a" in "/data": %s: %s`, want, err) {
			t.Errorf("%v: %v", err, got)
		}
	}
}
