package engine

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"cdcseed/engine/clock"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
)

// StagedFile is a file that a seed wrote below a target and that no version of
// the table's log names: a seed was broken off, or is being written now.
type StagedFile struct {
	store.Object
	Whole bool `json:"whole"` // false: still under the name that it has while it is written

	stage  string        // its stage key, which all files of a run share
	newest clock.Instant // when a file of its stage key was last written
}

// Young tells whether a run that goes on may count on the file: one of its kind
// was written a short while ago.
func (f StagedFile) Young(now clock.Instant) bool { return now.Sub(f.newest) < stagingAge }

// stagingAge is how long after the last write of any of its files a run is
// taken to go on. A run writes a file in minutes, and touches a finished one no
// more until it commits, which may be hours later.
const stagingAge = time.Hour

// OpenTarget opens a target by its location. Refusal: verdict.TargetPath.
func OpenTarget(location string) (store.Writer, error) { return openTarget("target", location) }

// Staged lists the staged files below a target, in the order of their names. A
// file that any readable version of the log names, or removes, is none: a
// reader of an older version may still want it.
func Staged(ctx context.Context, r store.Reader) ([]StagedFile, error) {
	// The files are listed before the log is read: one that is committed in
	// between is in the log then.
	var found []StagedFile
	for _, prefix := range []string{"." + stagedPrefix, stagedPrefix} {
		for o, err := range r.List(ctx, prefix, "") {
			if err != nil {
				return nil, storeError("looking for staged files", err)
			}
			if stage, whole, ours := stagedName(o.Key); ours {
				found = append(found, StagedFile{Object: o, Whole: whole, stage: stage})
			}
		}
	}
	named, _, err := namedFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	out := []StagedFile{}
	newest := map[string]clock.Instant{}
	for _, f := range found {
		if !named[f.Key] {
			newest[f.stage] = max(newest[f.stage], f.Modified)
			out = append(out, f)
		}
	}
	for i := range out {
		out[i].newest = newest[out[i].stage]
	}
	return out, nil
}

const stagedPrefix = "part-"

// stagedName tells whether a key is a name that a seed gives its files (the
// final one, or the dot name that a local store writes under), and of which stage.
func stagedName(key string) (stage string, whole, ours bool) {
	if n, ok := rewrite.ParseStageName(key); ok {
		return n.Key, true, true
	}
	rest, ok := strings.CutPrefix(key, ".")
	rest, tmp := strings.CutSuffix(rest, ".tmp")
	i := strings.LastIndexByte(rest, '.')
	if !ok || !tmp || i < 0 || uuid.Validate(rest[i+1:]) != nil {
		return "", false, false
	}
	n, ours := rewrite.ParseStageName(rest[:i])
	return n.Key, false, ours
}

// RemoveStaged removes the staged files below a target: those of which no run
// may be the writer any more or, with all, every one. It answers what it removed
// and what it left, also with an error.
func RemoveStaged(ctx context.Context, w store.Writer, now clock.Instant, all bool) (removed, left []StagedFile, err error) {
	files, err := Staged(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	for i, f := range files {
		if f.Young(now) && !all {
			left = append(left, f)
			continue
		}
		if err := w.Remove(ctx, f.Key); err != nil {
			return removed, append(left, files[i:]...), storeError("removing a staged file", err)
		}
		removed = append(removed, f)
	}
	return removed, left, nil
}
