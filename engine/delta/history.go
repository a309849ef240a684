package delta

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"cdcseed/engine/store"
)

// ReadCommit reads one version's commit, or answers store.ErrNotExist: old
// commits are cleaned up once a checkpoint holds what they did.
func ReadCommit(ctx context.Context, r store.Reader, version int64) (Commit, error) {
	o, err := r.Stat(ctx, commitKey(version))
	if err != nil {
		return Commit{}, fmt.Errorf("look for version %d: %w", version, err)
	}
	return readCommit(ctx, r, o, version)
}

// Commits reads the commits that the log still holds, newest first, each when
// it is asked for. It ends early and without an error where cleanup removes
// commits meanwhile, which it does oldest first. Commit.At is each one's time.
func Commits(ctx context.Context, r store.Reader) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		files, err := listLog(ctx, r, 0)
		if err != nil {
			yield(Commit{}, err)
			return
		}
		for _, v := range slices.Backward(slices.Sorted(maps.Keys(files.commits))) {
			c, err := readCommit(ctx, r, files.commits[v], v)
			if errors.Is(err, store.ErrNotExist) {
				return
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}
