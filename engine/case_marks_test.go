package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

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
