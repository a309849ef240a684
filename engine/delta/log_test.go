package delta_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

const (
	plainProtocol = `{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}`
	plainMetadata = `{"metaData":{"id":"m","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],"configuration":{}}}`
)

func addLine(path string) string {
	return fmt.Sprintf(`{"add":{"path":%q,"partitionValues":{},"size":10,"modificationTime":1,"dataChange":true,"stats":"{\"numRecords\":2}"}}`, path)
}

func removeLine(path string) string {
	return fmt.Sprintf(`{"remove":{"path":%q,"deletionTimestamp":5,"dataChange":true}}`, path)
}

// logOf is a table whose commits hold the given lines, version 0 first.
func logOf(t *testing.T, commits ...string) *storetest.Mem {
	t.Helper()
	w := storetest.NewMem()
	for v, text := range commits {
		write(t, w, fmt.Sprintf("_delta_log/%020d.json", v), text)
	}
	return w
}

func write(t *testing.T, w store.Writer, key, text string) {
	t.Helper()
	if err := w.CreateOnce(t.Context(), key, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

func opened(t *testing.T, r store.Reader) *delta.Snapshot {
	t.Helper()
	s, err := delta.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func paths(s *delta.Snapshot) string {
	var out []string
	for _, a := range s.Files {
		out = append(out, a.Path)
	}
	return strings.Join(out, " ")
}

func TestNoTable(t *testing.T) {
	w := storetest.NewMem()
	write(t, w, "part-0.parquet", "x")
	write(t, w, "_delta_log/.tmp", "x")
	if _, err := delta.Open(t.Context(), w); !errors.Is(err, delta.ErrNoTable) {
		t.Error(err)
	}
	write(t, w, "_delta_log/_last_checkpoint", `{"version":10}`)
	if _, err := delta.Open(t.Context(), w); !errors.Is(err, verdict.TargetCorrupt) {
		t.Error("a hint without a log is a table that lost it:", err)
	}
}

// A hint that nobody could read says nothing of a log that is empty.
func TestAnUnreadHintOverAnEmptyLog(t *testing.T) {
	ours := errors.New("the disk said no")
	for _, commits := range [][]string{nil, {lines(plainProtocol, plainMetadata)}} {
		r := storetest.Intercept(logOf(t, commits...), func(op storetest.Op) storetest.Fault {
			if strings.HasSuffix(op.Key, "_last_checkpoint") {
				return storetest.Fault{Err: ours}
			}
			return storetest.Fault{}
		})
		_, err := delta.Open(t.Context(), r)
		if want := len(commits) == 0; errors.Is(err, ours) != want || (err != nil) != want || errors.Is(err, verdict.TargetCorrupt) {
			t.Errorf("%d commits: %v", len(commits), err)
		}
	}
}

func TestCorruptLogs(t *testing.T) {
	head := lines(plainProtocol, plainMetadata)
	cases := map[string]*storetest.Mem{
		"no metaData":                        logOf(t, plainProtocol),
		"no protocol":                        logOf(t, plainMetadata),
		"cannot be read":                     logOf(t, head, `{"add":{"path":"a`),
		"line 2":                             logOf(t, head, lines(addLine("a"), `not JSON`)),
		"no actions":                         logOf(t, head, "\n"),
		"an add with path":                   logOf(t, head, `{"add":{"size":1}}`),
		"a remove without a path":            logOf(t, head, `{"remove":{}}`),
		"want a JSON object":                 logOf(t, head, `{"commitInfo":[1]}`),
		"schema that cannot be read":         logOf(t, plainProtocol+"\n"+strings.Replace(plainMetadata, `\"long\"`, `{\"type\":\"row\"}`, 1)),
		"a gap (missing version 0":           logOf(t),
		"a gap (missing version 1":           logOf(t, head),
		"a checkpoint that cannot be read (": logOf(t, head),
	}
	write(t, cases["a gap (missing version 0"], "_delta_log/00000000000000000001.json", head)
	write(t, cases["a gap (missing version 1"], "_delta_log/00000000000000000002.json", addLine("b"))
	write(t, cases["a checkpoint that cannot be read ("], "_delta_log/00000000000000000000.checkpoint.parquet", "PAR1 not really")
	for what, w := range cases {
		_, err := delta.Open(t.Context(), w)
		if !errors.Is(err, verdict.TargetCorrupt) || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
}

func TestReplay(t *testing.T) {
	w := logOf(t,
		lines(plainProtocol, plainMetadata, addLine("a b%20c"), addLine("d"), addLine("e"), `{"txn":{"appId":"x","version":1}}`,
			`{"domainMetadata":{"domain":"d1","configuration":"one","removed":false}}`,
			`{"domainMetadata":{"domain":"d2","configuration":"two","removed":false}}`),
		// Another writer's encoding of the same path, and unknown actions.
		lines(removeLine("a%20b%20c"), `{"cdc":{"path":"q"}}`, `{"somethingNew":{"a":1}}`, `{"txn":{"appId":"x","version":7}}`, ``,
			`{"domainMetadata":{"domain":"d1","configuration":"","removed":true}}`),
		// A new deletion vector: the file is removed and added in one commit, in any order.
		lines(`{"add":{"path":"d","partitionValues":{},"size":10,"modificationTime":1,"dataChange":true,"stats":"{\"numRecords\":2}","deletionVector":{"storageType":"u","pathOrInlineDv":"ab","offset":1,"sizeInBytes":3,"cardinality":1}}}`,
			removeLine("d")),
		// It is replaced by another one; the remove names the old one.
		lines(`{"remove":{"path":"d","dataChange":true,"deletionVector":{"storageType":"u","pathOrInlineDv":"ab","offset":1,"sizeInBytes":3,"cardinality":1}}}`,
			`{"add":{"path":"d","partitionValues":{},"size":10,"modificationTime":1,"dataChange":true,"stats":"{\"numRecords\":2}","deletionVector":{"storageType":"i","pathOrInlineDv":"cd","sizeInBytes":3,"cardinality":2}}}`),
	)
	s := opened(t, w)
	if got := paths(s); got != "d e" || s.Files[0].DeletionVector.ID() != "icd" {
		t.Errorf("files %s, %+v", got, s.Files[0])
	}
	if rows, told := s.Rows(); rows != 2 || !told {
		t.Errorf("%d rows, %v: 2 and 2, less 2 that are deleted", rows, told)
	}
	if !maps.Equal(s.Txns, map[string]int64{"x": 7}) || !maps.Equal(s.Domains, map[string]string{"d2": "two"}) {
		t.Errorf("%v %v", s.Txns, s.Domains)
	}
	refuses(t, "read", s.Readable(), verdict.CopyFeature, "")
	if s, err := delta.OpenAt(t.Context(), w, 0); err != nil || paths(s) != "a b%20c d e" || s.Txns["x"] != 1 {
		t.Errorf("version 0: %+v %v", s, err)
	}
}

// The hint may be missing, broken or wrong in any way: the log decides.
func TestHintIsOnlyAHint(t *testing.T) {
	for _, hint := range []string{``, `{`, `{"version":-4}`, `{"version":1}`, `{"version":2}`, `{"version":77}`, `{"version":"x"}`} {
		w := logOf(t, lines(plainProtocol, plainMetadata, addLine("a")), addLine("b"), addLine("c"))
		write(t, w, "_delta_log/_last_checkpoint", hint)
		if s := opened(t, w); s.Version != 2 || paths(s) != "a b c" {
			t.Errorf("hint %q: version %d, files %s", hint, s.Version, paths(s))
		}
	}
}

func TestCheckpointInJSON(t *testing.T) {
	w := logOf(t, lines(plainProtocol, plainMetadata, addLine("a")), addLine("b"), removeLine("a"))
	state := lines(`{"checkpointMetadata":{"version":1}}`, plainProtocol, plainMetadata, addLine("a"), addLine("b"), removeLine("gone"), `{"txn":{"appId":"x","version":3}}`)
	write(t, w, "_delta_log/00000000000000000001.checkpoint.0a1b2c3d-0000-0000-0000-000000000000.json", state)
	write(t, w, "_delta_log/_last_checkpoint", `{"version":1}`)
	// The commits below the checkpoint may be cleaned up, in any state.
	if err := w.Remove(t.Context(), "_delta_log/00000000000000000000.json"); err != nil {
		t.Fatal(err)
	}
	if s := opened(t, w); s.Version != 2 || paths(s) != "b" || s.Txns["x"] != 3 {
		t.Errorf("version %d, files %s, %v", s.Version, paths(s), s.Txns)
	}
	if _, err := delta.OpenAt(t.Context(), w, 0); !errors.Is(err, verdict.TargetCorrupt) {
		t.Error("version 0 is gone:", err)
	}
	// Parts of a checkpoint that is not whole do not count.
	write(t, w, "_delta_log/00000000000000000002.checkpoint.0000000001.0000000002.parquet", "half")
	if s := opened(t, w); s.Version != 2 || paths(s) != "b" {
		t.Errorf("version %d, files %s", s.Version, paths(s))
	}
	write(t, w, "_delta_log/00000000000000000003.checkpoint.0000000001.0000000002.parquet", "half")
	if s := opened(t, w); s.Version != 2 {
		t.Errorf("half a checkpoint made version %d", s.Version)
	}
}

// A checkpoint without its sidecar, or with one outside its folder, is no state.
func TestSidecars(t *testing.T) {
	for _, path := range []string{"missing.parquet", "..%2Fother.parquet", "file:/x.parquet"} {
		w := logOf(t, lines(plainProtocol, plainMetadata))
		write(t, w, "_delta_log/00000000000000000000.checkpoint.0a1b2c3d-0000-0000-0000-000000000000.json",
			lines(plainProtocol, plainMetadata, fmt.Sprintf(`{"sidecar":{"path":%q,"sizeInBytes":1,"modificationTime":1}}`, path)))
		if _, err := delta.Open(t.Context(), w); !errors.Is(err, verdict.TargetCorrupt) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Cleanup between the listing and the reading is not a broken table.
func TestCleanupWhileReading(t *testing.T) {
	w := logOf(t, lines(plainProtocol, plainMetadata, addLine("a")), addLine("b"))
	done := false
	r := storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
		if op.Name == "Open" && op.Key == "_delta_log/00000000000000000000.json" && !done {
			done = true
			write(t, w, "_delta_log/00000000000000000001.checkpoint.0a1b2c3d-0000-0000-0000-000000000000.json",
				lines(plainProtocol, plainMetadata, addLine("a"), addLine("b")))
			if err := w.Remove(t.Context(), op.Key); err != nil {
				t.Error(err)
			}
		}
		return storetest.Fault{}
	})
	if s := opened(t, r); s.Version != 1 || paths(s) != "a b" || !done {
		t.Errorf("version %d, files %s", s.Version, paths(s))
	}
}

// A commit that came between two parts of one listing is no gap.
func TestCommitDuringListing(t *testing.T) {
	w := logOf(t, lines(plainProtocol, plainMetadata, addLine("a")))
	write(t, w, "_delta_log/00000000000000000002.json", addLine("c"))
	r := storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
		if op.Name == "Stat" {
			write(t, w, "_delta_log/00000000000000000001.json", addLine("b"))
		}
		return storetest.Fault{}
	})
	if s := opened(t, r); s.Version != 2 || paths(s) != "a b c" {
		t.Errorf("version %d, files %s", s.Version, paths(s))
	}
}

// Whatever read fails, the answer is the right snapshot or an error.
func TestReadFaults(t *testing.T) {
	w := logOf(t, lines(plainProtocol, plainMetadata, addLine("a")), addLine("b"), addLine("c"))
	write(t, w, "_delta_log/00000000000000000001.checkpoint.0a1b2c3d-0000-0000-0000-000000000000.json",
		lines(plainProtocol, plainMetadata, addLine("a"), addLine("b")))
	write(t, w, "_delta_log/_last_checkpoint", `{"version":1}`)
	ours := errors.New("injected")
	for n := 1; ; n++ {
		f := storetest.FailNth(w, n, ours)
		s, err := delta.Open(t.Context(), f)
		if f.Count() < n {
			if err != nil {
				t.Error(err)
			}
			return
		}
		if err == nil && paths(s) != "a b c" || err != nil && !errors.Is(err, ours) {
			t.Errorf("operation %d: %v", n, err)
		}
		if errors.Is(err, verdict.TargetCorrupt) {
			t.Errorf("operation %d: a store that fails is no corrupt table: %v", n, err)
		}
	}
}

func TestCommitsNewestFirst(t *testing.T) {
	w := logOf(t,
		lines(`{"commitInfo":{"timestamp":1000,"operation":"CREATE TABLE"}}`, plainProtocol, plainMetadata),
		lines(`{"commitInfo":{"inCommitTimestamp":5000,"timestamp":4000,"operation":"WRITE","operationMetrics":{"numFiles":3,"x":"y","z":null},"operationParameters":{"mode":"Overwrite"},"tags":["?"],"isBlindAppend":"maybe"}}`, addLine("a")),
		addLine("b"))
	at := clock.Instant(1_234_000)
	if err := w.SetModified("_delta_log/00000000000000000002.json", at); err != nil {
		t.Fatal(err)
	}
	var got []delta.Commit
	for c, err := range delta.Commits(t.Context(), w) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c)
	}
	if len(got) != 3 || got[0].Version != 2 || got[0].At() != at || got[1].At() != 5_000_000 || got[2].At() != storetest.FirstWrite {
		t.Errorf("%+v", got)
	}
	info := got[1].Info
	mode, _ := info.OperationParameters.Text("mode")
	if mode != "Overwrite" || !maps.Equal(info.OperationMetrics, map[string]string{"numFiles": "3", "x": "y"}) || info.IsBlindAppend != nil || *info.Timestamp != 4_000_000 {
		t.Errorf("%+v", info)
	}
	if _, err := delta.ReadCommit(t.Context(), w, 3); !errors.Is(err, store.ErrNotExist) {
		t.Error(err)
	}
}

func FuzzLog(f *testing.F) {
	f.Add(plainProtocol + "\n" + plainMetadata + "\n" + addLine("a%20b"))
	f.Add(lines(`{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["x"],"writerFeatures":["x",null]}}`, plainMetadata,
		`{"domainMetadata":{"domain":"delta.rowTracking","configuration":"{\"rowIdHighWaterMark\":99}","removed":false}}`, removeLine("q")))
	f.Add(strings.ReplaceAll(lines(plainProtocol, plainMetadata), `\"long\"`, `{\"type\":\"map\",\"keyType\":\"string\",\"valueType\":{\"type\":\"struct\",\"fields\":[]}}`))
	f.Add(strings.Replace(strings.Replace(lines(`{"protocol":{"minReaderVersion":2,"minWriterVersion":5}}`, plainMetadata),
		`\"metadata\":{}`, `\"metadata\":{\"delta.columnMapping.id\":1,\"delta.columnMapping.physicalName\":\"col-1\"}`, 1),
		`"configuration":{}`, `"configuration":{"delta.columnMapping.mode":"name","delta.columnMapping.maxColumnId":"1"}`, 1))
	f.Fuzz(func(t *testing.T, text string) {
		w := logOf(t, text)
		s, err := delta.Open(t.Context(), w)
		if err != nil {
			if !errors.Is(err, verdict.TargetCorrupt) {
				t.Errorf("%v", err)
			}
			return
		}
		// What was read writes back to something that reads the same.
		again, err := delta.ParseSchema(s.Schema.String())
		if err != nil || again.String() != s.Schema.String() {
			t.Errorf("%s\n%s\n%v", s.Schema, again, err)
		}
		s.Rows()
		_, _ = s.Readable(), s.Appendable()
		v, data, err := s.Lines(delta.Append{Operation: "WRITE", TxnID: "t", Adds: []delta.Add{{
			Path: "new", Size: 1, DataChange: true, Stats: `{"numRecords":1}`, PartitionValues: map[string]*string{},
		}}}, 1)
		if err != nil {
			return
		}
		if s.Appendable() != nil && len(s.Schema.Fields) == 0 {
			t.Errorf("a commit on a table that is not appendable: %v", s.Appendable())
		}
		if err := delta.Put(t.Context(), w, v, data); err != nil {
			t.Error(err)
		}
		if next := opened(t, w); len(next.Files) != len(s.Files)+1 {
			t.Errorf("%d files became %d", len(s.Files), len(next.Files))
		}
	})
}
