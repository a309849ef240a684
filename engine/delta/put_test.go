package delta_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

func TestPutSettlesUnknownOutcomes(t *testing.T) {
	ours := errors.New("connection reset")
	data := []byte(`{"commitInfo":{"txnId":"mine"}}` + "\n")
	theirs := `{"commitInfo":{"txnId":"theirs"}}` + "\n"
	type outcome struct {
		err   error
		after string // what stands there at the end
	}
	for name, c := range map[string]struct {
		before string
		decide func(storetest.Op) storetest.Fault
		want   outcome
	}{
		"done":  {"", func(storetest.Op) storetest.Fault { return storetest.Fault{} }, outcome{nil, string(data)}},
		"taken": {theirs, func(storetest.Op) storetest.Fault { return storetest.Fault{} }, outcome{store.ErrExist, theirs}},
		"answer lost": {"", func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: choose(op.N == 1, ours), Done: true}
		}, outcome{nil, string(data)}},
		"answer lost, then exists": {"", func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: choose(op.N == 1, store.ErrExist), Done: true}
		}, outcome{nil, string(data)}},
		"not done": {"", func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: choose(op.N == 1, ours)}
		}, outcome{verdict.CommitUnknown, ""}},
		"denied": {"", func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: choose(op.N == 1, store.ErrDenied)}
		}, outcome{store.ErrDenied, ""}},
		"one failed read": {"", func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: choose(op.N <= 2, ours), Done: true}
		}, outcome{nil, string(data)}},
		"done, never read back": {"", func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: ours, Done: true}
		}, outcome{verdict.CommitUnknown, string(data)}},
		"taken, never read back": {theirs, func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: ours, Done: true}
		}, outcome{verdict.CommitUnknown, theirs}},
		"lost the race with an unclear answer": {theirs, func(op storetest.Op) storetest.Fault {
			return storetest.Fault{Err: choose(op.N == 1, ours)}
		}, outcome{store.ErrExist, theirs}},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.NewMem()
			if c.before != "" {
				write(t, w, "_delta_log/00000000000000000004.json", c.before)
			}
			err := delta.Put(t.Context(), storetest.Intercept(w, c.decide), 4, data)
			if !errors.Is(err, c.want.err) || c.want.err == nil && err != nil {
				t.Errorf("got %v, want %v", err, c.want.err)
			}
			after, err := store.ReadAll(t.Context(), w, "_delta_log/00000000000000000004.json")
			if string(after) != c.want.after || err != nil && c.want.after != "" {
				t.Errorf("holds %q, %v", after, err)
			}
		})
	}
	if err := delta.Put(t.Context(), storetest.NewMem(), 0, []byte(`{"add":{"path":"x"}}`)); err == nil {
		t.Error("a commit that could not be recognised was put")
	}
}

func choose(yes bool, err error) error {
	if yes {
		return err
	}
	return nil
}

// Whatever operation fails, done or not, the table is the old or the new one,
// and success is never told of the old one.
func TestPutFaults(t *testing.T) {
	ours := errors.New("injected")
	for variant, fail := range map[string]func(store.Writer, int, error) *storetest.Faulty{"fail": storetest.FailNth, "lose": storetest.LoseNth} {
		for n := 1; ; n++ {
			w := logOf(t, lines(plainProtocol, plainMetadata, addLine("a")))
			f := fail(w, n, ours)
			s, err := delta.Open(t.Context(), f)
			if err == nil {
				var v int64
				var data []byte
				if v, data, err = s.Lines(delta.Append{Operation: "WRITE", TxnID: "x", Adds: []delta.Add{numbered("b", 1)}}, now); err != nil {
					t.Fatal(err)
				}
				err = delta.Put(t.Context(), f, v, data)
			}
			got := paths(opened(t, w))
			if got != "a" && got != "a b" || err == nil && got != "a b" {
				t.Errorf("%s %d: files %s, %v", variant, n, got, err)
			}
			if f.Count() < n {
				break
			}
		}
	}
}

// Many writers append at once; each retries from a new snapshot. All commits
// are there once, and row ids never overlap.
func TestWritersRace(t *testing.T) {
	w := logOf(t, trackedTable)
	const writers = 8
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			a := delta.Append{Operation: "WRITE", TxnID: fmt.Sprint("w", i), Adds: []delta.Add{numbered(fmt.Sprint("f", i), i+1)}}
			for {
				s, err := delta.Open(t.Context(), w)
				if err != nil {
					t.Error(err)
					return
				}
				v, data, err := s.Lines(a, now)
				if err != nil {
					t.Error(err)
					return
				}
				if err = delta.Put(t.Context(), w, v, data); err == nil {
					return
				} else if !errors.Is(err, store.ErrExist) {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	s := opened(t, w)
	if s.Version != writers || len(s.Files) != writers || s.Domains["delta.rowTracking"] != `{"rowIdHighWaterMark":35}` {
		t.Fatalf("version %d, %d files, %v", s.Version, len(s.Files), s.Domains)
	}
	taken := map[int64]bool{}
	for _, a := range s.Files {
		st, err := a.ParseStats()
		if err != nil {
			t.Fatal(err)
		}
		for id := *a.BaseRowID; id < *a.BaseRowID+*st.NumRecords; id++ {
			if taken[id] {
				t.Errorf("row id %d twice", id)
			}
			taken[id] = true
		}
	}
	last := clock.Instant(0)
	for v := range int64(writers) {
		c, err := delta.ReadCommit(t.Context(), w, v+1)
		if err != nil || c.At() <= last {
			t.Errorf("version %d at %s after %s, %v", v+1, c.At(), last, err)
		}
		last = c.At()
	}
}
