package engine_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
)

// Which date of a file is its first only its beginning tells, so that a sample of
// times made from timestamps is of the beginning. What it says, looking at every
// value and writing say too.
func TestASampleOfTimesKnowsTheFirstDate(t *testing.T) {
	const rows, another = 60_000, 43_000
	k := withoutCopy(t, idAnd("at", "time(6)"))
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{field("id", int32s), field("at", wall)}, nil))
	defer b.Release()
	const day = int64(86_400_000_000)
	for r := range rows {
		date := int64(-25_567) // 1900-01-01
		if r >= another {
			date += 2
		}
		b.Field(0).(*array.Int32Builder).Append(int32(r))
		b.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(date*day + int64(r)))
	}
	rec := b.NewRecord()
	defer rec.Release()
	k.writeGroups("a.parquet", rec, 3)
	k.request.Cast = map[string]string{"at": "null"}
	for _, check := range []string{"sample", "all"} {
		k.request.Check = check
		p, err := k.build()
		k.must(err)
		if p.Refusal() != nil {
			t.Fatalf("--check %s: %v", check, p.Refusal())
		}
		c := p.Preview.Report.Columns["at"]
		switch {
		case check == "all" && (c.Values != rows || c.ToNull != rows-another || c.Of(cast.DatesDiffer) != rows-another):
			t.Errorf("every value: %+v", c)
		case check == "sample" && (c.Values == 0 || c.Values >= rows || c.Refused != 0 || p.Preview.Depth != "sample"):
			t.Errorf("sample: %+v", c)
		}
	}
}
