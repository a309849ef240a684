package duplicates

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
)

// cursor goes through sorted records, of a block or of a run.
type cursor struct {
	hash uint64
	body []byte // the record that it stands at, valid until the next move
	read record // what body says

	block   *block
	entries []entry // of the block, that are still to come

	in     *bufio.Reader
	left   int64 // bytes of the run
	rehash hasher
}

// reading is a cursor over a range of a run.
func (r *run) reading(of, buffer int, hash hasher) *cursor {
	return r.between(r.from[of], r.from[of+1], buffer, hash)
}

// whole is a cursor over all of it.
func (r *run) whole(buffer int, hash hasher) *cursor {
	return r.between(r.from[0], r.from[ranges], buffer, hash)
}

func (r *run) between(from, to int64, buffer int, hash hasher) *cursor {
	return &cursor{in: bufio.NewReaderSize(io.NewSectionReader(r.file, from, to-from), buffer), left: to - from, rehash: hash}
}

// next moves to the next record; false where there is none.
func (c *cursor) next() (bool, error) {
	if c.in == nil {
		if len(c.entries) == 0 {
			return false, nil
		}
		e := c.entries[0]
		c.entries = c.entries[1:]
		err := c.stand(c.block.bytes[e.at:])
		c.hash = e.hash
		return err == nil, err
	}
	if c.left == 0 {
		return false, nil
	}
	n, err := binary.ReadUvarint(c.in)
	if err != nil || n > uint64(c.left) {
		return false, errors.Join(errCut, err)
	}
	if uint64(cap(c.body)) < n {
		c.body = make([]byte, n, 2*n)
	}
	c.body = c.body[:n]
	if _, err := io.ReadFull(c.in, c.body); err != nil {
		return false, errors.Join(errCut, err)
	}
	c.left -= int64(n) + sizeOfUvarint(n)
	if err := c.stand(c.body); err != nil {
		return false, err
	}
	if uint64(c.read.size) != n {
		return false, errCut
	}
	c.hash = c.rehash(c.read.wide)
	return true, nil
}

// stand takes the record at the front of some bytes.
func (c *cursor) stand(b []byte) (err error) {
	c.read, err = readRecord(b)
	c.body = b[:c.read.size]
	return err
}

func sizeOfUvarint(n uint64) int64 {
	var b [binary.MaxVarintLen64]byte
	return int64(binary.PutUvarint(b[:], n))
}

// before is the order of the records that two cursors stand at.
func (c *cursor) before(d *cursor) bool {
	if c.hash != d.hash {
		return c.hash < d.hash
	}
	return compareRecords(c.read, d.read) < 0
}

// mergeLook is how many records are merged between looks at the context.
const mergeLook = 1 << 14

// merge gives the records of all cursors in order.
func merge(ctx context.Context, cursors []*cursor, take func(*cursor) error) error {
	heap := make([]*cursor, 0, len(cursors))
	for _, c := range cursors {
		switch more, err := c.next(); {
		case err != nil:
			return err
		case more:
			heap = append(heap, c)
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
	for n := 0; len(heap) > 0; n++ {
		if n%mergeLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		top := heap[0]
		if err := take(top); err != nil {
			return err
		}
		more, err := top.next()
		if err != nil {
			return err
		}
		if !more {
			heap[0] = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		}
		sink(heap, 0)
	}
	return nil
}

// sink moves the cursor at i down to its place in a heap.
func sink(heap []*cursor, i int) {
	for {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < len(heap); k++ {
			if heap[k].before(heap[least]) {
				least = k
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
