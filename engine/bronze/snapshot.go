package bronze

import (
	"cmp"
	"context"
	"slices"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
)

// Held is a set of snapshot rows in a bronze table that agree in everything that
// tells snapshots apart.
type Held struct {
	Instance string         // as the rows spell it
	LSN      lsn.LSN        // the snapshot that the rows belong to
	Start    lsn.LSN        // the rows' own position; LSN itself in a whole snapshot
	Chunked  bool           // taken in parts: its rows alone do not tell that it is complete
	Commit   *clock.Instant // the rows' commit time, nil where NULL
	Rows     int64
}

// Snapshots are the snapshot rows that a bronze table holds of one source table,
// newest first.
type Snapshots struct {
	Held []Held
	Read int // data files that had to be opened, because the log could not tell
}

// Lookup finds the snapshot rows of a source table: those whose instance is one
// of instances, without regard to case (the configured one and all that the
// table has now). It asks the log's file statistics first.
func Lookup(ctx context.Context, r store.Reader, snap *delta.Snapshot, instances []string) (*Snapshots, error) {
	wanted := map[string]bool{}
	for _, name := range instances {
		wanted[schema.Fold(name)] = true
	}
	sets, read, err := collect(ctx, r, snap, wanted)
	if err != nil {
		return nil, err
	}
	out := &Snapshots{Read: read}
	for _, h := range sets {
		if wanted[schema.Fold(h.Instance)] {
			out.Held = append(out.Held, h)
		}
	}
	slices.SortFunc(out.Held, func(a, b Held) int {
		return cmp.Or(b.LSN.Compare(a.LSN), b.Start.Compare(a.Start), cmp.Compare(later(b.Commit), later(a.Commit)),
			cmp.Compare(a.Instance, b.Instance))
	})
	return out, nil
}

// later orders commit times with an unknown one before all others.
func later(at *clock.Instant) clock.Instant {
	if at == nil {
		return clock.Instant(-1 << 63)
	}
	return *at
}

// Snapshot is what a look-up answers: a snapshot's stamp and how many rows it has.
type Snapshot struct {
	Stamp
	Rows    int64
	Chunked bool
}

// At is the whole snapshot whose rows stand at l, or nil: a seed that was written already.
func (s *Snapshots) At(l lsn.LSN) *Snapshot {
	return s.newest(func(h Held) bool { return !h.Chunked && h.Start == l })
}

// Newest is the newest snapshot of any kind, or nil.
func (s *Snapshots) Newest() *Snapshot { return s.newest(func(Held) bool { return true }) }

// NewestWhole is the newest whole snapshot, or nil: where the stream would start.
func (s *Snapshots) NewestWhole() *Snapshot { return s.newest(func(h Held) bool { return !h.Chunked }) }

// NewestBy is the newest whole snapshot among rows whose commit time is known and
// not after asOf, to the microsecond, or nil: what a rerun by time takes for its
// seed once the server no longer knows the time.
func (s *Snapshots) NewestBy(asOf clock.Instant) *Snapshot {
	return s.newest(func(h Held) bool { return !h.Chunked && h.Commit != nil && *h.Commit <= asOf })
}

// newest adds up the sets of rows of the snapshot with the largest LSN among
// those that keep. Its commit time is the latest of them, as the stream takes it.
func (s *Snapshots) newest(keep func(Held) bool) *Snapshot {
	var out *Snapshot
	for _, h := range s.Held {
		if !keep(h) {
			continue
		}
		if out == nil {
			out = &Snapshot{Stamp: Stamp{Instance: h.Instance, LSN: h.LSN}}
		}
		if h.LSN != out.LSN {
			break
		}
		out.Rows += h.Rows
		out.Chunked = out.Chunked || h.Chunked
		if later(h.Commit) > later(out.Commit) {
			out.Commit = h.Commit
		}
	}
	return out
}

// Reached is the newest position of any row in the table: how far its stream has
// come at least. ok is false where the log does not tell it of every file.
func Reached(snap *delta.Snapshot) (l lsn.LSN, ok bool) {
	for _, file := range snap.Files {
		s, err := file.ParseStats()
		if err != nil {
			return lsn.LSN{}, false
		}
		text, told := s.Max[snap.Physical(StartLSN)].(string)
		at, err := lsn.Parse(text)
		if !told || err != nil {
			return lsn.LSN{}, false
		}
		if at.Compare(l) > 0 {
			l = at
		}
	}
	return l, len(snap.Files) > 0
}
