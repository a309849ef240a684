package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/duplicates"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store"
)

// mostKeyReaders bounds the parts of the copy that keys are read from at a time:
// each reader holds a share of the memory that keys may take.
const mostKeyReaders = 8

// keyCount reads the key columns of all files of a copy into a counter.
type keyCount struct {
	copy    *lakecopy.Copy
	filter  *lakecopy.Mark
	places  map[string]int // of the copy's files in its list, by key
	parts   func(ctx context.Context, give func(part) bool) error
	key     cast.Mapping
	columns []duplicates.Column
	counter *duplicates.Counter
	rows    int64 // of the copy
	now     func() clock.Instant
	told    func(done, total int64, unit string)

	mu      sync.Mutex
	scratch *store.Scratch // nil while all fits in memory
	report  cast.Report
	done    int64
	pace    pace
}

func keyReaders() int { return min(mostKeyReaders, runtime.GOMAXPROCS(0)) }

// space makes the folder for what does not fit in memory.
func (k *keyCount) space(dir string) (duplicates.Space, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, err := store.NewScratch(dir)
	if err != nil {
		return nil, err
	}
	k.scratch = s
	return keySpace{s}, nil
}

// keySpace is a scratch folder as a counter takes it.
type keySpace struct{ *store.Scratch }

func (s keySpace) Create() (duplicates.File, error) { return s.Scratch.Create() }
func (s keySpace) Where() string                    { return s.Dir() }

// close removes what was written on the way, whatever came of it.
func (k *keyCount) close() error {
	err := k.counter.Close()
	if k.scratch != nil {
		err = errors.Join(err, k.scratch.Close())
	}
	return err
}

// count reads all parts of the copy, several at a time, and compares what was read.
func (k *keyCount) count(ctx context.Context) (duplicates.Result, error) {
	if err := k.read(ctx); err != nil {
		return duplicates.Result{}, err
	}
	k.tell(0, "rows", true)
	k.done, k.pace = 0, pace{}
	found, err := k.counter.Count(ctx, func(n int64) { k.tell(n, "keys", false) })
	if err == nil {
		k.tell(0, "keys", true)
	}
	return found, err
}

func (k *keyCount) read(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan part)
	var wg sync.WaitGroup
	for i := range keyReaders() {
		wg.Go(func() {
			r := &keyReader{keyCount: k, writer: k.counter.Writer(i), casters: map[string]*cast.Caster{}}
			for p := range next {
				if ctx.Err() == nil {
					if err := r.part(ctx, p); err != nil {
						cancel(err)
					}
				}
			}
			k.mu.Lock()
			defer k.mu.Unlock()
			for _, c := range r.casters {
				k.report.Add(c.Report())
			}
		})
	}
	err := k.parts(ctx, func(p part) bool {
		if ctx.Err() == nil {
			next <- p
		}
		return ctx.Err() == nil
	})
	close(next)
	wg.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// keyReader is one of the goroutines that read.
type keyReader struct {
	*keyCount
	writer  *duplicates.Writer
	casters map[string]*cast.Caster // by file class
}

// part reads the keys of a part of the copy.
func (r *keyReader) part(ctx context.Context, p part) error {
	caster := r.casters[p.file.Class]
	if caster == nil {
		var err error
		if caster, err = r.key.Caster(p.file.Class, asof.Location); err != nil {
			return err
		}
		r.casters[p.file.Class] = caster
	}
	scan := r.copy.Read(ctx, p.file, caster.Columns(), batchRows).Part(p.from, p.to)
	if r.filter != nil {
		scan = scan.ExcludeFlagged(*r.filter)
	}
	defer func() { _ = scan.Close() }() // it was only read
	for scan.Next() {
		rec := scan.Record()
		out, err := caster.Cast(rec, cast.Place{File: p.file.Key, Row: scan.RowOf})
		if err != nil {
			return err
		}
		if caster.Err() == nil { // keys with a value that is refused are nobody's
			err = r.writer.Add(ctx, out, r.places[p.file.Key], scan.RowOf)
		}
		for _, a := range out {
			a.Release()
		}
		if err != nil {
			return err
		}
		r.tell(rec.NumRows(), "rows", false)
	}
	return storeError("reading the copy", scan.Err())
}

// tell counts and passes the count on, at most ten times a second and once at the end.
func (k *keyCount) tell(n int64, unit string, last bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.done += n
	switch {
	case last:
		k.done = k.rows // rows that are left out were passed over
	case !k.pace.due(k.now()):
		return
	}
	k.told(min(k.done, k.rows), k.rows, unit)
}

// plan is what was found, as the plan has it.
func (k *keyCount) plan(found duplicates.Result) *KeysPlan {
	p := &KeysPlan{
		Rows: found.Rows, Keys: found.Keys, Extra: found.Extra, Groups: found.Open, GroupKeys: found.OpenBy,
		Samples: k.samples(found.Samples), Undecided: k.samples(found.OpenSamples),
	}
	for _, c := range k.columns {
		p.Columns = append(p.Columns, c.Name)
		if p.Groups > 0 && c.Undecided() {
			name := c.SQL.Collation
			if name == "" {
				name = "that is not known"
			}
			p.Collations = append(p.Collations, name)
		}
	}
	return p
}

func (k *keyCount) samples(list []duplicates.Sample) (out []KeySample) {
	for _, s := range list {
		sample := KeySample{Count: s.Count}
		for _, at := range s.Places {
			sample.Rows = append(sample.Rows, KeyRow{Key: at.Key, File: k.copy.Files[at.File].Key, Row: at.Row})
		}
		out = append(out, sample)
	}
	return out
}
