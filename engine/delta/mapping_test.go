package delta_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// mappedColumn is a column of a mapped table; metadata without the outer braces.
func mappedColumn(name, metadata string) string {
	return fmt.Sprintf(`{"name":%q,"type":"long","nullable":true,"metadata":{%s}}`, name, metadata)
}

func ids(id int, physical string) string {
	return fmt.Sprintf(`"delta.columnMapping.id":%d,"delta.columnMapping.physicalName":%q`, id, physical)
}

func mappedTable(mode, highest string, columns ...string) world {
	return world{
		reader: 2, writer: 5, field: strings.Join(columns, ","),
		config: map[string]string{"delta.columnMapping.mode": mode, "delta.columnMapping.maxColumnId": highest},
	}
}

func TestMappingsThatCannotBeFollowed(t *testing.T) {
	a, b := mappedColumn("a", ids(1, "col-1")), mappedColumn("b", ids(2, "col-2"))
	nested := func(inner string) string {
		return `{"name":"s","nullable":true,"metadata":{` + ids(3, "col-3") + `},"type":{"type":"struct","fields":[` + inner + `]}}`
	}
	for name, c := range map[string]struct {
		world world
		names string // what the refusal tells, or empty
	}{
		"name":                {mappedTable("name", "2", a, b), ""},
		"id":                  {mappedTable("id", "2", a, b), ""},
		"mode in other case":  {mappedTable("Name", "2", a, b), ""},
		"nested":              {mappedTable("name", "4", a, b, nested(mappedColumn("x", ids(4, "col-1")))), ""},
		"unknown mode":        {mappedTable("ordinal", "2", a, b), `mode "ordinal"`},
		"no id":               {mappedTable("name", "2", a, mappedColumn("b", `"delta.columnMapping.physicalName":"b"`)), `column "b" has no id`},
		"id zero":             {mappedTable("name", "2", a, mappedColumn("b", ids(0, "b"))), `column "b" has no id`},
		"no physical name":    {mappedTable("name", "2", a, mappedColumn("b", `"delta.columnMapping.id":2`)), "no physical name"},
		"id twice":            {mappedTable("name", "2", a, mappedColumn("b", ids(1, "col-2"))), "share the id 1"},
		"physical name twice": {mappedTable("name", "2", a, mappedColumn("b", ids(2, "col-1"))), `share the physical name "col-1"`},
		"nested without id":   {mappedTable("name", "3", a, nested(mappedColumn("x", ""))), `column "s.x" has no id`},
		"no reader feature": {
			world{reader: 1, writer: 7, writers: `["columnMapping"]`, field: a, config: mappedTable("name", "2").config}, "protocol does not list",
		},
		"no feature at all": {world{reader: 1, writer: 2, field: a, config: mappedTable("name", "2").config}, "protocol does not list"},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.world.open(t)
			feature := ""
			if c.names != "" {
				feature = "columnMapping"
			}
			refuses(t, "read", s.Readable(), verdict.CopyFeature, feature)
			refuses(t, "append", s.Appendable(), verdict.TargetFeature, feature)
			if err := s.Readable(); err != nil && !strings.Contains(err.Error(), c.names) {
				t.Errorf("want %q in %v", c.names, err)
			}
		})
	}
}

// Only who numbers new columns needs the highest id.
func TestTheHighestColumnID(t *testing.T) {
	for _, highest := range []string{"1", "", "x", "99999999999"} {
		s := mappedTable("name", highest, mappedColumn("a", ids(2, "col-1"))).open(t)
		refuses(t, "read", s.Readable(), verdict.CopyFeature, "")
		refuses(t, "append", s.Appendable(), verdict.TargetFeature, "columnMapping")
	}
}

func TestPhysicalNames(t *testing.T) {
	s := mappedTable("name", "2", mappedColumn("Order Date", ids(2, "col-x"))).open(t)
	same(t, "physical", s.Physical("order date"), "col-x")
	same(t, "of a column that is not there", s.Physical("other"), "other")
	f, _ := s.Schema.Field("Order Date")
	id, ok := f.ID()
	same(t, "id", id, int32(2))
	same(t, "has an id", ok, true)
	// Names that were left behind when mapping was turned off mean nothing.
	off := mappedTable("none", "2", mappedColumn("Order Date", ids(2, "col-x"))).open(t)
	same(t, "physical, mapping off", off.Physical("Order Date"), "Order Date")
}

func newField(t *testing.T, name, comment string) delta.Field {
	t.Helper()
	f, err := delta.NewField(name, "long", comment)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A new mapped table as Spark makes one: ids from 1 on, the id before the
// comment, the physical name after it, and the highest id among the properties.
func TestANewMappedTable(t *testing.T) {
	m := delta.Metadata{Configuration: map[string]string{"mssql_cdc.schema_version": "2"}}.WithProperty(delta.MappingMode, "name").
		WithSchema(delta.Schema{Fields: []delta.Field{newField(t, "_x", "why"), newField(t, "Order Date", "")}})
	again := delta.Metadata{}.WithProperty(delta.MappingMode, "name").
		WithSchema(delta.Schema{Fields: []delta.Field{newField(t, "_x", "why"), newField(t, "Order Date", "")}})
	same(t, "made again", again.SchemaString, m.SchemaString)
	same(t, "highest id", m.Configuration["delta.columnMapping.maxColumnId"], "2")
	sc, err := delta.ParseSchema(m.SchemaString)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(sc.Fields[0].Metadata.Keys(), " "); got != "delta.columnMapping.id comment delta.columnMapping.physicalName" {
		t.Error(got)
	}
	x, date := m.Mapping().Physical(sc.Fields[0]), m.Mapping().Physical(sc.Fields[1])
	if x == date || len(x) != len("col-")+36 || !strings.HasPrefix(x, "col-") {
		t.Errorf("physical names %q and %q", x, date)
	}
	s := &delta.Snapshot{Protocol: delta.MappedProtocol(), Metadata: m, Schema: sc}
	refuses(t, "read", s.Readable(), verdict.CopyFeature, "")
	refuses(t, "append", s.Appendable(), verdict.TargetFeature, "")
}

func mappedAdd(stats string) delta.Add {
	return delta.NewAdd(storeObject("part-0.parquet"), stats)
}

func TestAppendsToAMappedTable(t *testing.T) {
	s := mappedTable("name", "7", mappedColumn("a", ids(2, "col-a"))).open(t)
	grown := s.Metadata.WithSchema(delta.Schema{Fields: append(s.Schema.Fields[:1:1], newField(t, "b c", ""))})
	// Column 7 was dropped: its id is not given again.
	same(t, "highest id", grown.Configuration["delta.columnMapping.maxColumnId"], "8")
	sc, err := delta.ParseSchema(grown.SchemaString)
	if err != nil {
		t.Fatal(err)
	}
	physical := grown.Mapping().Physical(sc.Fields[1])
	good := fmt.Sprintf(`{"numRecords":1,"minValues":{"col-a":1,%q:2},"nullCount":{"col-a":0}}`, physical)
	append1 := func(stats string, m *delta.Metadata) error {
		_, _, err := s.Lines(delta.Append{Operation: "WRITE", TxnID: "t", Adds: []delta.Add{mappedAdd(stats)}, Metadata: m}, 1)
		return err
	}
	if err := append1(good, &grown); err != nil {
		t.Error(err)
	}
	// A file written by the table's own names would read as NULL everywhere.
	if err := append1(`{"numRecords":1,"nullCount":{"a":0}}`, nil); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Error("statistics by the table's names:", err)
	}
	for what, change := range map[string]func(m delta.Metadata) delta.Metadata{
		"mapping off":        func(m delta.Metadata) delta.Metadata { return m.WithProperty(delta.MappingMode, "none") },
		"lower highest id":   func(m delta.Metadata) delta.Metadata { return m.WithProperty(delta.MaxColumnID, "6") },
		"other id":           schemaOf(mappedColumn("a", ids(3, "col-a"))),
		"other physical":     schemaOf(mappedColumn("a", ids(2, "col-b"))),
		"column gone":        schemaOf(mappedColumn("z", ids(5, "col-z"))),
		"column without id":  schemaOf(mappedColumn("a", ids(2, "col-a")), mappedColumn("b", "")),
		"id that is too big": schemaOf(mappedColumn("a", ids(2, "col-a")), mappedColumn("b", ids(9, "col-b"))),
	} {
		m := change(s.Metadata)
		if err := append1(`{"numRecords":1}`, &m); err == nil {
			t.Errorf("%s: was not refused", what)
		}
	}
}

func schemaOf(columns ...string) func(m delta.Metadata) delta.Metadata {
	return func(m delta.Metadata) delta.Metadata {
		m.SchemaString = `{"type":"struct","fields":[` + strings.Join(columns, ",") + `]}`
		return m
	}
}

// NOT NULL, clustering and partitions are told by physical names too.
func TestStatisticsByPhysicalName(t *testing.T) {
	w := mappedTable("name", "2", strings.Replace(mappedColumn("id", ids(1, "col-1")), `"nullable":true`, `"nullable":false`, 1), mappedColumn("b", ids(2, "col-2")))
	w.reader, w.writer, w.readers = 3, 7, `["columnMapping"]`
	w.writers = `["columnMapping","clustering","domainMetadata"]`
	w.extra = `{"domainMetadata":{"domain":"delta.clustering","configuration":"{\"clusteringColumns\":[[\"col-2\"]]}","removed":false}}` + "\n"
	s := w.open(t)
	if got := strings.Join(s.ClusteringColumns(), " "); got != "b" {
		t.Errorf("clustering columns %q", got)
	}
	lines := func(stats string) error {
		_, _, err := s.Lines(delta.Append{Operation: "WRITE", TxnID: "t", Adds: []delta.Add{mappedAdd(stats)}}, 1)
		return err
	}
	if err := lines(`{"numRecords":1,"minValues":{"col-2":1},"maxValues":{"col-2":1},"nullCount":{"col-1":0,"col-2":0}}`); err != nil {
		t.Error(err)
	}
	if err := lines(`{"numRecords":1,"minValues":{"col-2":1},"maxValues":{"col-2":1},"nullCount":{"col-1":1,"col-2":0}}`); !errors.Is(err, verdict.TargetFeature) || !strings.Contains(err.Error(), `column "id"`) {
		t.Error("NOT NULL:", err)
	}
	if err := lines(`{"numRecords":1,"nullCount":{"col-1":0,"col-2":0}}`); !errors.Is(err, verdict.TargetFeature) || !strings.Contains(err.Error(), `clustering column "b"`) {
		t.Error("clustering:", err)
	}
	w.partitioned, w.writers, w.extra = true, `["columnMapping"]`, ""
	s = w.open(t)
	add, one := mappedAdd(`{"numRecords":1}`), "1"
	add.PartitionValues = map[string]*string{"col-1": &one}
	if _, _, err := s.Lines(delta.Append{Operation: "WRITE", TxnID: "t", Adds: []delta.Add{add}}, 1); err != nil {
		t.Error("partition values by physical name:", err)
	}
	add.PartitionValues = map[string]*string{"id": &one}
	if _, _, err := s.Lines(delta.Append{Operation: "WRITE", TxnID: "t", Adds: []delta.Add{add}}, 1); err == nil {
		t.Error("partition values by the table's name were taken")
	}
}
