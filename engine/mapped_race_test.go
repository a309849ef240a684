package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// Where mapping is turned on while files are staged, they carry the wrong names:
// nothing is committed, and nothing is left.
func TestMappingIsTurnedOnMeanwhile(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(nil)
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	session, stores := k.open()
	_, err = engine.Execute(t.Context(), p, session, stores, func(e engine.Event) {
		if e, ok := e.(engine.PhaseDone); !ok || e.Phase != engine.Stage {
			return
		}
		_, snap := k.snapshot("bronze")
		mapped := snap.Metadata.WithProperty(delta.MappingMode, "name").WithSchema(snap.Schema)
		k.place(fmt.Sprintf(`{"protocol":%s}`+"\n"+`{"metaData":%s}`+"\n", jsonOf(t, delta.MappedProtocol()), jsonOf(t, mapped)),
			"bronze", "_delta_log", "00000000000000000001.json")
	})
	if !errors.Is(err, verdict.TargetChanged) {
		t.Fatal(err)
	}
	for key := range k.tree("bronze") {
		if strings.HasPrefix(key, "part-") {
			t.Errorf("%s is left", key)
		}
	}
	if got, err := k.seed(); err != nil || got.Rows != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	if rows := k.tableRows("bronze", "id"); !slices.Equal(rows, []string{"1", "2", "3"}) {
		t.Errorf("%q", rows)
	}
}

// addAndDrop gives a mapped target a column and takes it away again: its schema
// is as before, and the next new column gets another id.
func (k *kit) addAndDrop() {
	k.t.Helper()
	_, snap := k.snapshot("bronze")
	highest, err := strconv.Atoi(snap.Metadata.Configuration[delta.MaxColumnID])
	k.must(err)
	k.commit("bronze", delta.Append{Operation: "DROP COLUMNS", Metadata: new(snap.Metadata.WithProperty(delta.MaxColumnID, strconv.Itoa(highest+1)))})
}

// wideCaptured are the columns that the wide kit's target has, more than have statistics.
func wideCaptured() []schema.TargetColumn {
	out := []schema.TargetColumn{{Name: "id", Type: schema.Type{Kind: schema.Integer}}}
	for i := range 40 {
		out = append(out, schema.TargetColumn{Name: fmt.Sprintf("a %d", i), Type: schema.Type{Kind: schema.Integer}})
	}
	return out
}

// wideKit is a mapped target to which the seed adds a column, x=y, far behind
// those that have statistics.
func wideKit(t *testing.T) *kit {
	t.Helper()
	columns, fields, values := `{"name": "id", "type": "int"}`, []arrow.Field{field("id", arrow.PrimitiveTypes.Int32)}, `{"id": 1, "x=y": 7`
	for i, c := range wideCaptured()[1:] {
		columns += fmt.Sprintf(`, {"name": %q, "type": "int", "nullable": true}`, c.Name)
		fields = append(fields, field(c.Name, arrow.PrimitiveTypes.Int32))
		values += fmt.Sprintf(`, %q: %d`, c.Name, i)
	}
	k := kitIn(t, scene{columns: columns + `, {"name": "x=y", "type": "int", "nullable": true}`})
	k.newCopy(append(fields, field("x=y", arrow.PrimitiveTypes.Int32)), "["+values+"}]")
	made, err := bronze.NewTable(wideCaptured(), true, "6f2b7d6e-0000-4000-8000-000000000001", bronze.Commit{Engine: "other", TxnID: "t0", At: someTime})
	k.create("bronze", made, err, nil)
	return k
}

// Files that an earlier try left carry the names of its plan. Where new columns
// get others now they are not taken over: the added column would read as NULL.
func TestLeftFilesOfOtherNamesAreNotTaken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		between func(k *kit)
		adopted int
	}{{"as before", func(*kit) {}, 1}, {"a column came and went", (*kit).addAndDrop, 0}} {
		t.Run(c.name, func(t *testing.T) {
			k := wideKit(t)
			k.request.OnStop = "keep"
			p, err := k.build()
			if err != nil {
				t.Fatal(err)
			}
			session, stores := k.open()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			if _, err = engine.Execute(ctx, p, session, stores, func(e engine.Event) {
				if e, ok := e.(engine.PhaseDone); ok && e.Phase == engine.Stage {
					stop()
				}
			}); !errors.Is(err, verdict.Stopped) {
				t.Fatal(err)
			}
			k.dateStaged("bronze")
			c.between(k)
			got, err := k.seed()
			if err != nil || got.Adopted != c.adopted || got.Rows != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			if rows := k.tableRows("bronze", "id", "a 39", "x=y"); !slices.Equal(rows, []string{"1 39 7"}) {
				t.Errorf("%q", rows)
			}
		})
	}
}

// older takes from a mapped bronze table what its second migration adds.
func older(t *testing.T) func(c *delta.Create) {
	return func(c *delta.Create) {
		sc, err := delta.ParseSchema(c.Metadata.SchemaString)
		if err != nil {
			t.Fatal(err)
		}
		sc.Fields = slices.DeleteFunc(sc.Fields, func(f delta.Field) bool { return f.Name == bronze.SnapshotLSN || f.Name == bronze.Chunk })
		c.Metadata = c.Metadata.WithSchema(sc).WithProperty(bronze.VersionProperty, "1")
	}
}

// The same while a seed runs, into a table of now and into one that the seed
// migrates: its files are not committed under other names.
func TestAnotherColumnCameAndWentMeanwhile(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*delta.Create){"a table of now": nil, "an older table": older(t)} {
		t.Run(name, func(t *testing.T) {
			k := wideKit(t)
			made, err := bronze.NewTable(wideCaptured(), true, "6f2b7d6e-0000-4000-8000-000000000001", bronze.Commit{Engine: "other", TxnID: "t0", At: someTime})
			k.create("bronze", made, err, change)
			p, err := k.build()
			if err != nil {
				t.Fatal(err)
			}
			if (p.Target.Migrate != nil) != (change != nil) {
				t.Fatalf("%+v", p.Target)
			}
			session, stores := k.open()
			_, err = engine.Execute(t.Context(), p, session, stores, func(e engine.Event) {
				if e, ok := e.(engine.PhaseDone); ok && e.Phase == engine.Stage {
					k.addAndDrop()
				}
			})
			if !errors.Is(err, verdict.TargetChanged) {
				t.Fatal(err)
			}
			if _, snap := k.snapshot("bronze"); len(snap.Files) != 0 {
				t.Errorf("%d files", len(snap.Files))
			}
			if got, err := k.seed(); err != nil || got.Rows != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			if rows := k.tableRows("bronze", "id", "a 39", "x=y"); !slices.Equal(rows, []string{"1 39 7"}) {
				t.Errorf("%q", rows)
			}
		})
	}
}

// Another run has made the migration that a plan tells of, and then a column came
// and went: the schema is the planned one, and new columns get other ids.
func TestAColumnCameAndWentAfterTheMigration(t *testing.T) {
	t.Parallel()
	k := wideKit(t)
	made, err := bronze.NewTable(wideCaptured(), true, "6f2b7d6e-0000-4000-8000-000000000001", bronze.Commit{Engine: "other", TxnID: "t0", At: someTime})
	k.create("bronze", made, err, older(t))
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	_, snap := k.snapshot("bronze")
	fit, err := bronze.FitTable(snap, wideCaptured(), bronze.FitOptions{})
	if err != nil || fit.Migration == nil {
		t.Fatal(fit, err)
	}
	k.commit("bronze", delta.Append{Operation: "SET TBLPROPERTIES", Metadata: &fit.Migration.Metadata})
	k.addAndDrop()
	if _, err := k.execute(p); !errors.Is(err, verdict.TargetChanged) {
		t.Fatal(err)
	}
	if _, snap := k.snapshot("bronze"); len(snap.Files) != 0 {
		t.Errorf("%d files", len(snap.Files))
	}
}
