package lakecopy_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

func TestFlaggedRowsAreLeftOutAndCounted(t *testing.T) {
	for name, c := range map[string]struct {
		columns string
		rows    []string
		tool    string
		want    []string
	}{
		"Fivetran": {
			"id bigint, _fivetran_deleted bool, _fivetran_synced time",
			[]string{`{"id":1,"_fivetran_deleted":false}`, `{"id":2,"_fivetran_deleted":true}`, `{"id":3,"_fivetran_deleted":false}`},
			"Fivetran",
			[]string{"1", "3"},
		},
		"Airbyte, text": {
			"id bigint, _ab_cdc_deleted_at string",
			[]string{`{"id":1,"_ab_cdc_deleted_at":null}`, `{"id":2,"_ab_cdc_deleted_at":"2026-09-01"}`, `{"id":3,"_ab_cdc_deleted_at":""}`},
			"Airbyte",
			[]string{"1", "3"},
		},
		"Stitch, time": {
			"id bigint, _SDC_DELETED_AT time",
			[]string{`{"id":1,"_SDC_DELETED_AT":"2026-09-01 00:00:00"}`, `{"id":2}`, `{"id":3,"_SDC_DELETED_AT":"1970-01-01 00:00:00"}`},
			"Stitch or another Singer target",
			[]string{"2"},
		},
		"Debezium, all": {
			"id bigint, __deleted string",
			[]string{`{"id":1,"__deleted":"true"}`, `{"id":2,"__deleted":"TRUE"}`},
			"Debezium", nil,
		},
		"Debezium, none": {
			"id bigint, __deleted string",
			[]string{`{"id":1,"__deleted":"false"}`, `{"id":2}`, `{"id":3,"__deleted":"false"}`},
			"Debezium",
			[]string{"1", "2", "3"},
		},
		"Estuary, letters": {
			"id bigint, _meta/op string",
			[]string{`{"id":1,"_meta/op":"c"}`, `{"id":2,"_meta/op":"d"}`, `{"id":3,"_meta/op":"u"}`, `{"id":4,"_meta/op":null}`},
			"Estuary",
			[]string{"1", "3", "4"},
		},
		"CDAP": {
			"id bigint, _is_deleted bool",
			[]string{`{"id":1,"_is_deleted":true}`, `{"id":2}`},
			"CDAP Replication",
			[]string{"2"},
		},
		"Hevo, number": {
			"id bigint, __hevo__marked_deleted int",
			[]string{`{"id":1,"__hevo__marked_deleted":1}`, `{"id":2,"__hevo__marked_deleted":0}`, `{"id":3}`},
			"Hevo",
			[]string{"2", "3"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			copied := mustOpen(t, folder(t, "p.parquet", made(t, c.columns, c.rows...), "q.parquet", made(t, "id bigint", `{"id":9}`)), lakecopy.Options{})
			i := slices.IndexFunc(copied.Marks, func(m lakecopy.Mark) bool { return m.Kind == lakecopy.SoftDelete })
			if i < 0 || copied.Marks[i].Tool != c.tool || copied.Marks[i].Path != "p.parquet" {
				t.Fatalf("marks %+v", copied.Marks)
			}
			got, excluded := ids(t, copied, &copied.Marks[i])
			if want := append(slices.Clip(c.want), "9"); !slices.Equal(got, want) || int(excluded) != len(c.rows)-len(c.want) {
				t.Errorf("kept %v, excluded %d, want %v", got, excluded, want)
			}
			if all, n := ids(t, copied, nil); len(all) != len(c.rows)+1 || n != 0 {
				t.Errorf("without a filter %v, %d excluded", all, n)
			}
		})
	}
}

func TestAFlagThatIsNoneIsRefused(t *testing.T) {
	c := mustOpen(t, folder(t, "p.parquet", made(t, "id bigint, __deleted string", `{"id":1,"__deleted":"perhaps"}`)), lakecopy.Options{})
	s := c.Read(context.Background(), c.Files[0], []string{"id"}, 10).ExcludeFlagged(c.Marks[0])
	defer s.Close()
	if s.Next() || !errors.Is(s.Err(), verdict.CopyMarks) {
		t.Errorf("got %v", s.Err())
	}
}

// Which letters and words are a delete is closed: one that is unknown may be one.
func TestOperationsThatAreDeletes(t *testing.T) {
	c := mustOpen(t, folder(t, "p.parquet", made(t, "Op string, id bigint",
		`{"Op":"I","id":1}`, `{"Op":"U","id":2}`, `{"Op":"D","id":3}`, `{"Op":null,"id":4}`, `{"Op":"delete","id":5}`, `{"Op":"UPSERT","id":6}`)), lakecopy.Options{})
	if got, excluded := ids(t, c, &c.Marks[0]); !slices.Equal(got, []string{"1", "2", "4", "6"}) || excluded != 2 {
		t.Errorf("kept %v, excluded %d", got, excluded)
	}
	for columns, row := range map[string]string{
		"Op string, id bigint":   `{"Op":"X","id":1}`,
		"op_type int, id bigint": `{"op_type":1,"id":1}`,
	} {
		c := mustOpen(t, folder(t, "p.parquet", made(t, columns, row)), lakecopy.Options{})
		s := c.Read(context.Background(), c.Files[0], []string{"id"}, 10).ExcludeFlagged(c.Marks[0])
		if s.Next() || !errors.Is(s.Err(), verdict.CopyMarks) {
			t.Errorf("%s: got %v", columns, s.Err())
		}
		if hint := verdict.As(s.Err()).Hint; len(hint) != 1 || !strings.Contains(hint[0], "--ignore-mark") {
			t.Errorf("%s: %q", columns, hint)
		}
		_ = s.Close()
	}
}

func TestMarksOfOtherTools(t *testing.T) {
	for columns, want := range map[string]lakecopy.Mark{
		"id bigint, __op string":                 {Tool: "Debezium", Column: "__op", Kind: lakecopy.Operation, When: lakecopy.WhenDelete},
		"Op string, id bigint":                   {Tool: "AWS DMS", Column: "Op", Kind: lakecopy.Operation, When: lakecopy.WhenDelete},
		"id bigint, ts time, Op string":          {Tool: "AWS DMS", Column: "Op", Kind: lakecopy.Operation, When: lakecopy.WhenDelete},
		"header__change_seq string, id bigint":   {Tool: "Qlik Replicate", Column: "header__change_seq", Kind: lakecopy.Operation},
		"id bigint, _dlt_load_id string":         {Tool: "dlt", Column: "_dlt_load_id", Kind: lakecopy.Bookkeeping},
		"__$operation int, id bigint":            {Tool: "SQL Server CDC", Column: "__$operation", Kind: lakecopy.Operation},
		"id bigint, _airbyte_raw_id string":      {Tool: "Airbyte", Column: "_airbyte_raw_id", Kind: lakecopy.Bookkeeping},
		"id bigint, __START_AT time":             {Tool: "Databricks AUTO CDC", Column: "__START_AT", Kind: lakecopy.Operation},
		"id bigint, _dlt_valid_to time":          {Tool: "dlt", Column: "_dlt_valid_to", Kind: lakecopy.Operation},
		"id bigint, METADATA$ACTION string":      {Tool: "Snowflake stream", Column: "METADATA$ACTION", Kind: lakecopy.Operation},
		"__rowMarker__ int, id bigint":           {Tool: "Fabric open mirroring", Column: "__rowMarker__", Kind: lakecopy.Operation},
		"INFA_OPERATION_TYPE string, id bigint":  {Tool: "Informatica", Column: "INFA_OPERATION_TYPE", Kind: lakecopy.Operation, When: lakecopy.WhenDelete},
		"op_type string, id bigint":              {Tool: "Oracle GoldenGate", Column: "op_type", Kind: lakecopy.Operation, When: lakecopy.WhenDelete},
		"AR_H_OPERATION string, id bigint":       {Tool: "Qlik Replicate", Column: "AR_H_OPERATION", Kind: lakecopy.Operation, When: lakecopy.WhenDelete},
		"id bigint, _is_deleted bool":            {Tool: "CDAP Replication", Column: "_is_deleted", Kind: lakecopy.SoftDelete, When: lakecopy.WhenTrue},
		"id bigint, flow_published_at time":      {Tool: "Estuary", Column: "flow_published_at", Kind: lakecopy.Bookkeeping},
		"id bigint, _rescued_data string":        {Tool: "Auto Loader", Column: "_rescued_data", Kind: lakecopy.Bookkeeping},
		"id bigint, _fivetran_active bool":       {Tool: "Fivetran", Column: "_fivetran_active", Kind: lakecopy.Operation},
		"id bigint, _START_LSN string":           {Tool: "mssql-cdc-pyspark", Column: "_START_LSN", Kind: lakecopy.OwnMetadata},
		"id bigint, SYS_CHANGE_OPERATION string": {Tool: "SQL Server change tracking", Column: "SYS_CHANGE_OPERATION", Kind: lakecopy.Operation},
	} {
		c := mustOpen(t, folder(t, "p.parquet", made(t, columns), "q.parquet", made(t, columns)), lakecopy.Options{})
		want.Path = "p.parquet"
		if !slices.Equal(c.Marks, []lakecopy.Mark{want}) {
			t.Errorf("%s: marks %+v", columns, c.Marks)
		}
	}
	if c := mustOpen(t, folder(t, "p.parquet", made(t, "id bigint, Op int, op string, OP string, deleted bool")), lakecopy.Options{}); len(c.Marks) != 0 {
		t.Errorf("ordinary columns are taken for marks: %+v", c.Marks)
	}
}

func TestChangeFilesAreRecognisedByName(t *testing.T) {
	row := made(t, "id bigint", `{"id":1}`)
	dms := mustOpen(t, folder(t, "dbo/t/LOAD00000001.parquet", row, "dbo/t/20260901-101010123.parquet", row), lakecopy.Options{})
	if len(dms.Marks) != 1 || dms.Marks[0].Tool != "AWS DMS" || dms.Marks[0].Path != "dbo/t/20260901-101010123.parquet" {
		t.Errorf("marks %+v", dms.Marks)
	}
	qlik := mustOpen(t, folder(t, "dbo.t__ct/1.parquet", row), lakecopy.Options{})
	if len(qlik.Marks) != 1 || qlik.Marks[0].Tool != "Qlik Replicate" {
		t.Errorf("marks %+v", qlik.Marks)
	}
	for _, name := range []string{"20141029-1134010000.parquet", "20260901-101010.parquet"} {
		if c := mustOpen(t, folder(t, "LOAD00001.parquet", row, name, row), lakecopy.Options{}); len(c.Marks) != 1 || c.Marks[0].Path != name {
			t.Errorf("%s: marks %+v", name, c.Marks)
		}
	}
	topic := mustOpen(t, folder(t, "topics/t/partition=0/sales.dbo.t+0+0000000042.snappy.parquet", row), lakecopy.Options{})
	if len(topic.Marks) != 1 || topic.Marks[0].Tool != "Kafka Connect" {
		t.Errorf("marks %+v", topic.Marks)
	}
	for _, name := range []string{"20261004-020500.parquet", "20261004-0205.parquet", "2026/20261004-020500123456.parquet"} {
		if c := mustOpen(t, folder(t, name, row), lakecopy.Options{}); len(c.Marks) != 0 {
			t.Errorf("%s, a date and a time of any export: marks %+v", name, c.Marks)
		}
	}
	full := mustOpen(t, folder(t, "LOAD00000001.parquet", row, "LOAD00000002.parquet", row), lakecopy.Options{})
	if len(full.Marks) != 0 {
		t.Errorf("a full load alone is a copy: %+v", full.Marks)
	}
}

func TestTheFlagIsFoundInEverySpelling(t *testing.T) {
	c := mustOpen(t, folder(t,
		"p.parquet", made(t, "id bigint, _fivetran_deleted bool", `{"id":1,"_fivetran_deleted":true}`),
		"q.parquet", made(t, "id bigint, _FIVETRAN_DELETED bool", `{"id":2,"_FIVETRAN_DELETED":true}`, `{"id":3,"_FIVETRAN_DELETED":false}`)), lakecopy.Options{})
	if len(c.Marks) != 1 {
		t.Fatalf("marks %+v", c.Marks)
	}
	if got, excluded := ids(t, c, &c.Marks[0]); !slices.Equal(got, []string{"3"}) || excluded != 2 {
		t.Errorf("kept %v, excluded %d", got, excluded)
	}
}
