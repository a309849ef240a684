package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/splice"
	"cdcseed/engine/store"
)

// vacuumAge is how long Delta's VACUUM leaves unreferenced files alone, where
// the table does not say otherwise.
const vacuumAge = 7 * 24 * time.Hour

// leftover is a whole staged file of an earlier try of the same plan.
type leftover struct{ store.Object }

// adoptable finds what an earlier try with the same stage key left: whole files
// that no log version names and that VACUUM will not take soon (decision 15).
func (x *execution) adoptable(ctx context.Context) (map[int]leftover, error) {
	out := map[int]leftover{}
	named, age, err := namedFiles(ctx, x.stores.Target)
	if err != nil {
		return nil, err
	}
	oldest := x.session.now().Add(-age / 2)
	for o, err := range x.stores.Target.List(ctx, "part-", "") {
		if err != nil {
			return nil, storeError("looking for staged files", err)
		}
		s, ours := rewrite.ParseStageName(o.Key)
		if ours && s.Key == x.plan.Stage.Key && !named[o.Key] && o.Modified >= oldest && s.Index < len(x.copy.Files) {
			out[s.Index] = leftover{o}
		}
	}
	return out, nil
}

// retentionOf reads delta.deletedFileRetentionDuration, an interval in whole
// days, hours, minutes or weeks. One that is written otherwise counts as none,
// so that nothing old is adopted.
func retentionOf(s *delta.Snapshot) time.Duration {
	text, ok := s.Metadata.Configuration["delta.deletedFileRetentionDuration"]
	if !ok {
		return vacuumAge
	}
	words := strings.Fields(strings.TrimPrefix(strings.ToLower(text), "interval "))
	units := map[string]time.Duration{"week": 7 * 24 * time.Hour, "day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute}
	if len(words) != 2 {
		return 0
	}
	n, err := strconv.Atoi(words[0])
	unit, known := units[strings.TrimSuffix(words[1], "s")]
	if err != nil || !known || n < 0 {
		return 0
	}
	return time.Duration(n) * unit
}

// adopt takes over a whole file of an earlier try for the copy's i-th. A file has
// its name only once it was synced; see whole for how far it is looked at.
func (w *stageWork) adopt(ctx context.Context, i int) (*stagedFile, bool, error) {
	left, ok := w.left[i]
	if !ok {
		return nil, false, nil
	}
	f, broken, err := w.takeOver(ctx, i, left.Object)
	if broken != nil && ctx.Err() == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.x.notify(Notice{Stage, fmt.Sprintf("%s of an earlier try is not whole and is written again: %v", left.Key, broken)})
		return nil, false, nil
	}
	if err := errors.Join(broken, err); err != nil {
		return nil, false, storeError("taking over a staged file", err)
	}
	w.mu.Lock()
	w.files++
	w.adopted++
	w.report.Add(f.report)
	w.excluded += w.x.copy.Files[i].Rows - f.Rows
	w.mu.Unlock()
	w.tell(f.Rows, f.Size, false)
	return f, true, nil
}

// takeOver gives a file of another try a name of this run's own. That try may
// still go on, and removes its files when it stops: a name that two runs count on
// could be removed by one and committed by the other. broken says why the file is
// not taken; err is a name or a copy that could not be made.
func (w *stageWork) takeOver(ctx context.Context, i int, left store.Object) (f *stagedFile, broken, err error) {
	in, err := w.x.stores.Target.Open(ctx, left.Key)
	if err != nil {
		return nil, err, nil
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if in.Size() != left.Size {
		return nil, fmt.Errorf("size %d, listed as %d", in.Size(), left.Size), nil
	}
	whole, err := w.whole(ctx, in)
	if err != nil {
		return nil, err, nil
	}
	if want := w.x.copy.Files[i].Rows; whole.Rows != want && w.x.plan.Copy.Filter == nil {
		return nil, fmt.Errorf("%d rows, the copy's file has %d", whole.Rows, want), nil
	}
	key := rewrite.StageName(i, w.x.plan.Stage.Key, uuid.NewString(), w.x.plan.Stage.Codec)
	own, shared, err := shareFile(ctx, w.x.stores.Target, left, key)
	if err == nil && !shared {
		own, err = copyFile(ctx, w.x.stores.Target, in, key)
	}
	if err != nil {
		return nil, nil, err
	}
	whole.Object, whole.From = own, left.Key
	return &whole, nil, nil
}

// whole proves that a staged file is whole and has the columns that are staged, and
// gives what is in it. Of a spliced one the page headers are walked, and its
// statistics are those that stand in it; any other is read to its end, and they are
// made again.
func (w *stageWork) whole(ctx context.Context, in store.File) (out stagedFile, err error) {
	found, err := splice.Whole(ctx, in, in.Size())
	if err == nil {
		return stagedFile{Rows: found.Rows, Stats: found.Stats, report: found.Report}, w.named(found.Columns)
	}
	if !errors.Is(err, splice.ErrNotSpliced) {
		return out, err
	}
	f, err := parquetfile.Open(in)
	if err != nil {
		return out, err
	}
	ids := f.FieldIDs()
	have := make([]splice.FoundColumn, len(ids))
	for i, c := range f.Columns() {
		have[i].Name = c.Name
		if ids[i] >= 0 {
			have[i].FieldID = &ids[i]
		}
	}
	if err := errors.Join(w.named(have), f.Close()); err != nil {
		return out, err
	}
	if out.Rows, out.Stats, err = parquetfile.Statistics(ctx, in, w.stats); err != nil {
		return out, err
	}
	out.report, err = stagedCounts(in, out.Rows)
	return out, err
}

// named checks that a file has exactly the columns that are staged, by name and
// field id, in any order: a spliced one has those that it copied first.
func (w *stageWork) named(have []splice.FoundColumn) error {
	if len(have) != len(w.columns) {
		return fmt.Errorf("%d columns, staged are %d", len(have), len(w.columns))
	}
	ids := make(map[string]*int32, len(have))
	for _, c := range have {
		ids[c.Name] = c.FieldID
	}
	for _, c := range w.columns {
		id, ok := ids[c.Name]
		switch {
		case !ok:
			return fmt.Errorf("no column %q", c.Name)
		case (id == nil) != (c.FieldID == nil), id != nil && *id != *c.FieldID:
			return fmt.Errorf("column %q has another field id than is staged", c.Name)
		}
	}
	return nil
}

// linker is a store in which a file can have two names. A second one costs no
// space, and is as new as a copy would be.
type linker interface {
	Link(ctx context.Context, from, to string) (store.Object, error)
}

// shareFile gives a file a second key, where the store can and the file is still
// there under the first one. After an error nothing stands under key.
func shareFile(ctx context.Context, w store.Writer, from store.Object, key string) (_ store.Object, shared bool, err error) {
	l, ok := w.(linker)
	if !ok {
		return store.Object{}, false, nil
	}
	own, err := l.Link(ctx, from.Key, key)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, store.ErrNotExist):
		return store.Object{}, false, nil
	case err == nil && own.Size == from.Size:
		return own, true, nil
	case err == nil:
		err = fmt.Errorf("%q has %d bytes, %q had %d", key, own.Size, from.Key, from.Size)
	}
	if !errors.Is(err, store.ErrExist) {
		err = errors.Join(err, tidy(ctx, w, key))
	}
	return store.Object{}, false, err
}

// tidy removes a file of this run, also when the run is being stopped.
func tidy(ctx context.Context, w store.Writer, key string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	return w.Remove(ctx, key)
}

// copyFile writes the bytes of an open file under another key. After an error
// nothing stands there.
func copyFile(ctx context.Context, w store.Writer, in store.File, key string) (_ store.Object, err error) {
	up, err := w.Create(ctx, key)
	if err != nil {
		return store.Object{}, err
	}
	asked := false
	defer func() {
		if err == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
		defer cancel()
		err = errors.Join(err, up.Abort(ctx))
		if asked && !errors.Is(err, store.ErrExist) {
			err = errors.Join(err, w.Remove(ctx, key)) // it may stand although the answer was an error
		}
	}()
	part := make([]byte, 1<<20)
	for at := int64(0); at < in.Size(); at += int64(len(part)) {
		if err := ctx.Err(); err != nil {
			return store.Object{}, err
		}
		part = part[:min(int64(len(part)), in.Size()-at)]
		if n, err := in.ReadAt(part, at); n < len(part) {
			return store.Object{}, err
		}
		if _, err := up.Write(part); err != nil {
			return store.Object{}, err
		}
	}
	asked = true
	return up.Finish(ctx)
}

// dropTaken removes the names that this run took files over from, now that they
// are committed under its own: the try that wrote them finds the seed and commits
// nothing any more. One that stays is listed as a staged file.
func (x *execution) dropTaken(ctx context.Context) {
	for _, f := range x.staged {
		if f.From != "" {
			_ = x.stores.Target.Remove(ctx, f.From)
		}
	}
}
