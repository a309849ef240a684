package engine_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// TestTheCopyChangesAfterThePlan executes a plan over a copy that is no longer
// the planned one.
func TestTheCopyChangesAfterThePlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(b *faultBench) error
		codes  []verdict.Code
	}{
		{
			"a file was cut", func(b *faultBench) error { return os.Truncate(b.path("copy", "b.parquet"), 1000) },
			[]verdict.Code{verdict.CopyUnreadable, verdict.CopyChanged},
		},
		{"a file is gone", func(b *faultBench) error { return os.Remove(b.path("copy", "a.parquet")) }, []verdict.Code{verdict.CopyChanged}},
		{"a file was added", func(b *faultBench) error {
			b.writeCopy("c.parquet", orders(1))
			return nil
		}, []verdict.Code{verdict.CopyChanged}},
		{"a file was written again", func(b *faultBench) error {
			b.writeCopy("b.parquet", orders(201)[1:])
			return nil
		}, []verdict.Code{verdict.CopyChanged}},
		{
			"everything is gone", func(b *faultBench) error { return os.RemoveAll(b.path("copy")) },
			[]verdict.Code{verdict.CopyChanged, verdict.CopyNotACopy, verdict.CopyNotFound},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
				s, target, _ := b.places(t)
				p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{})
				if err != nil {
					t.Fatal(err)
				}
				before := filesOf(t, target)
				if err := c.change(b); err != nil {
					t.Fatal(err)
				}
				_, err = engine.Execute(t.Context(), p, b.session, s, nil)
				b.refusedUntouched(t, err, before, target, c.codes...)
			})
		})
	}
}

// refusedUntouched checks a refusal of one of the codes that left the target as it was.
func (b *faultBench) refusedUntouched(t *testing.T, err error, before map[string]string, target store.Reader, codes ...verdict.Code) {
	t.Helper()
	e := verdict.As(err)
	if e == nil {
		t.Fatal("no refusal")
	}
	known := false
	for _, c := range codes {
		known = known || e.Code == c
	}
	if !known || e.WroteText() != verdict.NothingWritten || len(e.Hint) == 0 {
		t.Errorf("want one of %v with nothing written, got %s (%s): %v", codes, e.Code, e.WroteText(), err)
	}
	if !maps.Equal(before, filesOf(t, target)) {
		t.Error("the target changed")
	}
}

// TestTheCopyIsCutWhileItIsRead cuts a file between the check of the copy and
// the reading of its rows.
func TestTheCopyIsCutWhileItIsRead(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		before := filesOf(t, target)
		_, err = engine.Execute(t.Context(), p, b.session, s, func(e engine.Event) {
			if ends(engine.Recheck)(e) {
				if err := os.Truncate(b.path("copy", "b.parquet"), 1000); err != nil {
					t.Error(err)
				}
			}
		})
		b.refusedUntouched(t, err, before, target, verdict.CopyChanged)
	})
}

// TestATargetWithoutPermission is refused by the file system itself where the
// tests do not run as root, and by a store that says so where they do.
func TestATargetWithoutPermission(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		before := filesOf(t, target)
		s.Target = storetest.Intercept(target, func(op storetest.Op) storetest.Fault {
			if op.Name == "Create" || op.Name == "CreateOnce" {
				return storetest.Fault{Err: store.ErrDenied}
			}
			return storetest.Fault{}
		})
		_, err := b.try(t.Context(), s)
		b.refusedUntouched(t, err, before, target, verdict.StoreDenied)
		if os.Geteuid() <= 0 {
			return // root may write everywhere, and Windows has no such folders
		}
		root := b.path("locked")
		if err := os.Mkdir(root, 0o500); err != nil {
			t.Fatal(err)
		}
		real := b.store(t, root)
		s.Target = real
		_, err = b.try(t.Context(), s)
		b.refusedUntouched(t, err, map[string]string{}, real, verdict.StoreDenied)
	})
}

// TestAFullDisk runs a seed into a place without room, and again once there is some.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
		root, grow := smallDisk(t)
		var big []order
		for _, o := range orders(9_000) {
			o.name = strings.Repeat(string(rune('a'+o.id%26)), int(o.id)%20)
			big = append(big, o)
		}
		b.writeCopy("a.parquet", big)
		b.writeCopy("b.parquet", big[:1])
		b.copied = seeded(lsnAt(30), big, big[:1])
		s, _, facts := b.places(t)
		target := b.store(t, root)
		s.Target = target
		_, err := b.try(t.Context(), s)
		b.refusedUntouched(t, err, map[string]string{}, target, verdict.StoreFull)
		grow()
		if _, err := b.try(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		b.whole(t, target, facts)
	})
}
