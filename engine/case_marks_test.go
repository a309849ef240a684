package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Case 6: rows that another tool flagged as deleted.
func TestCase6SoftDeletes(t *testing.T) {
	flags := []struct {
		column, tool, rows string
		kind, other        arrow.DataType
	}{
		{"_fivetran_deleted", "Fivetran", `[{"id": 1, "f": false, "s": "2026-09-01 00:00:00"}, {"id": 2, "f": true}, {"id": 3, "f": false}]`, bools, moments},
		{"_ab_cdc_deleted_at", "Airbyte", `[{"id": 1}, {"id": 2, "f": "2026-09-01"}, {"id": 3}]`, texts, texts},
	}
	for _, f := range flags {
		made := func(t *testing.T) *kit {
			k := kitIn(t, idAnd("name", "nvarchar(20)"))
			fields := []arrow.Field{field("id", int32s), field("name", texts), field(f.column, f.kind)}
			if f.tool == "Fivetran" {
				fields = append(fields, field("_fivetran_synced", f.other))
			}
			k.newCopy(fields, strings.NewReplacer(`"f"`, `"`+f.column+`"`, `"s"`, `"_fivetran_synced"`).Replace(f.rows))
			return k
		}
		t.Run(f.tool+" asked", func(t *testing.T) {
			k := made(t)
			k.refusedAs(verdict.CopyMarks, f.column, f.tool, "--exclude-deleted", "--keep-deleted")
			var asked bool
			for _, l := range k.columns(false).Lines {
				asked = asked || l.Copy == f.column && len(l.Asks) == 1 && l.Asks[0].Open
			}
			if !asked {
				t.Error("the mapping step does not ask")
			}
		})
		t.Run(f.tool+" excluded", func(t *testing.T) {
			k := made(t)
			k.request.ExcludeDeleted = true
			p := k.writes([]string{"id"}, "1", "3")
			if p.Copy.Filter == nil || p.Copy.Filter.Column != f.column || p.Copy.Filter.Tool != f.tool {
				t.Errorf("the plan does not record the filter: %+v", p.Copy.Filter)
			}
			if got := k.lastCommit("bronze").Info.Tags["cdcseed.excluded"]; got != "1" {
				t.Errorf("the commit records %q rows as left out", got)
			}
		})
		t.Run(f.tool+" kept", func(t *testing.T) {
			k := made(t)
			k.request.KeepDeleted = true
			p := k.writes([]string{"id"}, "1", "2", "3")
			if !slices.Contains(warnings(p), verdict.FlaggedKept) {
				t.Errorf("warnings %q", warnings(p))
			}
			if got := k.lastCommit("bronze").Info.Tags["cdcseed.accepted"]; got != "flagged_rows_kept" {
				t.Errorf("the commit records %q as accepted", got)
			}
		})
	}
}

// An operation column leaves open whether each row stands once: asked, and with
// that answered its deletes can be left out or kept.
func TestCase6OperationColumns(t *testing.T) {
	made := func(t *testing.T) *kit {
		k := withoutCopy(t, idAnd("name", "nvarchar(20)"))
		k.moreCopy("LOAD00000001.parquet", []arrow.Field{field("Op", texts), field("id", int32s), field("name", texts)},
			`[{"Op": "I", "id": 1}, {"Op": "D", "id": 2}, {"Op": "U", "id": 3}]`)
		return k
	}
	k := made(t)
	k.refusedAs(verdict.CopyMarks, "Op", "AWS DMS", "--exclude-deleted", "--ignore-mark Op")
	asks := func() (out []engine.Ask) {
		for _, l := range k.columns(false).Lines {
			if l.Copy == "Op" {
				out = append(out, l.Asks...)
			}
		}
		return out
	}
	a := asks()
	if len(a) != 2 || !a[0].Open || !a[1].Open || choices(a[0]) != "exclude-deleted" {
		t.Fatalf("%+v", a)
	}
	a[0].Answer(&k.request, "exclude-deleted")
	if a = asks(); len(a) != 2 || a[0].Open || a[1].Open || a[0].Given != "exclude-deleted" {
		t.Fatalf("%+v", a)
	}
	p := k.writes([]string{"id"}, "1", "3")
	if p.Copy.Filter == nil || p.Copy.Filter.Column != "Op" || k.lastCommit("bronze").Info.Tags["cdcseed.excluded"] != "1" {
		t.Errorf("%+v", p.Copy.Filter)
	}
	k = made(t)
	k.request.IgnoreMark = []string{"Op"}
	if a = asks(); len(a) != 2 || a[0].Open || a[1].Open || a[1].Given != "Op" {
		t.Fatalf("%+v", a)
	}
	k.writes([]string{"id"}, "1", "2", "3")
	k = made(t)
	k.request.KeepDeleted = true // that is said of flags
	k.refusedAs(verdict.AnswerUnknown, "flagging deleted rows")
}

// Change files beside a full load are no rows of the table.
func TestCase6ChangeFilesBesideALoad(t *testing.T) {
	k := withoutCopy(t, scene{})
	k.writeCopy("LOAD00000001.parquet", orders(3))
	k.writeCopy("20260901-101010123.parquet", orders(1))
	k.refusedAs(verdict.CopyMarks, "20260901-101010123.parquet", "AWS DMS", "the full load alone", "--ignore-mark 20260901-101010123.parquet")
	k.request.IgnoreMark = []string{"20260901-101010124.parquet"}
	k.refusedAs(verdict.AnswerUnknown, "20260901-101010124.parquet")
}

// A name is no proof: files that are only called like changes can be seeded, and
// a copy that is named by date and time as every export is asks nothing.
func TestCase6FilesThatAreOnlyNamedLikeChanges(t *testing.T) {
	for _, name := range []string{"20261004-020500123.parquet", "topic+0+0000000000.parquet", "t__ct/a b.parquet"} {
		k := withoutCopy(t, scene{})
		k.writeCopy(name, orders(3))
		k.refusedAs(verdict.CopyMarks, "looks like a file of changes", "--ignore-mark")
		if _, err := k.inspectCopy(); !isCode(err, verdict.CopyMarks) {
			t.Errorf("%s: %v", name, err)
		}
		k.request.IgnoreMark = []string{name}
		v, err := k.inspectCopy()
		k.must(err)
		if r, gone := engine.DropStale(k.request, v, engine.TargetView{}); len(gone) > 0 || len(r.IgnoreMark) != 1 {
			t.Errorf("%s: %q", name, gone)
		}
		k.writes([]string{"id"}, "1", "2", "3")
	}
	k := withoutCopy(t, scene{})
	k.writeCopy("20261004-020500.parquet", orders(3))
	k.writes([]string{"id"}, "1", "2", "3")
}

// An operation that nobody knows is met while writing too: what answers it there
// is what answers such a column.
func TestCase6UnknownOperationWhileWriting(t *testing.T) {
	k := withoutCopy(t, idAnd("name", "nvarchar(20)"))
	for i := range 9 { // the sample passes the second over
		op := "I"
		if i == 1 {
			op = "X"
		}
		k.moreCopy(fmt.Sprintf("p%d.parquet", i), []arrow.Field{field("id", int32s), field("name", texts), field("Op", texts)},
			fmt.Sprintf(`[{"Op": %q, "id": %d, "name": "x"}]`, op, i))
	}
	k.request.ExcludeDeleted = true
	_, err := k.seed()
	if e := verdict.As(err); e == nil || e.Code != verdict.CopyMarks || !strings.Contains(strings.Join(e.Hint, " "), "--ignore-mark Op") {
		t.Fatalf("%v", err)
	}
}
