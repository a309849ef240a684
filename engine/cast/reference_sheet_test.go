package cast_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// sheet is one column to be cast by a kernel and by its reference.
type sheet struct {
	from          schema.CopyColumn
	to            schema.TargetColumn
	rule          cast.Rule
	array         arrow.DataType
	slots         []slot
	before, after int // values around the batch in a larger array
	split         int // the batch goes in two parts: of 256ths, where this one ends
	shape, wild   int // of a longer batch
	mem           memory.Allocator
}

// read makes a sheet from a fuzz input, false where the types have no cast.
func (g group) read(data []byte) (*sheet, bool) {
	t := &tape{rest: data}
	h := t.header()
	src, dst := g.sources[h.source%len(g.sources)], g.targets[h.target%len(g.targets)]
	s := &sheet{from: src.column(h.sourceA, h.sourceB)}
	s.from.Name = "C"
	sql := dst.column(h.targetA, h.targetB)
	if h.bare {
		sql.AnsiPad = false
	}
	typ, err := sql.Target()
	if err != nil {
		return nil, false
	}
	s.to = schema.TargetColumn{Name: "c", Type: typ, SQL: sql, Nullable: !h.notNull}
	code, ok := cast.Pair(s.from, s.to)
	if !ok {
		return nil, false
	}
	s.rule = cast.Rule{Class: "c1", From: "C", FromType: s.from.String(), Source: &s.from, Code: code}
	s.rule.Legacy = h.legacy && hasCalendar(s.from)
	zones := append([]string{""}, g.zones...)
	s.rule.Zone = zones[int(h.zone)%len(zones)]
	answers := append([]cast.Answer{""}, s.rule.Choices(s.to)...)
	s.rule.Answer = answers[int(h.answer)%len(answers)]
	arrays := src.arrays(s.from)
	s.array = arrays[int(h.array)%len(arrays)]
	s.slots = t.values(src, s.from)
	s.before, s.after = int(h.before)%80, int(h.after)%20
	s.split, s.shape, s.wild = int(h.split), int(h.shape), int(h.wild)
	return s, true
}

// hasCalendar reports whether old writers counted a column's days by the Julian
// calendar: they never did so with times without zone.
func hasCalendar(c schema.CopyColumn) bool {
	return c.Logical == "DATE" || c.Logical == "TIMESTAMP" && c.UTC || c.Physical == "INT96"
}

func (s *sheet) String() string {
	return fmt.Sprintf("%s (%s, legacy %v, zone %q) to %s nullable %v ANSI %v, answer %q, cast %s", s.from, s.array, s.rule.Legacy, s.rule.Zone, s.to.SQL, s.to.Nullable, s.to.SQL.AnsiPad, s.rule.Answer, s.rule.Code)
}

// wide is a batch, a slot for each row, among other values, with rubbish in the
// slots of its NULLs; it begins at the place given.
func (s *sheet) wide(rows []int) (all arrow.Array, begin int) {
	var list []slot
	around := func(n int) {
		for i := range n {
			x := s.slots[(i*5+1)%len(s.slots)]
			list = append(list, slot{v: x.v, null: i%3 == 0})
		}
	}
	if len(s.slots) > 0 {
		around(s.before)
	}
	begin = len(list)
	for _, r := range rows {
		list = append(list, s.slots[r])
	}
	if len(s.slots) > 0 {
		around(s.after)
	}
	return s.arrayOf(list), begin
}

// arrayOf makes an array with values in all slots, and NULL where slots say so.
func (s *sheet) arrayOf(all []slot) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, s.array)
	defer b.Release()
	nulls := 0
	valid := make([]byte, bitutil.BytesForBits(int64(len(all))))
	for i, x := range all {
		s.append(b, x.v)
		bitutil.SetBitTo(valid, i, !x.null)
		if x.null {
			nulls++
		}
	}
	full := b.NewArray()
	defer full.Release()
	d := full.Data()
	bufs := append([]*memory.Buffer{nil}, d.Buffers()[1:]...)
	if nulls > 0 {
		bufs[0] = memory.NewBufferBytes(valid)
	}
	var data *array.Data
	if dict, ok := full.(*array.Dictionary); ok {
		data = array.NewDataWithDictionary(s.array, len(all), bufs, nulls, 0, dict.Dictionary().Data().(*array.Data))
	} else {
		data = array.NewData(s.array, len(all), bufs, nil, nulls, 0)
	}
	defer data.Release()
	return array.MakeFromData(data)
}

func (s *sheet) append(b array.Builder, v any) {
	switch b := b.(type) {
	case *array.Float16Builder:
		b.Append(float16.FromBits(halfBits(v.(float64))))
	case *array.Decimal128Builder:
		b.Append(decimal128.FromBigInt(v.(*big.Int)))
	case *array.Decimal256Builder:
		b.Append(decimal256.FromBigInt(v.(*big.Int)))
	case *array.LargeStringBuilder:
		b.Append(v.(string))
	case *array.BinaryBuilder:
		b.Append([]byte(v.(string)))
	case *array.BinaryDictionaryBuilder:
		if err := b.AppendString(v.(string)); err != nil {
			panic(err)
		}
	case *array.Int64Builder:
		b.Append(v.(*big.Int).Int64())
	case *array.Uint64Builder:
		b.Append(v.(*big.Int).Uint64())
	default:
		switch x := v.(type) {
		case *big.Int:
			v = int(x.Int64())
		case int64:
			v = int(x)
		}
		appendTo(b, v)
	}
}

// check casts the batch as it is, and a longer one, and compares them with the
// reference, value by value and count by count.
func (s *sheet) check(t *testing.T) {
	t.Helper()
	j := newJudge(s)
	all := make([]int, len(s.slots))
	for i := range all {
		all[i] = i
	}
	s.checkRows(t, j, all, len(all)*s.split/256)
	if rows := s.longer(j); len(rows) > 0 {
		s.checkRows(t, j, rows, s.parts(len(rows))...)
	}
}

// longRows is how many rows a longer batch has: more than kernels take at a
// time, so that they meet what they have met before.
const (
	longRows = 2_200
	shapes   = 5
)

// longer repeats the batch's values: of shape 0, those that are written and
// NULLs; of shape 1, without NULLs; of shape 2, with one of all values among them;
// of shape 3, all of them; of shape 4, each a few times by itself, when there
// are too few to a batch for some to decide how the others are taken.
func (s *sheet) longer(j *judge) []int {
	var from []int
	for i, x := range s.slots {
		o := j.outcomes[i]
		if shape := s.shape % shapes; shape >= 3 || o.out != nil || shape != 1 && x.null && o.reason == "" {
			from = append(from, i)
		}
	}
	if len(from) == 0 {
		return nil
	}
	rows := make([]int, longRows)
	if s.shape%shapes == shapes-1 {
		rows = make([]int, 3*len(from))
	}
	for i := range rows {
		rows[i] = from[i%len(from)]
	}
	if s.shape%shapes == 2 {
		rows[s.wild*8] = s.wild % len(s.slots)
	}
	return rows
}

// parts are where a longer batch is parted: once, or at every row.
func (s *sheet) parts(rows int) []int {
	if s.shape%shapes != shapes-1 {
		return []int{rows * s.split / 256}
	}
	out := make([]int, rows)
	for i := range out {
		out[i] = i
	}
	return out
}

// checkRows casts rows as one batch after the other, parted at the places given.
func (s *sheet) checkRows(t *testing.T, j *judge, rows []int, parts ...int) {
	t.Helper()
	wide, begin := s.wide(rows)
	defer wide.Release()
	untouched := snapshot(wide)
	m := &cast.Mapping{Columns: []cast.ColumnPlan{{Target: s.to, Rules: []cast.Rule{s.rule}}}}
	k, err := m.Preview("c1", locate)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	if s.mem != nil {
		k.UseAllocator(s.mem)
	}
	from := 0
	for _, to := range append(parts, len(rows)) {
		src := array.NewSlice(wide, int64(begin+from), int64(begin+to))
		rec := array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: "C", Type: s.array, Nullable: true}}, nil), []arrow.Array{src}, int64(src.Len()))
		out, err := k.Cast(rec, cast.Place{File: "f", FirstRow: int64(from)})
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		s.compare(t, j, out[0], rows[from:to])
		from = to
		out[0].Release()
		rec.Release()
		src.Release()
	}
	j.compare(t, rows, k.Report().Columns["c"])
	if !bytes.Equal(untouched, snapshot(wide)) {
		t.Errorf("%s: the cast wrote into the values that it read", s)
	}
}

// snapshot is every byte of an array.
func snapshot(a arrow.Array) []byte {
	var out []byte
	for _, b := range a.Data().Buffers() {
		if b != nil {
			out = append(out, b.Bytes()...)
		}
	}
	return out
}

// compare holds what was made of rows against the reference. Of a long batch
// that is wrong throughout, it shows the first faults.
func (s *sheet) compare(t *testing.T, j *judge, out arrow.Array, rows []int) {
	t.Helper()
	if want := cast.ArrowType(s.to.Type); !arrow.TypeEqual(out.DataType(), want) || out.Len() != len(rows) {
		t.Fatalf("%s: made %d of %s, want %d of %s", s, out.Len(), out.DataType(), len(rows), want)
	}
	nulls, faults := 0, 0
	for i, r := range rows {
		want := j.outcomes[r]
		got := written(out, i)
		if got == nil {
			nulls++
		}
		if !sameValue(got, want.out) {
			if faults++; faults <= 5 {
				t.Errorf("%s: row %d of %d:\n%s became %v, the reference has %v (%v, reason %q)", s, i, len(rows), slotText(s.slots[r]), got, want.out, want.notes, want.reason)
			}
		}
	}
	if out.NullN() != nulls {
		t.Errorf("%s: the array says that %d values are NULL, %d are", s, out.NullN(), nulls)
	}
}

func sameValue(a, b any) bool {
	if x, is := a.(*big.Int); is {
		y, both := b.(*big.Int)
		return both && x.Cmp(y) == 0
	}
	return a == b
}

func slotText(x slot) string {
	if x.null {
		return "NULL"
	}
	switch v := x.v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case float64:
		return fmt.Sprintf("%v (%x)", v, v)
	}
	return fmt.Sprint(x.v)
}

// written is a value of a cast's array in the reference's terms: *big.Int of
// whole numbers, unscaled decimals, days and microseconds, the bits of
// floating-point numbers, bool, or quoted text; nil is NULL.
func written(a arrow.Array, i int) any {
	if a.IsNull(i) {
		return nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		return a.Value(i)
	case *array.Int16:
		return big.NewInt(int64(a.Value(i)))
	case *array.Int32:
		return big.NewInt(int64(a.Value(i)))
	case *array.Int64:
		return big.NewInt(a.Value(i))
	case *array.Float32:
		return math.Float64bits(float64(a.Value(i)))
	case *array.Float64:
		return math.Float64bits(a.Value(i))
	case *array.Decimal128:
		return a.Value(i).BigInt()
	case *array.Date32:
		return big.NewInt(int64(a.Value(i)))
	case *array.Timestamp:
		return big.NewInt(int64(a.Value(i)))
	case *array.String:
		return fmt.Sprintf("%q", a.Value(i))
	case *array.Binary:
		return fmt.Sprintf("%q", a.Value(i))
	}
	panic(a.DataType().String())
}
