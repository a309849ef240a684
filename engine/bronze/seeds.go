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
	Kind    string // KindSeed or KindSnapshot
	Version int64
	At      clock.Instant     // when it was committed
	Tags    map[string]string // of ours; the package writes none
	Rows    string            // as the commit counts them, or empty
}

// Seeds reads the seeds whose commits the table's log still holds, newest first,
// each when it is asked for.
func Seeds(ctx context.Context, r store.Reader) iter.Seq2[Seed, error] {
	return func(yield func(Seed, error) bool) {
		for s, err := range Stamped(ctx, r) {
			if err == nil && s.Kind != KindSeed {
				continue
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// Stamped reads the commits that made a snapshot of any kind, as Seeds reads
// those of seeds. A chunked snapshot's commits are not among them.
func Stamped(ctx context.Context, r store.Reader) iter.Seq2[Seed, error] {
	return func(yield func(Seed, error) bool) {
		for c, err := range delta.Commits(ctx, r) {
			if err != nil {
				yield(Seed{}, err)
				return
			}
			kind, s, ok := ParseUserMetadata(c.Info.UserMetadata)
			if !ok {
				continue
			}
			seed := Seed{Stamp: s, Kind: kind, Version: c.Version, At: c.At(), Tags: c.Info.Tags, Rows: c.Info.OperationMetrics["numOutputRows"]}
			if !yield(seed, nil) {
				return
			}
		}
	}
}

// AppIDUsed finds a transaction that a stream named appID has left in a table:
// such an app id must not be given to a reseed. The generations of a stream are
// one name: orders.g2 is used where orders is, and the reverse. It is empty
// where there is none.
func AppIDUsed(snap *delta.Snapshot, appID string) string {
	found := ""
	for used := range snap.Txns {
		if usedBy(used, appID) && (found == "" || used < found) {
			found = used
		}
	}
	return found
}

// usedBy reports whether a transaction is one that the stream appID writes: under
// its own name, or under that and one of the package's endings. An app id may
// hold the endings' sign itself.
func usedBy(txn, appID string) bool {
	if SameStream(txn, appID) {
		return true
	}
	for i := range txn {
		if txn[i] == '#' && isEnding(txn[i:]) && SameStream(txn[:i], appID) {
			return true
		}
	}
	return false
}

func isEnding(s string) bool {
	switch s {
	case "#events", "#facts", "#snapshots":
		return true
	}
	return strings.HasPrefix(s, "#snap.") || strings.HasPrefix(s, "#snapchunks.")
}

// SameStream reports whether two app ids are one stream's: equal, or of other
// generations of it.
func SameStream(a, b string) bool { return stream(a) == stream(b) }
