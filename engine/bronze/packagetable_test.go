package bronze_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
)

// snapshotOf makes a snapshot of what the package's own log says: its first
// commit's protocol and metadata, its last schema, and every file.
func snapshotOf(t *testing.T, log [][]actions) *delta.Snapshot {
	t.Helper()
	snap := &delta.Snapshot{Txns: map[string]int64{}}
	for version, commit := range log {
		snap.Version = int64(version)
		for _, a := range commit {
			if f, ok := a["protocol"]; ok {
				decode(t, f, &snap.Protocol)
			}
			if f, ok := a["metaData"].(map[string]any); ok {
				snap.Metadata.Configuration = map[string]string{}
				decode(t, f["configuration"], &snap.Metadata.Configuration)
				snap.Metadata.SchemaString = string(encode(t, f["schemaString"]))
				var err error
				if snap.Schema, err = delta.ParseSchema(snap.Metadata.SchemaString); err != nil {
					t.Fatal(err)
				}
			}
			if f, ok := a["add"].(map[string]any); ok {
				snap.Files = append(snap.Files, delta.Add{Path: fmt.Sprint(len(snap.Files)), Stats: string(encode(t, f["stats"]))})
			}
			if f, ok := a["txn"].(map[string]any); ok {
				snap.Txns[f["appId"].(string)] = int64(f["version"].(float64))
			}
		}
	}
	return snap
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t *testing.T, v, into any) {
	t.Helper()
	if err := json.Unmarshal(encode(t, v), into); err != nil {
		t.Fatal(err)
	}
}

func TestTablesOfThePackageAreUnderstood(t *testing.T) {
	for _, c := range []struct {
		golden, instance string
		rows             int64
		captured         []string
		app              string
		commandID        bool
	}{
		{"seed", "dbo_orders", 5, []string{"order_id:integer", "status:string"}, "orders", true},
		{"rerun", "DBO_ORDERS", 5, []string{"order_id:integer", "status:string"}, "orders", true},
		{"reseed", "dbo_orders", 1, []string{"order_id:integer", "status:string", "note:string"}, "orders2", true},
		{"unmapped", "dbo_situação", 5, []string{"order_id:integer", "status:string"}, "situação", true},
		{"no_command_id", "dbo_orders", 5, []string{"order_id:integer", "status:string"}, "", false},
		{"types", "dbo_types", 2, []string{"id:long", "n:decimal(18,4)", "t:timestamp_ntz", "o:timestamp"}, "types", true},
	} {
		t.Run(c.golden, func(t *testing.T) {
			g := goldenOf(t, c.golden)
			snap := snapshotOf(t, g.Bronze)
			fit, err := bronze.FitTable(snap, captured(c.captured...), bronze.FitOptions{})
			if err != nil || fit.Metadata != nil || fit.CommandID != c.commandID || len(fit.Notes) != 0 {
				t.Errorf("%+v, %v", fit, err)
			}
			s, err := bronze.Lookup(t.Context(), nil, snap, []string{c.instance})
			if err != nil || s.Read != 0 {
				t.Fatal(s, err)
			}
			last := g.Answers[len(g.Answers)-1]
			if got := s.NewestWhole(); got == nil || got.LSN.String() != last.LSN || got.CommitText() != last.Commit || got.Rows != c.rows {
				t.Errorf("found %s, want %+v", told(got), last)
			}
			if c.app == "" {
				return
			}
			facts := snapshotOf(t, g.Facts)
			if fit, err := bronze.FitFacts(facts); err != nil || fit.Migration != nil || len(fit.Notes) != 0 || !bronze.Recorded(facts, c.app) || bronze.AppIDUsed(facts, c.app) == "" {
				t.Error(fit, err)
			}
		})
	}
}

func TestBootstrapOfThePackageIsASnapshotToo(t *testing.T) {
	snap := snapshotOf(t, goldenOf(t, "bootstrap").Bronze)
	s, err := bronze.Lookup(t.Context(), nil, snap, []string{"dbo_orders"})
	if err != nil || told(s.NewestWhole()) != `dbo_orders 0x0000002A000001000041 5 rows "2026-09-28T13:54:00.000" chunked false` {
		t.Error(told(s.NewestWhole()), err)
	}
}
