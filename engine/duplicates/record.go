package duplicates

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
)

// errCut is a record that is not whole: the disk gave back other bytes than were written.
var errCut = errors.New("a record of a key is not whole")

// A record is a row's key and where the row is: a byte of flags, the wide form,
// the sure form where it differs, the raw form where it differs from that, then
// file and row. Records are in the order of the hash of their wide form, the forms,
// and the place, so that the same rows give the same result in whatever order they
// were read.
const (
	sureDiffers = 1 << iota
	rawDiffers
)

// appendRecord appends the row that e encoded last.
func appendRecord(dst []byte, e *encoder, file int, row int64) []byte {
	flags := byte(0)
	if !bytes.Equal(e.sure, e.wide) {
		flags |= sureDiffers
	}
	if !bytes.Equal(e.raw, e.sure) {
		flags |= rawDiffers
	}
	dst = appendSized(append(dst, flags), e.wide)
	if flags&sureDiffers != 0 {
		dst = appendSized(dst, e.sure)
	}
	if flags&rawDiffers != 0 {
		dst = appendSized(dst, e.raw)
	}
	dst = binary.AppendUvarint(dst, uint64(file))
	return binary.AppendUvarint(dst, uint64(row))
}

// record is one that was read; its forms lie in the bytes that it was read from.
type record struct {
	wide, sure, raw []byte
	file            int
	row             int64
	size            int // bytes, all in all
}

// readRecord reads the record at the front of b.
func readRecord(b []byte) (r record, err error) {
	if len(b) == 0 {
		return r, errCut
	}
	flags, at := b[0], 1
	form := func(differs bool, like []byte) []byte {
		if !differs || err != nil {
			return like
		}
		v, n, cut := sized(b[at:])
		err = cut
		at += n
		return v
	}
	r.wide = form(true, nil)
	r.sure = form(flags&sureDiffers != 0, r.wide)
	r.raw = form(flags&rawDiffers != 0, r.sure)
	if err != nil {
		return r, err
	}
	file, n := binary.Uvarint(b[at:])
	row, m := binary.Uvarint(b[at+max(n, 0):])
	if n <= 0 || m <= 0 {
		return r, errCut
	}
	r.file, r.row, r.size = int(file), int64(row), at+n+m
	return r, nil
}

// compareRecords orders records of the same hash.
func compareRecords(a, b record) int {
	if c := bytes.Compare(a.wide, b.wide); c != 0 {
		return c
	}
	if c := bytes.Compare(a.sure, b.sure); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.row, b.row))
}
