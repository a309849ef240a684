package parquetfile_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"cdcseed/engine/parquetfile"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// rawPage is a page as a test makes it: stored is what follows the header, as it lies in the file.
type rawPage struct {
	kind   int64  // 0 a data page, 2 a dictionary, 3 a data page of the second version
	size   int    // before compression
	stored []byte //
	head   []byte // the header's part for this kind of page, from its field on
	crc    bool
}

func zigzag(v int64) []byte { return binary.AppendVarint(nil, v) }

// bytes is the page with its header, in Thrift's compact protocol.
func (p rawPage) bytes() []byte {
	field := func(step int64, v int64) []byte { return append([]byte{byte(step<<4 | 5)}, zigzag(v)...) }
	out := append(field(1, p.kind), field(1, int64(p.size))...)
	out = append(out, field(1, int64(len(p.stored)))...)
	at := int64(3)
	if p.crc {
		out = append(out, field(1, int64(int32(crc32.ChecksumIEEE(p.stored))))...)
		at = 4
	}
	part := map[int64]int64{0: 5, 2: 7, 3: 8}[p.kind]
	out = append(out, byte((part-at)<<4|12))
	out = append(out, p.head...)
	return append(append(out, 0, 0), p.stored...)
}

// dataV1 is a page of 64-bit integers without levels.
func dataV1(codec compress.Compression, crc bool, values ...int64) rawPage {
	plain := little(values)
	return rawPage{kind: 0, size: len(plain), stored: packed(codec, plain), crc: crc, head: i32s(int64(len(values)), 0, 3, 3)}
}

// dataV2 is the same, with definition levels that stand before what is compressed.
func dataV2(codec compress.Compression, crc bool, values ...int64) rawPage {
	levels := []byte{byte(len(values) << 1), 1}
	head := i32s(int64(len(values)), 0, int64(len(values)), 0, int64(len(levels)), 0)
	if codec == compress.Codecs.Uncompressed {
		head = append(head, 0x12) // is_compressed is false
	}
	plain := little(values)
	return rawPage{kind: 3, size: len(levels) + len(plain), stored: append(levels, packed(codec, plain)...), crc: crc, head: head}
}

func little(values []int64) (out []byte) {
	for _, v := range values {
		out = binary.LittleEndian.AppendUint64(out, uint64(v))
	}
	return out
}

func i32s(values ...int64) (out []byte) {
	for _, v := range values {
		out = append(append(out, 0x15), zigzag(v)...)
	}
	return out
}

func packed(codec compress.Compression, plain []byte) []byte {
	c, err := compress.GetCodec(codec)
	if err != nil {
		panic(err)
	}
	return c.Encode(make([]byte, c.CompressBound(int64(len(plain)))), plain)
}

// fileOf is a file of one column of integers made of pages.
func fileOf(t *testing.T, codec compress.Compression, optional bool, rows int, pages ...rawPage) []byte {
	t.Helper()
	rep := parquet.Repetitions.Required
	if optional {
		rep = parquet.Repetitions.Optional
	}
	root, err := pqschema.NewGroupNode("schema", parquet.Repetitions.Required, pqschema.FieldList{pqschema.NewInt64Node("c", rep, -1)}, -1)
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.NewBufferString("PAR1")
	info := metadata.ChunkMetaInfo{NumValues: int64(rows), DataPageOffset: -1}
	plainSize := int64(0)
	for _, p := range pages {
		switch {
		case p.kind == 2:
			info.DictPageOffset = int64(out.Len())
		case info.DataPageOffset < 0:
			info.DataPageOffset = int64(out.Len())
		}
		out.Write(p.bytes())
		plainSize += int64(p.size)
	}
	info.CompressedSize, info.UncompressedSize = int64(out.Len()-4), plainSize+100
	props := parquet.NewWriterProperties(parquet.WithCompression(codec))
	md := metadata.NewFileMetadataBuilder(pqschema.NewSchema(root), props, nil)
	group := md.AppendRowGroup()
	group.SetNumRows(rows)
	encodings := metadata.EncodingStats{DataEncodingStats: map[parquet.Encoding]int32{parquet.Encodings.Plain: 1}}
	if err := group.NextColumnChunk().Finish(info, info.DictPageOffset > 0, false, encodings, nil); err != nil {
		t.Fatal(err)
	}
	if err := group.Finish(info.CompressedSize, 0); err != nil {
		t.Fatal(err)
	}
	footer, err := md.Finish()
	if err != nil {
		t.Fatal(err)
	}
	n, err := footer.WriteTo(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	return append(binary.LittleEndian.AppendUint32(out.Bytes(), uint32(n)), "PAR1"...)
}

// TestPageChecksums damages each stored byte of a page in turn: with a checksum
// every damage is told, and a file without one reads as before.
func TestPageChecksums(t *testing.T) {
	plain, snappy := compress.Codecs.Uncompressed, compress.Codecs.Snappy
	dictionary := rawPage{kind: 2, size: 16, stored: little([]int64{7, -8}), head: i32s(2, 0), crc: true}
	indexes := rawPage{kind: 0, size: 3, stored: []byte{1, 4 << 1, 1}, head: i32s(4, 8, 3, 3), crc: true}
	for name, c := range map[string]struct {
		codec    compress.Compression
		optional bool
		rows     int
		pages    []rawPage
	}{
		"v1":         {plain, false, 4, []rawPage{dataV1(plain, true, 1, 2, 3, -4)}},
		"v1 snappy":  {snappy, false, 4, []rawPage{dataV1(snappy, true, 1, 2, 3, -4)}},
		"v2":         {plain, true, 3, []rawPage{dataV2(plain, true, 5, 6, 7)}},
		"v2 snappy":  {snappy, true, 3, []rawPage{dataV2(snappy, true, 5, 6, 7)}},
		"dictionary": {plain, false, 4, []rawPage{dictionary, indexes}},
		"two pages":  {plain, false, 5, []rawPage{dataV1(plain, true, 1, 2), dataV1(plain, true, 3, 4, 5)}},
		"one of two": {plain, false, 5, []rawPage{dataV1(plain, false, 1, 2), dataV1(plain, true, 3, 4, 5)}},
	} {
		t.Run(name, func(t *testing.T) {
			whole := fileOf(t, c.codec, c.optional, c.rows, c.pages...)
			if n, err := drain(whole); err != nil || n != int64(c.rows) {
				t.Fatalf("whole: %d rows, %v", n, err)
			}
			summed, told := 0, 0
			at := 4
			for _, p := range c.pages {
				first := at + len(p.bytes()) - len(p.stored)
				at += len(p.bytes())
				for i := first; i < at && p.crc; i++ {
					bad := bytes.Clone(whole)
					bad[i] ^= 0x10
					summed++
					_, err := drain(bad)
					if err == nil {
						t.Errorf("byte %d is damaged and nothing told", i-first)
					} else if strings.Contains(err.Error(), "checksum") {
						told++
					}
				}
			}
			if summed == 0 || told == 0 {
				t.Errorf("%d bytes damaged, %d told by their checksum", summed, told)
			}
		})
	}
	without := fileOf(t, plain, false, 4, dataV1(plain, false, 1, 2, 3, -4))
	without[len("PAR1")+20] ^= 0x10
	if n, err := drain(without); err != nil || n != 4 {
		t.Errorf("without a checksum: %d rows, %v", n, err)
	}
}

func TestADamagedPageIsNamedByItsPlace(t *testing.T) {
	data := fileOf(t, compress.Codecs.Uncompressed, false, 2, dataV1(compress.Codecs.Uncompressed, true, 1, 2))
	data[bytes.Index(data, little([]int64{1, 2}))] ^= 1
	f, err := parquetfile.Open(inMemory(data))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Read(t.Context(), nil, 10)
	defer s.Close()
	if s.Next() || s.Err() == nil || !strings.Contains(s.Err().Error(), `column "c"`) || !strings.Contains(s.Err().Error(), "row group 0") {
		t.Errorf("got %v", s.Err())
	}
}
