package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/splice"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/verdict"
)

// StagePlan names the data files before they exist.
type StagePlan struct {
	Key    string            `json:"key"` // 16 hexadecimal digits over copy identity, column rules, L and target schema
	Codec  parquetfile.Codec `json:"codec"`
	OnStop string            `json:"on_stop"` // remove or keep
	Memory int64             `json:"memory"`  // bytes that writing may take

	Ways []WaysPlan `json:"ways,omitempty"` // how files are made; each file of the list names its own by its place here
}

// WaysPlan is one manner in which files of the copy become files of the target:
// spliced, with a way for each column, or written anew as a whole.
type WaysPlan struct {
	Class   string      `json:"class"`
	Files   int         `json:"files"`
	Rows    int64       `json:"rows"`
	Bytes   int64       `json:"bytes"`
	Rewrite string      `json:"rewrite,omitempty"` // why such a file is written anew as a whole, of its first file; empty where it is spliced
	Columns []ColumnWay `json:"columns,omitempty"` // of a spliced one: the captured columns, in the plan's order
}

// ColumnWay is how one column of a spliced file is made.
type ColumnWay struct {
	Name   string     `json:"name"`
	Way    splice.Way `json:"way"`
	Reason string     `json:"reason"`           // of the first such file
	Unseen bool       `json:"unseen,omitempty"` // its values are copied and not all of them were looked at
}

// Bounds of the look at the files' footers.
const (
	waysParallel = 8   // footers that are read at a time
	waysAtOnce   = 512 // files whose decisions, one a column, are held until they are counted
	mostManners  = 256 // further files that are unlike all of them are written anew as a whole
)

// chooseWays decides for each file of the copy, from its footer, how it gets
// into the target.
func (b *builder) chooseWays(ctx context.Context) error {
	if b.copy == nil || b.plan.State == AlreadySeeded {
		return nil
	}
	b.tell("choosing how each file is written")
	columns := make([]rewrite.Column, len(b.plan.Columns.Columns))
	for i, c := range b.plan.Columns.Columns {
		columns[i] = rewrite.FromCast(c.Target.Name, c.Target.Type, i)
	}
	m, known := manners{places: map[string]int{}}, splice.NewRanges()
	for from := 0; from < len(b.copy.Files); from += waysAtOnce {
		files := b.copy.Files[from:min(from+waysAtOnce, len(b.copy.Files))]
		chosen := make([]splice.Decision, len(files))
		err := eachFile(ctx, len(files), waysParallel, func(ctx context.Context, i int) (err error) {
			chosen[i], err = b.decide(ctx, columns, files[i], known)
			return err
		})
		if err != nil {
			return err
		}
		for i, d := range chosen {
			b.plan.Files[from+i].Ways = m.place(files[i], b.plan.Columns.Columns, d)
		}
	}
	b.plan.Stage.Ways = m.plans
	b.unseen()
	return nil
}

// plain encodes columns anew of which the preview counted something: a dictionary
// does not tell how many rows an entry stands in.
func (b *builder) plain(d splice.Decision) splice.Decision {
	for i, c := range d.Columns {
		if c.Way == splice.Dictionary && len(b.plan.Preview.Report.Columns[b.plan.Columns.Columns[i].Target.Name].Effects) > 0 {
			d.Columns[i] = splice.Choice{Way: splice.Recoded, Reason: "its values are counted as they are cast"}
		}
	}
	return d
}

// unseen warns of text and bytes that are copied as they are and that nobody
// looked at: what no cast would let pass would pass.
func (b *builder) unseen() {
	var names []string
	var rows int64
	for _, w := range b.plan.Stage.Ways {
		found := false
		for _, c := range w.Columns {
			if c.Unseen {
				found = true
				if !slices.Contains(names, c.Name) {
					names = append(names, c.Name)
				}
			}
		}
		if found {
			rows += w.Rows
		}
	}
	if len(names) == 0 {
		return
	}
	b.check(verdict.Warned(verdict.ValuesUnseen,
		fmt.Sprintf("%s copied as bytes, and most of the values in %s are not looked at: %s", verdict.Plural(len(names), "column is", "columns are"),
			verdict.Plural(rows, "row", "rows"), strings.Join(names, ", ")),
		"Text that is too long or not UTF-8 would be written as the copy has it. --check all looks at every value first; --cast COLUMN=stop has one column looked at while it is written."))
}

// decide looks at one file's footer.
func (b *builder) decide(ctx context.Context, columns []rewrite.Column, file lakecopy.File, known *splice.Ranges) (_ splice.Decision, err error) {
	left := ""
	switch {
	case b.filter != nil:
		left = "rows flagged as deleted are left out"
	case file.Deleted > 0:
		left = "a deletion vector hides rows of it"
	case b.copy.Compares(file.Class):
		left = "its values are compared with those in its folder's name"
	}
	if left != "" {
		return splice.Decision{Rewrite: left}, nil
	}
	in, err := b.copy.Raw(ctx, file)
	if err != nil {
		return splice.Decision{}, storeError("reading the copy", err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	src, err := splice.Look(in, file.Size)
	if err == nil {
		src.Seen = b.plan.Preview.Depth == CheckAll
		var d splice.Decision
		if d, err = splice.Decide(src, columns, &b.plan.Columns, file.Class, b.copy.InFile(file.Class), known); err == nil {
			return b.plain(d), nil
		}
	}
	var p *footer.Problem
	if errors.As(err, &p) && p.Kind.Remedy() != footer.Refuse {
		return splice.Decision{Rewrite: p.Error()}, nil
	}
	return splice.Decision{}, storeError("reading the copy", damaged(b.copy.URL, file.Key, err))
}

// damaged names a fault in a file of the copy. An error of reading or writing it
// stays as it is.
func damaged(url, key string, err error) error {
	var p *footer.Problem
	if !errors.As(err, &p) {
		return err
	}
	is, why, hint := "is damaged", "What its footer says and what the file holds do not agree: rows would be lost or made up.", "Write the copy again."
	switch p.Kind {
	case footer.Encrypted:
		is, why, hint = "is encrypted", "Without its keys, which this program does not take, its values cannot be read.", "Write the copy again without encryption."
	case footer.OtherFile:
		is, why, hint = "has columns in another file", "Only what stands in the file itself is read.", "Write the copy again, as files that are whole."
	}
	return &verdict.Error{
		Code: verdict.CopyUnreadable, What: fmt.Sprintf("data file %q of %q %s", key, url, is), Err: err, Why: why, Hint: []string{hint},
	}
}

// manners collects the manners of a copy's files.
type manners struct {
	plans  []WaysPlan
	places map[string]int
}

// place counts a file under its manner and gives the manner's place.
func (m *manners) place(file lakecopy.File, columns []cast.ColumnPlan, d splice.Decision) int {
	key := mannerKey(file.Class, d)
	at, known := m.places[key]
	if !known && len(m.plans) >= mostManners && d.Rewrite == "" {
		return m.place(file, columns, splice.Decision{Rewrite: fmt.Sprintf("it is unlike the copy's first %d kinds of files", mostManners)})
	}
	if !known {
		at = len(m.plans)
		m.places[key] = at
		w := WaysPlan{Class: file.Class, Rewrite: d.Rewrite}
		for i, c := range d.Columns {
			w.Columns = append(w.Columns, ColumnWay{columns[i].Target.Name, c.Way, c.Reason, c.Unseen})
		}
		m.plans = append(m.plans, w)
	}
	w := &m.plans[at]
	w.Files++
	w.Rows += file.Rows
	w.Bytes += file.Size
	return at
}

// mannerKey is equal for files whose columns go the same ways. Reasons hold
// figures of single files and are not compared.
func mannerKey(class string, d splice.Decision) string {
	if d.Rewrite != "" {
		return class
	}
	var b strings.Builder
	b.WriteString(class)
	for _, c := range d.Columns {
		b.WriteByte(' ')
		b.WriteString(string(c.Way))
	}
	return b.String()
}

// eachFile calls do for every place below n, several at a time, until one fails.
// The error is that of the first place that failed by itself.
func eachFile(ctx context.Context, n, parallel int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next, errs := make(chan int), make([]error, n)
	var group sync.WaitGroup
	for range min(parallel, n) {
		group.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue
				}
				if errs[i] = do(ctx, i); errs[i] != nil {
					cancel()
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
	var stopped error
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		stopped = cmp.Or(stopped, err)
	}
	return cmp.Or(stopped, ctx.Err())
}
