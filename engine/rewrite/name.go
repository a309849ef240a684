package rewrite

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cdcseed/engine/parquetfile"
)

// StageKey is 16 hex digits that stand for everything a staged file's content
// hangs on: files of the same key may be adopted by a rerun. The parts' number,
// order and borders count.
func StageKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Name is what the name of a staged file tells.
type Name struct {
	Index int
	Key   string // 16 hex digits, see StageKey
	ID    string // a UUID, so that no two runs ever write one name
	Codec parquetfile.Codec
}

// StageName is the name of the i-th staged file: part-00000-<key>-<uuid>.c000.<codec>.parquet.
func StageName(i int, key, id string, codec parquetfile.Codec) string {
	if codec == "" {
		codec = parquetfile.Snappy
	}
	return fmt.Sprintf("part-%05d-%s-%s.c000.%s.parquet", i, key, id, codec)
}

// ParseStageName reads a name that StageName made; false for any other file,
// such as Spark's own, whose names lack the key.
func ParseStageName(name string) (Name, bool) {
	rest, ok := strings.CutPrefix(name, "part-")
	if !ok {
		return Name{}, false
	}
	digits, rest, ok := strings.Cut(rest, "-")
	i, err := strconv.Atoi(digits)
	if !ok || err != nil || i < 0 {
		return Name{}, false
	}
	key, rest, ok := strings.Cut(rest, "-")
	if !ok || len(key) != 16 || strings.Trim(key, "0123456789abcdef") != "" {
		return Name{}, false
	}
	id, rest, ok := strings.Cut(rest, ".c000.")
	if u, err := uuid.Parse(id); !ok || err != nil || u.String() != id {
		return Name{}, false
	}
	codec, ok := strings.CutSuffix(rest, ".parquet")
	n := Name{Index: i, Key: key, ID: id, Codec: parquetfile.Codec(codec)}
	switch n.Codec {
	case parquetfile.Snappy, parquetfile.Zstd, parquetfile.Gzip, parquetfile.Uncompressed:
		return n, ok && StageName(i, key, id, n.Codec) == name
	}
	return Name{}, false
}
