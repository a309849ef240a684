package engine_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// onOlderMapped runs do over an older target that maps its columns by name.
func onOlderMapped(t *testing.T, do func(t *testing.T, b *faultBench)) {
	t.Helper()
	onTarget(t, faultTarget{"older and mapped", func(t *testing.T, w store.Writer) {
		t.Helper()
		c, err := bronze.NewTable(ordersColumns(), true, uuid.NewString(), bronze.Commit{Engine: "stream", TxnID: uuid.NewString(), At: worldNow})
		if err != nil {
			t.Fatal(err)
		}
		olderBronze("1")(&c)
		s, err := delta.ParseSchema(c.Metadata.SchemaString)
		if err != nil {
			t.Fatal(err)
		}
		c.Metadata, c.Protocol = c.Metadata.WithProperty(delta.MappingMode, string(delta.ByName)).WithSchema(s), delta.MappedProtocol()
		if err := putFirst(t, w, c); err != nil {
			t.Fatal(err)
		}
	}, nil}, do)
}

// TestAnOlderTargetThatMapsItsColumns is migrated with ids and names of their own
// for the new columns, and the seed's files carry them.
func TestAnOlderTargetThatMapsItsColumns(t *testing.T) {
	t.Parallel()
	onOlderMapped(t, func(t *testing.T, b *faultBench) {
		s, target, facts := b.places(t)
		was := openNow(t, target)
		got, err := b.try(t.Context(), s)
		if err != nil || got.Version != 2 || got.Rows != 500 {
			t.Fatalf("%+v, %v", got, err)
		}
		now := openNow(t, target)
		for _, f := range was.Schema.Fields {
			if now.Physical(f.Name) != was.Physical(f.Name) {
				t.Errorf("%s is in files as %s, was %s", f.Name, now.Physical(f.Name), was.Physical(f.Name))
			}
		}
		for _, add := range now.Files {
			if names := namesIn(t, target, add); !slices.Contains(names, now.Physical(bronze.SnapshotLSN)) || slices.Contains(names, bronze.SnapshotLSN) {
				t.Errorf("the file has %q, the table's name for _snapshot is %s", names, now.Physical(bronze.SnapshotLSN))
			}
		}
		held, err := bronze.Lookup(t.Context(), target, now, []string{"dbo_orders"})
		if err != nil || held.NewestWhole() == nil || held.NewestWhole().Rows != 500 || held.Held[0].Chunked {
			t.Errorf("%+v, %v", held, err)
		}
		if recorded, all := bootstraps(t, facts); recorded != 1 || all != 1 {
			t.Errorf("%d facts rows, %d record a seed", all, recorded)
		}
		if p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{}); err != nil || p.State != engine.AlreadySeeded {
			t.Error(p.State, err)
		}
	})
}

func namesIn(t *testing.T, r store.Reader, add delta.Add) []string {
	t.Helper()
	key, err := add.Key()
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquetfile.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range p.Columns() {
		out = append(out, c.Name)
	}
	return out
}

// TestAMappedTargetIsMigratedByAnother stops: the new columns have other names in
// files than those that were staged. A new plan goes on from there.
func TestAMappedTargetIsMigratedByAnother(t *testing.T) {
	t.Parallel()
	for _, steps := range [][]string{bothSteps, bothSteps[:1]} {
		onOlderMapped(t, func(t *testing.T, b *faultBench) {
			s, target, _ := b.places(t)
			raced := s
			raced.Target = beforeCommit(target, func(i int) {
				if i == 0 {
					migrateOtherwise(t, target, steps)
				}
			})
			_, err := b.try(t.Context(), raced)
			b.unseeded(t, err, verdict.TargetChanged, target)
			got, err := b.try(t.Context(), s)
			if err != nil || got.Rows != 500 {
				t.Errorf("%+v, %v", got, err)
			}
			held, err := bronze.Lookup(t.Context(), target, openNow(t, target), []string{"dbo_orders"})
			if err != nil || held.NewestWhole() == nil || held.NewestWhole().Rows != 500 {
				t.Errorf("%+v, %v", held, err)
			}
		})
	}
}

// unseeded checks a refusal that leaves neither rows nor files.
func (b *faultBench) unseeded(t *testing.T, err error, code verdict.Code, target *storetest.Mem) {
	t.Helper()
	e := verdict.As(err)
	if e == nil || e.Code != code || e.WroteText() != verdict.NothingWritten {
		t.Fatalf("want %s, got %v", code, err)
	}
	left, err := engine.Staged(t.Context(), target)
	if err != nil || len(left) != 0 || len(openNow(t, target).Files) != 0 {
		t.Error(left, err)
	}
}

// migrateOtherwise migrates a table that has given away an id meanwhile, to a
// column that was dropped: files then name the next ones otherwise.
func migrateOtherwise(t *testing.T, w store.Writer, steps []string) {
	t.Helper()
	snap := openNow(t, w)
	f, err := delta.NewField("dropped", "string", "")
	if err != nil {
		t.Fatal(err)
	}
	m := snap.Metadata
	m.Configuration = m.WithSchema(delta.Schema{Fields: append(slices.Clone(snap.Schema.Fields), f)}).Configuration
	commitAppend(t, w, delta.Append{Operation: "THEIRS", Metadata: &m, TxnID: uuid.NewString()})
	packageMigrates(t, w, steps...)
}
