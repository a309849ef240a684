package engine

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sort"
	"sync"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/lakecopy"
)

// watcher sees a batch of a file and what was made of it, and the numbers of its
// rows in the file. It keeps nothing of any of them. It is called by one goroutine
// at a time, in any order of files.
type watcher func(f lakecopy.File, rec arrow.Record, out []arrow.Array, row func(i int) int64)

// looking is values being looked at by several workers. What they find is added
// up in any order: the sum does not depend on it.
type looking struct {
	b     *builder
	total int64 // rows, where the progress is told; 0 tells none

	mu     sync.Mutex
	report cast.Report
	rows   int64
	files  map[string]bool
	spent  time.Duration // of all workers, on what was looked at
	done   int64         // rows told of
	pace   pace
	failed int // the first part that failed
	err    error
}

// errGivenUp ends a part because an earlier one has failed.
var errGivenUp = errors.New("an earlier part failed")

func (b *builder) newLooking() *looking {
	l := &looking{b: b, report: cast.Merge(), files: map[string]bool{}, failed: math.MaxInt}
	if b.far != nil && b.request.Check == CheckAll {
		l.total = b.plan.Copy.Rows
	}
	return l
}

// run looks at the parts that parts gives, on all cores. Its error is that of the
// first part that fails, whichever worker comes to it first.
func (l *looking) run(ctx context.Context, parts func(give func(part) bool) error) error {
	type numbered struct {
		part
		n int
	}
	next := make(chan numbered)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			w := &looker{looking: l, casters: map[string]*cast.Caster{}}
			for p := range next {
				if err := w.part(ctx, p.part, p.n); err != nil {
					l.fail(p.n, err)
				}
			}
			for _, c := range w.casters {
				w.add(c)
			}
		})
	}
	n := 0
	err := parts(func(p part) bool {
		if ctx.Err() != nil || l.gaveUp(n) {
			return false
		}
		next <- numbered{p, n}
		n++
		return true
	})
	close(next)
	wg.Wait()
	if l.err != nil {
		return l.err
	}
	if err := errors.Join(err, ctx.Err()); err != nil {
		return err
	}
	l.tell(0, true)
	return nil
}

func (l *looking) fail(n int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < l.failed && !errors.Is(err, errGivenUp) {
		l.failed, l.err = n, err
	}
}

func (l *looking) gaveUp(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return n > l.failed
}

// now reads the clock, which may be one that only one goroutine may use.
func (l *looking) now() clock.Instant {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.session.now()
}

// looker is one of the workers. Its casters serve all its parts, as a zone costs
// more to make than a small file to cast.
type looker struct {
	*looking
	casters map[string]*cast.Caster // by file class
}

// caster is for a part of a file of the class. Where a column has one date a file,
// each part has one of its own.
func (w *looker) caster(class string) (_ *cast.Caster, own bool, err error) {
	if c := w.casters[class]; c != nil {
		return c, false, nil
	}
	c, err := w.b.plan.Columns.Preview(class, asof.Location)
	if err != nil {
		return nil, false, err
	}
	if w.b.oneDate() {
		return c, true, nil
	}
	w.casters[class] = c
	return c, false, nil
}

// add adds what a caster counted, once.
func (l *looking) add(c *cast.Caster) {
	report := c.Report()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Add(report)
}

// part casts the values of one part.
func (w *looker) part(ctx context.Context, p part, n int) error {
	l, b := w.looking, w.b
	caster, own, err := w.caster(p.file.Class)
	if err != nil {
		return err
	}
	scan := b.copy.Read(ctx, p.file, caster.Columns(), batchRows).Part(p.from, p.to)
	if b.filter != nil {
		scan = scan.ExcludeFlagged(*b.filter)
	}
	defer func() { _ = scan.Close() }() // it was only read
	rows := int64(0)
	for since := l.now(); scan.Next(); since = l.now() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.gaveUp(n) {
			return errGivenUp
		}
		looked, ended, err := l.batch(scan, p, caster, since)
		if err != nil {
			return err
		}
		rows += looked
		if ended {
			break
		}
	}
	if err := scan.Err(); err != nil {
		return storeError("reading the copy", err)
	}
	if own {
		l.add(caster)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows += rows
	l.files[p.file.Key] = true
	return nil
}

// batch casts the rows of a record that belong to the part, and says whether the
// part ends in it.
func (l *looking) batch(scan *lakecopy.Scanner, p part, caster *cast.Caster, since clock.Instant) (looked int64, ended bool, err error) {
	rec := scan.Record()
	rows := int(rec.NumRows())
	from := sort.Search(rows, func(i int) bool { return scan.RowOf(i) > p.first })
	to := sort.Search(rows, func(i int) bool { return scan.RowOf(i) > p.end })
	if from == rows {
		return 0, false, nil // passed over on the way to the part
	}
	row := func(i int) int64 { return scan.RowOf(from + i) }
	rec = rec.NewSlice(int64(from), int64(to))
	defer rec.Release()
	out, err := caster.Cast(rec, cast.Place{File: p.file.Key, Row: row})
	if err != nil {
		return 0, false, err
	}
	defer func() {
		for _, a := range out {
			a.Release()
		}
	}()
	l.saw(p.file, rec, out, row, since)
	return rec.NumRows(), to < rows, nil
}

// saw counts a batch and shows it to whoever watches.
func (l *looking) saw(f lakecopy.File, rec arrow.Record, out []arrow.Array, row func(i int) int64, since clock.Instant) {
	l.mu.Lock()
	if l.b.watch != nil {
		l.b.watch(f, rec, out, row)
	}
	l.spent += l.b.session.now().Sub(since)
	l.mu.Unlock()
	l.tell(rec.NumRows(), false)
}

// tell counts rows and passes the count on, at most ten times a second and once
// at the end. A sample takes seconds: only looking at every value is told.
func (l *looking) tell(rows int64, last bool) {
	if l.total == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done += rows
	switch {
	case last:
		l.done = l.total // rows that are left out were passed over
	case !l.pace.due(l.b.session.now()):
		return
	}
	l.b.far(l.done, l.total)
}
