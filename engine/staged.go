package engine

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
)

// StagedFile is a file that a seed wrote below a target and that no version of
// the table's log names: a seed was broken off, or is being written now.
type StagedFile struct {
	store.Object
	Whole bool `json:"whole"` // false: still under the name that it has while it is written
}

// Young tells whether another run may be staging the file at this moment.
func (f StagedFile) Young(now clock.Instant) bool { return now.Sub(f.Modified) < stagingAge }

// stagingAge is how long a staged file is taken for one of a run that goes on.
// A run writes a file in minutes, and touches none of them again until it commits.
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
			if whole, ours := stagedName(o.Key); ours {
				found = append(found, StagedFile{o, whole})
			}
		}
	}
	named, _, err := namedFiles(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := addRemoved(ctx, r, named); err != nil {
		return nil, err
	}
	out := []StagedFile{}
	for _, f := range found {
		if !named[f.Key] {
			out = append(out, f)
		}
	}
	return out, nil
}

const stagedPrefix = "part-"

// stagedName tells whether a key is a name that a seed gives its files: the
// final one, or the dot name that a local store writes under.
func stagedName(key string) (whole, ours bool) {
	if _, ok := rewrite.ParseStageName(key); ok {
		return true, true
	}
	rest, ok := strings.CutPrefix(key, ".")
	rest, tmp := strings.CutSuffix(rest, ".tmp")
	i := strings.LastIndexByte(rest, '.')
	if !ok || !tmp || i < 0 || uuid.Validate(rest[i+1:]) != nil {
		return false, false
	}
	_, ours = rewrite.ParseStageName(rest[:i])
	return false, ours
}

// addRemoved adds the files that a readable commit removes: their adds may be
// older than the log, and versions before the removal still read them.
func addRemoved(ctx context.Context, r store.Reader, named map[string]bool) error {
	for c, err := range delta.Commits(ctx, r) {
		if err != nil {
			return storeError("reading the target's log", err)
		}
		for _, f := range c.Removes {
			as := delta.Add{Path: f.Path}
			if as.Absolute() {
				continue
			}
			key, err := as.Key()
			if err != nil {
				return storeError("reading the target's log", err)
			}
			named[key] = true
		}
	}
	return nil
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
