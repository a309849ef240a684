package duplicates

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
)

// File is written once, from its start, and then read. Close removes it.
type File interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// Space is where records go that do not fit in memory.
type Space interface {
	Create() (File, error)
	Free() (bytes int64, known bool)
	Where() string // for people
}

// Options of a Counter.
type Options struct {
	Columns []Column
	Writers int   // how many goroutines add
	Memory  int64 // bytes that keys may take, in all; 0: DefaultMemory
	Rows    int64 // about how many will be added; 0 where that is not known
	Space   func() (Space, error)
	Text    ValueText // how values are shown in samples

	hash hasher // tests make all hashes equal
}

// DefaultMemory is how many bytes of keys are held at a time.
const DefaultMemory = 256 << 20

// Bounds of what memory is divided into.
const (
	blockMost   = 1 << 20   // bytes; a block is sorted while it is in a cache
	blockLeast  = 2 << 10   // bytes
	blocksLeast = 2         // of a writer
	bufferMost  = 128 << 10 // bytes, to write or read a file
	bufferLeast = 512       // bytes
	shareParts  = 8         // the blocks of a writer, at least, where memory allows
)

// Counter counts the keys that stand more than once. Rows are added by its
// writers; then Count tells. It must be closed.
type Counter struct {
	options Options
	hash    hasher
	writers []*Writer

	mu    sync.Mutex
	space Space // nil until something did not fit
	runs  []*run
	spent int64 // records in runs
	files []File
}

// New makes a Counter.
func New(o Options) *Counter {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	o.Writers = max(1, o.Writers)
	c := &Counter{options: o, hash: o.hash}
	if c.hash == nil {
		c.hash = newHasher()
	}
	for range o.Writers {
		c.writers = append(c.writers, &Writer{counter: c, encoder: newEncoder(o.Columns)})
	}
	return c
}

// Writer is the i-th of Options.Writers.
func (c *Counter) Writer(i int) *Writer { return c.writers[i] }

// share is the bytes that one writer's blocks and buffer may take.
func (c *Counter) share() int { return int(c.options.Memory / int64(c.options.Writers)) }

func (c *Counter) buffer() int { return min(bufferMost, max(bufferLeast, c.share()/shareParts)) }

func (c *Counter) blockSize() int { return min(blockMost, max(blockLeast, c.share()/shareParts)) }

// blocks is how many blocks a writer may have.
func (c *Counter) blocks() int {
	return max(blocksLeast, (c.share()-c.buffer())/c.blockSize())
}

// Writer takes batches of keys. It is for one goroutine; a Counter has as many as
// were asked for.
type Writer struct {
	counter *Counter
	encoder *encoder
	now     *block
	full    []*block // sorted
	free    []*block
	made    int
	records int64
	bytes   int64 // of all records
	file    File  // that this writer spills to; nil until then
	at      int64 // its length
}

// Add adds the rows of a batch: one array a key column, of its type. The rows are
// of a file, the caller's number for it; row tells where each stands in it.
func (w *Writer) Add(ctx context.Context, arrs []arrow.Array, file int, row func(i int) int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range arrs[0].Len() {
		if err := w.encoder.row(arrs, i); err != nil {
			return err
		}
		for w.now == nil || !w.now.add(w.encoder, w.counter.hash, file, row(i)) {
			if err := w.turn(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn puts a full block aside and takes an empty one. Where there is none left,
// all go to the disk.
func (w *Writer) turn(ctx context.Context) error {
	if err := w.putAside(); err != nil {
		return err
	}
	if w.made == w.counter.blocks() && len(w.free) == 0 {
		if err := w.spill(ctx); err != nil {
			return err
		}
	}
	if n := len(w.free); n > 0 {
		w.now, w.free = w.free[n-1], w.free[:n-1]
		return nil
	}
	w.made++
	w.now = newBlock(w.counter.blockSize())
	return nil
}

// putAside sorts the block that was filled.
func (w *Writer) putAside() error {
	if w.now == nil || len(w.now.entries) == 0 {
		return nil
	}
	w.records += int64(len(w.now.entries))
	w.bytes += int64(len(w.now.bytes))
	w.full = append(w.full, w.now)
	err := w.now.sort()
	w.now = nil
	return err
}

// Close removes what was written. The Counter cannot be used any more.
func (c *Counter) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	for _, f := range c.files {
		err = errors.Join(err, f.Close())
	}
	c.files, c.runs, c.writers = nil, nil, nil
	return err
}
