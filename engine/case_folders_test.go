package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/verdict"
)

// Case 14: the root of a Delta table, or a folder inside it, given as Parquet.
func TestCase14DeltaRootAsParquet(t *testing.T) {
	made := func(t *testing.T) *kit {
		k := kitIn(t, scene{})
		k.deltaCopy(nil)
		k.appendRows("copy", `[{"id": 1}, {"id": 2}, {"id": 3}]`)
		_, snap := k.snapshot("copy")
		gone := snap.Files[0].Path
		k.appendRows("copy", `[{"id": 1}, {"id": 3}]`)
		k.place(fmt.Sprintf(`{"commitInfo": {"timestamp": %d, "operation": "DELETE"}}
{"remove": {"path": %q, "deletionTimestamp": 1, "dataChange": true}}
`, int64(someTime)/1000, gone), "copy", "_delta_log", "00000000000000000003.json")
		k.request.AsOf = lsnAt(0)
		k.request.AllowAsOfAfterCopy = true
		return k
	}
	made(t).writes([]string{"id"}, "1", "3")
	k := made(t)
	k.moreCopy("day=1/b.parquet", []arrow.Field{field("id", int32s), field("name", texts), field("amount", cents)}, `[{"id": 9}]`)
	k.request.Copy = k.path("copy", "day=1")
	k.refusedAs(verdict.CopyNotACopy, "inside a Delta table", "--copy "+k.path("copy"))
	k.request.Copy = k.path("copy", "day=1", "b.parquet") // and a file of it
	k.refusedAs(verdict.CopyNotACopy, "inside a Delta table", "--copy "+k.path("copy"))
}

// Case 14: the roots of Iceberg and Hudi tables, and folders inside them.
func TestCase14OtherTableFormats(t *testing.T) {
	for format, files := range map[string][]string{
		"Apache Iceberg": {"metadata/00000-5f2c.metadata.json", "data/a.parquet", "data"},
		"Apache Hudi":    {".hoodie/hoodie.properties", "day=1/a.parquet", "day=1"},
	} {
		for _, root := range []string{"", "db/orders/"} {
			k := withoutCopy(t, scene{})
			k.place("{}", append([]string{"copy"}, strings.Split(root+files[0], "/")...)...)
			k.writeCopy(root+files[1], orders(3))
			k.refusedAs(verdict.CopyNotACopy, format, "plain Parquet files")
			k.request.Copy = k.path("copy", root, files[2])
			k.refusedAs(verdict.CopyNotACopy, "lies inside an "+format+" table", "plain Parquet files")
		}
	}
}

// Case 18: the captured type decides what a partition folder's value is.
func TestCase18HivePartitionValues(t *testing.T) {
	k := withoutCopy(t, idAnd("state", "char(2)"))
	for i, state := range []string{"01", "10", "2A"} {
		k.moreCopy("state="+state+"/a.parquet", []arrow.Field{field("id", int32s)}, fmt.Sprintf(`[{"id": %d}]`, i+1))
	}
	p := k.writes([]string{"id", "state"}, "1 01", "2 10", "3 2A")
	if note := p.Columns.Columns[1].Rules[0].Note; !strings.Contains(note, "stand for NULL and for empty text alike") {
		t.Errorf("the plan does not say what the default partition is: %q", note)
	}
	k = withoutCopy(t, idAnd("hour", "smallint"))
	for i, hour := range []string{"00", "07", "23", "__HIVE_DEFAULT_PARTITION__"} {
		k.moreCopy("hour="+hour+"/a.parquet", []arrow.Field{field("id", int32s)}, fmt.Sprintf(`[{"id": %d}]`, i+1))
	}
	k.writes([]string{"id", "hour"}, "1 0", "2 7", "3 23", "4 NULL")
}

// Case 18 for every captured type that a folder's name can carry.
func TestCase18EveryTypeInAFolder(t *testing.T) {
	for _, c := range []struct{ sql, folder, want string }{
		{"bit", "true", "true"},
		{"bit", "0", "false"},
		{"tinyint", "255", "255"},
		{"int", "-07", "-7"},
		{"bigint", "9223372036854775807", "9223372036854775807"},
		{"real", "1.5", "1.5"},
		{"float", "1e3", "1000"},
		{"decimal(10,2)", "007.50", "7.50"},
		{"money", "1.2345", "1.2345"},
		{"date", "2025-02-19", "2025-02-19"},
		{"datetime", "2025-02-19 13%3A00%3A00.857", "2025-02-19T13:00:00.857"},
		{"datetime2(7)", "2025-02-19T13%3A00%3A00", "2025-02-19T13:00:00"},
		{"smalldatetime", "2025-02-19 13%3A01%3A00.0", "2025-02-19T13:01:00"},
		{"datetimeoffset(7)", "2025-02-19 13%3A00%3A00%2B02%3A00", "2025-02-19T11:00:00Z"},
		{"time(7)", "13%3A00%3A00", "13:00:00.000000000"},
		{"uniqueidentifier", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "6F9619FF-8B86-D011-B42D-00C04FC964FF"},
		{"char(4)", "01", `"01  "`},
		{"nchar(2)", "%C3%A9", `"é "`},
		{"varchar(9)", "", ""},
		{"nvarchar(9)", "a=b", "a=b"},
		{"rowversion", "0x00000000000007D1", "0x00000000000007D1"},
	} {
		k := withoutCopy(t, idAnd("p", c.sql))
		k.moreCopy("p="+c.folder+"/a.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 1}]`)
		if c.want == "" {
			c.want = `""`
		}
		k.writes([]string{"id", "p"}, "1 "+c.want)
	}
	for sql, folder := range map[string]string{"smallint": "2A", "bit": "", "date": "2025-2-30", "uniqueidentifier": "x"} {
		k := withoutCopy(t, idAnd("p", sql))
		k.moreCopy("p="+folder+"/a.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 1}]`)
		k.refusedAs(verdict.ValueRefused, `"p"`, "cannot be read", "a.parquet row 1")
	}
}

// Case 20: marker files, files of no bytes and files of no rows.
func TestCase20FilesThatAreNoData(t *testing.T) {
	made := func(t *testing.T) *kit {
		k := withoutCopy(t, scene{})
		for _, name := range []string{"_SUCCESS", ".part-0.parquet.crc", "_committed_123", "part-3.parquet.tmp"} {
			k.place("", "copy", name)
		}
		return k
	}
	k := made(t)
	k.writeCopy("part-0.parquet", orders(2))
	k.writeCopy("part-1.parquet", nil)
	k.place("", "copy", "part-2.parquet")
	k.refusedAs(verdict.CopyUnreadable, "part-2.parquet", "no bytes", "broke off")
	k.must(os.Remove(k.path("copy", "part-2.parquet")))
	p := k.writes([]string{"id"}, "1", "2")
	if got := fmt.Sprint(p.Copy.Skipped); got != "[.part-0.parquet.crc _SUCCESS _committed_123 part-3.parquet.tmp]" || p.Copy.Files != 2 {
		t.Errorf("passed over %s of %d files", got, p.Copy.Files)
	}
	k = withoutCopy(t, scene{})
	k.place("", "copy", "_SUCCESS")
	k.refusedAs(verdict.CopyNotACopy, "no data files", "_SUCCESS")
	k = made(t)
	k.writeCopy("part-1.parquet", nil)
	k.refusedAs(verdict.CopyEmpty, "no rows")
}

// Case 38: partition values with escapes, and folders of uneven depth.
func TestCase38EscapedPartitionValues(t *testing.T) {
	k := withoutCopy(t, idAnd("region", "nvarchar(20)"))
	for i, region := range []string{"a%3Db", "50%25", "100%", "%", "%2", "%zz", "caf%C3%A9", "+"} {
		k.moreCopy("region="+region+"/a.parquet", []arrow.Field{field("id", int32s)}, fmt.Sprintf(`[{"id": %d}]`, i+1))
	}
	k.writes([]string{"id", "region"}, "1 a=b", "2 50%", "3 100%", "4 %", "5 %2", "6 %zz", "7 café", "8 +")
	k = withoutCopy(t, idAnd("t", "datetime2(0)"))
	k.moreCopy("t=2025-02-19 13%3A00%3A00/a.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 1}]`)
	k.writes([]string{"id", "t"}, "1 2025-02-19T13:00:00")
	k = withoutCopy(t, scene{columns: `{"name": "id", "type": "int"}, {"name": "year", "type": "smallint"}, {"name": "month", "type": "tinyint", "nullable": true}`})
	k.moreCopy("year=2024/f.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 1}]`)
	k.moreCopy("year=2024/month=12/g.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 2}]`)
	k.refusedAs(verdict.CopyNotACopy, "year=2024/f.parquet", "year=2024/month=12/g.parquet")
	k = withoutCopy(t, idAnd("region", "nvarchar(20)"))
	k.moreCopy("region=caf%E9/a.parquet", []arrow.Field{field("id", int32s)}, `[{"id": 1}]`)
	k.refusedAs(verdict.ValueRefused, "region", "1 not UTF-8 text", "a.parquet row 1")
}

// A partition column that stands in the files too must say the same there.
func TestCase18PartitionColumnInTheFileToo(t *testing.T) {
	made := func(t *testing.T, state string) *kit {
		k := withoutCopy(t, idAnd("state", "char(2)"))
		k.moreCopy("state=01/a.parquet", []arrow.Field{field("id", int32s), field("STATE", texts)}, fmt.Sprintf(`[{"id": 1, "STATE": %q}]`, state))
		return k
	}
	made(t, "01").writes([]string{"id", "state"}, "1 01")
	made(t, "02").refusedAs(verdict.ColumnAmbiguous, "state", "02", "01", "state=01/a.parquet")
}
