package lakecopy_test

import (
	"slices"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

func TestPartitionValuesStayText(t *testing.T) {
	row := made(t, "id bigint", `{"id":1}`)
	m := folder(t,
		"state=01/t=2025-02-19 13%3A00%3A00/p.parquet", row,
		"state=100%/t=a+b/p.parquet", row,
		"state=2A/t=__HIVE_DEFAULT_PARTITION__/p.parquet", row,
		"state=50%25/t=%zz%4/p.parquet", row,
		"state=a%3Db/t=/p.parquet", row)
	c := mustOpen(t, m, lakecopy.Options{})
	var want []map[string]any
	for _, v := range [][2]any{{"01", "2025-02-19 13:00:00"}, {"100%", "a+b"}, {"2A", nil}, {"50%", "%zz%4"}, {"a=b", ""}} {
		want = append(want, map[string]any{"id": "1", "state": v[0], "t": v[1]})
	}
	compareInOrder(t, want, rowsOf(t, c))
	var physical []string
	for _, col := range c.Classes[0].Columns {
		physical = append(physical, col.Name+" "+col.Physical)
	}
	if !slices.Equal(physical, []string{"id INT64", "state PARTITION", "t PARTITION"}) {
		t.Errorf("columns %q", physical)
	}
}

func TestUnevenPartitionsAreRefusedWithBothPaths(t *testing.T) {
	row := made(t, "id bigint", `{"id":1}`)
	refusal(t, folder(t, "year=2024/f.parquet", row, "year=2024/month=12/g.parquet", row), lakecopy.Options{},
		verdict.CopyNotACopy, "year=2024/f.parquet", "year=2024/month=12/g.parquet")
	refusal(t, folder(t, "a=1/f.parquet", row, "b=1/f.parquet", row), lakecopy.Options{}, verdict.CopyNotACopy, "a=1/f.parquet", "b=1/f.parquet")
	refusal(t, folder(t, "a=1/A=2/f.parquet", row), lakecopy.Options{}, verdict.ColumnAmbiguous, "A")
	if c := mustOpen(t, folder(t, "2024/01/f.parquet", row, "2024/g.parquet", row), lakecopy.Options{}); c.Rows != 2 {
		t.Errorf("plain folders: %d rows", c.Rows)
	}
	if c := mustOpen(t, folder(t, "_id=1/f.parquet", row), lakecopy.Options{}); c.Rows != 1 || *c.Files[0].Partition["_id"] != "1" {
		t.Errorf("a partition column that begins with an underscore: %+v", c.Files)
	}
}
