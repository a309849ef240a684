package lakecopy

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// footer is what is kept of a file's footer while the others are read.
type footer struct {
	*form

	rows    int64 // deleted ones included
	deleted int64
	content [sha256.Size]byte
}

// form is what of a footer decides how its file is read. It is far larger than the
// rest, and one for all files that are alike: nobody changes it.
type form struct {
	columns []schema.CopyColumn
	ids     []int32 // field ids beside columns; -1 is none
	writer  string
	legacy  bool
}

// forms are those that were met so far, by their keys.
type forms struct {
	mu    sync.Mutex
	known map[string]*form
}

// share gives the form that is kept for all files that are like f.
func (s *forms) share(f *form) *form {
	key := f.key(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, met := s.known[key]; met {
		return first
	}
	s.known[key] = f
	return f
}

const defaultParallel = 8

// readFooters reads the footers of all files, several at a time, before
// anything is decided: a file that differs or is broken is found now, not after
// an hour of writing. The first file by key that fails is the one named.
func readFooters(ctx context.Context, r store.Reader, files []File, o Options) ([]footer, error) {
	parallel := o.Parallel
	if parallel < 1 {
		parallel = defaultParallel
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	feet, errs := make([]footer, len(files)), make([]error, len(files))
	next, whole, met := make(chan int), small(files), &forms{known: map[string]*form{}}
	var group sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(parallel, len(files)) {
		group.Go(func() {
			for i := range next {
				feet[i], errs[i] = readFooter(ctx, r, files[i], whole, met)
				if errs[i] != nil {
					cancel()
					continue
				}
				mu.Lock()
				if done++; o.Progress != nil {
					o.Progress(done, len(files))
				}
				mu.Unlock()
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	group.Wait()
	return feet, firstError(errs)
}

// firstError prefers a cause to the cancelling that it set off in the others.
func firstError(errs []error) error {
	var stopped error
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled):
			stopped = err
		default:
			return err
		}
	}
	return stopped
}

func readFooter(ctx context.Context, r store.Reader, file File, whole bool, met *forms) (footer, error) {
	f, err := open(ctx, r, file)
	if err != nil {
		return footer{}, err
	}
	own := &form{columns: f.Columns(), ids: f.FieldIDs()}
	own.writer, own.legacy = writerOf(f.File)
	out := footer{form: met.share(own), rows: f.Rows()}
	v, err := deletedRows(ctx, r, file, out.rows)
	if v != nil {
		out.deleted = v.Count()
	}
	if err == nil {
		if out.content, err = contentOf(f, v, out.rows, whole); err != nil {
			err = storeError(r, file.Key, err)
		}
	}
	return out, errors.Join(err, f.Close())
}

// opened is a data file with its footer read.
type opened struct {
	*parquetfile.File
	stored store.File
}

func (o opened) Close() error { return errors.Join(o.File.Close(), o.stored.Close()) }

// open opens a file that must be as it was listed.
func open(ctx context.Context, r store.Reader, file File) (opened, error) {
	if err := ctx.Err(); err != nil {
		return opened{}, err
	}
	sf, err := r.Open(ctx, file.Key)
	if err != nil {
		return opened{}, storeError(r, file.Key, err)
	}
	if sf.Size() != file.Size {
		return opened{}, errors.Join(changed(r.URL(), file, "bytes", file.Size, sf.Size()), sf.Close())
	}
	f, err := parquetfile.Open(sf)
	if err != nil {
		return opened{}, errors.Join(readError(r, file.Key, err), sf.Close())
	}
	return opened{f, sf}, nil
}

func changed(url string, file File, unit string, was, is int64) error {
	return &verdict.Error{
		Code:  verdict.CopyChanged,
		What:  fmt.Sprintf("data file %q of %q is not the one that was listed", file.Key, url),
		Facts: verdict.Facts(unit+" then", was, unit+" now", is),
		Why:   "A copy that changes while it is read would be seeded half old, half new.",
		Hint:  []string{"Wait until the job that writes the copy has ended, then run again."},
	}
}

// readError tells a file that could not be fetched from one that is broken.
func readError(r store.Reader, key string, err error) error {
	if errors.Is(err, parquetfile.ErrStore) {
		return storeError(r, key, err)
	}
	return unreadable(r.URL(), key, err)
}

func unreadable(url, key string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &verdict.Error{
		Code: verdict.CopyUnreadable,
		What: fmt.Sprintf("data file %q of %q cannot be read", key, url),
		Why:  "A file that is cut off, damaged or of a kind that this program does not know would leave its rows out of the seed.",
		Hint: []string{"Write the copy again; if another tool reads the file, have it rewrite it with snappy or zstd compression."},
		Err:  err,
	}
}

// shape makes a class's columns, and where they come from, out of a file's columns.
type shape func(footer) ([]schema.CopyColumn, layout)

// byPartition puts partition columns behind the file's own. A folder's value
// stands for a column of the same name in the file, which must hold the same.
func byPartition(names []string) shape {
	return func(foot footer) ([]schema.CopyColumn, layout) {
		out := make([]schema.CopyColumn, 0, len(foot.columns)+len(names))
		at := layout{physical: map[string]string{}, partition: map[string]bool{}, twice: map[string][]string{}}
		for _, c := range foot.columns {
			if folder, ok := named(names, c.Name); ok {
				at.twice[folder] = append(at.twice[folder], c.Name)
				continue
			}
			out = append(out, c)
			at.physical[c.Name] = c.Name
		}
		for _, n := range names {
			out = append(out, schema.CopyColumn{Name: n, Physical: "PARTITION"})
			at.partition[n] = true
		}
		return out, at
	}
}

func named(names []string, name string) (string, bool) {
	for _, n := range names {
		if schema.SameName(n, name) {
			return n, true
		}
	}
	return "", false
}

// key is equal for forms of one class. It does not print the columns: their
// String leaves out the name. Field ids count only where columns are found by them.
func (f *form) key(byID bool) string {
	var b strings.Builder
	if byID {
		fmt.Fprintln(&b, f.ids)
	}
	for _, c := range f.columns {
		fmt.Fprintf(&b, "%q %s %d %q %d %d %s %t %d %t\n",
			c.Name, c.Physical, c.Length, c.Logical, c.Precision, c.Scale, c.Unit, c.UTC, c.Bits, c.Unsigned)
	}
	fmt.Fprintf(&b, "%q %t", f.writer, f.legacy)
	return b.String()
}

// classify groups the files by their physical columns and writer, and sums up
// what they hold.
func (c *Copy) classify(feet []footer, of shape, byID bool) {
	c.layouts = map[string]layout{}
	index, places := map[string]int{}, map[*form]int{}
	for i, foot := range feet {
		at, known := places[foot.form]
		if !known {
			at = c.classOf(foot, of, index, foot.key(byID))
			places[foot.form] = at
		}
		c.Files[i].Class = c.Classes[at].ID
		c.Files[i].Rows, c.Files[i].Deleted = foot.rows-foot.deleted, foot.deleted
		if len(c.Classes[at].First) < schema.MostNamed {
			c.Classes[at].First = append(c.Classes[at].First, c.Files[i].Key)
		}
		c.Classes[at].Files++
		c.Classes[at].Rows += c.Files[i].Rows
	}
	c.Content = content(c.Files, feet)
}

// classOf is the place of a footer's class, which is made where it is a new one.
func (c *Copy) classOf(foot footer, of shape, index map[string]int, key string) int {
	if at, known := index[key]; known {
		return at
	}
	at := len(c.Classes)
	index[key] = at
	columns, from := of(foot)
	class := schema.FileClass{ID: fmt.Sprintf("c%d", at+1), Writer: foot.writer, Columns: columns, Legacy: foot.legacy}
	c.Classes = append(c.Classes, class)
	c.layouts[class.ID] = from
	return at
}
