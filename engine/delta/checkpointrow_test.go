package delta

import (
	"math"
	"os"
	"strings"
	"testing"

	"cdcseed/engine/store/storetest"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// What a checkpoint's add has, but for its statistics.
func addFields() []arrow.Field {
	text, long, whole := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int32
	return []arrow.Field{
		optional("path", text), optional("partitionValues", arrow.MapOf(text, text)), optional("size", long),
		optional("modificationTime", long), optional("dataChange", arrow.FixedWidthTypes.Boolean),
		optional("deletionVector", arrow.StructOf(optional("storageType", text), optional("pathOrInlineDv", text),
			optional("offset", whole), optional("sizeInBytes", whole), optional("cardinality", long))),
		optional("baseRowId", long), optional("defaultRowCommitVersion", long), optional("tags", arrow.MapOf(text, text)),
	}
}

// With delta.checkpoint.writeStatsAsJson=false there is only a struct; it must
// become the text that the commit had.
func TestParsedStatistics(t *testing.T) {
	text, long, whole := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int32
	values := arrow.StructOf(
		optional("i", whole), optional("f", arrow.PrimitiveTypes.Float64), optional("g", arrow.PrimitiveTypes.Float32),
		optional("d", &arrow.Decimal128Type{Precision: 20, Scale: 3}), optional("s", text), optional("day", arrow.FixedWidthTypes.Date32),
		optional("at", &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}),
		optional("wall", &arrow.TimestampType{Unit: arrow.Microsecond}), optional("n", arrow.StructOf(optional("x", long))))
	fields := append(addFields(), optional("stats_parsed", arrow.StructOf(
		optional("numRecords", long), optional("minValues", values), optional("nullCount", arrow.StructOf(optional("i", long))))))
	rows := `[
	{"protocol":{"minReaderVersion":1,"minWriterVersion":2}},
	{"metaData":{"id":"m","schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":[],"configuration":[{"key":"a","value":"b"}]}},
	{"add":{"path":"p","partitionValues":[{"key":"k","value":"v"},{"key":"l","value":null}],"size":7,"modificationTime":5,"dataChange":false,
		"deletionVector":{"storageType":"u","pathOrInlineDv":"ab","offset":4,"sizeInBytes":6,"cardinality":1},"baseRowId":3,"defaultRowCommitVersion":0,
		"stats_parsed":{"numRecords":9,"nullCount":{"i":1},"minValues":{"i":-5,"f":1e300,"g":0.1,"d":"-12.345","s":"<é>","day":"0001-01-01","at":"1969-12-31 23:59:59.999999","wall":"9999-12-31 23:59:59.123456","n":{"x":7}}}}},
	{"txn":{"appId":"x","version":6}}, {"domainMetadata":{"domain":"d","configuration":"c","removed":true}}, {"sidecar":{"path":"a%20b"}},
	{"add":{"path":"q","partitionValues":[],"size":1,"dataChange":false}}]`
	rec := record(t, rows,
		optional("protocol", arrow.StructOf(optional("minReaderVersion", whole), optional("minWriterVersion", whole))),
		optional("metaData", arrow.StructOf(optional("id", text), optional("schemaString", text), optional("partitionColumns", arrow.ListOf(text)), optional("configuration", arrow.MapOf(text, text)))),
		optional("txn", arrow.StructOf(optional("appId", text), optional("version", long))),
		optional("domainMetadata", arrow.StructOf(optional("domain", text), optional("configuration", text), optional("removed", arrow.FixedWidthTypes.Boolean))),
		optional("sidecar", arrow.StructOf(optional("path", text))),
		optional("add", arrow.StructOf(fields...)), optional("remove", text))
	var c Commit
	if err := c.takeRecord(rec); err != nil {
		t.Fatal(err)
	}
	want := `{"path":"p","partitionValues":{"k":"v","l":null},"size":7,"modificationTime":5,"dataChange":false,"stats":` +
		jsonText(t, `{"numRecords":9,"minValues":{"i":-5,"f":1e+300,"g":0.1,"d":-12.345,"s":"<é>","day":"0001-01-01","at":"1969-12-31T23:59:59.999999Z","wall":"9999-12-31T23:59:59.123456","n":{"x":7}},"nullCount":{"i":1}}`) +
		`,"deletionVector":{"storageType":"u","pathOrInlineDv":"ab","offset":4,"sizeInBytes":6,"cardinality":1},"baseRowId":3,"defaultRowCommitVersion":0}`
	if got := jsonText(t, c.Adds[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if c.Protocol.WriterFeatures != nil || c.Metadata.Configuration["a"] != "b" || len(c.Adds) != 2 || c.Adds[1].Stats != "" {
		t.Errorf("%+v", c)
	}
	if c.Txns[0].AppID != "x" || c.Txns[0].Version != 6 || c.Domains[0] != (Domain{"d", "c", true}) || c.sidecars[0].Path != "a%20b" {
		t.Errorf("%+v", c)
	}
	s := Snapshot{Files: c.Adds}
	if _, told := s.Rows(); told {
		t.Error("a file without statistics has no number of rows")
	}
}

// The same out of a file that pyarrow wrote, where structs, lists and maps are
// levels, without any statistics as text.
func TestParsedStatisticsInAFile(t *testing.T) {
	data, err := os.ReadFile("testdata/stats_parsed.checkpoint.parquet")
	if err != nil {
		t.Fatal(err)
	}
	w := storetest.NewMem()
	if err := w.CreateOnce(t.Context(), logDir+"00000000000000000004.checkpoint.parquet", data); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"path":"p","partitionValues":{"k":"v","l":null},"size":7,"modificationTime":5,"dataChange":false,"stats":` +
		jsonText(t, `{"numRecords":9,"minValues":{"i":-5,"f":1e+300,"g":0.1,"d":-12.345,"s":"<é>","day":"0001-01-01","at":"1969-12-31T23:59:59.999999Z","wall":"9999-12-31T23:59:59.123456","n":{"x":7}},"nullCount":{"i":1}}`) +
		`},{"path":"q","partitionValues":{},"size":1,"modificationTime":0,"dataChange":false},` +
		`{"path":"r","partitionValues":{},"size":1,"modificationTime":0,"dataChange":true,"stats":` + jsonText(t, `{"numRecords":3,"minValues":{"n":{}}}`) + `}]`
	if got := jsonText(t, s.Files); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.Version != 4 || s.Metadata.Configuration["a"] != "b" || len(s.Metadata.PartitionColumns) != 2 || s.Protocol.MinWriterVersion != 2 {
		t.Errorf("%+v", s)
	}
}

// Floats that JSON has no number for stand as strings.
func TestFloatStatistics(t *testing.T) {
	for v, want := range map[float64]string{math.NaN(): `"NaN"`, math.Inf(1): `"Infinity"`, math.Inf(-1): `"-Infinity"`, 1e21: `1e+21`, -0.5: `-0.5`} {
		if got := jsonText(t, floatValue(v, 64)); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}

func record(t *testing.T, rows string, fields ...arrow.Field) arrow.Record {
	t.Helper()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(fields, nil), strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rec.Release)
	return rec
}

func optional(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
