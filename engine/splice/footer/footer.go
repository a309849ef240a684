// Package footer reads the footer of a Parquet file without losing a byte of
// it, checks what it claims, and lets it be edited: names, annotations,
// offsets. It walks the page headers of column chunks and makes a Delta
// table's statistics of what the footer says. It decodes no page.
package footer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"cdcseed/engine/splice/footer/thrift"
)

// Footer is a file's metadata. Editing a part of it edits the footer; work on a
// Clone where the original is still needed.
type Footer struct {
	root    *thrift.Struct
	tree    *Node
	leaves  []*Node
	encoded int // bytes that it was read from; 0 where it was made
}

const (
	magic     = "PAR1"
	trailer   = 8 // the footer's length and the magic behind it
	tailBytes = 64 << 10
	maxFooter = 64 << 20
)

// limits leave room for 2,000 columns in 80 row groups.
var limits = thrift.Limits{Depth: 32, Values: 4 << 20}

// Read reads the footer at the end of a file of size bytes: one read, or two
// where the footer is longer than 64 KiB. A Problem is in the error's chain
// where the file is at fault, none where reading it failed.
func Read(r io.ReaderAt, size int64) (*Footer, error) {
	if size < int64(len(magic))+trailer {
		return nil, newProblem(NotParquet, "%d bytes are no Parquet file", size)
	}
	tail := make([]byte, min(size, tailBytes))
	if err := readFull(r, tail, size-int64(len(tail))); err != nil {
		return nil, err
	}
	switch end := string(tail[len(tail)-len(magic):]); end {
	case magic:
	case "PARE":
		return nil, newProblem(Encrypted, "the footer is encrypted")
	default:
		return nil, newProblem(NotParquet, "the file ends with %q and not with %q: no Parquet file, or cut off", end, magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail[len(tail)-trailer:]))
	switch {
	case n > size-int64(len(magic))-trailer:
		return nil, newProblem(NotParquet, "a footer of %d bytes does not fit a file of %d bytes", n, size)
	case n > maxFooter:
		return nil, newProblem(Unreadable, "a footer of %d bytes; %d is the most that is read", n, int64(maxFooter))
	}
	if n+trailer <= int64(len(tail)) {
		// Of its own, so that a footer that is kept does not keep all of the tail.
		return Parse(bytes.Clone(tail[int64(len(tail))-trailer-n : len(tail)-trailer]))
	}
	b := make([]byte, n)
	at := n + trailer - int64(len(tail))
	copy(b[at:], tail)
	if err := readFull(r, b[:at], size-trailer-n); err != nil {
		return nil, err
	}
	return Parse(b)
}

// Parse reads a footer's bytes, which nobody changes from then on.
func Parse(b []byte) (*Footer, error) {
	root, n, err := thrift.Parse(b, limits)
	if err != nil {
		return nil, &Problem{Kind: Unreadable, Group: -1, Leaf: -1, Detail: err.Error()}
	}
	if n != len(b) {
		return nil, newProblem(Unreadable, "%d bytes stand behind a footer of %d", len(b)-n, n)
	}
	f, err := of(root)
	if err == nil {
		f.encoded = n
	}
	return f, err
}

// of makes a Footer of a tree, where the tree has a footer's shape.
func of(root *thrift.Struct) (*Footer, error) {
	if err := fileShape.check(root); err != nil {
		return nil, &Problem{Kind: Unreadable, Group: -1, Leaf: -1, Detail: err.Error()}
	}
	f := &Footer{root: root}
	if err := f.plant(); err != nil {
		return nil, &Problem{Kind: BadSchema, Group: -1, Leaf: -1, Detail: err.Error()}
	}
	return f, nil
}

// Append writes the footer behind dst, without its length and magic.
func (f *Footer) Append(dst []byte) []byte { return f.root.Append(dst) }

// AppendEnd writes the footer with its length and magic, as a file ends.
func (f *Footer) AppendEnd(dst []byte) ([]byte, error) {
	from := len(dst)
	dst = f.root.Append(dst)
	n := len(dst) - from
	if n > maxFooter {
		return nil, fmt.Errorf("the new footer has %d bytes; %d is the most that is read", n, maxFooter)
	}
	return append(binary.LittleEndian.AppendUint32(dst, uint32(n)), magic...), nil
}

// Clone is a copy that can be edited without touching f.
func (f *Footer) Clone() (*Footer, error) { return of(f.root.Clone()) }

// Struct is the tree beneath, a FileMetaData of the Parquet format.
func (f *Footer) Struct() *thrift.Struct { return f.root }

// Encrypted reports whether the footer names an encryption, of itself or of columns.
func (f *Footer) Encrypted() bool { return f.root.Has(fileEncryption) || f.root.Has(fileSigningKey) }

// CreatedBy is what the writing library says of itself; may be empty.
func (f *Footer) CreatedBy() string { return f.root.Text(fileCreatedBy) }

// SaidRows is the number of rows that the footer's head claims.
func (f *Footer) SaidRows() int64 { return f.root.Int(fileRows, 0) }

// Rows is the number of rows, summed over the row groups; Check proves that
// the sum is possible.
func (f *Footer) Rows() int64 {
	var sum int64
	for _, g := range f.Groups() {
		sum += g.Rows()
	}
	return sum
}

// KeyValue is an entry of the footer's key-value metadata. A nil Value is an entry without one.
type KeyValue struct {
	Key   string
	Value *string
}

// KeyValues are the footer's entries in their order.
func (f *Footer) KeyValues() []KeyValue {
	var out []KeyValue
	for _, it := range f.root.Items(fileKeyValues) {
		kv := KeyValue{Key: it.Struct().Text(1)}
		if v := it.Struct().Get(2); v.Kind() == thrift.Binary {
			text := string(v.Raw())
			kv.Value = &text
		}
		out = append(out, kv)
	}
	return out
}

// TypeOrdered reports whether the footer says that a leaf's bounds sort by its
// type; known is false where the footer says nothing of the leaf's order.
func (f *Footer) TypeOrdered(leaf int) (ordered, known bool) {
	orders := f.root.Items(fileOrders)
	if leaf < 0 || leaf >= len(orders) || len(orders) != len(f.leaves) {
		return false, false
	}
	return orders[leaf].Struct().Has(orderByType), true
}

// HasOrders reports whether the footer has column orders at all.
func (f *Footer) HasOrders() bool { return f.root.Has(fileOrders) }

// readFull reads exactly p. An end inside it is a file that shrank.
func readFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read %d bytes at %d: %w", len(p), off, err)
}
