package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// beforeCommit runs what before a seed's i-th try to create a log entry, counted from 0.
func beforeCommit(w store.Writer, do func(i int)) store.Writer {
	var mu sync.Mutex
	i := 0
	return storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
		if op.Name == "CreateOnce" && strings.HasPrefix(op.Key, "_delta_log/") {
			mu.Lock()
			n := i
			i++
			mu.Unlock()
			do(n)
		}
		return storetest.Fault{}
	})
}

// optimize replaces the stream's files by one with the same rows, as OPTIMIZE does.
func optimize(t *testing.T, w store.Writer, ids ...int32) {
	t.Helper()
	snap, err := delta.Open(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	add := streamFile(t, w, 0, ids)
	add.DataChange = false
	lines := []any{map[string]any{"commitInfo": map[string]any{
		"timestamp": worldNow.Time().UnixMilli(), "operation": "OPTIMIZE", "txnId": uuid.NewString(), "isBlindAppend": false,
	}}}
	for _, f := range snap.Files {
		lines = append(lines, map[string]any{"remove": map[string]any{
			"path": f.Path, "deletionTimestamp": worldNow.Time().UnixMilli(), "dataChange": false,
			"extendedFileMetadata": true, "partitionValues": map[string]string{}, "size": f.Size,
		}})
	}
	lines = append(lines, map[string]any{"add": add})
	var text strings.Builder
	for _, l := range lines {
		line, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	if err := w.CreateOnce(t.Context(), fmt.Sprintf("_delta_log/%020d.json", snap.Version+1), []byte(text.String())); err != nil {
		t.Fatal(err)
	}
}

// TestAStreamCommitsFirst lets five appends and an OPTIMIZE come before the
// seed's commit, each when it is about to be made.
func TestAStreamCommitsFirst(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[2], func(t *testing.T, b *faultBench) {
		s, target, facts := b.places(t)
		streamed := standsIn(t, target).stream
		s.Target = beforeCommit(target, func(i int) {
			switch {
			case i == 2:
				optimize(t, target, 7, 8, 9, 100, 101)
			case i < 6:
				streamCommit(t, target, i+1, 100+int32(i))
			}
		})
		var lost int
		p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine.Execute(t.Context(), p, b.session, s, func(e engine.Event) {
			if n, ok := e.(engine.Notice); ok && n.Phase == engine.Commit && strings.Contains(n.Text, "first") {
				lost++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if lost != 6 || got.Version != p.Target.Version+7 || got.Rows != 500 || got.State != engine.Ready {
			t.Errorf("%d tries lost, %+v", lost, got)
		}
		b.whole(t, target, facts)
		now := standsIn(t, target)
		rows := 0
		for _, n := range now.stream {
			rows += n
		}
		if rows != len(streamed)+5 {
			t.Errorf("%d rows of the stream, want %d", rows, len(streamed)+5)
		}
	})
}

// TestAStreamIsAlwaysFirst ends a seed that loses every race.
func TestAStreamIsAlwaysFirst(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[2], func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		s.Target = beforeCommit(target, func(i int) { streamCommit(t, target, i+1, 100) })
		_, err := b.try(t.Context(), s)
		b.stopped(t, err, verdict.TargetChanged, "20 times", target)
	})
}

// stopped checks a refusal right before the commit: its code, what it names, and
// that neither rows nor staged files are left.
func (b *faultBench) stopped(t *testing.T, err error, code verdict.Code, names string, target store.Reader) {
	t.Helper()
	e := verdict.As(err)
	if e == nil {
		t.Fatal("no refusal")
	}
	if e.Code != code || !strings.Contains(e.Error(), names) || e.WroteText() != verdict.NothingWritten || len(e.Hint) == 0 {
		t.Errorf("want %s naming %q with nothing written, got %s: %v (%s)", code, names, e.Code, err, e.WroteText())
	}
	now := standsIn(t, target)
	if left, _ := now.staged(); len(left) > 0 || len(now.seed) > 0 {
		t.Errorf("left: %q, %d rows", left, len(now.seed))
	}
}

// setProperty changes nothing but a table property.
func setProperty(t *testing.T, w store.Writer) {
	snap := openNow(t, w)
	m := snap.Metadata
	m.Configuration = maps.Clone(m.Configuration)
	m.Configuration["delta.logRetentionDuration"] = "interval 7 days"
	commitAppend(t, w, delta.Append{Operation: "SET TBLPROPERTIES", Metadata: &m, TxnID: uuid.NewString()})
}

// addColumn adds a column that the source table gained.
func addColumn(t *testing.T, w store.Writer) {
	snap := openNow(t, w)
	f, err := delta.NewField("note", "string", "")
	if err != nil {
		t.Fatal(err)
	}
	sc := snap.Schema
	sc.Fields = append(sc.Fields[:len(sc.Fields):len(sc.Fields)], f)
	m := snap.Metadata
	m.SchemaString = sc.String()
	commitAppend(t, w, delta.Append{Operation: "ADD COLUMNS", Metadata: &m, TxnID: uuid.NewString()})
}

// upgradeProtocol lets the table demand another feature.
func upgradeProtocol(t *testing.T, w store.Writer) {
	p := openNow(t, w).Protocol
	p.WriterFeatures = append(p.WriterFeatures[:len(p.WriterFeatures):len(p.WriterFeatures)], "changeDataFeed")
	commitAppend(t, w, delta.Append{Operation: "UPGRADE PROTOCOL", Protocol: &p, TxnID: uuid.NewString()})
}

func openNow(t *testing.T, r store.Reader) *delta.Snapshot {
	t.Helper()
	snap, err := delta.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// tableChange is what makes a table another than the planned one.
type tableChange struct {
	name   string
	change func(*testing.T, store.Writer)
	says   string
}

// tableChanges are such changes; column is what is said of another column.
func tableChanges(column string) []tableChange {
	return []tableChange{
		{"property", setProperty, "properties changed"}, {"column", addColumn, column}, {"protocol", upgradeProtocol, "protocol changed"},
	}
}

// TestTheTableChangesMeanwhile stops a seed whose table became another, at
// whatever moment that happens.
func TestTheTableChangesMeanwhile(t *testing.T) {
	t.Parallel()
	for _, c := range tableChanges("schema changed") {
		t.Run(c.name, func(t *testing.T) {
			onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
				s, target, _ := b.places(t)
				p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{})
				if err != nil {
					t.Fatal(err)
				}
				s.Target = beforeCommit(target, func(i int) {
					if i == 0 {
						c.change(t, target)
					}
				})
				_, err = engine.Execute(t.Context(), p, b.session, s, nil)
				b.stopped(t, err, verdict.TargetChanged, c.says, target)
				s.Target = target
				_, err = engine.Execute(t.Context(), p, b.session, s, nil)
				b.stopped(t, err, verdict.TargetChanged, c.says, target)
			})
		})
	}
}

// TestAnotherTableIsMadeMeanwhile stops a seed that was to make the table.
func TestAnotherTableIsMadeMeanwhile(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		s.Target = beforeCommit(target, func(i int) {
			if i == 0 {
				makeBronzeOf(t, target, ordersColumns()[:2])
			}
		})
		_, err := b.try(t.Context(), s)
		b.stopped(t, err, verdict.TargetChanged, "another table was made", target)
	})
}

// TestTheEmptyTableIsMadeMeanwhile goes on in a table that is as the plan makes it.
func TestTheEmptyTableIsMadeMeanwhile(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
		s, target, facts := b.places(t)
		s.Target = beforeCommit(target, func(i int) {
			if i == 0 {
				makeBronze(t, target)
			}
		})
		got, err := b.try(t.Context(), s)
		if err != nil || got.Created || got.Version != 1 {
			t.Fatalf("%+v %v", got, err)
		}
		b.whole(t, target, facts)
	})
}
