package lakecopy

import (
	"context"
	"errors"
	"fmt"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Options say which copy is meant and how to look at it. The zero value takes
// the folder at the store's root.
type Options struct {
	File     string                // key of a single Parquet file; empty for the whole folder
	Inside   Table                 // that the copy's path lies in, see InsideTable; zero for none
	Version  *int64                // of a Delta table; nil for the latest
	Parallel int                   // footers read at a time; 0 is 8
	Progress func(done, total int) // called while footers are read, never at the same time; nil for none
}

// Open finds out what lies at the store's root and reads every footer. Refusals
// are CopyNotFound, CopyNotACopy, CopyUnreadable, CopyFeature and the store's
// codes. A copy without rows is no refusal here: its Rows are 0.
func Open(ctx context.Context, r store.Reader, o Options) (*Copy, error) {
	if o.Inside.Root != "" {
		return nil, insideTable(r.URL(), o.Inside)
	}
	if o.File != "" {
		return openFile(ctx, r, o)
	}
	found, err := list(ctx, r)
	if err != nil {
		return nil, err
	}
	if found.delta {
		return openDelta(ctx, r, o)
	}
	return openFolder(ctx, r, o, found)
}

func openFile(ctx context.Context, r store.Reader, o Options) (*Copy, error) {
	obj, err := r.Stat(ctx, o.File)
	if err != nil {
		return nil, storeError(r, o.File, err)
	}
	c := &Copy{Kind: Parquet, URL: r.URL(), reader: r}
	c.Files = []File{dataFile(obj)}
	return c, c.finish(ctx, o, nil)
}

func openFolder(ctx context.Context, r store.Reader, o Options, found *listing) (*Copy, error) {
	if err := found.refuse(r.URL()); err != nil {
		return nil, err
	}
	if err := found.checkEmpty(ctx, r); err != nil {
		return nil, err
	}
	if err := found.honourSink(ctx, r); err != nil {
		return nil, err
	}
	if err := found.checkCommits(ctx, r); err != nil {
		return nil, err
	}
	if err := found.checkStrangers(ctx, r); err != nil {
		return nil, err
	}
	c := &Copy{Kind: Parquet, URL: r.URL(), reader: r, Skipped: found.skipped}
	for _, obj := range found.data {
		c.Files = append(c.Files, dataFile(obj))
	}
	if len(c.Files) == 0 {
		return nil, noDataFiles(r.URL(), found)
	}
	if err := checkLinks(ctx, r, c.Files); err != nil {
		return nil, err
	}
	names, err := partitionColumns(r.URL(), c.Files)
	if err != nil {
		return nil, err
	}
	c.Marks = append(c.Marks, fileMarks(c.Files)...)
	return c, c.finish(ctx, o, names)
}

func dataFile(o store.Object) File {
	return File{Key: o.Key, Size: o.Size, ETag: o.ETag, Modified: o.Modified}
}

// finish reads the footers of a Parquet copy and sums it up.
func (c *Copy) finish(ctx context.Context, o Options, partitions []string) error {
	for _, f := range c.Files {
		if f.Size == 0 {
			return &verdict.Error{
				Code: verdict.CopyUnreadable,
				What: fmt.Sprintf("data file %q of %q has no bytes", f.Key, c.URL),
				Why:  "An upload that broke off leaves such a file; its rows would be missing from the seed.",
				Hint: []string{"Write the copy again, or remove the file if it never held rows."},
			}
		}
	}
	feet, err := readFooters(ctx, c.reader, c.Files, o)
	if err != nil {
		return err
	}
	c.classify(feet, byPartition(partitions), false)
	c.Evidence = oldestFile(c.Files)
	c.sum()
	return nil
}

// sum fills in what follows from the files and classes.
func (c *Copy) sum() {
	c.Rows, c.Deleted, c.Bytes = 0, 0, 0
	for _, f := range c.Files {
		c.Rows += f.Rows
		c.Deleted += f.Deleted
		c.Bytes += f.Size
	}
	c.Marks = append(c.Marks, c.columnMarks()...)
	c.Hash = hash(c.Files)
}

func oldestFile(files []File) Evidence {
	e := Evidence{Earliest: files[0].Modified, What: files[0].Key}
	for _, f := range files[1:] {
		if f.Modified < e.Earliest {
			e = Evidence{Earliest: f.Modified, What: f.Key}
		}
	}
	e.What = fmt.Sprintf("the oldest file, %q", e.What)
	return e
}

// storeError tells the store's answer about a key as a refusal.
func storeError(r store.Reader, key string, err error) error {
	e := &verdict.Error{Code: verdict.StoreUnreachable, What: fmt.Sprintf("read %q of the copy %q", key, r.URL()), Err: err}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, store.ErrNotExist):
		e.Code = verdict.CopyNotFound
		e.Hint = []string{"Check the path: it is taken as it stands, upper and lower case included."}
	case errors.Is(err, store.ErrDenied):
		e.Code = verdict.StoreDenied
		e.Hint = []string{"Give this account the right to list and read the copy's folder."}
	default:
		e.Hint = []string{"Run again; reading the copy changes nothing."}
	}
	return e
}
