package splice_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
)

// numbers is a file of "id" and of "n", a column of the type given.
func numbers(t *testing.T, name string, typ arrow.DataType, fill func(b array.Builder), props ...parquet.WriterProperty) []byte {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: name, Type: typ, Nullable: true},
	}, nil))
	defer b.Release()
	fill(b.Field(1))
	for i := range b.Field(1).Len() {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
	}
	return parquetOf(t, []arrow.Record{b.NewRecord()}, props...)
}

func int32s(v ...int32) func(array.Builder) {
	return func(b array.Builder) { b.(*array.Int32Builder).AppendValues(v, nil) }
}

// A file may become another one between the look at its footer and the writing,
// which can be hours. What was planned is asked of the footer again.
func TestAFileIsAskedAgain(t *testing.T) {
	i32, i64 := arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64
	long := func(v ...int64) func(array.Builder) {
		return func(b array.Builder) { b.(*array.Int64Builder).AppendValues(v, nil) }
	}
	null := func(b array.Builder) { int32s(5, 6)(b); b.AppendNull() }
	plain := parquet.WithDictionaryDefault(false)
	for _, c := range []struct {
		name     string
		to       string
		must     bool // NOT NULL
		was, now []byte
		want     splice.Way
		says     string
	}{
		{"the same", "tinyint", false, numbers(t, "n", i32, int32s(5, 6), plain), numbers(t, "n", i32, int32s(7, 8, 9), plain), splice.Annotated, ""},
		{"beyond the range", "tinyint", false, numbers(t, "n", i32, int32s(5, 6), plain), numbers(t, "n", i32, int32s(5, 70000), plain), splice.Annotated, "the footer does not prove that all values are in range"},
		{"a NULL", "int", true, numbers(t, "n", i32, int32s(5, 6), plain), numbers(t, "n", i32, null, plain), splice.Copied, "the footer does not prove that no value is NULL"},
		{"another type", "bigint", false, numbers(t, "n", i64, long(5, 6), plain), numbers(t, "n", i32, int32s(5, 6), plain), splice.Copied, "INT32"},
		{"another name", "int", false, numbers(t, "n", i32, int32s(5, 6), plain), numbers(t, "m", i32, int32s(5, 6), plain), splice.Copied, `no flat column "n"`},
		{"no dictionary", "bigint", false, numbers(t, "n", i32, int32s(5, 6)), numbers(t, "n", i32, int32s(5, 6), plain), splice.Dictionary, "now is recoded"},
		{"another NULL in a dictionary", "bigint", true, numbers(t, "n", i32, int32s(5, 6)), numbers(t, "n", i32, null), splice.Dictionary, "now is recoded"},
	} {
		to := target(t, "n", schema.SQLType{Name: c.to})
		to.Nullable, to.Key = !c.must, c.must
		s := newScene(t, c.was, []schema.TargetColumn{target(t, "id", schema.SQLType{Name: "bigint"}), to}, cast.Answers{})
		d := s.decide()
		if d.Columns[4].Way != c.want {
			t.Errorf("%s: planned as %+v, want %s", c.name, d.Columns[4], c.want)
		}
		if err := s.copy.Remove(t.Context(), s.file); err != nil {
			t.Fatal(err)
		}
		if err := s.copy.CreateOnce(t.Context(), s.file, c.now); err != nil {
			t.Fatal(err)
		}
		f := s.open()
		_, err := splice.Stage(t.Context(), s.target, s.job(d, f), nil)
		f.Close()
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.Is(err, splice.ErrChanged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
		if left := keysOf(t, s.target); len(left) != 0 {
			t.Errorf("%s: left %q", c.name, left)
		}
	}
}

// Most tools write a SQL Server tinyint as UINT_8: its bytes are taken over where
// the footer tells that all of them are below half of what 32 bits hold.
func TestUnsignedBytesAreTakenOver(t *testing.T) {
	fill := func(b array.Builder) { b.(*array.Uint8Builder).AppendValues([]uint8{0, 200, 255}, nil) }
	s := newScene(t, numbers(t, "n", arrow.PrimitiveTypes.Uint8, fill, parquet.WithDictionaryDefault(false)),
		[]schema.TargetColumn{target(t, "id", schema.SQLType{Name: "bigint"}), target(t, "n", schema.SQLType{Name: "tinyint"})}, cast.Answers{})
	if _, ways := s.splice(); ways["n"] != splice.Annotated {
		t.Errorf("made as %s", ways["n"])
	}
	s.rewrite()
	s.compare()
}
