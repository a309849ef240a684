package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// faultBench is a kit whose target and facts table are in memory, made anew for each try.
type faultBench struct {
	*kit
	session *engine.Session
	copied  map[string]int // the seed's rows
	prepare func(*testing.T, store.Writer)
	links   bool  // the target's store has links
	answer  error // the store's answer that the error's code must tell, or nil

	found  map[string]string // the target's files before any try; nil until they are asked for
	stands standing          // and what it is by them
}

// faultTarget is a way a target is found.
type faultTarget struct {
	name    string
	prepare func(*testing.T, store.Writer)
	accept  []string
}

var faultTargets = []faultTarget{
	{"missing", func(*testing.T, store.Writer) {}, nil},
	{"empty", makeBronze, nil},
	{"streamed", func(t *testing.T, w store.Writer) {
		makeBronze(t, w)
		streamCommit(t, w, 0, 7, 8, 9)
	}, []string{"stream_must_be_stopped"}},
}

func eachTarget(t *testing.T, do func(t *testing.T, b *faultBench)) {
	for _, c := range faultTargets {
		onTarget(t, c, do)
	}
}

func onTarget(t *testing.T, c faultTarget, do func(t *testing.T, b *faultBench)) {
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		k := newKit(t).withFacts()
		a, b := orders(300), orders(500)[300:]
		k.writeCopy("a.parquet", a)
		k.writeCopy("b.parquet", b)
		k.request.Accept = c.accept
		session, _ := k.open()
		do(t, &faultBench{kit: k, session: session, copied: seeded(lsnAt(30), a, b), prepare: c.prepare})
	})
}

// places are fresh stores with the target as it is found.
func (b *faultBench) places(t *testing.T) (engine.Stores, *storetest.Mem, *storetest.Mem) {
	t.Helper()
	s, err := engine.OpenStores(b.request)
	if err != nil {
		t.Fatal(err)
	}
	target, facts := storetest.NewMem(), storetest.NewMem()
	target.Links = b.links
	if b.found == nil {
		b.prepare(t, target)
		b.found, b.stands = filesOf(t, target), standsIn(t, target)
	} else {
		for _, key := range slices.Sorted(maps.Keys(b.found)) {
			if err := target.CreateOnce(t.Context(), key, []byte(b.found[key])); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Target, s.Facts = target, facts
	return s, target, facts
}

// look is what the target is, which needs no reading where nothing changed.
func (b *faultBench) look(t *testing.T, target store.Reader) standing {
	t.Helper()
	if maps.Equal(b.found, filesOf(t, target)) {
		return b.stands
	}
	return standsIn(t, target)
}

// try plans and executes.
func (b *faultBench) try(ctx context.Context, s engine.Stores) (engine.Result, error) {
	p, err := engine.Build(ctx, b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
	if err != nil {
		return engine.Result{}, err
	}
	if err := p.Refusal(); err != nil {
		return engine.Result{}, err
	}
	return engine.Execute(ctx, p, b.session, s, nil)
}

// untilNone strikes the first operation, the second, and so on, until a run
// sees fewer operations than that.
func (b *faultBench) untilNone(t *testing.T, only []string, fault storetest.Fault) {
	t.Helper()
	outcomes := map[string]int{}
	for n := 1; ; n++ {
		s, target, facts := b.places(t)
		before := filesOf(t, target)
		f := &nth{n: n, fault: fault, only: only}
		got, err := b.try(t.Context(), f.around(s))
		if f.struck == nil {
			if err != nil || got.State != engine.Ready {
				t.Errorf("the run without a fault: %+v %v", got, err)
			}
			b.whole(t, target, facts)
			t.Logf("%d operations; %v", n-1, outcomes)
			return
		}
		where := fmt.Sprintf("%s of %s %q (%d)", f.struck.Name, f.place, f.struck.Key, n)
		outcomes[b.judge(t, where, err, before, target, facts)]++
		// What stands untouched needs no rerun of its own: the run without a fault is one.
		if !maps.Equal(before, filesOf(t, target)) || len(filesOf(t, facts)) > 0 {
			b.again(t, where, s, target, facts)
		}
		if t.Failed() {
			t.Fatalf("after %s: %v", where, err)
		}
	}
}

// judge checks what stands after a struck run, and that its error tells the truth.
func (b *faultBench) judge(t *testing.T, where string, err error, before map[string]string, target, facts *storetest.Mem) string {
	t.Helper()
	kept(t, where, before, filesOf(t, target))
	now := b.look(t, target)
	state := b.allowed(t, where, before, now)
	if err == nil {
		if state != "seeded" {
			t.Errorf("%s: no error, and the target is %s", where, state)
		}
		return "survived"
	}
	e := verdict.As(err)
	if exit := e.Code.Exit(); exit != verdict.ExitUnreachable && exit != verdict.ExitFactsFailed {
		t.Errorf("%s: code %s, exit %d", where, e.Code, exit)
	}
	if want := map[error]verdict.Code{store.ErrDenied: verdict.StoreDenied, store.ErrFull: verdict.StoreFull}[b.answer]; want != "" && e.Code != want && e.Code != verdict.FactsFailed {
		t.Errorf("%s: code %s, want %s", where, e.Code, want)
	}
	if e.What == "" || len(e.Hint) == 0 {
		t.Errorf("%s: an error without words or advice: %+v", where, e)
	}
	told := truth{t: t, where: where, e: e, state: state, now: now}
	told.check(maps.Equal(before, filesOf(t, target)) && len(filesOf(t, facts)) == 0)
	return string(e.Code) + ", " + state
}

// allowed names which of the three allowed states the target is in.
func (b *faultBench) allowed(t *testing.T, where string, before map[string]string, now standing) string {
	t.Helper()
	for _, o := range now.beside {
		if _, ok := rewrite.ParseStageName(o.Key); !ok {
			t.Errorf("%s: %s lies beside the table under no staged file's name", where, o.Key)
		}
	}
	logs := 0
	for key := range before {
		if strings.HasPrefix(key, "_delta_log/") {
			logs++
		}
	}
	switch {
	case len(now.seed) == 0 && now.version == int64(logs)-1:
		return "as before"
	case len(now.seed) == 0 && logs == 0 && now.version == 0 && len(now.stream) == 0:
		return "empty"
	case maps.Equal(now.seed, b.copied) && now.commits == 1 && now.version == int64(max(logs, 1)):
		return "seeded"
	}
	t.Errorf("%s: the target is in no allowed state: version %d, %d kinds of rows of a seed in %d commits", where, now.version, len(now.seed), now.commits)
	return "broken"
}

// again runs the seed without faults on what the struck run left.
func (b *faultBench) again(t *testing.T, where string, s engine.Stores, target, facts *storetest.Mem) {
	t.Helper()
	// The kit's clock and the store's do not run together: what is left is dated now.
	names, _ := standsIn(t, target).staged()
	for _, key := range names {
		if err := target.SetModified(key, worldNow); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.try(t.Context(), s); err != nil {
		t.Errorf("the run after %s: %v", where, err)
		return
	}
	b.whole(t, target, facts)
}

// whole checks that the copy's rows stand there exactly once, and one facts row.
func (b *faultBench) whole(t *testing.T, target, facts store.Reader) {
	t.Helper()
	now := standsIn(t, target)
	if !maps.Equal(now.seed, b.copied) || now.commits != 1 {
		t.Errorf("the seed's rows are not the copy's: %d kinds of rows in %d commits, want %d", len(now.seed), now.commits, len(b.copied))
	}
	if recorded, all := bootstraps(t, facts); recorded != 1 || all != 1 {
		t.Errorf("%d facts rows, %d of them record a seed; want one", all, recorded)
	}
}

// truth compares what an error says was written with what stands there.
type truth struct {
	t     *testing.T
	where string
	e     *verdict.Error
	state string
	now   standing
}

func (c truth) check(untouched bool) {
	c.t.Helper()
	wrote := c.e.WroteText()
	staged, bytes := c.now.staged()
	says := func(part string) bool { return strings.Contains(wrote, part) }
	fail := func(why string) {
		c.t.Errorf("%s: %s says %q, but %s", c.where, c.e.Code, wrote, why)
	}
	// The store gave no answer to making the table: both are true of it.
	maybe := says("may have been made; it is empty then")
	if !maybe && (wrote == verdict.NothingWritten) != untouched {
		fail(fmt.Sprintf("untouched is %v", untouched))
	}
	switch c.e.Code {
	case verdict.FactsFailed:
		if c.state != "seeded" || !says(fmt.Sprintf("at version %d", c.now.version)) {
			fail(fmt.Sprintf("the target is %s at version %d", c.state, c.now.version))
		}
		return
	case verdict.CommitUnknown:
		if len(staged) == 0 && c.state != "seeded" || !says("data files were written") {
			fail(fmt.Sprintf("%d staged files are there, the target is %s", len(staged), c.state))
		}
		return
	}
	if c.state == "seeded" {
		fail("the seed is committed")
	}
	if !maybe && says("was made and is empty") != (c.state == "empty") {
		fail("the target is " + c.state)
	}
	if says("staged files") != (len(staged) > 0) {
		fail(fmt.Sprintf("%d staged files are there", len(staged)))
	}
	if len(staged) > 0 && !says(fmt.Sprintf("%d staged files, %d bytes", len(staged), bytes)) {
		fail(fmt.Sprintf("%d of %d bytes are there", len(staged), bytes))
	}
	for _, key := range staged {
		if !slices.ContainsFunc(c.e.Facts, func(f verdict.Fact) bool { return strings.Contains(f.Value, key) }) {
			fail("nothing names " + key)
		}
	}
}

var errInjected = errors.New("injected")

func TestEveryOperationFailsOnce(t *testing.T) {
	t.Parallel()
	eachTarget(t, func(t *testing.T, b *faultBench) {
		b.untilNone(t, nil, storetest.Fault{Err: errInjected})
	})
}

func TestEveryChangeIsDoneAndItsAnswerLost(t *testing.T) {
	t.Parallel()
	eachTarget(t, func(t *testing.T, b *faultBench) {
		b.untilNone(t, changes, storetest.Fault{Err: errInjected, Done: true})
	})
}

func TestEveryChangeIsRefusedByTheStore(t *testing.T) {
	t.Parallel()
	for _, answer := range []error{store.ErrDenied, store.ErrFull} {
		onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
			b.answer = answer
			b.untilNone(t, changes, storetest.Fault{Err: answer})
		})
	}
}
