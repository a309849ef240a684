package splice

import (
	"context"

	"cdcseed/engine/splice/footer"
	"cdcseed/engine/store"
)

// pageBytes is the unit in which file systems share bytes between files: a copied
// run stands at the same place inside of one as in the copy.
const pageBytes = 4096

// Counts is where the bytes of a new file come from. No page of a copied column is
// ever decompressed; dictionaries that are cast are, once each.
type Counts struct {
	Copied  int64 `json:"copied"`  // bytes taken over from the copy as they are
	Seen    int64 `json:"seen"`    // of these, that went through the program's own memory on their way
	Recoded int64 `json:"recoded"` // bytes encoded here, dictionaries among them
	Made    int64 `json:"made"`    // bytes of constants, columns without a value, indexes and the footer
	Padding int64 `json:"padding"` // bytes between runs, so that they stand as in the copy
	Runs    int   `json:"runs"`    // stretches that were copied
	Pages   int   `json:"pages"`   // pages of copied chunks whose headers, and nothing else, were read
}

// writing is the new file while it grows. Copied chunks that follow one another
// in the copy are gathered and moved as one run.
type writing struct {
	up     store.Upload
	from   store.File
	at     int64         // end of the new file, the run that waits included
	run    footer.Region // of the copy, that waits to be copied
	buffer []byte
	counts Counts
}

// put puts bytes at the end, behind the run that waits.
func (w *writing) put(ctx context.Context, p []byte) (at int64, err error) {
	if len(p) == 0 {
		return w.at, nil
	}
	if err := w.flush(ctx); err != nil {
		return 0, err
	}
	at = w.at
	n, err := w.up.Write(p)
	w.at += int64(n)
	return at, err
}

// copy adds a stretch of the copy and answers where it will stand.
func (w *writing) copy(ctx context.Context, r footer.Region) (at int64, err error) {
	if w.run.Length == 0 || w.run.End() != r.Offset {
		if err := w.align(ctx, r.Offset); err != nil {
			return 0, err
		}
		w.run = footer.Region{Offset: r.Offset}
	}
	at = w.at
	w.run.Length += r.Length
	w.at += r.Length
	w.counts.Copied += r.Length
	return at, nil
}

// take adds a stretch of the copy wherever the new file ends.
func (w *writing) take(ctx context.Context, r footer.Region) (at int64, err error) {
	if err := w.flush(ctx); err != nil {
		return 0, err
	}
	at, w.run = w.at, r
	w.at += r.Length
	w.counts.Copied += r.Length
	return at, w.flush(ctx)
}

// align fills up so that what comes next stands at the same place of a page as
// offset does.
func (w *writing) align(ctx context.Context, offset int64) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	gap := ((offset-w.at)%pageBytes + pageBytes) % pageBytes
	if gap == 0 {
		return nil
	}
	w.counts.Padding += gap
	_, err := w.put(ctx, make([]byte, gap))
	return err
}

// flush copies the run that waits.
func (w *writing) flush(ctx context.Context) error {
	if w.run.Length == 0 {
		return nil
	}
	r := w.run
	w.run = footer.Region{}
	w.counts.Runs++
	seen, err := store.CopyRange(ctx, w.up, w.from, r.Offset, r.Length, w.buffer)
	w.counts.Seen += seen
	return err
}

// physicalOrder compares columns by where their chunks begin in the copy.
func physicalOrder(groups []footer.Group, a, b int) int {
	for _, g := range groups {
		if g.Rows() == 0 {
			continue
		}
		switch x, y := g.Chunk(a).Start(), g.Chunk(b).Start(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return 0
}
