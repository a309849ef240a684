package bronze

import (
	"context"
	"iter"
	"strings"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
)

// Seed is a commit that a seed made: ours, or one of the stream's package.
type Seed struct {
	Stamp
	Version int64
	At      clock.Instant     // when it was committed
	Tags    map[string]string // of ours; the package writes none
	Rows    string            // as the commit counts them, or empty
}

// Seeds reads the seeds whose commits the table's log still holds, newest first,
// each when it is asked for.
func Seeds(ctx context.Context, r store.Reader) iter.Seq2[Seed, error] {
	return func(yield func(Seed, error) bool) {
		for c, err := range delta.Commits(ctx, r) {
			if err != nil {
				yield(Seed{}, err)
				return
			}
			kind, s, ok := ParseUserMetadata(c.Info.UserMetadata)
			if !ok || kind != KindSeed {
				continue
			}
			seed := Seed{Stamp: s, Version: c.Version, At: c.At(), Tags: c.Info.Tags, Rows: c.Info.OperationMetrics["numOutputRows"]}
			if !yield(seed, nil) {
				return
			}
		}
	}
}

// AppIDUsed finds a transaction that a stream named appID, or a generation of it,
// has left in a table: such an app id must not be given to a reseed. It is empty
// where there is none.
func AppIDUsed(snap *delta.Snapshot, appID string) string {
	found := ""
	for used := range snap.Txns {
		name, _, _ := strings.Cut(used, "#")
		if (name == appID || used == appID || (stream(name) == appID && name != appID)) && (found == "" || used < found) {
			found = used
		}
	}
	return found
}
