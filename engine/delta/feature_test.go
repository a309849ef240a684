package delta_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// world is a table with one column, made to measure.
type world struct {
	reader, writer int
	readers        string            // JSON list, empty for none
	writers        string            // JSON list, empty for none
	config         map[string]string // table properties
	field          string            // of column id; the whole JSON
	extra          string            // more lines
	partitioned    bool
}

func (w world) open(t *testing.T) *delta.Snapshot {
	t.Helper()
	if w.field == "" {
		w.field = `{"name":"id","type":"long","nullable":true,"metadata":{}}`
	}
	lists := ""
	if w.readers != "" {
		lists += `,"readerFeatures":` + w.readers
	}
	if w.writers != "" {
		lists += `,"writerFeatures":` + w.writers
	}
	if w.config == nil {
		w.config = map[string]string{}
	}
	columns := "[]"
	if w.partitioned {
		columns = `["id"]`
	}
	schema := `{"type":"struct","fields":[` + w.field + `]}`
	text := fmt.Sprintf("{\"commitInfo\":{\"operation\":\"X\"}}\n{\"protocol\":{\"minReaderVersion\":%d,\"minWriterVersion\":%d%s}}\n", w.reader, w.writer, lists) +
		fmt.Sprintf(`{"metaData":{"id":"m","format":{"provider":"parquet","options":{}},"schemaString":%s,"partitionColumns":%s,"configuration":%s}}`,
			asJSON(t, schema), columns, asJSON(t, w.config)) + "\n" + w.extra
	return opened(t, logOf(t, text))
}

func property(key, value string) map[string]string { return map[string]string{key: value} }

func column(metadata string) string {
	return `{"name":"id","type":"long","nullable":true,"metadata":` + metadata + `}`
}

func TestFeatures(t *testing.T) {
	w7 := func(feature string) world { return world{reader: 1, writer: 7, writers: `["` + feature + `"]`} }
	with := func(w world, change func(*world)) world { change(&w); return w }
	both := func(feature string) world {
		return world{reader: 3, writer: 7, readers: `["` + feature + `"]`, writers: `["` + feature + `"]`}
	}
	mapped := property("delta.columnMapping.mode", "name")
	for name, c := range map[string]struct {
		world        world
		read, append string // the feature refused, or empty
	}{
		"1/1": {world{reader: 1, writer: 1}, "", ""}, "1/2": {world{reader: 1, writer: 2}, "", ""},
		"1/6": {world{reader: 1, writer: 6}, "", ""}, "2/5": {world{reader: 2, writer: 5}, "", ""},
		"1/7": {w7("appendOnly"), "", ""}, "2/7": {world{reader: 2, writer: 7, writers: `["columnMapping"]`}, "", ""},
		"3/7 empty": {world{reader: 3, writer: 7, readers: `[]`, writers: `[]`}, "", ""},
		"5/7":       {world{reader: 5, writer: 7, readers: `[]`, writers: `[]`}, "protocol 5/7", "protocol 5/7"},
		"3/5":       {world{reader: 3, writer: 5}, "protocol 3/5", "protocol 3/5"},
		"1/8":       {world{reader: 1, writer: 8}, "protocol 1/8", "protocol 1/8"},
		"0/0":       {world{}, "protocol 0/0", "protocol 0/0"},

		"ntz":               {both("timestampNtz"), "", ""},
		"ntz alias":         {both("timestampWithoutTimezone"), "", ""},
		"v2":                {both("v2Checkpoint"), "", ""},
		"vacuum":            {both("vacuumProtocolCheck"), "", ""},
		"dv":                {both("deletionVectors"), "", ""},
		"widening":          {both("typeWidening"), "", ""},
		"widening preview":  {both("typeWidening-preview"), "", "typeWidening-preview"},
		"variant unused":    {both("variantType"), "", ""},
		"catalog":           {both("catalogManaged"), "catalogManaged", "catalogManaged"},
		"catalog preview":   {both("catalogOwned-preview"), "catalogOwned-preview", "catalogOwned-preview"},
		"redirect":          {both("redirectReaderWriter-preview"), "redirectReaderWriter-preview", "redirectReaderWriter-preview"},
		"geo":               {both("geospatial"), "geospatial", "geospatial"},
		"unknown":           {both("fooBar"), "fooBar", "fooBar"},
		"unknown writer":    {w7("liquid"), "", "liquid"},
		"case":              {w7("AppendOnly"), "", "AppendOnly"},
		"redirect writer":   {w7("redirectWriterOnly-preview"), "", "redirectWriterOnly-preview"},
		"cdf":               {with(w7("changeDataFeed"), func(w *world) { w.config = property("delta.enableChangeDataFeed", "true") }), "", ""},
		"append only":       {world{reader: 1, writer: 2, config: property("delta.appendOnly", "true")}, "", ""},
		"checkpoint prot.":  {w7("checkpointProtection"), "", ""},
		"clustering":        {w7("clustering"), "", ""},
		"row tracking":      {world{reader: 1, writer: 7, writers: `["rowTracking","domainMetadata"]`}, "", ""},
		"row tracking only": {w7("rowTracking"), "", "rowTracking"},
		"row mark broken": {world{
			reader: 1, writer: 7, writers: `["rowTracking","domainMetadata"]`,
			extra: `{"domainMetadata":{"domain":"delta.rowTracking","configuration":"{}","removed":false}}`,
		}, "", "rowTracking"},
		"ict listed":     {w7("inCommitTimestamp"), "", ""},
		"ict on":         {with(w7("inCommitTimestamp"), func(w *world) { w.config = property("delta.enableInCommitTimestamps", "true") }), "", "inCommitTimestamp"},
		"coordinated":    {w7("coordinatedCommits-preview"), "", ""},
		"coordinated on": {with(w7("coordinatedCommits-preview"), func(w *world) { w.config = property("delta.coordinatedCommits.commitCoordinator-preview", "dynamodb") }), "", "coordinatedCommits-preview"},
		"iceberg":        {w7("icebergCompatV2"), "", ""},
		"iceberg on":     {with(w7("icebergCompatV2"), func(w *world) { w.config = property("delta.enableIcebergCompatV2", "true") }), "", "icebergCompatV2"},
		"materialize":    {w7("materializePartitionColumns"), "", ""},
		"materialize on": {with(w7("materializePartitionColumns"), func(w *world) { w.partitioned = true }), "", "materializePartitionColumns"},

		"mapping none":   {world{reader: 2, writer: 5, config: property("delta.columnMapping.mode", "none")}, "", ""},
		"mapping broken": {world{reader: 2, writer: 5, config: mapped}, "columnMapping", "columnMapping"},
		"vector outside": {
			world{
				reader: 3, writer: 7, readers: `["deletionVectors"]`, writers: `["deletionVectors"]`,
				extra: `{"add":{"path":"a","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true,"deletionVector":{"storageType":"p","pathOrInlineDv":"s3://b/v.bin","offset":1,"sizeInBytes":3,"cardinality":1}}}`,
			},
			"deletionVectors", "",
		},
		"constraints":    {world{reader: 1, writer: 3}, "", ""},
		"constraints on": {world{reader: 1, writer: 3, config: property("delta.constraints.positive", "amount > 0")}, "", "checkConstraints"},
		"invariants on":  {world{reader: 1, writer: 2, field: column(`{"delta.invariants":"{\"expression\":{\"expression\":\"id > 3\"}}"}`)}, "", "invariants"},
		"generated on":   {world{reader: 1, writer: 4, field: column(`{"delta.generationExpression":"x + 1"}`)}, "", "generatedColumns"},
		"identity on":    {world{reader: 1, writer: 6, field: column(`{"delta.identity.start":1,"delta.identity.step":1}`)}, "", "identityColumns"},
		"nested rule": {
			world{reader: 1, writer: 2, field: `{"name":"id","nullable":true,"metadata":{},"type":{"type":"array","containsNull":true,"elementType":{"type":"struct","fields":[{"name":"x","type":"long","nullable":true,"metadata":{"delta.invariants":"e"}}]}}}`},
			"", "invariants",
		},
		"nested not null": {
			world{reader: 1, writer: 2, field: `{"name":"id","nullable":true,"metadata":{},"type":{"type":"struct","fields":[{"name":"x","type":"long","nullable":false,"metadata":{}}]}}`},
			"", "NOT NULL",
		},
		"not null": {world{reader: 1, writer: 2, field: `{"name":"id","type":"long","nullable":false,"metadata":{}}`}, "", "NOT NULL"},
		"default":  {with(w7("allowColumnDefaults"), func(w *world) { w.field = column(`{"CURRENT_DEFAULT":"7"}`) }), "", "allowColumnDefaults"},
		"varchar":  {world{reader: 1, writer: 2, field: column(`{"__CHAR_VARCHAR_TYPE_STRING":"varchar(5)"}`)}, "", "varchar(5)"},
		"void":     {world{reader: 1, writer: 2, field: `{"name":"id","type":"void","nullable":true,"metadata":{}}`}, "", "type void"},

		"known change":   {with(both("typeWidening"), func(w *world) { w.field = column(`{"delta.typeChanges":[{"fromType":"byte","toType":"long"}]}`) }), "", ""},
		"unknown change": {with(both("typeWidening"), func(w *world) { w.field = column(`{"delta.typeChanges":[{"fromType":"string","toType":"long"}]}`) }), "typeWidening", "typeWidening"},
		"broken change":  {with(both("typeWidening"), func(w *world) { w.field = column(`{"delta.typeChanges":"?"}`) }), "typeWidening", "typeWidening"},

		"absolute":   {world{reader: 1, writer: 2, extra: addLine("s3://bucket/a.parquet")}, "absolute path", ""},
		"absolute /": {world{reader: 1, writer: 2, extra: addLine("/data/a.parquet")}, "absolute path", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.world.open(t)
			refuses(t, "read", s.Readable(), verdict.CopyFeature, c.read)
			refuses(t, "append", s.Appendable(), verdict.TargetFeature, c.append)
		})
	}
}

// Columns that the new files will hold are judged otherwise than those they leave.
func TestAppendableBySuppliedColumns(t *testing.T) {
	notNull := world{reader: 1, writer: 2, field: `{"name":"id","type":"long","nullable":false,"metadata":{}}`}.open(t)
	refuses(t, "filled", notNull.Appendable("ID"), verdict.TargetFeature, "")
	refuses(t, "left", notNull.Appendable("other"), verdict.TargetFeature, "NOT NULL")
	standard := world{reader: 1, writer: 7, writers: `["allowColumnDefaults"]`, field: column(`{"CURRENT_DEFAULT":"7"}`)}.open(t)
	refuses(t, "filled", standard.Appendable("id"), verdict.TargetFeature, "")
	refuses(t, "left", standard.Appendable("other"), verdict.TargetFeature, "allowColumnDefaults")
	length := world{reader: 1, writer: 2, field: column(`{"__CHAR_VARCHAR_TYPE_STRING":"char(5)"}`)}.open(t)
	refuses(t, "filled", length.Appendable("id"), verdict.TargetFeature, "char(5)")
	refuses(t, "left", length.Appendable("other"), verdict.TargetFeature, "")

	commit := func(stats string) error {
		a := numbered("n", 1)
		a.Stats = stats
		_, _, err := notNull.Lines(delta.Append{Operation: "WRITE", TxnID: "x", Adds: []delta.Add{a}}, now)
		return err
	}
	refuses(t, "no null", commit(`{"numRecords":1,"nullCount":{"id":0}}`), verdict.TargetFeature, "")
	refuses(t, "a null", commit(`{"numRecords":1,"nullCount":{"id":1}}`), verdict.TargetFeature, "NOT NULL")
	refuses(t, "not told", commit(`{"numRecords":1}`), verdict.TargetFeature, "NOT NULL")
}

func TestClusteringNeedsStatistics(t *testing.T) {
	s := world{
		reader: 1, writer: 7, writers: `["clustering","domainMetadata"]`,
		extra: `{"domainMetadata":{"domain":"delta.clustering","configuration":"{\"clusteringColumns\":[[\"id\"],[\"a\",\"b\"]]}","removed":false}}`,
	}.open(t)
	if got := s.ClusteringColumns(); !slices.Equal(got, []string{"id", "a"}) {
		t.Errorf("got %q", got)
	}
	for stats, ok := range map[string]bool{
		`{"numRecords":1,"minValues":{"id":1,"a":{"b":1}},"maxValues":{"id":1,"a":{"b":1}},"nullCount":{"id":0,"a":{"b":0}}}`: true,
		`{"numRecords":1,"minValues":{"id":1},"maxValues":{"id":1},"nullCount":{"id":0,"a":{"b":1}}}`:                         true,
		`{"numRecords":1,"minValues":{"id":1},"maxValues":{"id":1},"nullCount":{"id":0,"a":{"b":0}}}`:                         false,
		`{"numRecords":1,"minValues":{"id":1},"maxValues":{"id":1},"nullCount":{"id":0}}`:                                     false,
		`{"numRecords":1}`: false,
	} {
		a := numbered("n", 1)
		a.Stats = stats
		_, _, err := s.Lines(delta.Append{Operation: "WRITE", TxnID: "x", Adds: []delta.Add{a}}, now)
		if (err == nil) != ok {
			t.Errorf("%s: %v", stats, err)
		}
	}
}

func TestUpgradeNTZ(t *testing.T) {
	for text, want := range map[string]string{
		`{"minReaderVersion":1,"minWriterVersion":1}`:                                                                                             `{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz"],"writerFeatures":["timestampNtz"]}`,
		`{"minReaderVersion":1,"minWriterVersion":2}`:                                                                                             `{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz"],"writerFeatures":["timestampNtz","invariants","appendOnly"]}`,
		`{"minReaderVersion":2,"minWriterVersion":6}`:                                                                                             `{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz","columnMapping"],"writerFeatures":["timestampNtz","invariants","appendOnly","checkConstraints","changeDataFeed","generatedColumns","columnMapping","identityColumns"]}`,
		`{"minReaderVersion":2,"minWriterVersion":7,"writerFeatures":["columnMapping","x"]}`:                                                      `{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz","columnMapping"],"writerFeatures":["timestampNtz","columnMapping","x"]}`,
		`{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[],"writerFeatures":["appendOnly"]}`:                                         `{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz"],"writerFeatures":["timestampNtz","appendOnly"]}`,
		`{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz"],"writerFeatures":["timestampNtz"]}`:                         `{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz"],"writerFeatures":["timestampNtz"]}`,
		`{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampWithoutTimezone"],"writerFeatures":["timestampWithoutTimezone"]}`: `{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampWithoutTimezone"],"writerFeatures":["timestampWithoutTimezone"]}`,
	} {
		var p delta.Protocol
		parse(t, text, &p)
		before := asJSON(t, p)
		if got := asJSON(t, delta.UpgradeNTZ(p)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
		if asJSON(t, p) != before || before != text {
			t.Errorf("%s became %s", text, asJSON(t, p))
		}
	}
}

func TestPaths(t *testing.T) {
	for key, path := range map[string]string{
		"part-0.c000.snappy.parquet": "part-0.c000.snappy.parquet",
		"k=hello world/a+b.parquet":  "k=hello%20world/a+b.parquet",
		"k=%2F/ü.parquet":            "k=%252F/ü.parquet",
		"a\x01\"#<>?[\\]^`{|}\x7f":   "a%01%22%23%3C%3E%3F%5B%5C%5D%5E%60%7B%7C%7D%7F",
		"a:b/c:d":                    "a%3Ab/c:d",
	} {
		if got := delta.EscapePath(key); got != path {
			t.Errorf("%q: got %q, want %q", key, got, path)
		}
		if got, err := (delta.Add{Path: path}).Key(); err != nil || got != key {
			t.Errorf("%q: got %q %v, want %q", path, got, err, key)
		}
	}
	for _, path := range []string{"", ".", "../a", "a/../../b", "%2e%2e/a", "/a", "s3://b/a", "file:/a", "a%2", "a//b"} {
		if got, err := (delta.Add{Path: path}).Key(); err == nil {
			t.Errorf("%q became %q", path, got)
		}
	}
}

func TestParseStats(t *testing.T) {
	a := delta.Add{Path: "p", Stats: `{"numRecords":9007199254740993,"minValues":{"d":12345678901.23456,"n":{"x":"a"}},"nullCount":{"d":1,"n":{"x":2}},"other":1}`}
	s, err := a.ParseStats()
	if err != nil || *s.NumRecords != 9007199254740993 || fmt.Sprint(s.Min["d"]) != "12345678901.23456" {
		t.Errorf("%+v %v", s, err)
	}
	if n, ok := s.Nulls("n", "x"); n != 2 || !ok {
		t.Error(n, ok)
	}
	if _, ok := s.Nulls("n"); ok {
		t.Error("a struct has no null count")
	}
	if s, err := (delta.Add{}).ParseStats(); err != nil || s.NumRecords != nil {
		t.Error(s, err)
	}
	if _, err := (delta.Add{Path: "p", Stats: "{"}).ParseStats(); err == nil || !strings.Contains(err.Error(), `"p"`) {
		t.Error(err)
	}
}

func parse(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
}
