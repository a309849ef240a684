package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// leave runs a seed that keeps its files and is stopped right before its commit.
func (b *faultBench) leave(t *testing.T, s engine.Stores, target *storetest.Mem) (names []string) {
	t.Helper()
	was := b.request.OnStop
	b.request.OnStop = "keep"
	defer func() { b.request.OnStop = was }()
	ctx, stop := context.WithCancel(t.Context())
	p, err := engine.Build(ctx, b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = engine.Execute(ctx, p, b.session, s, func(e engine.Event) {
		if e, ok := e.(engine.PhaseDone); ok && e.Phase == engine.Stage {
			stop()
		}
	})
	if e := verdict.As(err); e == nil || e.Code != verdict.Stopped {
		t.Fatalf("want a stop, got %v", err)
	}
	names, _ = standsIn(t, target).staged()
	b.dated(t, target, names, worldNow)
	return names
}

// onAdopting runs a test on a store where a file that is taken over is copied,
// and on one where it gets a second name.
func onAdopting(t *testing.T, do func(t *testing.T, b *faultBench)) {
	t.Helper()
	for name, links := range map[string]bool{"copied": false, "linked": true} {
		t.Run(name, func(t *testing.T) {
			onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
				b.links = links
				do(t, b)
			})
		})
	}
}

func (b *faultBench) dated(t *testing.T, target *storetest.Mem, names []string, at clock.Instant) {
	t.Helper()
	for _, key := range names {
		if err := target.SetModified(key, at); err != nil {
			t.Fatal(err)
		}
	}
}

// spoil replaces a file's content.
func spoil(t *testing.T, w store.Writer, key string, change func([]byte) []byte) {
	t.Helper()
	data, err := store.ReadAll(t.Context(), w, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if err := w.CreateOnce(t.Context(), key, change(data)); err != nil {
		t.Fatal(err)
	}
}

// earlierTries are what may have become of an earlier try's two files by the time
// of a rerun.
var earlierTries = []struct {
	name    string
	between func(t *testing.T, b *faultBench, target *storetest.Mem, left []string)
	adopted int
	says    string // a notice tells it
}{
	{"whole files", func(*testing.T, *faultBench, *storetest.Mem, []string) {}, 2, ""},
	{"a file that was cut", func(t *testing.T, b *faultBench, target *storetest.Mem, left []string) {
		spoil(t, target, left[0], func(d []byte) []byte { return d[:len(d)/2] })
		b.dated(t, target, left, worldNow)
	}, 1, "not whole"},
	{"a file with a broken page", func(t *testing.T, b *faultBench, target *storetest.Mem, left []string) {
		spoil(t, target, left[1], func(d []byte) []byte { clear(d[4:400]); return d })
		b.dated(t, target, left, worldNow)
	}, 1, "not whole"},
	{"the other file's rows", func(t *testing.T, b *faultBench, target *storetest.Mem, left []string) {
		other, err := store.ReadAll(t.Context(), target, left[1])
		if err != nil {
			t.Fatal(err)
		}
		spoil(t, target, left[0], func([]byte) []byte { return other })
		b.dated(t, target, left, worldNow)
	}, 1, "200 rows, the copy's file has 300"},
	{"one that is gone", func(t *testing.T, _ *faultBench, target *storetest.Mem, left []string) {
		if err := target.Remove(t.Context(), left[0]); err != nil {
			t.Fatal(err)
		}
	}, 1, ""},
	{"files of three days", func(t *testing.T, b *faultBench, target *storetest.Mem, left []string) {
		b.dated(t, target, left, worldNow.Add(-3*24*time.Hour))
	}, 2, ""},
	{"files that VACUUM may soon take", func(t *testing.T, b *faultBench, target *storetest.Mem, left []string) {
		b.dated(t, target, left, worldNow.Add(-4*24*time.Hour))
	}, 0, ""},
	{"another position", func(_ *testing.T, b *faultBench, _ *storetest.Mem, _ []string) {
		b.request.AsOf = lsnAt(29)
		b.copied = seeded(lsnAt(29), orders(500))
	}, 0, ""},
	{"another copy", func(_ *testing.T, b *faultBench, _ *storetest.Mem, _ []string) {
		late := []order{{id: 9000, name: "late"}}
		b.writeCopy("b.parquet", append(orders(500)[300:], late...))
		b.copied = seeded(lsnAt(30), orders(500), late)
	}, 0, ""},
}

func TestWhatARerunAdopts(t *testing.T) {
	t.Parallel()
	for _, c := range earlierTries {
		t.Run(c.name, func(t *testing.T) {
			onAdopting(t, func(t *testing.T, b *faultBench) {
				s, target, facts := b.places(t)
				left := b.leave(t, s, target)
				if len(left) != 2 {
					t.Fatalf("left: %q", left)
				}
				c.between(t, b, target, left)
				fresh := b.freshStats(t)
				got, told := b.rerun(t, s)
				if got.Adopted != c.adopted {
					t.Errorf("%d adopted, want %d", got.Adopted, c.adopted)
				}
				if !strings.Contains(told, c.says) || c.says == "" && told != "" {
					t.Errorf("told %q, want %q", told, c.says)
				}
				b.whole(t, target, facts)
				now := standsIn(t, target)
				if !maps.Equal(statsByIndex(t, now), fresh) {
					t.Errorf("statistics %v, freshly staged ones are %v", now.stats, fresh)
				}
				for _, key := range left {
					if now.stats[key] != "" {
						t.Errorf("%s belongs to the earlier try and is committed", key)
					}
				}
				if len(now.beside)+got.Adopted > len(left) {
					t.Errorf("beside the table lie %v", now.beside)
				}
			})
		})
	}
}

// rerun seeds, and answers the notices too.
func (b *faultBench) rerun(t *testing.T, s engine.Stores) (engine.Result, string) {
	t.Helper()
	var notices []string
	p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.Execute(t.Context(), p, b.session, s, func(e engine.Event) {
		if n, ok := e.(engine.Notice); ok {
			notices = append(notices, n.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, strings.Join(notices, "\n")
}

// freshStats are the statistics of a seed that adopts nothing.
func (b *faultBench) freshStats(t *testing.T) map[int]string {
	t.Helper()
	s, target, _ := b.places(t)
	if _, err := b.try(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return statsByIndex(t, standsIn(t, target))
}

// taker is a rerun that takes over the files that lie there, with something to
// happen right before its commit.
func (b *faultBench) taker(t *testing.T, s engine.Stores, target *storetest.Mem, before func()) engine.Result {
	t.Helper()
	names, _ := standsIn(t, target).staged()
	b.dated(t, target, names, worldNow)
	s.Target = beforeCommit(target, func(i int) {
		if i == 0 {
			before()
		}
	})
	got, err := b.try(t.Context(), s)
	if err != nil {
		t.Errorf("the run that took files over: %v", err)
	}
	return got
}

// writer is a run that waits, its files staged, until it is told to go on.
type writer struct {
	staged, resume chan struct{}
	done           chan error
	stop           context.CancelFunc
}

func (b *faultBench) writer(t *testing.T, s engine.Stores, target *storetest.Mem) *writer {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	w := &writer{make(chan struct{}), make(chan struct{}), make(chan error, 1), stop}
	var once sync.Once
	s.Target = storetest.Intercept(target, func(op storetest.Op) storetest.Fault {
		if _, ours := rewrite.ParseStageName(op.Key); ours && op.Name == "Stat" {
			once.Do(func() {
				close(w.staged)
				<-w.resume
			})
		}
		return storetest.Fault{}
	})
	session, _ := b.open()
	go func() {
		p, err := engine.Build(ctx, session, s.Readers(), b.request, engine.BuildOptions{})
		if err == nil {
			_, err = engine.Execute(ctx, p, session, s, nil)
		}
		w.done <- err
	}()
	select {
	case <-w.staged:
	case err := <-w.done:
		t.Fatalf("the writer ended before it had staged its files: %v", err)
	}
	return w
}

// ends lets the writer go on and answers how it ended.
func (w *writer) ends() error {
	close(w.resume)
	return <-w.done
}

// TestAdoptedFilesMayLoseTheirWriter lets the run that wrote files and a rerun
// that took them over be alive together, and the one end in every way right
// before the other's commit.
func TestAdoptedFilesMayLoseTheirWriter(t *testing.T) {
	t.Parallel()
	eachEnd := map[string]func(t *testing.T, b *faultBench, s engine.Stores, target *storetest.Mem){
		"the writer commits first": func(t *testing.T, b *faultBench, s engine.Stores, target *storetest.Mem) {
			w := b.writer(t, s, target)
			var err error
			got := b.taker(t, s, target, func() { err = w.ends() })
			if err != nil || got.State != engine.AlreadySeeded {
				t.Errorf("%v, then %+v", err, got)
			}
		},
		"the writer stops": func(t *testing.T, b *faultBench, s engine.Stores, target *storetest.Mem) {
			w := b.writer(t, s, target)
			var err error
			got := b.taker(t, s, target, func() {
				w.stop()
				err = w.ends()
			})
			if !errors.Is(err, verdict.Stopped) || got.State != engine.Ready || got.Adopted != 2 {
				t.Errorf("%v, then %+v", err, got)
			}
		},
		"the writer comes second": func(t *testing.T, b *faultBench, s engine.Stores, target *storetest.Mem) {
			w := b.writer(t, s, target)
			got := b.taker(t, s, target, func() {})
			if err := w.ends(); err != nil || got.State != engine.Ready || got.Adopted != 2 {
				t.Errorf("%+v, then %v", got, err)
			}
		},
		"the taker stops": func(t *testing.T, b *faultBench, s engine.Stores, target *storetest.Mem) {
			w := b.writer(t, s, target)
			names, _ := standsIn(t, target).staged()
			b.dated(t, target, names, worldNow)
			ctx, stop := context.WithCancel(t.Context())
			in := s
			in.Target = storetest.Intercept(target, func(op storetest.Op) storetest.Fault {
				if op.Name == "Finish" || op.Name == "Link" {
					stop()
				}
				return storetest.Fault{}
			})
			if _, err := b.try(ctx, in); !errors.Is(err, verdict.Stopped) {
				t.Errorf("the taker: %v", err)
			}
			if err := w.ends(); err != nil {
				t.Errorf("the writer: %v", err)
			}
		},
	}
	for name, end := range eachEnd {
		t.Run(name, func(t *testing.T) {
			onAdopting(t, func(t *testing.T, b *faultBench) {
				s, target, facts := b.places(t)
				end(t, b, s, target)
				b.whole(t, target, facts)
				if now := standsIn(t, target); len(now.beside) > 0 {
					t.Errorf("beside the table lie %v", now.beside)
				}
			})
		})
	}
}

// TestAnAdoptedFileIsTakenWhole fails each operation of a rerun that adopts.
func TestAnAdoptedFileIsTakenWhole(t *testing.T) {
	t.Parallel()
	onAdopting(t, func(t *testing.T, b *faultBench) {
		for _, fault := range []storetest.Fault{{Err: store.ErrFull}, {Err: errInjected, Done: true}} {
			for n := 1; ; n++ {
				s, target, facts := b.places(t)
				left := b.leave(t, s, target)
				before := filesOf(t, target)
				f := &nth{n: n, fault: fault, only: changes}
				_, err := b.try(t.Context(), f.around(s))
				if f.struck == nil || f.place == "facts" {
					break // the rest is what other tests fail
				}
				where := f.struck.Name + " of " + f.place + " " + f.struck.Key
				now := standsIn(t, target)
				if err != nil && verdict.As(err).Code == verdict.Unexpected {
					t.Errorf("%s: %v", where, err)
				}
				if len(now.seed) == 0 && err != nil && verdict.As(err).Code != verdict.CommitUnknown && !maps.Equal(before, filesOf(t, target)) {
					t.Errorf("%s: the run left more than it found: %v; found %q", where, now.beside, left)
				}
				b.again(t, where, s, target, facts)
			}
		}
	})
}

// cluster makes a table one that is clustered by a column, as ALTER TABLE does.
func cluster(t *testing.T, w store.Writer, column string) {
	t.Helper()
	snap, err := delta.Open(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	p := snap.Protocol
	p.MinWriterVersion = 7
	for _, f := range []string{"clustering", "domainMetadata"} {
		if !slices.Contains(p.WriterFeatures, f) {
			p.WriterFeatures = append(slices.Clone(p.WriterFeatures), f)
		}
	}
	protocol, err := json.Marshal(map[string]any{"protocol": p})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s\n"+`{"domainMetadata":{"domain":"delta.clustering","configuration":"{\"clusteringColumns\":[[\"%s\"]]}","removed":false}}`+"\n", protocol, column)
	if err := w.CreateOnce(t.Context(), fmt.Sprintf("_delta_log/%020d.json", snap.Version+1), []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// The columns by which a table is clustered have statistics in every file: files
// that were staged before it was are not taken over.
func TestAClusteredTableTakesNoOlderFiles(t *testing.T) {
	onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		key := func() string {
			p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
			if err != nil {
				t.Fatal(err)
			}
			return p.Stage.Key
		}
		b.leave(t, s, target)
		keys := map[string]string{key(): "no column"}
		for _, column := range []string{"name", "id"} {
			cluster(t, target, column)
			if was, twice := keys[key()]; twice {
				t.Errorf("clustered by %s: files staged for a table clustered by %s are taken over", column, was)
			}
			keys[key()] = column
		}
		if got, _ := b.rerun(t, s); got.Adopted != 0 {
			t.Errorf("%d adopted", got.Adopted)
		}
	})
}
