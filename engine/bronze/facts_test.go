package bronze_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

func fact(t *testing.T, app string) bronze.Fact {
	t.Helper()
	return bronze.Fact{
		Stamp: stamp(t, "dbo_orders", "10", 1), AppID: app, Target: "lake.orders", WrittenAt: commit.At,
		Wrote: &bronze.Wrote{Rows: 5, StartedAt: commit.At, Took: 1500 * time.Millisecond},
	}
}

func parquetFiles(t *testing.T, r store.Reader) (n int) {
	t.Helper()
	for o, err := range r.List(t.Context(), "part-", "") {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(o.Key, ".parquet") {
			n++
		}
	}
	return n
}

func openAt(t *testing.T, r store.Reader) *delta.Snapshot {
	t.Helper()
	snap, err := delta.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func TestFactIsWrittenOnceForAnAppID(t *testing.T) {
	m := storetest.NewMem()
	for _, c := range []struct {
		app     string
		written bool
	}{{"orders", true}, {"orders", false}, {"orders2", true}, {"orders", false}} {
		written, err := bronze.WriteFact(t.Context(), m, fact(t, c.app), testPenFrom(c.app))
		if err != nil || written != c.written {
			t.Fatalf("%s: %v, %v", c.app, written, err)
		}
	}
	snap := openAt(t, m)
	if len(snap.Files) != 2 || parquetFiles(t, m) != 2 || snap.Version != 2 || !bronze.Recorded(snap, "orders") || bronze.Recorded(snap, "order") {
		t.Errorf("%d files in the table, %d stored, version %d", len(snap.Files), parquetFiles(t, m), snap.Version)
	}
	events, err := bronze.Events(t.Context(), m, snap, "lake.orders")
	want := []bronze.Event{
		{AppID: "orders", Event: "bootstrap", Target: "lake.orders", LSN: position(t, lsnText("10"))},
		{AppID: "orders2", Event: "bootstrap", Target: "lake.orders", LSN: position(t, lsnText("10"))},
	}
	if err != nil || len(events) != 2 {
		t.Fatal(events, err)
	}
	if events[0].AppID == "orders2" {
		events[0], events[1] = events[1], events[0]
	}
	same(t, "events", events, want)
	if events, err := bronze.Events(t.Context(), m, snap, "lake.Orders"); err != nil || len(events) != 0 {
		t.Error("another target's", events, err)
	}
}

// testPenFrom gives ids of its own to each name, so that several pens may write one table.
func testPenFrom(name string) bronze.Pen {
	pen := testPen()
	next := pen.NewID
	var mu sync.Mutex
	pen.NewID = func() string {
		mu.Lock()
		defer mu.Unlock()
		return name + "-" + next()
	}
	return pen
}

func TestFactOfManyWritersIsWrittenByOne(t *testing.T) {
	m := storetest.NewMem()
	var wg sync.WaitGroup
	results := make([]bool, 8)
	errs := make([]error, 8)
	for i := range results {
		wg.Go(func() {
			results[i], errs[i] = bronze.WriteFact(t.Context(), m, fact(t, "orders"), testPenFrom(strings.Repeat("x", i+1)))
		})
	}
	wg.Wait()
	won := 0
	for i := range results {
		if errs[i] != nil {
			t.Error(errs[i])
		}
		if results[i] {
			won++
		}
	}
	if snap := openAt(t, m); won != 1 || len(snap.Files) != 1 || parquetFiles(t, m) != 1 {
		t.Errorf("%d wrote it, %d files in the table, %d stored", won, len(snap.Files), parquetFiles(t, m))
	}
}

// failure is a way in which the n-th operation on a store fails.
type failure struct {
	name string
	wrap func(w store.Writer, n int) *storetest.Faulty
}

func failures() []failure {
	broken := errors.New("the store broke")
	return []failure{
		{"before", func(w store.Writer, n int) *storetest.Faulty { return storetest.FailNth(w, n, broken) }},
		{"after", func(w store.Writer, n int) *storetest.Faulty { return storetest.LoseNth(w, n, broken) }},
	}
}

func TestFactSurvivesAnyFailure(t *testing.T) {
	for _, fail := range failures() {
		for n := 1; ; n++ {
			m := storetest.NewMem()
			f := fail.wrap(m, n)
			written, err := bronze.WriteFact(t.Context(), f, fact(t, "orders"), testPenFrom("first"))
			if f.Count() < n {
				break
			}
			if written && err != nil {
				t.Fatalf("%s operation %d: both written and %v", fail.name, n, err)
			}
			again, err := bronze.WriteFact(t.Context(), m, fact(t, "orders"), testPenFrom("second"))
			if err != nil || again && written {
				t.Fatalf("%s operation %d: again %v, %v", fail.name, n, again, err)
			}
			if snap := openAt(t, m); len(snap.Files) != 1 || snap.Txns["orders#events"] != 0 {
				t.Fatalf("%s operation %d: %d rows", fail.name, n, len(snap.Files))
			}
		}
	}
}

func factsTable(t *testing.T, change func(*delta.Create, *delta.Schema)) *delta.Snapshot {
	t.Helper()
	create, err := bronze.NewFacts("table", commit)
	if err != nil {
		t.Fatal(err)
	}
	s, err := delta.ParseSchema(create.Metadata.SchemaString)
	if err != nil {
		t.Fatal(err)
	}
	change(&create, &s)
	return &delta.Snapshot{Protocol: create.Protocol, Metadata: create.Metadata.WithSchema(s), Schema: s}
}

func TestFitFacts(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*delta.Create, *delta.Schema)
		code   verdict.Code // or empty
		notes  int
	}{
		{"as new", func(*delta.Create, *delta.Schema) {}, "", 0},
		{"older comments", func(c *delta.Create, _ *delta.Schema) { version(c, bronze.VersionProperty, "12") }, "", 0},
		{"older columns", func(c *delta.Create, s *delta.Schema) {
			version(c, bronze.VersionProperty, "5")
			without(s, "detail")
		}, "", 0},
		{"a column lost before its version's end", func(c *delta.Create, s *delta.Schema) {
			version(c, bronze.VersionProperty, "6")
			without(s, "detail")
		}, verdict.FactsNotFacts, 0},
		{"newer", func(c *delta.Create, _ *delta.Schema) { version(c, bronze.VersionProperty, "15") }, "", 1},
		{"needs newer", func(c *delta.Create, _ *delta.Schema) { version(c, bronze.MinVersionProperty, "15") }, verdict.TargetMigration, 0},
		{"another table", func(_ *delta.Create, s *delta.Schema) { without(s, "app_id") }, verdict.FactsNotFacts, 0},
		{"a column lost", func(_ *delta.Create, s *delta.Schema) { without(s, "event") }, verdict.FactsNotFacts, 0},
		{"another type", func(_ *delta.Create, s *delta.Schema) { retyped(s, "rows", "integer") }, verdict.FactsNotFacts, 0},
		{"forgets transactions", func(c *delta.Create, _ *delta.Schema) {
			version(c, "delta.setTransactionRetentionDuration", "interval 1 day")
		}, "", 1},
		{"a constraint", func(c *delta.Create, _ *delta.Schema) { version(c, "delta.constraints.some", "rows > 0") }, verdict.FactsFeature, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			fit, err := bronze.FitFacts(factsTable(t, c.change))
			if (c.code == "") != (err == nil) || (err != nil && !errors.Is(err, c.code)) || err == nil && len(fit.Notes) != c.notes {
				t.Errorf("%+v, %v", fit, err)
			}
		})
	}
}

func TestEventsRefuseARowWithoutAPosition(t *testing.T) {
	create, err := bronze.NewFacts("table", commit)
	if err != nil {
		t.Fatal(err)
	}
	w, snap := tableFrom(t, create)
	snap = w.commit(t, w.file(t, snap.Schema,
		row{"event": "snapshot_open", "target": "other"}, row{"event": "schema_change", "target": "lake.orders"}, row{"target": "lake.orders"}))
	if events, err := bronze.Events(t.Context(), w, snap, "lake.orders"); err != nil || len(events) != 0 {
		t.Error(events, err)
	}
	snap = w.commit(t, w.file(t, snap.Schema,
		row{"event": "snapshot_open", "target": "lake.orders", "app_id": "a", "max_lsn": lsnText("10"), "detail": `{"mode": "chunked"}`}))
	events, err := bronze.Events(t.Context(), w, snap, "lake.orders")
	if err != nil || len(events) != 1 {
		t.Fatal(events, err)
	}
	open, err := bronze.Unfinished(events, "lake.orders", "a", func(l lsn.LSN) (bool, error) { return false, nil })
	if err != nil || open == nil || open.Mode != bronze.ModeChunked {
		t.Error(open, err)
	}
	for _, c := range []struct {
		row  row
		says []string
	}{
		{row{"event": "bootstrap", "target": "lake.orders"}, []string{"max_lsn NULL", "event = 'bootstrap' AND max_lsn IS NULL"}},
		{
			row{"event": "snapshot_open", "target": "lake.orders", "app_id": "b", "max_lsn": "0xzz"},
			[]string{"row of b", `max_lsn "0xzz"`, "event = 'snapshot_open' AND max_lsn NOT RLIKE"},
		},
	} {
		add := w.file(t, snap.Schema, c.row)
		bad := *w.commit(t, add)
		bad.Files = []delta.Add{add}
		events, err := bronze.Events(t.Context(), w, &bad, "lake.orders")
		e := verdict.As(err)
		if !errors.Is(err, verdict.FactsNotFacts) {
			t.Fatal(events, err)
		}
		for _, want := range append(c.says, "FROM delta.`"+bad.URL()+"` WHERE") {
			if said := factsText(e) + strings.Join(e.Hint, " "); !strings.Contains(said, want) {
				t.Errorf("%s does not say %q", said, want)
			}
		}
	}
}

// factsText is what an error's facts say, one behind the other.
func factsText(e *verdict.Error) string {
	var b strings.Builder
	for _, f := range e.Facts {
		fmt.Fprintf(&b, "%s %s; ", f.Name, f.Value)
	}
	return b.String()
}
