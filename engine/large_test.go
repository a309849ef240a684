package engine_test

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
)

const (
	largeRows   = 1_000_000
	largeFiles  = 4
	largeMemory = 512 << 20
	largeBatch  = 50_000
)

const largeWorld = `{
  "format": 1,
  "server": {"product_version": "16.0.4125.3", "time_zone": "UTC", "now": "2026-10-24T13:00:00Z"},
  "logins": [{"name": "reader", "password": "s3cret", "users": [{"database": "Sales", "select": [{"on": "dbo"}]}]}],
  "databases": [{
    "name": "Sales", "cdc": true, "cleanup": {"retention_minutes": 4320},
    "tables": [{"name": "orders", "primary_key": ["id"],
      "columns": [{"name": "id", "type": "int"}, {"name": "code", "type": "nvarchar(40)"}, {"name": "note", "type": "nvarchar(max)", "nullable": true},
        {"name": "kind", "type": "char(4)"}, {"name": "amount", "type": "decimal(18,4)", "nullable": true}, {"name": "price", "type": "decimal(19,4)"},
        {"name": "qty", "type": "bigint"}, {"name": "rate", "type": "float"}, {"name": "at", "type": "datetime2(6)", "nullable": true},
        {"name": "day", "type": "date"}, {"name": "flag", "type": "bit"}, {"name": "guid", "type": "uniqueidentifier"}], "rows": []}],
    "capture_instances": [{"name": "dbo_orders", "table": "dbo.orders", "start_lsn": "0x10", "created": "2026-10-24T11:00:00"}],
    "lsn_time_mapping": [{"lsn": "0x10", "local_time": "2026-10-24T12:00:00", "idle": true, "repeat": {"count": 60, "every_seconds": 60, "lsn_step": 16}}]
  }]
}`

// largeColumn is a column of the large copy: how the copy has its values, and
// what the target must hold for row i, as text; false is NULL.
type largeColumn struct {
	name   string
	typ    arrow.DataType
	append func(b array.Builder, i int)
	want   func(dst []byte, i int) ([]byte, bool)
}

// scramble is a number that looks random and is the same on every run.
func scramble(i int) uint64 {
	x := uint64(i)*0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019
	x ^= x >> 29
	x *= 0xBF58476D1CE4E5B9
	return x ^ x>>32
}

const largeStart = 1_700_000_000_000_000 // microseconds since 1970

// largePool is text that hardly compresses, for notes to be cut from.
var largePool = sync.OnceValue(func() []byte {
	pool := make([]byte, 0, 4<<20)
	for i := 0; len(pool) < 4<<20-16; i++ {
		pool = strconv.AppendUint(pool, scramble(i), 36)
	}
	return pool
})

func largeText(dst []byte, i int) []byte {
	pool, n := largePool(), 100+int(scramble(i)%300)
	at := int(scramble(i+7) % uint64(len(pool)-n))
	return append(append(dst, pool[at:at+n]...), "ü€"...)
}

func largeGUID(dst []byte, i int, upper bool) []byte {
	text := fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", uint32(scramble(i)), i&0xFFFF, i>>4&0xFFFF, i>>8&0xFFFF, scramble(i+1)&0xFFFFFFFFFFFF)
	if upper {
		text = strings.ToUpper(text)
	}
	return append(dst, text...)
}

func appendDecimal(dst []byte, unscaled int64, scale int) []byte {
	return append(dst, decimal128.FromI64(unscaled).ToString(int32(scale))...)
}

func always(f func(dst []byte, i int) []byte) func([]byte, int) ([]byte, bool) {
	return func(dst []byte, i int) ([]byte, bool) { return f(dst, i), true }
}

// largeColumns need casts: narrowing, padding, rescaling, widening, a zone, a bit, upper case.
func largeColumns() []largeColumn {
	text, amount := arrow.BinaryTypes.String, func(i int) int64 { return int64(scramble(i) % 10_000_000) }
	return []largeColumn{
		{
			"id", arrow.PrimitiveTypes.Int64, func(b array.Builder, i int) { b.(*array.Int64Builder).Append(int64(i)) },
			always(func(dst []byte, i int) []byte { return strconv.AppendInt(dst, int64(i), 10) }),
		},
		{
			"code", text, func(b array.Builder, i int) { b.(*array.StringBuilder).Append("C" + strconv.Itoa(i%5000)) },
			always(func(dst []byte, i int) []byte { return strconv.AppendInt(append(dst, 'C'), int64(i%5000), 10) }),
		},
		{"note", text, func(b array.Builder, i int) {
			if i%10 == 0 {
				b.AppendNull()
				return
			}
			b.(*array.StringBuilder).Append(string(largeText(nil, i)))
		}, func(dst []byte, i int) ([]byte, bool) { return largeText(dst, i), i%10 != 0 }},
		{
			"kind", text, func(b array.Builder, i int) { b.(*array.StringBuilder).Append([]string{"A", "AB", "ABCD"}[i%3]) },
			always(func(dst []byte, i int) []byte { return append(dst, []string{"A   ", "AB  ", "ABCD"}[i%3]...) }),
		},
		{"amount", &arrow.Decimal128Type{Precision: 10, Scale: 2}, func(b array.Builder, i int) {
			if i%7 == 0 {
				b.AppendNull()
				return
			}
			b.(*array.Decimal128Builder).Append(decimal128.FromI64(amount(i)))
		}, func(dst []byte, i int) ([]byte, bool) { return appendDecimal(dst, amount(i)*100, 4), i%7 != 0 }},
		{
			"price", &arrow.Decimal128Type{Precision: 19, Scale: 4}, func(b array.Builder, i int) { b.(*array.Decimal128Builder).Append(decimal128.FromI64(amount(i + 3))) },
			always(func(dst []byte, i int) []byte { return appendDecimal(dst, amount(i+3), 4) }),
		},
		{
			"qty", arrow.PrimitiveTypes.Int32, func(b array.Builder, i int) { b.(*array.Int32Builder).Append(int32(scramble(i))) },
			always(func(dst []byte, i int) []byte { return strconv.AppendInt(dst, int64(int32(scramble(i))), 10) }),
		},
		{
			"rate", arrow.PrimitiveTypes.Float64, func(b array.Builder, i int) { b.(*array.Float64Builder).Append(float64(amount(i)) / 7) },
			always(func(dst []byte, i int) []byte { return strconv.AppendFloat(dst, float64(amount(i))/7, 'g', -1, 64) }),
		},
		{"at", &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, func(b array.Builder, i int) {
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(largeStart + int64(i)*977))
		}, always(func(dst []byte, i int) []byte { return strconv.AppendInt(dst, largeStart+int64(i)*977, 10) })},
		{
			"day", arrow.FixedWidthTypes.Date32, func(b array.Builder, i int) { b.(*array.Date32Builder).Append(arrow.Date32(i % 30000)) },
			always(func(dst []byte, i int) []byte { return strconv.AppendInt(dst, int64(i%30000), 10) }),
		},
		{
			"flag", arrow.PrimitiveTypes.Int32, func(b array.Builder, i int) { b.(*array.Int32Builder).Append(int32(i % 2)) },
			always(func(dst []byte, i int) []byte { return strconv.AppendBool(dst, i%2 == 1) }),
		},
		{
			"guid", text, func(b array.Builder, i int) { b.(*array.StringBuilder).Append(string(largeGUID(nil, i, false))) },
			always(func(dst []byte, i int) []byte { return largeGUID(dst, i, true) }),
		},
	}
}

// largeRecord is rows from up to to of the large copy. The caller releases it.
func largeRecord(from, to int) arrow.Record {
	columns := largeColumns()
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.name, Type: c.typ, Nullable: true}
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for i := from; i < to; i++ {
		for c, col := range columns {
			col.append(b.Field(c), i)
		}
	}
	return b.NewRecord()
}

// largeCopy writes the copy, and answers one hash a column of what the target must hold.
func largeCopy(t *testing.T, k *kit, seed maphash.Seed) []uint64 {
	t.Helper()
	const rows = largeRows / largeFiles
	for f := range largeFiles {
		var recs []arrow.Record
		for from := f * rows; from < (f+1)*rows; from += largeBatch {
			recs = append(recs, largeRecord(from, from+largeBatch))
		}
		k.writeFile(fmt.Sprintf("part-%d.parquet", f), recs...)
		for _, r := range recs {
			r.Release()
		}
	}
	columns := largeColumns()
	sums := make([]uint64, len(columns))
	var text []byte
	for c, col := range columns {
		for i := range largeRows {
			want, there := col.want(text[:0], i)
			sums[c] += cellHash(seed, i, want, there)
			text = want
		}
	}
	return sums
}

// cellHash stands for a value in a row: summed up over a column, in any order of
// rows, it shows a value that is missing, twice there, or in another row.
func cellHash(seed maphash.Seed, id int, text []byte, there bool) uint64 {
	if !there {
		return scramble(id)
	}
	return scramble(id ^ int(maphash.Bytes(seed, text)))
}

// largeSums reads the target back to the same hashes, and counts its rows.
func largeSums(t *testing.T, r store.Reader, seed maphash.Seed) (sums []uint64, rows int) {
	t.Helper()
	snap, err := delta.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	columns := largeColumns()
	sums = make([]uint64, len(columns))
	var place []int
	var text []byte
	for _, add := range snap.Files {
		key, err := add.Key()
		if err != nil {
			t.Fatal(err)
		}
		var of arrow.Record
		eachRow(t, r, key, func(rec arrow.Record, i int) {
			if rec != of {
				of, place = rec, place[:0]
				for _, c := range columns {
					place = append(place, rec.Schema().FieldIndices(c.name)[0])
				}
			}
			id := int(rec.Column(place[0]).(*array.Int32).Value(i))
			rows++
			for c := range columns {
				col := rec.Column(place[c])
				text = cellText(text[:0], col, i)
				sums[c] += cellHash(seed, id, text, col.IsValid(i))
			}
		})
	}
	return sums, rows
}

func cellText(dst []byte, a arrow.Array, i int) []byte {
	switch a := a.(type) {
	case *array.Int32:
		return strconv.AppendInt(dst, int64(a.Value(i)), 10)
	case *array.Int64:
		return strconv.AppendInt(dst, a.Value(i), 10)
	case *array.Float64:
		return strconv.AppendFloat(dst, a.Value(i), 'g', -1, 64)
	case *array.Boolean:
		return strconv.AppendBool(dst, a.Value(i))
	case *array.Date32:
		return strconv.AppendInt(dst, int64(a.Value(i)), 10)
	case *array.Timestamp:
		return strconv.AppendInt(dst, int64(a.Value(i)), 10)
	case *array.Decimal128:
		return append(dst, a.Value(i).ToString(a.DataType().(*arrow.Decimal128Type).Scale)...)
	case *array.String:
		return append(dst, a.Value(i)...)
	}
	return append(dst, a.ValueStr(i)...)
}

// TestAMillionRowsInBoundedMemory seeds in a process of its own, so that its
// memory is the seed's.
func TestAMillionRowsInBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and seeds a million rows")
	}
	if raceDetector {
		t.Skip("the race detector takes several times the memory: the run without it measures")
	}
	k := kitOf(t, largeWorld)
	k.request.CopyTimeZone, k.request.Accept = "UTC", []string{"values_unseen"}
	seed := maphash.MakeSeed()
	from := time.Now()
	want := largeCopy(t, k, seed)
	made := time.Since(from)
	// As on a machine of four cores, and with the limit that the program gives itself.
	c := startChild(t, childOrder{Request: k.request}, "GOMAXPROCS=4", "GOMEMLIMIT=400MiB")
	c.release(t)
	r := c.wait(t)
	if r == nil || r.Err != "" || r.Result.State != engine.Ready || r.Result.Rows != largeRows {
		t.Fatalf("%+v", r)
	}
	from = time.Now()
	got, rows := largeSums(t, k.store(t, k.request.Target), seed)
	t.Logf("copy made in %s, read back in %s", made, time.Since(from))
	if rows != largeRows {
		t.Errorf("%d rows, want %d", rows, largeRows)
	}
	for i, c := range largeColumns() {
		if got[i] != want[i] {
			t.Errorf("column %q does not hold the copy's values", c.name)
		}
	}
	t.Logf("%d rows in %d files, %d MB, in %s: %.0f rows/s; at most %d MB resident", rows, r.Result.Files, r.Result.Bytes>>20,
		r.Took.Round(time.Millisecond), largeRows/r.Took.Seconds(), r.Peak>>20)
	if r.Peak > largeMemory {
		t.Errorf("%d MB of memory, want at most %d", r.Peak>>20, largeMemory>>20)
	}
}
