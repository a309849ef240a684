package bronze_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/store/storetest"
)

type actions map[string]any

// golden is what mssql-cdc-pyspark wrote: see engine/interop.
type golden struct {
	Answers []struct {
		LSN    string `json:"lsn"`
		Commit string `json:"commit_ts"`
	} `json:"answers"`
	Bronze [][]actions `json:"bronze"`
	Facts  [][]actions `json:"facts"`
}

func goldenOf(t *testing.T, name string) golden {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "interop", "golden", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// one is the commit's action of a kind.
func one(t *testing.T, commit []actions, kind string) map[string]any {
	t.Helper()
	for _, a := range commit {
		if f, ok := a[kind].(map[string]any); ok {
			return f
		}
	}
	t.Fatalf("no %s in %v", kind, commit)
	return nil
}

// normal reads a commit of ours and replaces what engine/interop/logs.py replaces.
func normal(t *testing.T, data []byte) []actions {
	t.Helper()
	var out []actions
	for line := range strings.Lines(string(data)) {
		var a actions
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
		if f, ok := a["commitInfo"].(map[string]any); ok {
			f["timestamp"], f["engineInfo"], f["txnId"] = "<time>", "<engine>", "<id>"
			replace(f["operationParameters"], "description", "<comment>")
			replace(f["operationMetrics"], "numFiles", "<numFiles>")
			replace(f["operationMetrics"], "numOutputBytes", "<numOutputBytes>")
		}
		if f, ok := a["metaData"].(map[string]any); ok {
			f["id"], f["createdTime"] = "<id>", "<time>"
			replace(f, "description", "<comment>")
			f["schemaString"] = parsed(t, f["schemaString"])
			for _, field := range f["schemaString"].(map[string]any)["fields"].([]any) {
				replace(field.(map[string]any)["metadata"], "comment", "<comment>")
			}
		}
		if f, ok := a["add"].(map[string]any); ok {
			f["path"], f["size"], f["modificationTime"] = "<path>", "<size>", "<time>"
			f["stats"] = parsed(t, f["stats"])
			for _, part := range []string{"minValues", "maxValues"} {
				for _, name := range []string{"started_at", "duration_ms", "written_at"} {
					replace(f["stats"].(map[string]any)[part], name, "<run>")
				}
			}
		}
		if f, ok := a["txn"].(map[string]any); ok {
			f["lastUpdated"] = "<time>"
		}
	}
	return out
}

func replace(in any, key, with string) {
	m, _ := in.(map[string]any)
	if _, ok := m[key]; ok {
		m[key] = with
	}
}

func parsed(t *testing.T, text any) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text.(string)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (- the package's, + ours):\n%s", what, d)
	}
}

func captured(columns ...string) []schema.TargetColumn {
	var out []schema.TargetColumn
	for _, c := range columns {
		name, kind, _ := strings.Cut(c, ":")
		typ, err := schema.ParseDelta(kind)
		if err != nil {
			panic(err)
		}
		out = append(out, schema.TargetColumn{Name: name, Type: typ})
	}
	return out
}

var commit = bronze.Commit{Engine: "cdcseed/test", TxnID: "one", At: 1_790_000_000 * clock.Second}

func stampOf(t *testing.T, g golden, instance string) bronze.Stamp {
	t.Helper()
	last := g.Answers[len(g.Answers)-1]
	s := bronze.Stamp{Instance: instance, LSN: position(t, last.LSN)}
	if last.Commit != "" {
		s.Commit = instant(t, last.Commit+"Z")
	}
	return s
}

func TestCreationIsThePackages(t *testing.T) {
	for _, c := range []struct {
		golden    string
		captured  []schema.TargetColumn
		commandID bool
	}{
		{"seed", captured("order_id:integer", "status:string"), true},
		{"no_command_id", captured("order_id:integer", "status:string"), false},
		{"types", captured("id:long", "b:boolean", "s:short", "i:integer", "f:float", "d:double", "n:decimal(18,4)", "m:decimal(19,4)",
			"dt:date", "t:timestamp_ntz", "o:timestamp", "txt:string", "bin:binary"), true},
	} {
		t.Run(c.golden, func(t *testing.T) {
			create, err := bronze.NewTable(c.captured, c.commandID, "table", commit)
			if err != nil {
				t.Fatal(err)
			}
			data, err := create.Lines(commit.At)
			if err != nil {
				t.Fatal(err)
			}
			got, want := normal(t, data), goldenOf(t, c.golden).Bronze[0]
			for _, kind := range []string{"commitInfo", "metaData", "protocol"} {
				same(t, kind, one(t, got, kind), one(t, want, kind))
			}
			if len(got) != len(want) {
				t.Errorf("%d actions, want %d", len(got), len(want))
			}
		})
	}
}

func TestSeedCommitIsThePackages(t *testing.T) {
	for _, c := range []struct{ golden, instance string }{{"seed", "dbo_orders"}, {"unmapped", "DBO_Situação"}} {
		g := goldenOf(t, c.golden)
		w, snap := newTable(t, captured("order_id:integer", "status:string"))
		fit, err := bronze.FitTable(snap, captured("order_id:integer", "status:string"), bronze.FitOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := stampOf(t, g, c.instance)
		adds := []delta.Add{w.file(t, snap.Schema, rowsOf(s, 5)...)}
		_, data, err := snap.Lines(bronze.SeedCommit(fit, s, adds, 5, 1, nil, commit), commit.At)
		if err != nil {
			t.Fatal(err)
		}
		got := normal(t, data)
		same(t, "commitInfo", one(t, got, "commitInfo"), one(t, g.Bronze[1], "commitInfo"))
		if len(got) != 2 {
			t.Errorf("%d actions, want 2: no txn", len(got))
		}
	}
}

func TestAddedColumnIsThePackages(t *testing.T) {
	_, snap := newTable(t, captured("order_id:integer", "status:string"))
	fit, err := bronze.FitTable(snap, captured("order_id:integer", "status:string", "note:string"), bronze.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, data, err := snap.Lines(bronze.SeedCommit(fit, bronze.Stamp{}, nil, 0, 0, nil, commit), commit.At)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "metaData", one(t, normal(t, data), "metaData"), one(t, goldenOf(t, "reseed").Bronze[2], "metaData"))
}

func TestFactsAreThePackages(t *testing.T) {
	for _, c := range []struct {
		golden, instance, app string
		rows                  int64 // -1: a rerun
	}{{"seed", "dbo_orders", "orders", 5}, {"rerun", "dbo_orders", "orders", -1}, {"unmapped", "DBO_Situação", "situação", 5}} {
		t.Run(c.golden, func(t *testing.T) {
			g := goldenOf(t, c.golden)
			f := bronze.Fact{Stamp: stampOf(t, g, c.instance), AppID: c.app, Target: "<target>", WrittenAt: commit.At}
			if c.rows >= 0 {
				f.Wrote = &bronze.Wrote{Rows: c.rows, StartedAt: commit.At, Took: time.Second}
			}
			m := storetest.NewMem()
			if wrote, err := bronze.WriteFact(t.Context(), m, f, testPen()); err != nil || !wrote {
				t.Fatal(wrote, err)
			}
			for version, kinds := range [][]string{{"commitInfo", "metaData", "protocol"}, {"commitInfo", "txn", "add"}} {
				got, want := normal(t, logFile(t, m, version)), g.Facts[version]
				for _, kind := range kinds {
					same(t, kind, one(t, got, kind), one(t, want, kind))
				}
				if len(got) != len(want) {
					t.Errorf("version %d: %d actions, want %d", version, len(got), len(want))
				}
			}
		})
	}
}
