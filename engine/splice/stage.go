package splice

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/store"
)

// Result is a file that stands finished in the store.
type Result struct {
	rewrite.Staged

	Report cast.Report // of the columns that are not copied, whose values are known
	Ways   []Choice    // as they came out, beside the job's columns
	Counts Counts
}

// abortWait bounds the clean-up after a failure or a stop.
const abortWait = 30 * time.Second

// Stage writes the job's file. Like rewrite.Stage it leaves nothing visible under
// the key after any error, cancelling included, stages nothing for a file without
// rows, and reports what happened to the values also when an error is returned.
// progress, which may be nil, is called after each row group with rows and bytes so far.
func Stage(ctx context.Context, w store.Writer, job Job, progress func(rows, bytes int64)) (Result, error) {
	s := &stage{w: w, job: job, mem: memory.DefaultAllocator, report: cast.Report{Columns: map[string]cast.ColumnReport{}}}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	s.stop = stop
	err := s.run(inner, progress)
	s.release()
	if err != nil {
		err = errors.Join(fmt.Errorf("splice %q: %w", job.File, err), s.abort(ctx))
	}
	return s.result(err == nil), err
}

// stage is one file being written.
type stage struct {
	w      store.Writer
	job    Job
	mem    memory.Allocator
	src    *Source
	in     *parquetfile.File // for recoders; nil without any
	groups []footer.Group    // of the copy's file, those with rows

	columns []column
	order   []int // of the new file's columns: places in columns
	out     writing
	stats   string // of the table's log
	record  string // of the casts' counts
	made    []byte // the new footer, from its first byte to the file's end
	report  cast.Report
	staged  rewrite.Staged
	stop    context.CancelFunc
	asked   bool // Finish was asked for: the file may stand although its answer was an error
}

func (s *stage) run(ctx context.Context, progress func(rows, bytes int64)) (err error) {
	if s.src, err = Look(s.job.From, s.job.From.Size()); err != nil {
		return err
	}
	if err := s.src.Refused(); err != nil {
		return err
	}
	if s.columns, err = s.job.columns(s.src); err != nil {
		return err
	}
	for _, g := range s.src.foot.Groups() {
		if g.Rows() > 0 {
			s.groups = append(s.groups, g)
		}
	}
	if len(s.groups) == 0 {
		return nil
	}
	s.out.from, s.out.buffer = s.job.From, make([]byte, store.CopyBuffer)
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if s.out.up, err = s.w.Create(ctx, s.job.Key); err != nil {
		s.out.up = nil
		return err
	}
	if err := s.write(ctx, progress); err != nil {
		return err
	}
	if err := s.end(ctx); err != nil {
		return err
	}
	return s.finish(ctx)
}

// write puts the row groups into the new file.
func (s *stage) write(ctx context.Context, progress func(rows, bytes int64)) error {
	if _, err := s.out.put(ctx, []byte(magic)); err != nil {
		return err
	}
	var rows int64
	for g, group := range s.groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.group(ctx, g, group); err != nil {
			return fmt.Errorf("row group %d: %w", g, err)
		}
		rows += group.Rows()
		if progress != nil {
			progress(rows, s.out.at)
		}
	}
	return nil
}

// group puts one row group together: while chunks are copied, others are recoded.
func (s *stage) group(ctx context.Context, g int, group footer.Group) (err error) {
	var wg sync.WaitGroup
	defer func() {
		if err != nil {
			s.stop() // what is still being recoded is for nothing
		}
		wg.Wait()
	}()
	s.recode(ctx, &wg, group.Rows())
	for _, i := range s.order {
		if err := s.place(ctx, &s.columns[i], g, group); err != nil {
			return fmt.Errorf("column %q: %w", s.columns[i].Name, err)
		}
	}
	return nil
}

// recode has the chunks of a row group made that are encoded anew, one after the
// other in the file's order, beside what is copied.
func (s *stage) recode(ctx context.Context, wg *sync.WaitGroup, rows int64) {
	var all []*recoder
	for _, i := range s.order {
		if r := s.columns[i].recoder; r != nil {
			all = append(all, r)
		}
	}
	for _, r := range all {
		r.begin(max(1, pagesAhead/len(all)))
	}
	wg.Go(func() {
		for _, r := range all {
			r.err = r.group(ctx, rows)
			close(r.pages)
		}
	})
}

// place puts one column's chunk of a row group behind what stands there.
func (s *stage) place(ctx context.Context, c *column, g int, group footer.Group) error {
	switch c.way {
	case Copied, Annotated:
		old := group.Chunk(c.node.Leaf)
		at, err := s.out.copy(ctx, footer.Region{Offset: old.Start(), Length: old.Size()})
		if err != nil {
			return err
		}
		moved := old.Moved(at - old.Start())
		moved.SetPath([]string{c.Name})
		moved.Struct().Struct(chunkMeta).Delete(metaKeyValues)
		if s.src.foot.Spoiled(c.node.Leaf) { // readers that do not know the writer would believe it
			moved.DropStatistics()
		}
		c.chunks = append(c.chunks, moved)
		return nil
	case Dictionary:
		return s.placeDictionary(ctx, c, g, group)
	case Recoded:
		return s.placeRecoded(ctx, c)
	}
	made, err := synth(c.Name, c.value, group.Rows())
	if err != nil {
		return err
	}
	at, err := s.out.put(ctx, made.bytes)
	s.out.counts.Made += int64(len(made.bytes))
	c.chunks = append(c.chunks, made.at(at))
	return err
}

func (s *stage) placeDictionary(ctx context.Context, c *column, g int, group footer.Group) error {
	old := group.Chunk(c.node.Leaf)
	d := c.tried[g]
	if d == nil {
		var err error
		if d, err = s.dictionaries(c).cast(ctx, old, c.pages[g]); err != nil {
			return err
		}
	}
	delete(c.tried, g)
	if err := s.out.align(ctx, d.pieces[0].body.Offset-int64(len(d.page)+len(d.pieces[0].head))); err != nil {
		return err
	}
	at, err := s.out.put(ctx, d.page)
	if err != nil {
		return err
	}
	s.out.counts.Recoded += int64(len(d.page))
	for _, p := range d.pieces {
		if _, err := s.out.put(ctx, p.head); err != nil {
			return err
		}
		s.out.counts.Recoded += int64(len(p.head))
		if _, err := s.out.take(ctx, p.body); err != nil {
			return err
		}
	}
	c.element = d.element
	c.chunks = append(c.chunks, d.at(at, c.Name, old))
	return nil
}

func (s *stage) placeRecoded(ctx context.Context, c *column) error {
	first := true
	for p := range c.recoder.pages {
		at, err := s.out.put(ctx, p)
		if err != nil {
			return err
		}
		if first {
			c.placed, first = append(c.placed, at), false
		}
		s.out.counts.Recoded += int64(len(p))
		c.recoder.done(p)
	}
	return c.recoder.err
}

// finish makes the file visible, and proves what stands there.
func (s *stage) finish(ctx context.Context) error {
	s.asked = true
	obj, err := s.out.up.Finish(ctx)
	if err != nil {
		s.asked = !errors.Is(err, store.ErrExist) // another's file is not ours to remove
		return err
	}
	if err := s.reopen(ctx, obj); err != nil {
		return fmt.Errorf("look at %q again: %w", s.job.Key, err)
	}
	s.staged = rewrite.Staged{Key: s.job.Key, Size: obj.Size, Rows: s.src.Rows(), Modified: obj.Modified, Stats: s.stats}
	return nil
}

func (s *stage) result(whole bool) Result {
	out := Result{Report: s.counted(), Counts: s.out.counts}
	for i, c := range s.columns {
		w := s.job.Ways[i]
		if c.way != w.Way {
			w = Choice{Way: c.way, Reason: c.reason}
		}
		out.Ways = append(out.Ways, w)
	}
	if whole {
		out.Staged = s.staged
	}
	return out
}

// counted is what happened to the values of the columns that are not copied.
func (s *stage) counted() cast.Report {
	out := cast.Merge(s.report)
	for _, c := range s.columns {
		switch c.way {
		case Recoded:
			if c.recoder != nil {
				out = cast.Merge(out, c.recoder.caster.Report())
			}
		case Dictionary: // which changed nothing that is worth counting
			if n, known := s.src.foot.NullCount(c.node.Leaf); known {
				r := c.rule()
				out.Columns[c.plan.Target.Name] = cast.ColumnReport{
					Values: s.src.Rows(), Unchanged: s.src.Rows() - n, Nulls: n,
					Effects: map[cast.Effect]int64{}, Samples: map[cast.Effect][]cast.Sample{},
					Answer: r.Answer, Choices: r.Choices(c.plan.Target),
				}
			}
		}
	}
	return out
}

// abort removes what was uploaded. The stop that led here must not stop the
// clean-up, so it has its own time.
func (s *stage) abort(ctx context.Context) error {
	if s.out.up == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortWait)
	defer cancel()
	err := s.out.up.Abort(ctx)
	if s.asked {
		err = errors.Join(err, s.w.Remove(ctx, s.job.Key))
	}
	if err != nil {
		return fmt.Errorf("remove unfinished %q: %w", s.job.Key, err)
	}
	return nil
}

func (s *stage) release() {
	for i := range s.columns {
		if r := s.columns[i].recoder; r != nil {
			r.scan.Close()
		}
	}
}
