// Package deltatest makes what tests of Delta tables need and no product code writes.
package deltatest

import (
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/uuid"

	"cdcseed/engine/delta"
)

// Vector is the bytes of a deletion vector for the positions given, which are in
// order and below 2^32.
func Vector(rows ...int64) []byte {
	bits := roaring.New()
	for _, r := range rows {
		bits.Add(uint32(r))
	}
	bits.RunOptimize()
	body, err := bits.ToBytes()
	if err != nil {
		panic(err) // memory alone is written to
	}
	out := binary.LittleEndian.AppendUint32(nil, 1681511377)
	out = binary.LittleEndian.AppendUint64(out, 1)
	out = binary.LittleEndian.AppendUint32(out, 0)
	return append(out, body...)
}

// Inline is a deletion vector that stands in the log.
func Inline(rows ...int64) *delta.DeletionVector {
	return InlineBytes(Vector(rows...), int64(len(rows)))
}

// InlineBytes is one of bytes that are made to measure.
func InlineBytes(data []byte, cardinality int64) *delta.DeletionVector {
	return &delta.DeletionVector{StorageType: "i", PathOrInlineDv: Z85(data), SizeInBytes: int64(len(data)), Cardinality: cardinality}
}

// Stored is a file of deletion vectors and the descriptor of each. The file's key
// is deletion_vector_<id>.bin in a folder, which may be empty.
func Stored(folder string, id uuid.UUID, vectors ...[]int64) (key string, file []byte, found []*delta.DeletionVector) {
	file = []byte{1}
	for _, rows := range vectors {
		data, offset := Vector(rows...), int64(len(file))
		file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
		file = append(file, data...)
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(data))
		found = append(found, &delta.DeletionVector{
			StorageType: "u", PathOrInlineDv: folder + Z85(id[:]), Offset: &offset, SizeInBytes: int64(len(data)), Cardinality: int64(len(rows)),
		})
	}
	key = "deletion_vector_" + id.String() + ".bin"
	if folder != "" {
		key = folder + "/" + key
	}
	return key, file, found
}

// Z85 is data in ZeroMQ's base 85, filled up to whole groups with zeros.
func Z85(data []byte) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
	data = append(data[:len(data):len(data)], make([]byte, (4-len(data)%4)%4)...)
	var b strings.Builder
	for ; len(data) > 0; data = data[4:] {
		n, group := binary.BigEndian.Uint32(data), [5]byte{}
		for i := 4; i >= 0; i-- {
			group[i] = digits[n%85]
			n /= 85
		}
		b.Write(group[:])
	}
	return b.String()
}
