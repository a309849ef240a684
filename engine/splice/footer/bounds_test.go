package footer_test

import (
	"encoding/binary"
	"math/big"
	"testing"

	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// The fields of a chunk's statistics.
const (
	oldMax   = 1
	oldMin   = 2
	nullsOf  = 3
	newMax   = 5
	newMin   = 6
	maxExact = 7
	minExact = 8
)

func statistics(f *footer.Footer, group, leaf int) *thrift.Struct {
	_, meta := chunkOf(f, group, leaf)
	return meta.Struct(12)
}

// told is what the made file's footer tells of a column after an edit.
func told(t *testing.T, leaf int, typ schema.Type, edit func(*footer.Footer)) (nulls int64, low, high string) {
	t.Helper()
	got := read(t, edited(t, made(t), edit)).Column(leaf, "c", typ)
	return got.Nulls, got.Low, got.High
}

func nothing(*footer.Footer) {}

func both(leaf int, edit func(s *thrift.Struct)) func(*footer.Footer) {
	return func(f *footer.Footer) {
		for g := range f.Groups() {
			edit(statistics(f, g, leaf))
		}
	}
}

func TestWhatAFooterTells(t *testing.T) {
	for name, c := range map[string]struct {
		leaf      int
		typ       schema.Type
		edit      func(*footer.Footer)
		nulls     int64
		low, high string
	}{
		"whole numbers":  {colID, schema.Type{Kind: schema.Long}, nothing, 10, "-20", "79"},
		"small ones":     {colSmall, schema.Type{Kind: schema.Integer}, nothing, 10, "0", "3"},
		"annotated":      {colSmall, schema.Type{Kind: schema.Short}, nothing, 10, "0", "3"},
		"text":           {colText, schema.Type{Kind: schema.String}, nothing, 10, `"text 000"`, `"text 099"`},
		"bytes":          {colText, schema.Type{Kind: schema.Binary}, nothing, 10, "", ""},
		"days":           {colDay, schema.Type{Kind: schema.Date}, nothing, 10, `"1970-01-01"`, `"1997-02-08"`},
		"instants":       {colAt, schema.Type{Kind: schema.Timestamp}, nothing, 10, `"1970-01-01T00:00:00.000Z"`, `"1970-01-01T00:01:39.001Z"`},
		"wall clocks":    {colAt, schema.Type{Kind: schema.TimestampNTZ}, nothing, 10, `"1970-01-01T00:00:00.000"`, `"1970-01-01T00:01:39.001"`},
		"decimals":       {colPrice, schema.DecimalOf(9, 2), nothing, 10, "-1.00", "5.93"},
		"wider decimals": {colPrice, schema.DecimalOf(18, 2), nothing, 10, "-1.00", "5.93"},
		"other scale":    {colPrice, schema.DecimalOf(18, 4), nothing, 10, "", ""},
		"decimal bytes":  {colWide, schema.DecimalOf(30, 4), nothing, 10, "-1000000.0000", "8900000.0693"},
		"floats":         {colReal, schema.Type{Kind: schema.Double}, nothing, 10, "", ""},
		"booleans":       {colFlag, schema.Type{Kind: schema.Boolean}, nothing, 10, "false", "true"},
		"only nulls":     {colNothing, schema.Type{Kind: schema.Integer}, nothing, 100, "", ""},
		"another kind":   {colID, schema.Type{Kind: schema.String}, nothing, 10, "", ""},

		"a count is missing": {
			colID,
			schema.Type{Kind: schema.Long},
			func(f *footer.Footer) { statistics(f, 1, colID).Delete(nullsOf) }, -1, "-20", "79",
		},
		"a count below zero":    {colID, schema.Type{Kind: schema.Long}, set(colID, nullsOf, thrift.Int64(-1)), -1, "-20", "79"},
		"a count beyond values": {colID, schema.Type{Kind: schema.Long}, set(colID, nullsOf, thrift.Int64(51)), -1, "-20", "79"},
		"no statistics at all": {colID, schema.Type{Kind: schema.Long}, func(f *footer.Footer) {
			_, meta := chunkOf(f, 0, colID)
			meta.Delete(12)
		}, -1, "", ""},
		"a bound is missing": {
			colID,
			schema.Type{Kind: schema.Long},
			func(f *footer.Footer) { statistics(f, 1, colID).Delete(newMin, oldMin) }, 10, "", "",
		},
		"one group is all null": {colID, schema.Type{Kind: schema.Long}, func(f *footer.Footer) {
			s := statistics(f, 1, colID)
			s.Set(nullsOf, thrift.Int64(50))
			s.Delete(newMin, newMax, oldMin, oldMax)
		}, 55, "-20", "29"},
		"a bound too short":    {colID, schema.Type{Kind: schema.Long}, set(colID, newMin, thrift.Bytes([]byte{1, 2, 3, 4})), 10, "", ""},
		"no bytes for a bound": {colID, schema.Type{Kind: schema.Long}, set(colID, newMin, thrift.Bytes(nil)), 10, "", ""},
		"bounds turned about":  {colID, schema.Type{Kind: schema.Long}, set(colID, newMin, plain(1000)), 10, "", ""},
		"beyond the type":      {colID, schema.Type{Kind: schema.Short}, set(colID, newMax, plain(1<<40)), 10, "-20", ""},
		"a boolean of 2":       {colFlag, schema.Type{Kind: schema.Boolean}, set(colFlag, newMax, thrift.Bytes([]byte{2})), 10, "", ""},
		"decimals beyond": {
			colWide, schema.DecimalOf(30, 4),
			set(colWide, newMax, thrift.Bytes([]byte{0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})), 10, "", "",
		},
		"a time past 9999":    {colAt, schema.Type{Kind: schema.Timestamp}, set(colAt, newMax, plain(253_402_300_799_999_001)), 10, `"1970-01-01T00:00:00.000Z"`, ""},
		"a time before 1970":  {colAt, schema.Type{Kind: schema.Timestamp}, set(colAt, newMin, plain(-1)), 10, `"1969-12-31T23:59:59.999Z"`, `"1970-01-01T00:01:39.001Z"`},
		"text that is none":   {colText, schema.Type{Kind: schema.String}, set(colText, newMax, thrift.String("zz\xff")), 10, `"text 000"`, ""},
		"text that was cut":   {colText, schema.Type{Kind: schema.String}, inexact(colText), 10, `"text 000"`, `"text 099"`},
		"numbers not exact":   {colID, schema.Type{Kind: schema.Long}, inexact(colID), 10, "", ""},
		"min alone not exact": {colID, schema.Type{Kind: schema.Long}, set(colID, minExact, thrift.Bool(false)), 10, "", "79"},
	} {
		nulls, low, high := told(t, c.leaf, c.typ, c.edit)
		if nulls != c.nulls || low != c.low || high != c.high {
			t.Errorf("%s: %d nulls, %s to %s; want %d, %s to %s", name, nulls, low, high, c.nulls, c.low, c.high)
		}
	}
}

// set gives a field of a leaf's statistics a value, in each row group.
func set(leaf int, id int16, v thrift.Value) func(*footer.Footer) {
	return both(leaf, func(s *thrift.Struct) { s.Set(id, v) })
}

func inexact(leaf int) func(*footer.Footer) {
	return both(leaf, func(s *thrift.Struct) {
		s.Set(minExact, thrift.Bool(false))
		s.Set(maxExact, thrift.Bool(false))
	})
}

func plain(v int64) thrift.Value {
	return thrift.Bytes(binary.LittleEndian.AppendUint64(nil, uint64(v)))
}

// onlyOld leaves the bounds of before the format's orders.
func onlyOld(leaf int) func(*footer.Footer) {
	return both(leaf, func(s *thrift.Struct) {
		s.Set(oldMax, s.Get(newMax))
		s.Set(oldMin, s.Get(newMin))
		s.Delete(newMin, newMax)
	})
}

func TestOldBoundsCountForSignedNumbersAlone(t *testing.T) {
	for leaf, typ := range map[int]schema.Type{
		colID: {Kind: schema.Long}, colSmall: {Kind: schema.Integer}, colDay: {Kind: schema.Date},
		colAt: {Kind: schema.Timestamp}, colPrice: schema.DecimalOf(9, 2), colFlag: {Kind: schema.Boolean},
	} {
		_, low, high := told(t, leaf, typ, nothing)
		if _, oldLow, oldHigh := told(t, leaf, typ, onlyOld(leaf)); oldLow != low || oldHigh != high || low == "" {
			t.Errorf("column %d: %s to %s by the old bounds, %s to %s by the new", leaf, oldLow, oldHigh, low, high)
		}
	}
	for leaf, typ := range map[int]schema.Type{colText: {Kind: schema.String}, colWide: schema.DecimalOf(30, 4)} {
		if _, low, high := told(t, leaf, typ, onlyOld(leaf)); low != "" || high != "" {
			t.Errorf("column %d: %s to %s by old bounds, which sorted bytes as signed", leaf, low, high)
		}
	}
}

func TestBoundsNeedAnOrder(t *testing.T) {
	for name, edit := range map[string]func(*footer.Footer){
		"no orders":      func(f *footer.Footer) { f.Struct().Delete(7) },
		"an order short": func(f *footer.Footer) { f.Struct().Set(7, thrift.ListOf(thrift.Object, f.Struct().Items(7)[1:]...)) },
		"another order": func(f *footer.Footer) {
			other := &thrift.Struct{}
			other.Set(9, thrift.Of(&thrift.Struct{}))
			f.Struct().Items(7)[colText].Struct().Delete(1)
			f.Struct().Items(7)[colText].Struct().Set(9, thrift.Of(other))
		},
	} {
		if nulls, low, high := told(t, colText, schema.Type{Kind: schema.String}, edit); nulls != 10 || low != "" || high != "" {
			t.Errorf("%s: %d nulls, %s to %s", name, nulls, low, high)
		}
	}
}

// Writers sort unsigned numbers as what they are or as signed ones. Bounds that are
// the same in both orders are told, whichever it was.
func TestUnsignedNumbersHaveBoundsBelowHalf(t *testing.T) {
	number := func(n int32) thrift.Value { return thrift.Bytes(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	for name, c := range map[string]struct {
		min, max  int32
		low, high string
	}{
		"small ones":                      {0, 3, "0", "3"},
		"the largest that is no negative": {7, 1<<31 - 1, "7", "2147483647"},
		"one beyond half":                 {0, -1 << 31, "", ""},
		"signed order":                    {-1, 5, "", ""},
		"all beyond half":                 {-2, -1, "", ""},
	} {
		edit := func(f *footer.Footer) {
			if err := f.Root().Children[colSmall].Annotate(schema.CopyColumn{Logical: "INT", Bits: 32, Unsigned: true}); err != nil {
				t.Fatal(err)
			}
			both(colSmall, func(s *thrift.Struct) {
				s.Set(newMin, number(c.min))
				s.Set(newMax, number(c.max))
			})(f)
		}
		if nulls, low, high := told(t, colSmall, schema.Type{Kind: schema.Long}, edit); nulls != 10 || low != c.low || high != c.high {
			t.Errorf("%s: %d nulls, %s to %s", name, nulls, low, high)
		}
	}
}

func TestTimesOfOtherUnitsHaveNoBounds(t *testing.T) {
	for _, unit := range []string{"MILLIS", "NANOS"} {
		edit := func(f *footer.Footer) {
			if err := f.Root().Children[colAt].Annotate(schema.CopyColumn{Logical: "TIMESTAMP", Unit: unit, UTC: true}); err != nil {
				t.Fatal(err)
			}
		}
		if _, low, high := told(t, colAt, schema.Type{Kind: schema.Timestamp}, edit); low != "" || high != "" {
			t.Errorf("%s: %s to %s", unit, low, high)
		}
	}
}

func TestAnAnnotationNobodyKnowsHasNoBounds(t *testing.T) {
	for leaf, typ := range map[int]schema.Type{colID: {Kind: schema.Long}, colText: {Kind: schema.String}} {
		edit := func(f *footer.Footer) {
			union := &thrift.Struct{}
			union.Set(40, thrift.Of(&thrift.Struct{}))
			f.Root().Children[leaf].Struct().Delete(6)
			f.Root().Children[leaf].Struct().Set(10, thrift.Of(union))
		}
		if _, low, high := told(t, leaf, typ, edit); low != "" || high != "" {
			t.Errorf("column %d: %s to %s", leaf, low, high)
		}
	}
}

func TestWritersThatMiscountBounds(t *testing.T) {
	equal := func(leaf int, v thrift.Value) func(*thrift.Struct) {
		return func(s *thrift.Struct) {
			s.Set(newMin, v)
			s.Set(newMax, v)
		}
	}
	same := map[int]func(*thrift.Struct){colText: equal(colText, thrift.String("one")), colWide: equal(colWide, thrift.Bytes(make([]byte, 13)))}
	for createdBy, want := range map[string]struct{ text, sameText, wide, number, nulls bool }{
		"parquet-mr version 1.13.1 (build db4183109d5b734ec5930d870cdae161e408ddba)": {true, true, true, true, true},
		"parquet-mr version 1.10.0 (build 1)":                                        {true, true, true, true, true},
		"parquet-mr version 1.10":                                                    {true, true, true, true, true},
		"parquet-mr version 1.9.9-cdh":                                               {false, true, false, true, true},
		"parquet-mr version 1.8.0 (build 1)":                                         {false, true, false, true, true},
		"parquet-mr version 1.7.9":                                                   {false, false, false, true, true},
		"parquet-mr":                                                                 {false, false, false, true, true},
		"parquet-mr version next":                                                    {false, false, false, true, true},
		"":                                                                           {false, false, false, true, true},
		"Polars":                                                                     {false, false, false, true, true},
		"parquet-cpp version 1.2.9":                                                  {false, true, false, true, true},
		"parquet-cpp version 1.5.1-SNAPSHOT":                                         {true, true, false, true, true},
		"parquet-cpp-arrow version 3.0.0":                                            {true, true, false, true, true},
		"parquet-cpp-arrow version 4.0.0":                                            {true, true, true, true, true},
		"parquet-rs version 5.1.0":                                                   {false, false, false, true, true},
		"parquet-rs version 13.0.0":                                                  {true, true, false, true, true},
		"parquet-rs version 55.2.0":                                                  {true, true, true, true, true},
		"github.com/parquet-go/parquet-go version 0.32.0 (build 1)": {true, true, false, true, true},
		"github.com/segmentio/parquet-go version 0.0.1 (build 1)":   {true, true, false, true, true},
		"parquet-go version 18.0.0-SNAPSHOT":                        {true, true, true, true, true},
		"parquet-go version 0.9.0":                                  {false, false, false, false, false},
		"parquet-go":                                                {false, false, false, false, false},
		"Arrow2 - Native Rust implementation of Arrow":              {false, false, false, false, true},
		"hyparquet": {false, false, false, false, true},
		"DuckDB version v1.1.3 (build 19864453f7)":              {true, true, true, true, true},
		"parquet-mr compatible Photon version 0.2 (build 14.3)": {true, true, true, true, true},
	} {
		by := func(f *footer.Footer) { f.Struct().Set(6, thrift.String(createdBy)) }
		has := func(leaf int, typ schema.Type, one bool) bool {
			_, low, high := told(t, leaf, typ, func(f *footer.Footer) {
				by(f)
				if one {
					both(leaf, same[leaf])(f)
				}
			})
			return low != "" && high != ""
		}
		text := schema.Type{Kind: schema.String}
		if got := has(colText, text, false); got != want.text {
			t.Errorf("%q: bounds of texts are trusted: %v", createdBy, got)
		}
		if got := has(colText, text, true); got != want.sameText {
			t.Errorf("%q: the bounds of one text are trusted: %v", createdBy, got)
		}
		if got := has(colWide, schema.DecimalOf(30, 4), false); got != want.wide {
			t.Errorf("%q: bounds of decimals in bytes are trusted: %v", createdBy, got)
		}
		if got := has(colID, schema.Type{Kind: schema.Long}, false); got != want.number {
			t.Errorf("%q: bounds of numbers are trusted: %v", createdBy, got)
		}
		if nulls, _, _ := told(t, colID, schema.Type{Kind: schema.Long}, by); (nulls == 10) != want.nulls {
			t.Errorf("%q: counts of nulls are trusted: %v", createdBy, !want.nulls)
		}
	}
}

// TestBoundsOfGroupsInAnyOrder has the greater values in the first row group.
func TestBoundsOfGroupsInAnyOrder(t *testing.T) {
	for leaf, typ := range map[int]schema.Type{colID: {Kind: schema.Long}, colText: {Kind: schema.String}, colWide: schema.DecimalOf(30, 4)} {
		_, low, high := told(t, leaf, typ, nothing)
		_, otherLow, otherHigh := told(t, leaf, typ, func(f *footer.Footer) {
			_, a := chunkOf(f, 0, leaf)
			_, b := chunkOf(f, 1, leaf)
			first := a.Get(12)
			a.Set(12, b.Get(12))
			b.Set(12, first)
		})
		if low != otherLow || high != otherHigh {
			t.Errorf("column %d: %s to %s, and with the groups' statistics changed about %s to %s", leaf, low, high, otherLow, otherHigh)
		}
	}
}

func TestStatisticsThatAreBetterLeftOut(t *testing.T) {
	for createdBy, want := range map[string][2]bool{ // of the texts, of the decimals in bytes
		"parquet-mr version 1.12.0":                       {false, false},
		"parquet-mr version 1.7.0":                        {true, true},
		"github.com/parquet-go/parquet-go version 0.32.0": {false, true},
		"parquet-go version 0.9.0":                        {true, true},
		"Polars":                                          {false, false}, // not known to be wrong, only not trusted
	} {
		f := read(t, edited(t, made(t), func(f *footer.Footer) { f.Struct().Set(6, thrift.String(createdBy)) }))
		if got := [2]bool{f.Spoiled(colText), f.Spoiled(colWide)}; got != want {
			t.Errorf("%q: %v, want %v", createdBy, got, want)
		}
		if f.Spoiled(colReal) {
			t.Errorf("%q: bounds of floats, which nobody uses here", createdBy)
		}
	}
}

func TestBoundsAsNumbers(t *testing.T) {
	f := read(t, made(t))
	b, ok := f.Bounds(colID)
	if low, high, whole := b.Int64s(); !ok || !whole || low != -20 || high != 79 || !b.MinExact || !b.MaxExact {
		t.Errorf("%d to %d (%v, %v)", low, high, ok, whole)
	}
	b, ok = f.Bounds(colWide)
	low, high, whole := b.Unscaled()
	if !ok || !whole || low.Cmp(big.NewInt(-10_000_000_000)) != 0 || high.Cmp(big.NewInt(89_000_000_693)) != 0 {
		t.Errorf("%v to %v (%v, %v)", low, high, ok, whole)
	}
	if _, _, whole := b.Int64s(); whole {
		t.Error("a decimal in bytes passes for an integer")
	}
	if b, ok = f.Bounds(colText); !ok || string(b.Min) != "text 000" {
		t.Errorf("%q (%v)", b.Min, ok)
	}
	for _, leaf := range []int{colReal, colNothing, -1, madeColumns} {
		if b, ok := f.Bounds(leaf); ok {
			t.Errorf("column %d has bounds %v", leaf, b)
		}
	}
}
