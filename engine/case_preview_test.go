package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// Case 22: large values that all end at one power of two are told with the keys of
// their rows, and so is what change rows of legacy types carry. Nothing is refused.
func TestCase22CutOffValues(t *testing.T) {
	s := scene{columns: `{"name": "id", "type": "int"}, {"name": "doc", "type": "nvarchar(max)", "nullable": true}, {"name": "old", "type": "text", "nullable": true}`}
	for _, check := range []string{"", engine.CheckAll} {
		bothReadings(t, "check "+check, s, func(k *kit) {
			k.request.Check = check
			k.dropCopy()
			sc := arrow.NewSchema([]arrow.Field{field("id", int32s), field("doc", texts), field("old", texts)}, nil)
			b := array.NewRecordBuilder(memory.DefaultAllocator, sc)
			defer b.Release()
			for i := range 1000 {
				n := i % 700
				if i%25 == 3 {
					n = 32768
				}
				b.Field(0).(*array.Int32Builder).Append(int32(i + 1))
				b.Field(1).(*array.StringBuilder).Append(strings.Repeat("d", n))
				b.Field(2).(*array.StringBuilder).Append("x")
			}
			rec := b.NewRecord()
			defer rec.Release()
			k.writeFile("a.parquet", rec)
			p, err := k.build()
			k.must(err)
			var cut []verdict.Check
			for _, c := range p.Checks {
				if c.Code == verdict.CutOffText {
					cut = append(cut, c)
				}
			}
			if len(cut) != 1 || cut[0].Text != `40 values of "doc" end at exactly 32,768: cut off by the copying tool?` || len(p.Stops) != 0 {
				k.t.Fatalf("%+v, stops %v", cut, p.Stops)
			}
			if got, want := fmt.Sprint(cut[0].Facts), "[{doc a.parquet row 4, id 4} {doc a.parquet row 29, id 29} {doc a.parquet row 54, id 54} {doc a.parquet row 79, id 79} {doc a.parquet row 104, id 104}]"; got != want {
				k.t.Errorf("the first of them: %s, want %s", got, want)
			}
			note := p.Columns.Columns[2].Rules[0].Note
			if !strings.Contains(note, "deletes") || !strings.Contains(note, "before-images") || !strings.Contains(note, "NULL") {
				k.t.Errorf("the note of a text column: %q", note)
			}
			k.request.Accept = []string{"cut_off_text"}
			r, err := k.seed()
			k.must(err)
			if r.Rows != 1000 {
				k.t.Errorf("%d rows written", r.Rows)
			}
		})
	}
}

// previewOf is what the preview of a copy with one more column counted of it.
func previewOf(k *kit, typ arrow.DataType, values ...string) cast.ColumnReport {
	k.t.Helper()
	var rows []string
	for i, v := range values {
		rows = append(rows, fmt.Sprintf(`{"id": %d, "t": %q}`, i+1, v))
	}
	k.newCopy([]arrow.Field{field("id", int32s), field("t", typ)}, "["+strings.Join(rows, ",")+"]")
	return k.preview()
}

func (k *kit) preview() cast.ColumnReport {
	k.t.Helper()
	p, err := k.build()
	k.must(err)
	return p.Preview.Report.Columns["t"]
}

// units writes a copy whose column t holds 64-bit numbers of a unit of time, nil
// for NULL: our own writer has no nanoseconds and no times of day.
func (k *kit) units(logical pqschema.LogicalType, values ...any) {
	k.t.Helper()
	node := pqschema.Must(pqschema.NewPrimitiveNodeLogical("t", parquet.Repetitions.Optional, logical, parquet.Types.Int64, -1, -1))
	id := pqschema.NewInt32Node("id", parquet.Repetitions.Required, -1)
	var buf bytes.Buffer
	w := file.NewParquetWriter(&buf, pqschema.MustGroup(pqschema.NewGroupNode("schema", parquet.Repetitions.Required, pqschema.FieldList{id, node}, -1)))
	g := w.AppendRowGroup()
	var ids []int32
	var there []int64
	var levels []int16
	for i, v := range values {
		ids = append(ids, int32(i+1))
		n, ok := v.(int)
		if !ok {
			levels = append(levels, 0)
			continue
		}
		there, levels = append(there, int64(n)), append(levels, 1)
	}
	first, err := g.NextColumn()
	k.must(err)
	_, err = first.(*file.Int32ColumnChunkWriter).WriteBatch(ids, nil, nil)
	k.must(errors.Join(err, first.Close()))
	second, err := g.NextColumn()
	k.must(err)
	_, err = second.(*file.Int64ColumnChunkWriter).WriteBatch(there, levels, nil)
	k.must(errors.Join(err, second.Close(), g.Close(), w.Close()))
	k.dropCopy()
	k.putCopy("a.parquet", buf.String())
}

// samplesOf are an effect's samples with their places.
func samplesOf(c cast.ColumnReport, e cast.Effect) string {
	var out []string
	for _, s := range c.Samples[e] {
		out = append(out, fmt.Sprintf("%s -> %s (%s)", s.Before, s.After, s.Where()))
	}
	return strings.Join(out, "; ")
}

// Case 34: nanoseconds are cut to the stream's microseconds toward the past, counted
// and written alike; NaT is NULL.
func TestCase34Nanoseconds(t *testing.T) {
	s := scene{columns: `{"name": "id", "type": "int"}, {"name": "t", "type": "datetime2(7)", "nullable": true}`}
	bothReadings(t, "nanoseconds", s, func(k *kit) {
		const second = 1_767_225_600_000_000_000 // 2026-01-01T00:00:00
		k.units(pqschema.NewTimestampLogicalType(false, pqschema.TimeUnitNanos), second+123_456_700, second+123_456_000, nil, -100)
		got := k.preview()
		if got.Of(cast.SubMicro) != 2 || got.Unchanged != 1 || got.Changed != 2 || got.Nulls != 1 || got.Refused != 0 || got.Values != 4 {
			k.t.Errorf("counted %+v", got)
		}
		want := "2026-01-01T00:00:00.1234567 -> 2026-01-01T00:00:00.123456 (a.parquet row 1, id 1); 1969-12-31T23:59:59.9999999 -> 1969-12-31T23:59:59.999999 (a.parquet row 4, id 4)"
		if at := samplesOf(got, cast.SubMicro); at != want {
			k.t.Errorf("samples\n%s\nwant\n%s", at, want)
		}
		r, err := k.seed()
		k.must(err)
		if d := cast.Differences(cast.Report{Columns: map[string]cast.ColumnReport{"t": got}}, cast.Report{Columns: map[string]cast.ColumnReport{"t": r.Report.Columns["t"]}}); d != nil {
			k.t.Errorf("written otherwise: %+v", d)
		}
	})
}

// Case 41: times of day come as text in the stream's form from all that copies hold;
// missing digits are counted, and the date of a timestamp has to be one and the same.
func TestCase41TimesOfDay(t *testing.T) {
	s := scene{columns: `{"name": "id", "type": "int"}, {"name": "t", "type": "time(7)", "nullable": true}`}
	stamp := &arrow.TimestampType{Unit: arrow.Microsecond}
	for _, c := range []struct {
		name   string
		count  func(*kit) cast.ColumnReport
		after  string
		digits float64
	}{
		{"time in microseconds", func(k *kit) cast.ColumnReport {
			k.units(pqschema.NewTimeLogicalType(false, pqschema.TimeUnitMicros), 45_296_123_456)
			return k.preview()
		}, "12:34:56.123456000", 1},
		{"timestamp of 1900", func(k *kit) cast.ColumnReport { return previewOf(k, stamp, "1900-01-01 12:34:56.123456") }, "12:34:56.123456000", 1},
		{"text with fewer digits", func(k *kit) cast.ColumnReport { return previewOf(k, texts, "12:34:56") }, "12:34:56.000000000", 7},
	} {
		bothReadings(t, c.name, s, func(k *kit) {
			got := c.count(k)
			if got.Of(cast.Shortened) != 1 || got.Unchanged != 1 || got.Refused != 0 || len(got.Samples[cast.Shortened]) != 1 {
				k.t.Fatalf("counted %+v", got)
			}
			if s := got.Samples[cast.Shortened][0]; s.After != c.after || s.Loss != c.digits {
				k.t.Errorf("%+v, want %s with %v digits missing", s, c.after, c.digits)
			}
		})
	}
	bothReadings(t, "two dates", s, func(k *kit) {
		got := previewOf(k, stamp, "1900-01-01 12:34:56", "1970-01-02 12:34:56")
		if got.Of(cast.DatesDiffer) != 1 || got.Refused != 1 || got.Unchanged != 1 {
			k.t.Errorf("counted %+v", got)
		}
		if at := samplesOf(got, cast.DatesDiffer); !strings.Contains(at, "1970-01-02T12:34:56") || !strings.Contains(at, "a.parquet row 2, id 2") {
			k.t.Errorf("samples %s", at)
		}
	})
	// Each file by itself has one date: only together they show that it meant something.
	bothReadings(t, "two dates in two files", s, func(k *kit) {
		got := previewOf(k, stamp, "1900-01-01 12:34:56")
		if got.Refused != 0 {
			k.t.Errorf("one file: %+v", got)
		}
		k.writeFile("b.parquet", recordOf(k.t, []arrow.Field{field("id", int32s), field("t", stamp)}, `[{"id": 2, "t": "1970-01-02 12:34:56"}]`))
		p, err := k.build()
		k.must(err)
		if err := p.Refusal(); !isCode(err, verdict.ValueRefused) || !strings.Contains(err.Error(), "1 of another date than the first") {
			k.t.Errorf("refused with %v", err)
		}
	})
}
