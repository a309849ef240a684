package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
)

// olderOne makes a first commit one of an older release: without columns that
// came later, and with its schema version, or none for an empty text.
func olderOne(version string, lost ...string) func(*delta.Create) {
	return func(c *delta.Create) {
		s, err := delta.ParseSchema(c.Metadata.SchemaString)
		if err != nil {
			panic(err) // a schema of our own making
		}
		s.Fields = slices.DeleteFunc(s.Fields, func(f delta.Field) bool { return slices.Contains(lost, f.Name) })
		c.Metadata = c.Metadata.WithSchema(s)
		c.Metadata.Description, c.Metadata.Configuration = "an old text", map[string]string{}
		if version != "" {
			c.Metadata = c.Metadata.WithProperty(bronze.VersionProperty, version)
		}
	}
}

// olderBronze and olderFacts are tables of releases before chunked snapshots.
func olderBronze(version string) func(*delta.Create) {
	return olderOne(version, bronze.SnapshotLSN, bronze.Chunk)
}

func olderFacts() func(*delta.Create) { return olderOne("4", "end_lsn", "end_commit_ts", "detail") }

// onOlder runs do over an older target in memory, without rows.
func onOlder(t *testing.T, do func(t *testing.T, b *faultBench)) {
	t.Helper()
	onTarget(t, faultTarget{"older", func(t *testing.T, w store.Writer) { makeOlder(t, w) }, nil}, do)
}

func makeOlder(t *testing.T, w store.Writer) {
	t.Helper()
	c, err := bronze.NewTable(ordersColumns(), true, uuid.NewString(), bronze.Commit{Engine: "stream", TxnID: uuid.NewString(), At: worldNow})
	if err == nil {
		olderBronze("1")(&c)
		err = putFirst(t, w, c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func makeOlderFacts(t *testing.T, w store.Writer) {
	t.Helper()
	c, err := bronze.NewFacts(uuid.NewString(), bronze.Commit{Engine: "stream", TxnID: uuid.NewString(), At: worldNow})
	if err == nil {
		olderFacts()(&c)
		err = putFirst(t, w, c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func putFirst(t *testing.T, w store.Writer, c delta.Create) error {
	t.Helper()
	lines, err := c.Lines(worldNow)
	if err != nil {
		return err
	}
	return delta.Put(t.Context(), w, 0, lines)
}

// bronzeOf is the table's schema version and the columns of a snapshot that it
// has, by its newest metadata.
func bronzeOf(snap *delta.Snapshot) string {
	var names []string
	for _, name := range []string{bronze.SnapshotLSN, bronze.Chunk} {
		if _, ok := snap.Schema.Field(name); ok {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("%q %s", snap.Metadata.Configuration[bronze.VersionProperty], strings.Join(names, " "))
}

// history is what a table's commits did, oldest first.
func history(t *testing.T, r store.Reader) []string {
	t.Helper()
	var out []string
	for c, err := range delta.Commits(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c.Info.Operation)
	}
	slices.Reverse(out)
	return out
}

// packageMigrates migrates the table as the stream's package does: step by step,
// in words of its own, its number last.
func packageMigrates(t *testing.T, w store.Writer, steps ...string) {
	t.Helper()
	for _, step := range steps {
		snap := openNow(t, w)
		m, s := snap.Metadata, snap.Schema
		kind, value, _ := strings.Cut(step, " ")
		switch kind {
		case "comment":
			m.Description = "the package's words"
			s.Fields = slices.Clone(s.Fields)
			for i, f := range s.Fields {
				if f.Name == value {
					if err := s.Fields[i].Metadata.Set("comment", "the package's words"); err != nil {
						t.Fatal(err)
					}
				}
			}
		case "add":
			primitive := map[string]string{bronze.SnapshotLSN: "string", bronze.Chunk: "integer"}[value]
			f, err := delta.NewField(value, primitive, "the package's words")
			if err != nil {
				t.Fatal(err)
			}
			s.Fields = append(slices.Clone(s.Fields), f)
		case "number":
			m = m.WithProperty(bronze.VersionProperty, value)
		}
		m = m.WithSchema(s)
		commitAppend(t, w, delta.Append{Operation: "THEIRS", Metadata: &m, TxnID: uuid.NewString()})
	}
}

// planned plans, and fails unless the plan can be executed.
func (b *faultBench) planned(t *testing.T, s engine.Stores) engine.Plan {
	t.Helper()
	p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
	if err == nil {
		err = p.Refusal()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}
