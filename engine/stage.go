package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"cdcseed/engine/bronze"
	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// stagedFile is a data file that no log names yet.
type stagedFile struct {
	store.Object
	Rows  int64
	Stats string
	From  string // the file of an earlier try that it is a copy of, or empty

	report cast.Report // of a file that was taken over
}

// stage casts every file of the copy into a file of the target, or adopts what
// an earlier try of the same plan left whole.
func (x *execution) stage(ctx context.Context) error {
	return x.phase(Stage, "Cast and stage files", func() (string, error) {
		columns, stats, err := x.layout(ctx)
		if err != nil {
			return "", err
		}
		left, err := x.adoptable(ctx)
		if err != nil {
			return "", err
		}
		w := &stageWork{x: x, columns: columns, stats: stats, left: left, known: splice.NewRanges(), out: make([]*stagedFile, len(x.copy.Files))}
		err = w.run(ctx)
		var rows int64
		for _, f := range w.out {
			if f != nil {
				x.staged = append(x.staged, *f)
				rows += f.Rows
			}
		}
		if err != nil {
			return "", err
		}
		x.excluded, x.result.Excluded, x.result.Adopted = w.excluded, w.excluded, w.adopted
		if err := x.checkCounts(w.report); err != nil {
			return "", err
		}
		if rows == 0 {
			return "", stale("no row of the copy is left to write", "Every one is flagged as deleted by another tool.")
		}
		done := fmt.Sprintf("%s in %s", verdict.Plural(rows, "row", "rows"), verdict.Plural(len(x.staged), "file", "files"))
		if w.adopted > 0 {
			done += fmt.Sprintf(", %d of them from an earlier try", w.adopted)
		}
		return done, nil
	})
}

// layout is what the files hold, in the target's order, and which of their
// columns have statistics.
func (x *execution) layout(ctx context.Context) (_ []rewrite.Column, stats []string, err error) {
	columns := bronze.Columns(x.columns(), true)
	var clustered []string
	var table delta.Metadata
	if x.plan.Target.Create {
		made, err := bronze.NewTable(x.columns(), true, "", bronze.Commit{})
		if err != nil {
			return nil, nil, err
		}
		table = made.Metadata
	} else {
		snap, err := x.openTarget(ctx)
		if err != nil {
			return nil, nil, err
		}
		fit, err := x.fit(snap)
		if err != nil {
			return nil, nil, err
		}
		columns, clustered, table = fit.Columns, snap.ClusteringColumns(), fit.Table
	}
	captured, stamp := x.columns(), x.stamp()
	out := make([]rewrite.Column, len(columns))
	for i, c := range columns {
		j := slices.IndexFunc(captured, func(t schema.TargetColumn) bool { return schema.SameName(t.Name, c.Name) })
		if j >= 0 {
			out[i] = rewrite.FromCast(c.Name, c.Type, j)
			continue
		}
		value := stamp.Constant(c.Name)
		if at, ok := value.(clock.Instant); ok && c.Type.Kind == schema.TimestampNTZ {
			value = clock.Local(at) // the stream keeps commit times as UTC without a zone
		}
		out[i] = rewrite.Constant(c.Name, c.Type, value)
	}
	return physical(out, statsColumns(columns, clustered), table)
}

// physical gives a file's columns the names and field ids that the table's files
// have, where it maps its columns.
func physical(columns []rewrite.Column, stats []string, table delta.Metadata) ([]rewrite.Column, []string, error) {
	mode := table.Mapping()
	if !mode.On() {
		return columns, stats, nil
	}
	sc, err := delta.ParseSchema(table.SchemaString)
	if err != nil {
		return nil, nil, err
	}
	names := make(map[string]string, len(columns))
	for i, c := range columns {
		f, ok := sc.Field(c.Name)
		id, mapped := f.ID()
		if !ok || !mapped {
			return nil, nil, fmt.Errorf("column %q has no id in a table that maps its columns", c.Name)
		}
		names[c.Name] = mode.Physical(f)
		columns[i].Name, columns[i].FieldID = mode.Physical(f), &id
	}
	out := make([]string, len(stats))
	for i, name := range stats {
		out[i] = names[name]
	}
	return columns, out, nil
}

// statsColumns are the columns with statistics: the first 32, as Delta has it,
// those that a clustered table needs, and the metadata columns behind the
// captured ones, without which a look-up for snapshots opens every file.
func statsColumns(columns []bronze.Column, clustered []string) []string {
	const first = 32
	var out []string
	for i, c := range columns {
		meta := slices.ContainsFunc(schema.Reserved(), func(r string) bool { return schema.SameName(r, c.Name) })
		if i < first || meta || slices.Contains(clustered, c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// stageWork is the files of a copy being staged by a few workers.
type stageWork struct {
	x       *execution
	columns []rewrite.Column
	stats   []string
	left    map[int]leftover // files of an earlier try, by the copy's file they were made from
	known   *splice.Ranges   // values that the plan's casts leave as they are
	out     []*stagedFile    // by the copy's file; nil where it gave no rows

	mu       sync.Mutex
	rows     int64
	bytes    int64
	files    int
	excluded int64
	adopted  int
	report   cast.Report // of all files, those taken over too
	pace     pace
}

// run works on as many files at a time as there are cores and as the plan's
// memory has room for; a file that needs more than all of it is alone.
func (w *stageWork) run(ctx context.Context) error {
	budget := max(w.x.plan.Stage.Memory, leastMemory)
	room := semaphore.NewWeighted(budget)
	err := eachFile(ctx, len(w.out), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		manner, err := w.x.manner(i)
		if err != nil {
			return err
		}
		need := min(manner.memory(), budget)
		if err := room.Acquire(ctx, need); err != nil {
			return err
		}
		defer room.Release(need)
		return w.one(ctx, i)
	})
	w.tell(0, 0, true)
	return err
}

// one stages or adopts the file made from the copy's i-th.
func (w *stageWork) one(ctx context.Context, i int) error {
	if f, ok, err := w.adopt(ctx, i); ok || err != nil {
		w.out[i] = f
		return err
	}
	from := w.x.copy.Files[i]
	var told struct{ rows, bytes int64 }
	made, err := w.make(ctx, i, func(rows, bytes int64) {
		w.tell(rows-told.rows, bytes-told.bytes, false)
		told.rows, told.bytes = rows, bytes
	})
	if errors.Is(err, verdict.CopyNotFound) {
		e := verdict.As(err)
		return &verdict.Error{
			Code: verdict.CopyChanged, What: "a file of the copy went away while it was read", Facts: verdict.Facts("file", from.Key), Err: e,
			Hint: []string{"Make the plan again, with an as_of that is right for the copy as it is now."},
		}
	}
	if err != nil {
		return w.x.givenUp(storeError("staging a file", err))
	}
	w.tell(made.Rows-told.rows, made.Size-told.bytes, false) // what was still in the writer's hands
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files++
	w.report.Add(made.report)
	w.excluded += made.excluded
	if made.Rows > 0 {
		w.out[i] = &stagedFile{Object: store.Object{Key: made.Key, Size: made.Size, Modified: made.Modified}, Rows: made.Rows, Stats: made.Stats}
	}
	return allRows(from, made.Rows, made.excluded)
}

// allRows refuses a file of the copy that did not give the rows that were planned,
// each of them written or left out as flagged: a seed with a row too many or too
// few is wrong, whatever made it so.
func allRows(from lakecopy.File, written, excluded int64) error {
	if written+excluded == from.Rows {
		return nil
	}
	return &verdict.Error{
		Code:  verdict.CopyChanged,
		What:  fmt.Sprintf("file %q of the copy gave other rows than were planned", from.Key),
		Facts: verdict.Facts("rows planned", from.Rows, "written", written, "left out as flagged", excluded, "deleted in the table", from.Deleted),
		Why:   "Its rows would be in the seed twice, or be missing from it.",
		Hint:  []string{"Make the plan again. If it comes again for the same file, write the copy again without deletion vectors, and report the file."},
	}
}

// filter is the mark whose flagged rows the plan leaves out, or nil.
func (x *execution) filter() *lakecopy.Mark {
	f := x.plan.Copy.Filter
	if f == nil {
		return nil
	}
	return &lakecopy.Mark{Tool: f.Tool, Column: f.Column, Kind: f.Kind, When: f.When}
}

// tell counts and passes the counts on, at most ten times a second and once at the end.
func (w *stageWork) tell(rows, bytes int64, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows += rows
	w.bytes += bytes
	if !last && !w.pace.due(w.x.session.now()) {
		return
	}
	w.x.notify(Progress{
		Phase: Stage, Done: w.rows, Total: w.x.plan.Copy.Rows, Unit: "rows",
		Files: w.files, FileCount: len(w.out), Bytes: w.bytes,
	})
}
