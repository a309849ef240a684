package delta

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"cdcseed/engine/store"
)

// The forms in which a deletion vector is kept.
const (
	vectorInline   = "i"
	vectorRelative = "u"
	vectorPath     = "p"
)

const (
	vectorVersion = 1 // first byte of a file of deletion vectors
	inlineMost    = 1 << 20
)

// ErrVector says that a deletion vector is missing, damaged, or not what the log tells of it.
var ErrVector = errors.New("unsound deletion vector")

// unfetched is a store's failure: it says nothing about the vector.
type unfetched struct{ error }

func (u unfetched) Unwrap() error { return u.error }

// ReadVector reads which rows of a data file are deleted. rows is how many the
// file holds, deleted ones included: it bounds what a vector may say, and how
// many bytes are read for it. ErrVector is the vector's fault; any other error is
// the store's.
func ReadVector(ctx context.Context, r store.Reader, a Add, rows int64) (*Vector, error) {
	v, err := a.DeletionVector.read(ctx, r, rows)
	var u unfetched
	switch {
	case err == nil:
		return v, nil
	case errors.As(err, &u):
		return nil, fmt.Errorf("deletion vector of data file %q: %w", a.Path, err)
	}
	return nil, fmt.Errorf("%w of data file %q: %w", ErrVector, a.Path, err)
}

func (d *DeletionVector) read(ctx context.Context, r store.Reader, rows int64) (*Vector, error) {
	data, err := d.bytes(ctx, r, mostVectorBytes(rows))
	if err != nil {
		return nil, err
	}
	v, err := parseVector(data, rows)
	switch {
	case err != nil:
		return nil, err
	case v.count != d.Cardinality:
		return nil, fmt.Errorf("it holds %d rows, the log says %d", v.count, d.Cardinality)
	case d.MaxRowIndex != nil && v.last() > *d.MaxRowIndex:
		return nil, fmt.Errorf("its last row is %d, the log says %d", v.last(), *d.MaxRowIndex)
	}
	return v, nil
}

// mostVectorBytes is a bound that no sound vector reaches: a bit for each row is
// the longest form that a writer has a reason for.
func mostVectorBytes(rows int64) int64 { return 1<<16 + rows/2 }

// bytes is the vector's serialized form.
func (d *DeletionVector) bytes(ctx context.Context, r store.Reader, most int64) ([]byte, error) {
	if d.SizeInBytes < 0 || d.SizeInBytes > most {
		return nil, fmt.Errorf("a size of %d bytes where %d are the most", d.SizeInBytes, most)
	}
	key, err := d.place(r.URL())
	if err != nil {
		return nil, err
	}
	if key == "" {
		if len(d.PathOrInlineDv) > inlineMost {
			return nil, fmt.Errorf("%d characters inside the log", len(d.PathOrInlineDv))
		}
		data, err := z85(d.PathOrInlineDv)
		if err != nil {
			return nil, err
		}
		if d.SizeInBytes > int64(len(data)) {
			return nil, fmt.Errorf("%d bytes inside the log, which says %d", len(data), d.SizeInBytes)
		}
		return data[:d.SizeInBytes], nil
	}
	return d.stored(ctx, r, key)
}

// stored reads the vector from a file that may hold many: its length, its bytes
// and their CRC-32.
func (d *DeletionVector) stored(ctx context.Context, r store.Reader, key string) (_ []byte, err error) {
	f, err := r.Open(ctx, key)
	if errors.Is(err, store.ErrNotExist) {
		return nil, fmt.Errorf("file %q is not there: %w", key, err)
	}
	if err != nil {
		return nil, unfetched{err}
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	offset := int64(1)
	if d.Offset != nil {
		offset = *d.Offset
	}
	whole := 4 + d.SizeInBytes + 4
	if offset < 1 || offset > f.Size()-whole {
		return nil, fmt.Errorf("file %q of %d bytes has no %d bytes at %d", key, f.Size(), whole, offset)
	}
	version, data := make([]byte, 1), make([]byte, whole)
	for at, part := range map[int64][]byte{0: version, offset: data} {
		if _, err := io.ReadFull(io.NewSectionReader(f, at, int64(len(part))), part); err != nil {
			return nil, unfetched{err} // the range lies inside the file
		}
	}
	if version[0] != vectorVersion {
		return nil, fmt.Errorf("file %q is of version %d, known is %d", key, version[0], vectorVersion)
	}
	if size := int64(binary.BigEndian.Uint32(data)); size != d.SizeInBytes {
		return nil, fmt.Errorf("file %q has %d bytes at %d, the log says %d", key, size, offset, d.SizeInBytes)
	}
	body := data[4 : 4+d.SizeInBytes]
	if want, got := binary.BigEndian.Uint32(data[4+d.SizeInBytes:]), crc32.ChecksumIEEE(body); want != got {
		return nil, fmt.Errorf("file %q is damaged: checksum %08x, the file says %08x", key, got, want)
	}
	return body, nil
}

// place is the key of the file that holds the vector, empty for one that stands
// in the log. A file outside the table's folder is refused.
func (d *DeletionVector) place(table string) (key string, err error) {
	switch d.StorageType {
	case vectorInline:
		return "", nil
	case vectorRelative:
		return relativeVector(d.PathOrInlineDv)
	case vectorPath:
		return absoluteVector(d.PathOrInlineDv, table)
	}
	return "", fmt.Errorf("storage type %q of its deletion vector is not known", d.StorageType)
}

// relativeVector is the file's key: an id of 20 characters behind the name of a
// folder, which may be empty.
func relativeVector(text string) (string, error) {
	const encoded = 20
	if len(text) < encoded {
		return "", fmt.Errorf("%q is no id of a deletion vector", text)
	}
	folder := text[:len(text)-encoded]
	raw, err := z85(text[len(text)-encoded:])
	if err != nil {
		return "", err
	}
	id, err := uuid.FromBytes(raw)
	if err != nil {
		return "", err
	}
	key := "deletion_vector_" + id.String() + ".bin"
	if folder != "" {
		key = folder + "/" + key
	}
	if !fs.ValidPath(key) {
		return "", fmt.Errorf("folder %q of its deletion vector is none below the table's", folder)
	}
	return key, nil
}

// absoluteVector is the key below the table of a file that is named by its whole path.
func absoluteVector(text, table string) (string, error) {
	outside := fmt.Errorf("its deletion vector %q lies outside the table's folder", text)
	path, err := url.PathUnescape(text)
	if err != nil {
		return "", outside
	}
	key, inside := strings.CutPrefix(localPath(path), strings.TrimSuffix(localPath(table), "/")+"/")
	if !inside || !fs.ValidPath(key) {
		return "", outside
	}
	return key, nil
}

// localPath takes the scheme off a path of this machine; other URLs stay as they are.
func localPath(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	rest, ok := strings.CutPrefix(path, "file:")
	if !ok {
		return path
	}
	rest = strings.TrimLeft(rest, "/")
	if len(rest) > 1 && rest[1] == ':' { // a drive
		return rest
	}
	return "/" + rest
}
