package bronze_test

import (
	"errors"
	"strings"
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// altered is a new table whose first commit is changed before it is written.
func altered(t *testing.T, change func(*delta.Create, *delta.Schema)) *delta.Snapshot {
	t.Helper()
	_, snap := alteredTable(t, change)
	return snap
}

func without(s *delta.Schema, names ...string) {
	var kept []delta.Field
	for _, f := range s.Fields {
		drop := false
		for _, n := range names {
			drop = drop || f.Name == n
		}
		if !drop {
			kept = append(kept, f)
		}
	}
	s.Fields = kept
}

func retyped(s *delta.Schema, name, kind string) {
	for i, f := range s.Fields {
		if f.Name == name {
			s.Fields[i].Type = []byte(`"` + kind + `"`)
		}
	}
}

func version(c *delta.Create, property, v string) {
	c.Metadata = c.Metadata.WithProperty(property, v)
}

func TestFitRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*delta.Create, *delta.Schema)
		want   []schema.TargetColumn
		code   verdict.Code
		says   string
	}{
		{"no bronze column", func(_ *delta.Create, s *delta.Schema) { without(s, "_operation", "_seqval") }, orders, verdict.TargetNotBronze, "lacks _seqval, _operation"},
		{"no _chunk at the newest version", func(_ *delta.Create, s *delta.Schema) { without(s, "_chunk") }, orders, verdict.TargetNotBronze, "lacks _chunk"},
		{"another type of a metadata column", func(_ *delta.Create, s *delta.Schema) { retyped(s, "_operation", "long") }, orders, verdict.TargetNotBronze, "_operation is long, not integer"},
		{"a version that is no number", func(c *delta.Create, _ *delta.Schema) { version(c, bronze.VersionProperty, "two") }, orders, verdict.TargetMigration, `"two"`},
		{"a version below zero", func(c *delta.Create, _ *delta.Schema) { version(c, bronze.VersionProperty, "-1") }, orders, verdict.TargetMigration, `"-1"`},
		{"an older table of another type", func(c *delta.Create, s *delta.Schema) {
			retyped(s, "_chunk", "string")
			version(c, bronze.VersionProperty, "1")
		}, orders, verdict.TargetNotBronze, "_chunk is string, not integer"},
		{"an older table without the NTZ feature", func(c *delta.Create, _ *delta.Schema) {
			c.Protocol = delta.Protocol{MinReaderVersion: 1, MinWriterVersion: 2}
			version(c, bronze.VersionProperty, "1")
		}, orders, verdict.TargetNeedsNTZ, "3/7"},
		{"a least version that we do not know", func(c *delta.Create, _ *delta.Schema) {
			version(c, bronze.VersionProperty, "4")
			version(c, bronze.MinVersionProperty, "3")
		}, orders, verdict.TargetMigration, "least version a writer must know 3"},
		{"types that differ, all told", func(_ *delta.Create, s *delta.Schema) {
			retyped(s, "order_id", "long")
			retyped(s, "status", "binary")
		}, orders, verdict.TargetType, "order_id table long, stream integer, status table binary, stream string"},
		{"a new name that Delta refuses", func(*delta.Create, *delta.Schema) {}, captured("order_id:integer", "status:string", "Unit Price:double", "a=b:double"), verdict.ColumnName, `"Unit Price", "a=b"`},
		{"no NTZ feature", func(c *delta.Create, s *delta.Schema) {
			c.Protocol = delta.Protocol{MinReaderVersion: 1, MinWriterVersion: 2}
		}, orders, verdict.TargetNeedsNTZ, "3/7"},
		{"partitioned", func(c *delta.Create, _ *delta.Schema) { c.Metadata.PartitionColumns = []string{"status"} }, orders, verdict.TargetNotBronze, "partitioned by status"},
		{"a feature that an append cannot honour", func(c *delta.Create, _ *delta.Schema) {
			c.Protocol.WriterFeatures = append(c.Protocol.WriterFeatures, "checkConstraints")
			version(c, "delta.constraints.positive", "order_id > 0")
		}, orders, verdict.TargetFeature, "order_id > 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			snap := unwritten(t, c.change)
			fit, err := bronze.FitTable(snap, c.want, bronze.FitOptions{})
			if !errors.Is(err, c.code) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, %v; want %s with %q", fit, err, c.code, c.says)
			}
			if e := verdict.As(err); len(e.Hint) == 0 {
				t.Error("no hint")
			}
		})
	}
}

// unwritten is a snapshot that our own writer would refuse to make.
func unwritten(t *testing.T, change func(*delta.Create, *delta.Schema)) *delta.Snapshot {
	t.Helper()
	create, err := bronze.NewTable(orders, true, "table", commit)
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

func TestFitTakesTheTablesSpellingAndOrder(t *testing.T) {
	snap := altered(t, func(_ *delta.Create, s *delta.Schema) {
		without(s, "_command_id")
		extra, err := delta.NewField("gone", "string", "")
		if err != nil {
			t.Fatal(err)
		}
		s.Fields = append(s.Fields, extra)
	})
	want := captured("STATUS:string", "Order_ID:integer", "made:integer", "New:double")
	want[2].Computed = true
	fit, err := bronze.FitTable(snap, want, bronze.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range fit.Columns {
		names = append(names, c.Name)
	}
	same(t, "columns", strings.Join(names, " "),
		"_capture_instance _start_lsn _seqval _operation _commit_ts order_id status _batch_id _snapshot _chunk New")
	names = nil
	for _, c := range fit.Captured {
		names = append(names, c.Name)
	}
	same(t, "captured", strings.Join(names, " "), "order_id status New")
	if fit.CommandID || len(fit.Added) != 1 || fit.Metadata == nil || fit.Protocol != nil || len(fit.Notes) != 0 {
		t.Errorf("%+v", fit)
	}
	s, err := delta.ParseSchema(fit.Metadata.SchemaString)
	if err != nil || s.Fields[len(s.Fields)-1].Name != "New" || len(s.Fields) != len(snap.Schema.Fields)+1 {
		t.Error(s, err)
	}
}

func TestFitKeepsAComputedColumnThatTheTableHas(t *testing.T) {
	snap := altered(t, func(*delta.Create, *delta.Schema) {})
	want := captured("order_id:integer", "status:string")
	want[1].Computed = true
	fit, err := bronze.FitTable(snap, want, bronze.FitOptions{})
	if err != nil || len(fit.Captured) != 2 || !fit.Captured[1].Computed || !fit.CommandID || fit.Metadata != nil {
		t.Errorf("%+v, %v", fit, err)
	}
}

func TestFitUpgradesTheProtocolWhenTold(t *testing.T) {
	snap := unwritten(t, func(c *delta.Create, _ *delta.Schema) {
		c.Protocol = delta.Protocol{MinReaderVersion: 1, MinWriterVersion: 2}
	})
	fit, err := bronze.FitTable(snap, orders, bronze.FitOptions{UpgradeProtocol: true})
	if err != nil || fit.Protocol == nil || !fit.Protocol.Supports(delta.NTZ) || !fit.Protocol.Supports("appendOnly") {
		t.Errorf("%+v, %v", fit, err)
	}
}

func TestFitNotesANewerTable(t *testing.T) {
	snap := altered(t, func(c *delta.Create, _ *delta.Schema) { version(c, bronze.VersionProperty, "3") })
	fit, err := bronze.FitTable(snap, orders, bronze.FitOptions{})
	if err != nil || len(fit.Notes) != 1 || fit.Notes[0].Level != verdict.Note {
		t.Errorf("%+v, %v", fit, err)
	}
}

func TestNewTableLeavesComputedColumnsOut(t *testing.T) {
	columns := captured("a:integer", "b:integer")
	columns[0].Computed = true
	for _, c := range bronze.Columns(columns, true) {
		if c.Name == "a" {
			t.Error("a computed column is in the table")
		}
	}
}

func TestEveryColumnOfOursHasAComment(t *testing.T) {
	for _, c := range append(bronze.Columns(nil, true), bronze.FactsColumns()...) {
		if c.Comment == "" {
			t.Errorf("%s has none", c.Name)
		}
	}
}
