package footer

import "fmt"

// Codec is how pages are compressed, numbered as the format does.
type Codec int32

// The codecs.
const (
	Uncompressed Codec = 0
	Snappy       Codec = 1
	Gzip         Codec = 2
	LZO          Codec = 3
	Brotli       Codec = 4
	LZ4          Codec = 5
	Zstd         Codec = 6
	LZ4Raw       Codec = 7
)

var codecNames = []string{"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"}

// String is the format's own name of the codec.
func (c Codec) String() string { return named(codecNames, int32(c), "codec") }

// Kept reports whether chunks of the codec may be copied: readers of the target know it.
func (c Codec) Kept() bool {
	switch c {
	case Uncompressed, Snappy, Gzip, Zstd:
		return true
	}
	return false
}

// Encoding is how values or levels are laid out, numbered as the format does.
type Encoding int32

// The encodings.
const (
	Plain                Encoding = 0
	PlainDictionary      Encoding = 2
	RLE                  Encoding = 3
	BitPacked            Encoding = 4
	DeltaBinaryPacked    Encoding = 5
	DeltaLengthByteArray Encoding = 6
	DeltaByteArray       Encoding = 7
	RLEDictionary        Encoding = 8
	ByteStreamSplit      Encoding = 9
)

var encodingNames = []string{
	"PLAIN", "GROUP_VAR_INT", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
	"DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT",
}

// String is the format's own name of the encoding.
func (e Encoding) String() string { return named(encodingNames, int32(e), "encoding") }

// Kept reports whether values of the encoding may be copied.
func (e Encoding) Kept() bool {
	switch e {
	case Plain, PlainDictionary, RLEDictionary, RLE, DeltaBinaryPacked, DeltaByteArray, DeltaLengthByteArray:
		return true
	}
	return false
}

// Dictionary reports whether pages of the encoding hold places in a dictionary.
func (e Encoding) Dictionary() bool { return e == PlainDictionary || e == RLEDictionary }

// PageKind is what a page holds, numbered as the format does.
type PageKind int32

// The kinds of pages.
const (
	DataPage       PageKind = 0
	IndexPage      PageKind = 1
	DictionaryPage PageKind = 2
	DataPageV2     PageKind = 3
)

func named(names []string, n int32, what string) string {
	if n >= 0 && int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprintf("%s %d", what, n)
}
