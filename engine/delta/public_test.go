package delta_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// publicTables is the folder of Delta tables that others wrote. It is not part
// of the repository: without it the test is skipped, but never in CI.
func publicTables(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CDCSEED_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "testdata")
	}
	dir = filepath.Join(dir, "delta")
	if _, err := os.Stat(filepath.Join(dir, "MANIFEST.json")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no public Delta tables: ", err)
		}
		t.Skip("no public Delta tables (set CDCSEED_TESTDATA): ", err)
	}
	return dir
}

type publicTable struct {
	Name             string            `json:"name"`
	LatestVersion    int64             `json:"latestVersion"`
	MinReaderVersion int               `json:"minReaderVersion"`
	MinWriterVersion int               `json:"minWriterVersion"`
	ReaderFeatures   []string          `json:"readerFeatures"`
	WriterFeatures   []string          `json:"writerFeatures"`
	PartitionColumns []string          `json:"partitionColumns"`
	Configuration    map[string]string `json:"configuration"`
	ActiveFiles      int               `json:"activeFiles"`
	Txns             map[string]int64  `json:"txns"`
	Rows             *int64            `json:"rows"`
	Append           string            `json:"append"`
}

func manifest(t *testing.T) (dir string, tables []publicTable) {
	t.Helper()
	dir = publicTables(t)
	data, err := os.ReadFile(filepath.Join(dir, "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &tables); err != nil {
		t.Fatal(err)
	}
	if len(tables) < 19 {
		t.Fatalf("only %d tables", len(tables))
	}
	return dir, tables
}

func local(t *testing.T, dir string) *store.Local {
	t.Helper()
	l, err := store.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestPublicTables(t *testing.T) {
	dir, tables := manifest(t)
	// What this version refuses though the manifest would allow it.
	refusesAppend := map[string]string{
		"type-widening": "typeWidening-preview", "table_with_liquid_clustering": "liquid", "catalog-owned-preview": "catalogManaged",
	}
	refusesRead := map[string]string{"catalog-owned-preview": "catalogManaged"}
	for _, p := range tables {
		t.Run(p.Name, func(t *testing.T) {
			s, err := delta.Open(t.Context(), local(t, filepath.Join(dir, p.Name, "table")))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "version", s.Version, p.LatestVersion)
			same(t, "files", len(s.Files), p.ActiveFiles)
			same(t, "reader", s.Protocol.MinReaderVersion, p.MinReaderVersion)
			same(t, "writer", s.Protocol.MinWriterVersion, p.MinWriterVersion)
			if !slices.Equal(s.Protocol.ReaderFeatures, p.ReaderFeatures) || !slices.Equal(s.Protocol.WriterFeatures, p.WriterFeatures) {
				t.Errorf("features %+v, want %q %q", s.Protocol, p.ReaderFeatures, p.WriterFeatures)
			}
			if !slices.Equal(s.Metadata.PartitionColumns, p.PartitionColumns) || !maps.Equal(s.Metadata.Configuration, p.Configuration) {
				t.Errorf("metadata %+v", s.Metadata)
			}
			if !maps.Equal(s.Txns, p.Txns) {
				t.Errorf("txns %v, want %v", s.Txns, p.Txns)
			}
			if rows, told := s.Rows(); told && p.Rows != nil {
				same(t, "rows", rows, *p.Rows)
			}
			filesExist(t, filepath.Join(dir, p.Name, "table"), s)
			same(t, "schema written back", s.Schema.String(), s.Metadata.SchemaString)
			refuses(t, "read", s.Readable(), verdict.CopyFeature, refusesRead[p.Name])
			refuses(t, "append", s.Appendable(), verdict.TargetFeature, refusesAppend[p.Name])
			if p.Append == "ok" && s.Appendable() != nil && refusesAppend[p.Name] == "" {
				t.Error("the manifest allows to append")
			}
		})
	}
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// refuses wants a refusal that names the feature, or none where feature is empty.
func refuses(t *testing.T, what string, err error, code verdict.Code, feature string) {
	t.Helper()
	if feature == "" {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	if !errors.Is(err, code) || !strings.Contains(err.Error(), `"`+feature+`"`) {
		t.Errorf("%s: want a refusal of %s as %s, got %v", what, feature, code, err)
	}
}

// filesExist proves that every path of the log leads to a file of its size.
func filesExist(t *testing.T, dir string, s *delta.Snapshot) {
	t.Helper()
	r := local(t, dir)
	for _, a := range s.Files {
		key, err := a.Key()
		if err != nil {
			t.Fatal(err)
		}
		o, err := r.Stat(t.Context(), key)
		if err != nil || o.Size != a.Size {
			t.Errorf("%s: %+v %v, the log says %d B", a.Path, o, err, a.Size)
		}
	}
}

// A log whose commits were cleaned up has its whole state in the checkpoint.
func TestCheckpointOnly(t *testing.T) {
	dir, tables := manifest(t)
	for _, p := range tables {
		if !slices.Contains([]string{"only-checkpoint-files", "multi-part-checkpoint", "v2-checkpoint-parquet", "app-txn-checkpoint"}, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			log := filepath.Join(dir, p.Name, "table", "_delta_log")
			copied := filepath.Join(t.TempDir(), "_delta_log")
			if err := os.CopyFS(copied, os.DirFS(log)); err != nil {
				t.Fatal(err)
			}
			err := filepath.WalkDir(copied, func(path string, d fs.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(path, ".json") && !strings.Contains(path, "checkpoint") {
					return os.Remove(path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			with, err := delta.Open(t.Context(), local(t, filepath.Dir(log)))
			if err != nil {
				t.Fatal(err)
			}
			without, err := delta.Open(t.Context(), local(t, filepath.Dir(copied)))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "version", without.Version, p.LatestVersion)
			same(t, "files", len(without.Files), p.ActiveFiles)
			if !maps.Equal(with.Txns, without.Txns) || with.Metadata.SchemaString != without.Metadata.SchemaString {
				t.Error("the checkpoint tells another state than the commits")
			}
			for i := range with.Files {
				if with.Files[i].Path != without.Files[i].Path || with.Files[i].Size != without.Files[i].Size {
					t.Errorf("file %d: %+v, %+v", i, with.Files[i], without.Files[i])
				}
			}
		})
	}
}

// Commits and checkpoint must tell the same; this reads the same table without
// its checkpoint where the commits reach back to 0.
func TestCheckpointsAgreeWithCommits(t *testing.T) {
	dir, tables := manifest(t)
	for _, p := range tables {
		if !slices.Contains([]string{"dv-partitioned-with-checkpoint", "v2-checkpoint-parquet", "multi-part-checkpoint", "app-txn-checkpoint"}, p.Name) {
			continue
		}
		root := filepath.Join(dir, p.Name, "table")
		copied := t.TempDir()
		if err := os.CopyFS(filepath.Join(copied, "_delta_log"), os.DirFS(filepath.Join(root, "_delta_log"))); err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []string{"*.parquet", "_last_checkpoint"} {
			found, err := filepath.Glob(filepath.Join(copied, "_delta_log", pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range found {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
		}
		a, errA := delta.Open(t.Context(), local(t, root))
		b, errB := delta.Open(t.Context(), local(t, copied))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for i := range a.Files {
			x, y := asJSON(t, a.Files[i]), asJSON(t, b.Files[i])
			// Checkpoints do not keep dataChange, and some writers give them empty tags.
			quirks := strings.NewReplacer(`"dataChange":false`, `"dataChange":true`, `,"tags":{}`, ``)
			x, y = quirks.Replace(x), quirks.Replace(y)
			if x != y {
				t.Errorf("%s:\n%s\n%s", p.Name, x, y)
			}
		}
		if !maps.Equal(a.Txns, b.Txns) || asJSON(t, a.Metadata) != asJSON(t, b.Metadata) || asJSON(t, a.Protocol) != asJSON(t, b.Protocol) {
			t.Errorf("%s: the checkpoint tells another state than the commits", p.Name)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTimeTravel(t *testing.T) {
	dir := publicTables(t)
	r := local(t, filepath.Join(dir, "multi_partitioned", "table"))
	for v, files := range []int{3, 5, 2} {
		s, err := delta.OpenAt(t.Context(), r, int64(v))
		if err != nil {
			t.Fatal(err)
		}
		rows, told := s.Rows()
		if s.Version != int64(v) || !told || rows != int64(files) {
			t.Errorf("version %d: %d rows, %v", s.Version, rows, told)
		}
	}
	for _, v := range []int64{-1, 3} {
		if _, err := delta.OpenAt(t.Context(), r, v); !errors.Is(err, delta.ErrNoVersion) {
			t.Errorf("version %d: %v", v, err)
		}
	}
	// An older version than the hinted checkpoint needs the whole log.
	r = local(t, filepath.Join(dir, "dv-partitioned-with-checkpoint", "table"))
	for v := range int64(16) {
		if s, err := delta.OpenAt(t.Context(), r, v); err != nil || s.Version != v {
			t.Errorf("version %d: %v", v, err)
		}
	}
}

func TestHistoryOfSpark(t *testing.T) {
	r := local(t, filepath.Join(publicTables(t), "cdc_ict_table", "table"))
	var got []string
	for c, err := range delta.Commits(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Info.Operation+" "+c.At().String())
	}
	// The origin's own file gives version 1 a time before version 0's.
	want := []string{
		"UPDATE 2026-07-12T16:36:53.881Z", "DELETE 2026-07-12T16:36:52.175Z",
		"WRITE 2023-05-12T06:50:06.883Z", "CREATE OR REPLACE TABLE 2026-07-12T16:36:43.271Z",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	c, err := delta.ReadCommit(t.Context(), r, 1)
	if err != nil || c.Info.OperationMetrics["numOutputRows"] != "4" || len(c.Adds) != 4 || c.Info.TxnID != "9906d50c-b00d-40c0-b7de-e538678b5ca9" {
		t.Errorf("%+v %v", c, err)
	}
}

// A checkpoint of the classic name may hold what a v2 checkpoint holds:
// sidecars. And one file of the wrong kind is no checkpoint.
func TestClassicNameWithSidecars(t *testing.T) {
	log := filepath.Join(publicTables(t), "v2-checkpoint-parquet", "table", "_delta_log")
	copied := filepath.Join(t.TempDir(), "_delta_log")
	if err := os.CopyFS(copied, os.DirFS(log)); err != nil {
		t.Fatal(err)
	}
	for v := range 3 {
		if err := os.Remove(filepath.Join(copied, fmt.Sprintf("%020d.json", v))); err != nil {
			t.Fatal(err)
		}
	}
	classic := filepath.Join(copied, "00000000000000000002.checkpoint.parquet")
	if err := os.Rename(filepath.Join(copied, "00000000000000000002.checkpoint.e8fa2696-9728-4e9c-b285-634743fdd4fb.parquet"), classic); err != nil {
		t.Fatal(err)
	}
	r := local(t, filepath.Dir(copied))
	s, err := delta.Open(t.Context(), r)
	if err != nil || s.Version != 2 || len(s.Files) != 4 {
		t.Fatalf("%+v %v", s, err)
	}
	found, err := filepath.Glob(filepath.Join(copied, "_sidecars", "*"))
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	if err := os.Remove(found[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := delta.Open(t.Context(), r); !errors.Is(err, verdict.TargetCorrupt) {
		t.Error("a sidecar is missing:", err)
	}
	data, err := os.ReadFile(classic)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(classic, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(classic, data[:len(data)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := delta.Open(t.Context(), r); !errors.Is(err, verdict.TargetCorrupt) {
		t.Error("half a checkpoint:", err)
	}
}
