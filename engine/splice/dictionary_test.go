package splice_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
	"cdcseed/engine/store/storetest"
)

// guids is a file of numbers and distinct GUIDs, all of them in dictionaries.
func guids(t *testing.T, groups, rows int) []byte {
	t.Helper()
	sc := arrow.NewSchema([]arrow.Field{{Name: "ID", Type: arrow.PrimitiveTypes.Int64}, {Name: "guid", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	var recs []arrow.Record
	for g := range groups {
		b := array.NewRecordBuilder(memory.DefaultAllocator, sc)
		for i := range rows {
			b.Field(0).(*array.Int64Builder).Append(int64(i))
			b.Field(1).(*array.StringBuilder).Append(fmt.Sprintf("%08X-0000-4000-8000-%012X", g, i))
		}
		recs = append(recs, b.NewRecord())
		b.Release()
	}
	return parquetOf(t, recs, parquet.WithDictionaryPageSizeLimit(64<<20), parquet.WithDataPageSize(64<<10))
}

func guidTable(t *testing.T) []schema.TargetColumn {
	t.Helper()
	return []schema.TargetColumn{target(t, "id", schema.SQLType{Name: "bigint"}), target(t, "guid", schema.SQLType{Name: "uniqueidentifier"})}
}

// Dictionaries that are too large to be held until they are written are cast twice.
func TestLargeDictionaries(t *testing.T) {
	s := newScene(t, guids(t, 3, 50_000), guidTable(t), cast.Answers{})
	r, ways := s.splice()
	if ways["guid"] != splice.Dictionary || r.Counts.Recoded < 5<<20 {
		t.Errorf("%v, %+v", ways, r.Counts)
	}
	s.rewrite()
	s.compare()
}

// An entry that a row cannot keep as it is, or that is damaged, has the column
// recoded: then each row counts, and the reader says what is wrong.
func TestDictionariesThatNeedRows(t *testing.T) {
	data := guids(t, 2, 300)
	at := bytes.Index(data, []byte("00000001-0000-4000-8000-000000000007"))
	lower := bytes.Clone(data)
	copy(lower[at:], "0000000a")
	s := newScene(t, lower, guidTable(t), cast.Answers{})
	r, ways := s.splice()
	if ways["guid"] != splice.Recoded || r.Report.Columns["guid"].Changed != 1 {
		t.Errorf("%v, %+v", ways, r.Report.Columns["guid"])
	}
	s.rewrite()
	s.compare()

	bad := bytes.Clone(data)
	copy(bad[at:], "no GUID!")
	s = newScene(t, bad, guidTable(t), cast.Answers{})
	f := s.open()
	defer f.Close()
	r, err := splice.Stage(t.Context(), s.target, s.job(s.decide(), f), nil)
	if err == nil || r.Report.Columns["guid"].Refused != 1 || len(keysOf(t, s.target)) != 0 {
		t.Errorf("%v, %+v", err, r.Report.Columns["guid"])
	}
}

// A dictionary whose checksum is wrong is not cast.
func TestADamagedDictionary(t *testing.T) {
	data := withChecksum(t, guids(t, 1, 300))
	s := newScene(t, data, guidTable(t), cast.Answers{})
	if _, ways := s.splice(); ways["guid"] != splice.Dictionary {
		t.Fatalf("ways %v", ways)
	}
	bad := bytes.Clone(data)
	bad[bytes.Index(bad, []byte("00000000-0000-4000-8000-000000000007"))] ^= 1 // another GUID
	s.copy, s.target = storetest.NewMem(), storetest.NewMem()
	if err := s.copy.CreateOnce(t.Context(), s.file, bad); err != nil {
		t.Fatal(err)
	}
	f := s.open()
	defer f.Close()
	if r, err := splice.Stage(t.Context(), s.target, s.job(s.decide(), f), nil); err == nil || !bytes.Contains([]byte(err.Error()), []byte("checksum")) {
		t.Errorf("%v, %v", err, r.Ways)
	}
}

// withChecksum gives the dictionary page of the file's last column a checksum.
func withChecksum(t *testing.T, data []byte) []byte {
	t.Helper()
	f := footerOf(t, data)
	n := f.Leaves()[1]
	c := f.Groups()[0].Chunk(1)
	out := bytes.Clone(data[:c.Start()])
	grown := int64(0)
	if _, err := footer.Walk(bytes.NewReader(data), n, c, func(p footer.Page) error {
		head := data[p.Offset : p.Offset+int64(p.Header)]
		body := data[p.Offset+int64(p.Header) : p.End()]
		if p.Kind == footer.DictionaryPage {
			head = summed(t, head, body)
			grown = int64(len(head) - p.Header)
		}
		out = append(append(out, head...), body...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	m := c.Struct().Struct(3)
	for _, field := range []int16{6, 7, 9} {
		set(m, field, m.Int(field, 0)+grown)
	}
	out, err := f.AppendEnd(out)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func summed(t *testing.T, head, body []byte) []byte {
	t.Helper()
	h, _, err := thrift.Parse(head, thrift.Limits{Depth: 9, Values: 99})
	if err != nil {
		t.Fatal(err)
	}
	h.Set(4, thrift.Int32(int32(crc32.ChecksumIEEE(body))))
	return h.Append(nil)
}

func set(m *thrift.Struct, field int16, v int64) { m.Set(field, thrift.Int64(v)) }
