package duplicates

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"

	"cdcseed/engine/verdict"
)

// run is sorted records in a part of a file, each behind its length.
type run struct {
	file  File
	from  [ranges + 1]int64 // where each range of hashes begins; the last is the end
	count int64
}

// spill writes the writer's sorted blocks to the disk as one run.
func (w *Writer) spill(ctx context.Context) error {
	if len(w.full) == 0 {
		return nil
	}
	c := w.counter
	if err := c.roomFor(w); err != nil {
		return err
	}
	if w.file == nil {
		f, err := c.create()
		if err != nil {
			return err
		}
		w.file = f
	}
	cursors := make([]*cursor, 0, len(w.full))
	for _, b := range w.full {
		cursors = append(cursors, &cursor{block: b, entries: b.entries})
	}
	r, end, err := writeRun(ctx, w.file, w.at, c.buffer(), cursors)
	if err != nil {
		return err
	}
	w.at = end
	c.mu.Lock()
	c.runs = append(c.runs, r)
	c.spent += r.count
	c.mu.Unlock()
	for _, b := range w.full {
		b.reset()
	}
	w.free, w.full = append(w.free, w.full...), w.full[:0]
	return nil
}

// create makes a file in the counter's space, and the space before the first one.
func (c *Counter) create() (File, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.openSpace(); err != nil {
		return nil, err
	}
	f, err := c.space.Create()
	if err != nil {
		return nil, err
	}
	c.files = append(c.files, f)
	return f, nil
}

func (c *Counter) openSpace() (err error) {
	if c.space == nil {
		c.space, err = c.options.Space()
	}
	return err
}

// roomFor refuses to begin what the disk has no room for: all rows that are still
// to come, going by how long the records of this writer are.
func (c *Counter) roomFor(w *Writer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.openSpace(); err != nil {
		return err
	}
	var now int64
	for _, b := range w.full {
		now += int64(len(b.bytes)) + int64(len(b.entries))
	}
	each := w.bytes/w.records + 1
	return c.room(max(now, each*(c.options.Rows-c.spent)))
}

// room refuses where less than need bytes are free.
func (c *Counter) room(need int64) error {
	free, known := c.space.Free()
	if !known || free >= need {
		return nil
	}
	return &verdict.Error{
		Code:  verdict.StoreFull,
		What:  "the keys do not fit on the disk that they are sorted on",
		Facts: verdict.Facts("folder", c.space.Where(), "bytes needed, about", verdict.Count(need), "bytes free", verdict.Count(free)),
		Why:   "Counting them would fill that disk up and fail after a while.",
		Hint: []string{
			"Name a folder for temporary files on a larger disk: TMPDIR (TMP on Windows) in the environment.",
			"Or leave keys out of --check.",
		},
	}
}

// writeRun merges cursors into a run at a place of a file, and returns the place
// behind it.
func writeRun(ctx context.Context, to File, at int64, buffer int, cursors []*cursor) (*run, int64, error) {
	r := &run{file: to}
	out := bufio.NewWriterSize(to, buffer)
	var head [binary.MaxVarintLen64]byte
	next := 0 // the first range whose begin is not known
	err := merge(ctx, cursors, func(c *cursor) error {
		for ; next <= rangeOf(c.hash); next++ {
			r.from[next] = at
		}
		n := binary.PutUvarint(head[:], uint64(len(c.body)))
		if _, err := out.Write(head[:n]); err != nil {
			return err
		}
		if _, err := out.Write(c.body); err != nil {
			return err
		}
		at += int64(n + len(c.body))
		r.count++
		return nil
	})
	for ; next <= ranges; next++ {
		r.from[next] = at
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return nil, at, fmt.Errorf("sorting keys: %w", err)
	}
	return r, at, nil
}
