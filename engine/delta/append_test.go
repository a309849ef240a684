package delta_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

const now = storetest.FirstWrite + 123_456 // 2026-01-01T00:00:00.123456Z

func fields(t *testing.T, nameType ...string) delta.Schema {
	t.Helper()
	var s delta.Schema
	for i := 0; i < len(nameType); i += 2 {
		f, err := delta.NewField(nameType[i], nameType[i+1], "")
		if err != nil {
			t.Fatal(err)
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

func bronze(t *testing.T) delta.Create {
	t.Helper()
	first, err := delta.NewField("_start_lsn", "string", `commit LSN <"normal" form> & more`)
	if err != nil {
		t.Fatal(err)
	}
	s := fields(t, "_commit_ts", "timestamp_ntz", "Betrag €", "decimal(10,2)")
	s.Fields = slices.Insert(s.Fields, 0, first)
	return delta.Create{
		Append: delta.Append{
			Operation: "CREATE TABLE",
			Parameters: []delta.Pair{
				{Key: "partitionBy", Value: "[]"},
				{Key: "clusterBy", Value: "[]"},
				{Key: "description", Value: nil},
				{Key: "isManaged", Value: "true"},
				{Key: "properties", Value: `{"mssql_cdc.schema_version":"2"}`},
			},
			EngineInfo: "cdcseed/1.0", TxnID: "t-create",
		},
		Protocol: delta.NTZProtocol(),
		Metadata: delta.Metadata{
			ID: "0a1b", Description: "changes", Configuration: map[string]string{"mssql_cdc.schema_version": "2"}, CreatedTime: 1767225600000,
		}.WithSchema(s),
	}
}

func seed() delta.Append {
	return delta.Append{
		Operation:  "WRITE",
		Parameters: []delta.Pair{{Key: "mode", Value: "Append"}, {Key: "partitionBy", Value: "[]"}, {Key: "canMergeSchema", Value: true}},
		Metrics:    []delta.Pair{{Key: "numFiles", Value: 1}, {Key: "numOutputRows", Value: 3}, {Key: "numOutputBytes", Value: 1091}},
		Adds: []delta.Add{delta.NewAdd(store.Object{Key: "part-00000-x.c000.snappy.parquet", Size: 1091, Modified: now},
			`{"numRecords":3,"nullCount":{"_start_lsn":0}}`)},
		UserMetadata: `{"seed": "dbo_t", "lsn": "0x0000002A000001000041", "commit_ts": ""}`,
		Tags:         map[string]string{"cdcseed.plan": "ab", "cdcseed.as_of": "2026"},
		EngineInfo:   "cdcseed/1.0", TxnID: "t-seed",
	}
}

// The bytes are those that Spark would write, but for what is our own.
func TestGoldenCommits(t *testing.T) {
	w := storetest.NewMem()
	data, err := bronze(t).Lines(now)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"commitInfo":{"timestamp":1767225600123,"operation":"CREATE TABLE","operationParameters":{"partitionBy":"[]","clusterBy":"[]","description":null,"isManaged":"true","properties":"{\"mssql_cdc.schema_version\":\"2\"}"},"isolationLevel":"Serializable","isBlindAppend":true,"operationMetrics":{},"engineInfo":"cdcseed/1.0","txnId":"t-create"}}
{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz"],"writerFeatures":["timestampNtz","invariants","appendOnly"]}}
{"metaData":{"id":"0a1b","description":"changes","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"_start_lsn\",\"type\":\"string\",\"nullable\":true,\"metadata\":{\"comment\":\"commit LSN <\\\"normal\\\" form> & more\"}},{\"name\":\"_commit_ts\",\"type\":\"timestamp_ntz\",\"nullable\":true,\"metadata\":{}},{\"name\":\"Betrag €\",\"type\":\"decimal(10,2)\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],"configuration":{"mssql_cdc.schema_version":"2"},"createdTime":1767225600000}}
`
	if string(data) != want {
		t.Errorf("create: got\n%s\nwant\n%s", data, want)
	}
	if err := delta.Put(t.Context(), w, 0, data); err != nil {
		t.Fatal(err)
	}
	v, data, err := opened(t, w).Lines(seed(), now)
	if err != nil {
		t.Fatal(err)
	}
	want = `{"commitInfo":{"timestamp":1767225600123,"operation":"WRITE","operationParameters":{"mode":"Append","partitionBy":"[]","canMergeSchema":true},"readVersion":0,"isolationLevel":"Serializable","isBlindAppend":true,"operationMetrics":{"numFiles":"1","numOutputRows":"3","numOutputBytes":"1091"},"userMetadata":"{\"seed\": \"dbo_t\", \"lsn\": \"0x0000002A000001000041\", \"commit_ts\": \"\"}","tags":{"cdcseed.as_of":"2026","cdcseed.plan":"ab"},"engineInfo":"cdcseed/1.0","txnId":"t-seed"}}
{"add":{"path":"part-00000-x.c000.snappy.parquet","partitionValues":{},"size":1091,"modificationTime":1767225600123,"dataChange":true,"stats":"{\"numRecords\":3,\"nullCount\":{\"_start_lsn\":0}}"}}
`
	if v != 1 || string(data) != want {
		t.Errorf("append %d: got\n%s\nwant\n%s", v, data, want)
	}
	if err := delta.Put(t.Context(), w, v, data); err != nil {
		t.Fatal(err)
	}
	s := opened(t, w)
	if rows, told := s.Rows(); rows != 3 || !told || s.Version != 1 || s.Metadata.Description != "changes" {
		t.Errorf("%+v", s)
	}
}

const trackedTable = `{"commitInfo":{"inCommitTimestamp":1893456000000,"timestamp":1,"operation":"CREATE TABLE","txnId":"c"}}
{"protocol":{"minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["rowTracking","domainMetadata","inCommitTimestamp"]}}
{"metaData":{"id":"m","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":[],"configuration":{"delta.enableInCommitTimestamps":"true","delta.isolationLevel":"WriteSerializable"}}}
{"domainMetadata":{"domain":"user.thing","configuration":"keep","removed":false}}
`

func numbered(path string, rows int) delta.Add {
	return delta.Add{Path: path, Size: 5, ModificationTime: 1, DataChange: true, Stats: fmt.Sprintf(`{"numRecords":%d}`, rows)}
}

// A lost race makes row ids, commit versions and the in-commit timestamp anew,
// from the same Append.
func TestTrackedRowsAndTimesAfterALostRace(t *testing.T) {
	w := logOf(t, trackedTable)
	mine := delta.Append{Operation: "WRITE", TxnID: "mine", Adds: []delta.Add{numbered("a", 10), numbered("b", 5)}}
	s := opened(t, w)
	v, data, err := s.Lines(mine, now)
	if err != nil {
		t.Fatal(err)
	}
	check := func(data []byte, ict int64, read int, bases string, high int) {
		t.Helper()
		first, rest, _ := strings.Cut(string(data), "\n")
		if !strings.HasPrefix(first, fmt.Sprintf(`{"commitInfo":{"inCommitTimestamp":%d,`, ict)) ||
			!strings.Contains(first, fmt.Sprintf(`"readVersion":%d,"isolationLevel":"WriteSerializable"`, read)) ||
			!strings.Contains(first, `"tags":{"delta.rowTracking.preserved":"true"}`) {
			t.Errorf("got %s", first)
		}
		if !strings.HasPrefix(rest, fmt.Sprintf(`{"domainMetadata":{"domain":"delta.rowTracking","configuration":"{\"rowIdHighWaterMark\":%d}","removed":false}}`, high)) {
			t.Errorf("got %s", rest)
		}
		for i, base := range strings.Fields(bases) {
			want := fmt.Sprintf(`"baseRowId":%s,"defaultRowCommitVersion":%d}}`, base, read+1)
			if !strings.HasSuffix(strings.Split(rest, "\n")[i+1], want) {
				t.Errorf("add %d: got %s, want %s", i, rest, want)
			}
		}
	}
	check(data, 1893456000001, 0, "0 10", 14)
	// Another writer is first, with 7 rows and a later clock.
	other := delta.Append{Operation: "WRITE", TxnID: "other", Adds: []delta.Add{numbered("c", 7)}}
	_, theirs, err := s.Lines(other, 1_900_000_000*clock.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), w, v, theirs); err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), w, v, data); !errors.Is(err, store.ErrExist) {
		t.Fatal(err)
	}
	s = opened(t, w)
	v, data, err = s.Lines(mine, now)
	if err != nil {
		t.Fatal(err)
	}
	check(data, 1_900_000_000_001, 1, "7 17", 21)
	if err := delta.Put(t.Context(), w, v, data); err != nil {
		t.Fatal(err)
	}
	s = opened(t, w)
	if s.Version != 2 || s.Domains["user.thing"] != "keep" || mine.Adds[0].BaseRowID != nil {
		t.Errorf("version %d, %v, %+v", s.Version, s.Domains, mine.Adds[0])
	}
	// Suspended, no ids are given.
	m := s.Metadata.WithProperty("delta.rowTrackingSuspended", "true")
	_, data, err = s.Lines(delta.Append{Operation: "WRITE", TxnID: "x", Metadata: &m, Adds: []delta.Add{numbered("d", 1)}}, now)
	if err != nil || strings.Contains(string(data), "baseRowId") || strings.Contains(string(data), "domainMetadata") {
		t.Errorf("%s %v", data, err)
	}
}

// Enabled in a checkpointed past, the timestamp comes from the checksum file.
func TestInCommitTimestampFromChecksum(t *testing.T) {
	w := storetest.NewMem()
	write(t, w, "_delta_log/00000000000000000007.checkpoint.0a1b2c3d-0000-0000-0000-000000000000.json", trackedTable)
	refuses(t, "append", opened(t, w).Appendable(), verdict.TargetFeature, "inCommitTimestamp")
	write(t, w, "_delta_log/00000000000000000007.crc", `{"inCommitTimestampOpt":1893456000500}`)
	v, data, err := opened(t, w).Lines(delta.Append{Operation: "WRITE", TxnID: "x", Adds: []delta.Add{numbered("d", 1)}}, now)
	if err != nil || v != 8 || !strings.HasPrefix(string(data), `{"commitInfo":{"inCommitTimestamp":1893456000501,`) {
		t.Errorf("%s %v", data, err)
	}
}

func TestLinesRefuse(t *testing.T) {
	w := logOf(t, lines(plainProtocol, plainMetadata, addLine("a")))
	s := opened(t, w)
	grown := s.Metadata.WithSchema(fields(t, "id", "long", "at", "timestamp_ntz"))
	other := s.Metadata
	other.ID = "another"
	lost := delta.NTZProtocol()
	lost.WriterFeatures = []string{"timestampNtz"}
	for what, a := range map[string]delta.Append{
		"empty commit":         {},
		"stands in the table":  {Adds: []delta.Add{numbered("a", 1)}},
		"no whole new file":    {Adds: []delta.Add{{Path: "n", PartitionValues: map[string]*string{}, DataChange: true}}},
		"is no path below":     {Adds: []delta.Add{numbered("../n", 1)}},
		"outside the table":    {Adds: []delta.Add{numbered("s3://b/n", 1)}},
		"_hidden/n":            {Adds: []delta.Add{numbered("_hidden/n", 1)}},
		"partition columns":    {Adds: []delta.Add{{Path: "n", Size: 1, DataChange: true, PartitionValues: map[string]*string{"p": nil}}}},
		"TIMESTAMP_NTZ":        {Metadata: &grown},
		"table id may not":     {Metadata: &other},
		"drops the feature":    {Metadata: &grown, Protocol: &lost},
		"txn without an appId": {Txn: &delta.Txn{}},
	} {
		a.Operation, a.TxnID = "WRITE", "x"
		if _, _, err := s.Lines(a, now); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
	// With the upgrade it goes, in one commit: protocol, metaData and files.
	up := delta.UpgradeNTZ(s.Protocol)
	_, data, err := s.Lines(delta.Append{Operation: "WRITE", TxnID: "x", Protocol: &up, Metadata: &grown, Txn: &delta.Txn{AppID: "app", Version: 3}, Adds: []delta.Add{numbered("n", 1)}}, now)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for l := range strings.Lines(string(data)) {
		var o delta.Object
		if err := json.Unmarshal([]byte(l), &o); err != nil {
			t.Fatal(err)
		}
		order = append(order, o.Keys()...)
	}
	if !slices.Equal(order, []string{"commitInfo", "protocol", "metaData", "txn", "add"}) {
		t.Errorf("order %q", order)
	}
}

// Metadata that is written again keeps what this program does not know.
func TestMetadataSurvives(t *testing.T) {
	text := `{"id":"m","name":"n","format":{"provider":"parquet","options":{"k":"v"}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"a\",\"type\":{\"type\":\"array\",\"elementType\":\"long\",\"containsNull\":true,\"odd\":1.50},\"nullable\":false,\"metadata\":{\"z\":123456789012345678901234567890,\"delta.typeChanges\":[{\"toType\":\"long\",\"fromType\":\"byte\"}],\"a\":null},\"extra\":[1,2.0]}]}","partitionColumns":["a"],"configuration":{"x.y":"z"},"createdTime":5,"future":{"b":1,"a":2}}`
	var m delta.Metadata
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	if got := asJSON(t, m); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	s, err := delta.ParseSchema(m.SchemaString)
	if err != nil {
		t.Fatal(err)
	}
	if s.String() != m.SchemaString {
		t.Errorf("got\n%s\nwant\n%s", s, m.SchemaString)
	}
	if got := asJSON(t, m.WithSchema(s)); got != text {
		t.Errorf("got %s", got)
	}
}
