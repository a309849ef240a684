package bronze_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
)

// older makes a first commit one of an older release: without the columns that
// came later, its property at version (empty for none), and comments of its own.
func older(atVersion string, lost ...string) func(*delta.Create, *delta.Schema) {
	return func(c *delta.Create, s *delta.Schema) {
		without(s, lost...)
		for i, f := range s.Fields {
			if f.Comment() != "" {
				if err := s.Fields[i].Metadata.Set("comment", "old text of "+f.Name); err != nil {
					panic(err)
				}
			}
		}
		c.Metadata.Description = "an old text"
		c.Metadata.Configuration = map[string]string{"delta.logRetentionDuration": "interval 60 days"}
		if atVersion != "" {
			version(c, bronze.VersionProperty, atVersion)
		}
	}
}

// shape is a table's columns in order, each with a star where its comment is no longer the old one.
func shape(s delta.Schema) string {
	var out []string
	for _, f := range s.Fields {
		name := f.Name
		if f.Comment() != "" && f.Comment() != "old text of "+f.Name {
			name += "*"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// commitOn puts an append on top of a table.
func commitOn(t *testing.T, w *table, a delta.Append) *delta.Snapshot {
	t.Helper()
	v, data, err := w.open(t).Lines(a, commit.At)
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), w, v, data); err != nil {
		t.Fatal(err)
	}
	return w.open(t)
}

func alteredTable(t *testing.T, change func(*delta.Create, *delta.Schema)) (*table, *delta.Snapshot) {
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
	create.Metadata.SchemaString = s.String()
	return tableFrom(t, create)
}

// What each migration comes to is what release 0.8.0 of the package made of the
// same tables: columns, their order, and which comments are new.
func TestAnOlderBronzeTableIsMigrated(t *testing.T) {
	const start = "_capture_instance _start_lsn _seqval _operation _command_id _commit_ts order_id status _batch_id"
	for _, c := range []struct {
		name   string
		change func(*delta.Create, *delta.Schema)
		from   int
		added  string
		want   string
		steps  int
	}{
		{
			"no version", older("", "_snapshot", "_chunk"), 0, "_snapshot _chunk",
			"_capture_instance* _start_lsn* _seqval _operation _command_id* _commit_ts order_id status _batch_id _snapshot* _chunk*", 2,
		},
		{
			"version 0, no _command_id", older("0", "_snapshot", "_chunk", "_command_id"), 0, "_snapshot _chunk",
			"_capture_instance* _start_lsn* _seqval _operation _commit_ts order_id status _batch_id _snapshot* _chunk*", 2,
		},
		{
			"version 1", older("1", "_snapshot", "_chunk"), 1, "_snapshot _chunk",
			strings.Replace(start, "_start_lsn", "_start_lsn*", 1) + " _snapshot* _chunk*", 1,
		},
		{
			"version 1 with the columns of 2", older("1"), 1, "",
			strings.Replace(start, "_start_lsn", "_start_lsn*", 1) + " _snapshot _chunk", 1,
		},
		{"one of the columns is there, spelled otherwise", func(cr *delta.Create, s *delta.Schema) {
			older("1", "_chunk")(cr, s)
			f := &s.Fields[len(s.Fields)-1]
			f.Name = "_Snapshot"
		}, 1, "_chunk", strings.Replace(start, "_start_lsn", "_start_lsn*", 1) + " _Snapshot* _chunk*", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, snap := alteredTable(t, c.change)
			fit, err := bronze.FitTable(snap, orders, bronze.FitOptions{})
			if err != nil || fit.Migration == nil {
				t.Fatalf("%+v, %v", fit, err)
			}
			m := fit.Migration
			if got := strings.Join(m.Added, " "); m.From != c.from || m.To != bronze.Version || got != c.added || len(m.Steps) != c.steps {
				t.Errorf("%+v", m)
			}
			a, err := m.Commit(commit)
			if err != nil {
				t.Fatal(err)
			}
			after := commitOn(t, w, a)
			same(t, "columns", shape(after.Schema), c.want)
			same(t, "properties", after.Metadata.Configuration, map[string]string{
				bronze.VersionProperty: "2", "delta.logRetentionDuration": "interval 60 days",
			})
			if after.Metadata.Description == "an old text" || after.Metadata.SchemaString != m.Metadata.SchemaString || len(after.Files) != 0 {
				t.Errorf("%+v", after.Metadata)
			}
			again, err := bronze.FitTable(after, orders, bronze.FitOptions{})
			if err != nil || again.Migration != nil || again.Metadata != nil {
				t.Errorf("%+v, %v", again, err)
			}
			same(t, "columns that a seed writes", again.Columns, fit.Columns)
		})
	}
}

func TestAMigrationSaysWhatItDoes(t *testing.T) {
	w, snap := alteredTable(t, older("", "_snapshot", "_chunk"))
	fit, err := bronze.FitTable(snap, append(captured("new:double"), orders...), bronze.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	note := fit.Migration.Note("bronze")
	text := fmt.Sprint(note.Text, note.Facts)
	for _, want := range []string{"schema version from 0 to 2 and adds _snapshot, _chunk and rewords comments", "adds _snapshot, _chunk", "comment of _capture_instance, _command_id, the table"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	if len(fit.Added) != 1 || fit.Metadata == nil {
		t.Errorf("the seed's own column is lost: %+v", fit)
	}
	a, err := fit.Migration.Commit(commit)
	if err != nil {
		t.Fatal(err)
	}
	commitOn(t, w, a)
	c, err := delta.ReadCommit(t.Context(), w, 1)
	if err != nil || len(c.Adds)+len(c.Removes)+len(c.Txns) != 0 || c.Metadata == nil || c.Protocol != nil {
		t.Fatalf("%+v, %v", c, err)
	}
	properties, _ := c.Info.OperationParameters.Text("properties")
	columns, _ := c.Info.OperationParameters.Text("columns")
	var fields []delta.Field
	if err := json.Unmarshal([]byte(columns), &fields); err != nil || len(fields) != 2 || fields[0].Name != "_snapshot" {
		t.Error(columns, err)
	}
	var set map[string]string
	if err := json.Unmarshal([]byte(properties), &set); err != nil || set[bronze.VersionProperty] != "2" || set["comment"] == "" || len(set) != 2 {
		t.Error(properties, err)
	}
	if c.Info.Operation != "SET TBLPROPERTIES" || c.Info.UserMetadata != "" || c.Info.TxnID != commit.TxnID {
		t.Errorf("%+v", c.Info)
	}
}

// The package migrates in more commits than one and in words of its own, and may
// have got half of the way; anything but that is a change that a plan must notice.
func TestSettledSeesAnyChangeButAMigration(t *testing.T) {
	base := older("", "_snapshot", "_chunk")
	settled := func(change func(*delta.Create, *delta.Schema)) string {
		_, snap := alteredTable(t, func(c *delta.Create, s *delta.Schema) {
			base(c, s)
			change(c, s)
		})
		text, err := bronze.Settled(snap)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	add := func(name, kind string) func(*delta.Create, *delta.Schema) {
		return func(_ *delta.Create, s *delta.Schema) {
			f, err := delta.NewField(name, kind, "their text")
			if err != nil {
				t.Fatal(err)
			}
			s.Fields = append(s.Fields, f)
		}
	}
	comment := func(column string) func(*delta.Create, *delta.Schema) {
		return func(_ *delta.Create, s *delta.Schema) {
			i := slices.IndexFunc(s.Fields, func(f delta.Field) bool { return f.Name == column })
			if err := s.Fields[i].Metadata.Set("comment", "their text"); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := settled(func(*delta.Create, *delta.Schema) {})
	for name, c := range map[string]struct {
		change func(*delta.Create, *delta.Schema)
		same   bool
	}{
		"its own version":              {func(c *delta.Create, _ *delta.Schema) { version(c, bronze.VersionProperty, "1") }, true},
		"the table's comment":          {func(c *delta.Create, _ *delta.Schema) { c.Metadata.Description = "theirs" }, true},
		"a metadata comment":           {comment("_start_lsn"), true},
		"a first comment":              {func(_ *delta.Create, s *delta.Schema) { s.Fields[0].Metadata = delta.Object{} }, true},
		"_snapshot":                    {add("_snapshot", "string"), true},
		"_chunk":                       {add("_chunk", "integer"), true},
		"_Snapshot":                    {add("_Snapshot", "string"), false},
		"a column":                     {add("note", "string"), false},
		"a captured comment":           {comment("status"), false},
		"a captured column lost":       {func(_ *delta.Create, s *delta.Schema) { without(s, "status") }, false},
		"a metadata column lost":       {func(_ *delta.Create, s *delta.Schema) { without(s, "_command_id") }, false},
		"a type":                       {func(_ *delta.Create, s *delta.Schema) { retyped(s, "status", "binary") }, false},
		"another property":             {func(c *delta.Create, _ *delta.Schema) { version(c, "delta.appendOnly", "true") }, false},
		"another least version":        {func(c *delta.Create, _ *delta.Schema) { version(c, bronze.MinVersionProperty, "1") }, false},
		"a metadata column's own mark": {func(_ *delta.Create, s *delta.Schema) { _ = s.Fields[1].Metadata.Set("mine", 1) }, false},
	} {
		if got := settled(c.change); (got == before) != c.same {
			t.Errorf("%s: the same %v, want %v:\n%s\n%s", name, got == before, c.same, got, before)
		}
	}
}

// Before version 2 every snapshot is whole and known by _start_lsn alone; the
// migration changes no answer.
func TestAnOlderTablesSnapshotsAreFound(t *testing.T) {
	w, snap := alteredTable(t, older("", "_snapshot", "_chunk"))
	snap = w.commit(t, w.file(t, snap.Schema,
		row{"_capture_instance": "dbo_orders", "_start_lsn": lsnText("10"), "_operation": 0, "order_id": 1},
		row{"_capture_instance": "DBO_ORDERS", "_start_lsn": lsnText("10"), "_operation": 0, "order_id": 2},
		row{"_capture_instance": "dbo_orders", "_start_lsn": lsnText("30"), "_operation": 2, "order_id": 3}))
	snap = w.commit(t, w.file(t, snap.Schema,
		row{"_capture_instance": "dbo_orders", "_start_lsn": lsnText("20"), "_operation": 0, "order_id": 4}))
	look := func(snap *delta.Snapshot) {
		t.Helper()
		s, err := bronze.Lookup(t.Context(), w, snap, []string{"dbo_orders"})
		if err != nil {
			t.Fatal(err)
		}
		at, newest, whole := s.At(position(t, lsnText("10"))), s.Newest(), s.NewestWhole()
		if at == nil || at.Rows != 2 || at.Chunked || newest == nil || newest.LSN != position(t, lsnText("20")) || whole == nil || whole.Rows != 1 {
			t.Errorf("%+v %+v %+v", at, newest, whole)
		}
	}
	look(snap)
	fit, err := bronze.FitTable(snap, orders, bronze.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := fit.Migration.Commit(commit)
	if err != nil {
		t.Fatal(err)
	}
	look(commitOn(t, w, a))
}
