package duplicates

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// Count sorts what the writers took and counts the keys that stand more than once.
// No writer may add any more. told, which may be nil, hears of rows that were
// compared; it is called from several goroutines.
func (c *Counter) Count(ctx context.Context, told func(rows int64)) (Result, error) {
	if told == nil {
		told = func(int64) {}
	}
	var blocks []*block
	for _, w := range c.writers {
		if err := w.putAside(); err != nil {
			return Result{}, err
		}
	}
	for _, w := range c.writers {
		if len(c.runs) > 0 { // what is read back needs the memory
			if err := w.spill(ctx); err != nil {
				return Result{}, err
			}
		}
		blocks = append(blocks, w.full...)
		w.full, w.free = nil, nil
	}
	if err := c.narrow(ctx); err != nil {
		return Result{}, err
	}
	all, err := c.countRanges(ctx, blocks, told)
	if err != nil {
		return Result{}, err
	}
	return all.result(c.options)
}

// readBuffer is the least bytes that a run is read with.
func (c *Counter) readBuffer() int {
	return int(min(bufferMost/8, max(bufferLeast, c.options.Memory/shareParts)))
}

// narrow merges runs until so few are left that a buffer for each fits in memory.
func (c *Counter) narrow(ctx context.Context) error {
	most := max(2, int(c.options.Memory)/c.readBuffer())
	for len(c.runs) > most {
		if err := c.roomToNarrow(); err != nil {
			return err
		}
		before := c.files
		c.files = nil
		f, err := c.create()
		if err != nil {
			c.files = append(before, c.files...)
			return err
		}
		at := int64(0)
		var made []*run
		for some := range slices.Chunk(c.runs, most) {
			r, end, err := c.mergeRuns(ctx, f, at, some)
			if err != nil {
				c.files = append(before, c.files...)
				return err
			}
			made, at = append(made, r), end
		}
		c.runs = made
		for _, old := range before {
			if err := old.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// roomToNarrow refuses where the runs do not fit on the disk a second time.
func (c *Counter) roomToNarrow() error {
	var need int64
	for _, r := range c.runs {
		need += r.from[ranges] - r.from[0]
	}
	return c.room(need)
}

// mergeRuns merges some runs into one at a place of a file.
func (c *Counter) mergeRuns(ctx context.Context, f File, at int64, some []*run) (*run, int64, error) {
	cursors := make([]*cursor, len(some))
	for i, r := range some {
		cursors[i] = r.whole(c.readBuffer(), c.hash)
	}
	return writeRun(ctx, f, at, c.readBuffer(), cursors)
}

// countRanges counts the ranges of hashes, several at a time.
func (c *Counter) countRanges(ctx context.Context, blocks []*block, told func(rows int64)) (*groups, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	at := min(runtime.GOMAXPROCS(0), ranges)
	if n := len(c.runs); n > 0 {
		at = max(1, min(at, int(c.options.Memory)/(n*c.readBuffer())))
	}
	buffer := c.readBuffer()
	if n := len(c.runs); n > 0 {
		buffer = max(buffer, min(bufferMost, int(c.options.Memory)/(n*at)))
	}
	next := make(chan int, ranges)
	for r := range ranges {
		next <- r
	}
	close(next)
	var mu sync.Mutex
	all := &groups{}
	var wg sync.WaitGroup
	for range at {
		wg.Go(func() {
			for r := range next {
				g, err := c.countRange(ctx, r, blocks, buffer, told)
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				all.plus(g)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return all, context.Cause(ctx)
}

// tellEach is how many rows are compared between two words about it.
const tellEach = 1 << 15

func (c *Counter) countRange(ctx context.Context, r int, blocks []*block, buffer int, told func(rows int64)) (*groups, error) {
	var cursors []*cursor
	for _, b := range blocks {
		if part := b.part(r); len(part) > 0 {
			cursors = append(cursors, &cursor{block: b, entries: part})
		}
	}
	for _, run := range c.runs {
		if run.from[r] < run.from[r+1] {
			cursors = append(cursors, run.reading(r, buffer, c.hash))
		}
	}
	g := &groups{}
	var n int64
	err := merge(ctx, cursors, func(c *cursor) error {
		if n++; n%tellEach == 0 {
			told(tellEach)
		}
		g.take(c.hash, c.read, c.body)
		return nil
	})
	g.endGroup()
	told(n % tellEach)
	return g, err
}
