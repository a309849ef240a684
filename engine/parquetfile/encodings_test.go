package parquetfile_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// encoded is a file of n rows with a column for each encoding that takes
// numbers on trust, each once with NULL in every third row and once without any.
func encoded(t *testing.T, n int) []byte {
	t.Helper()
	kinds := []struct {
		physical parquet.Type
		encoding parquet.Encoding
	}{
		{parquet.Types.Int32, parquet.Encodings.DeltaBinaryPacked},
		{parquet.Types.Int64, parquet.Encodings.DeltaBinaryPacked},
		{parquet.Types.ByteArray, parquet.Encodings.DeltaLengthByteArray},
		{parquet.Types.ByteArray, parquet.Encodings.DeltaByteArray},
		{parquet.Types.ByteArray, parquet.Encodings.RLEDict},
	}
	var fields pqschema.FieldList
	var options []parquet.WriterProperty
	for i, k := range kinds {
		for _, rep := range []parquet.Repetition{parquet.Repetitions.Required, parquet.Repetitions.Optional} {
			name := fmt.Sprintf("c%d_%s", i, rep)
			fields = append(fields, pqschema.MustPrimitive(pqschema.NewPrimitiveNode(name, rep, k.physical, -1, -1)))
			dictionary := k.encoding == parquet.Encodings.RLEDict
			options = append(options, parquet.WithDictionaryFor(name, dictionary))
			if !dictionary {
				options = append(options, parquet.WithEncodingFor(name, k.encoding))
			}
		}
	}
	root, err := pqschema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	group := w.AppendRowGroup()
	for _, f := range fields {
		c, err := group.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		writeEncoded(t, c, n, f.RepetitionType() == parquet.Repetitions.Optional)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func writeEncoded(t *testing.T, c file.ColumnChunkWriter, n int, nullable bool) {
	t.Helper()
	var ints []int32
	var longs []int64
	var texts []parquet.ByteArray
	var levels []int16
	for i := range n {
		if nullable {
			levels = append(levels, int16(min(i%3, 1)))
			if i%3 == 0 {
				continue
			}
		}
		ints, longs = append(ints, int32(i*i%1000)), append(longs, int64(i)<<20-int64(i%7))
		texts = append(texts, fmt.Appendf(nil, "text %d of %d", i*i%50, i%5))
	}
	var err error
	switch c := c.(type) {
	case *file.Int32ColumnChunkWriter:
		_, err = c.WriteBatch(ints, levels, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = c.WriteBatch(longs, levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(texts, levels, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryEncodingIsRead(t *testing.T) {
	if n, err := drain(encoded(t, 1000)); n != 1000 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

// One damaged index must not make room for a thousand million values.
func TestAnIndexBeyondTheDictionaryIsCheap(t *testing.T) {
	dictionary := rawPage{kind: 2, size: 16, stored: little([]int64{7, -8}), head: i32s(2, 0)}
	indexes := rawPage{kind: 0, size: 6, stored: []byte{30, 4 << 1, 0, 0, 0, 0x3f}, head: i32s(4, 8, 3, 3)}
	data := fileOf(t, compress.Codecs.Uncompressed, false, 4, dictionary, indexes)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := drain(data)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; err == nil || taken > 64<<20 {
		t.Errorf("%d MB were taken, and the end was %v", taken>>20, err)
	}
}
