package delta

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"cdcseed/engine/clock"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Snapshot is the table's state at one version.
type Snapshot struct {
	Version  int64
	Protocol Protocol
	Metadata Metadata
	Schema   Schema
	Files    []Add             // sorted by path
	Txns     map[string]int64  // how far each application has written
	Domains  map[string]string // configuration by domain, removed ones left out

	// InCommitTimestamp is that of the commit that made Version, nil where the
	// table has none. The next commit's must be later.
	InCommitTimestamp *clock.Instant

	url string
}

// URL is the table's root as its store names it.
func (s *Snapshot) URL() string { return s.url }

// Open reads the table's newest version. ErrNoTable where there is no log;
// verdict.TargetCorrupt for one that contradicts itself. Opening judges no
// features: see Readable and Appendable.
func Open(ctx context.Context, r store.Reader) (*Snapshot, error) { return load(ctx, r, newest) }

// OpenAt reads the table as of a version, or answers ErrNoVersion.
func OpenAt(ctx context.Context, r store.Reader, version int64) (*Snapshot, error) {
	if version < 0 {
		return nil, fmt.Errorf("version %d: %w", version, ErrNoVersion)
	}
	return load(ctx, r, version)
}

const newest = int64(-1)

// loads bounds how often a log that changes under the reader is read again.
const loads = 3

func load(ctx context.Context, r store.Reader, version int64) (*Snapshot, error) {
	var err error
	for range loads {
		var s *Snapshot
		// A file that was listed and is gone was cleaned up meanwhile; another
		// listing shows the checkpoint that replaces it.
		if s, err = loadOnce(ctx, r, version); !errors.Is(err, store.ErrNotExist) {
			return s, err
		}
	}
	return nil, corrupt(r.URL(), "names a file that is not there", nil, err)
}

func loadOnce(ctx context.Context, r store.Reader, version int64) (*Snapshot, error) {
	files, base, err := findLog(ctx, r, version)
	if err != nil {
		return nil, err
	}
	target := files.newest
	if version != newest {
		target = version
	}
	p := newReplay()
	if base.version >= 0 {
		if err := p.checkpoint(ctx, r, base); err != nil {
			return nil, err
		}
	}
	for v := base.version + 1; v <= target; v++ {
		c, err := readCommit(ctx, r, files.commits[v], v)
		if err != nil {
			return nil, err
		}
		p.apply(c)
	}
	s, err := p.snapshot(r.URL(), target)
	if err != nil {
		return nil, err
	}
	return s, s.loadInCommitTimestamp(ctx, r, files, p)
}

// findLog lists what is needed for a version, and checks that nothing of it is missing.
func findLog(ctx context.Context, r store.Reader, version int64) (logFiles, checkpoint, error) {
	hint, hinted, unread := lastCheckpoint(ctx, r)
	if err := ctx.Err(); err != nil {
		return logFiles{}, checkpoint{}, err
	}
	for _, from := range []int64{hint, 0} {
		if from > 0 && version != newest && version < from {
			continue
		}
		files, err := listLog(ctx, r, from)
		if err != nil {
			return logFiles{}, checkpoint{}, err
		}
		target := files.newest
		if version != newest {
			target = version
		}
		base, _ := files.base(target)
		gap, missing := files.missing(base.version, target)
		switch {
		case target <= files.newest && files.newest >= 0 && !missing:
			return files, base, nil
		case from > 0:
			continue // the hint may be wrong: it is only a hint
		case files.newest < 0 && unread != nil:
			return logFiles{}, checkpoint{}, unread // an empty log with a hint is no empty log
		case files.newest < 0 && !hinted:
			return logFiles{}, checkpoint{}, fmt.Errorf("%q: %w", r.URL(), ErrNoTable)
		case files.newest >= 0 && target > files.newest:
			return logFiles{}, checkpoint{}, fmt.Errorf("%q at version %d (newest %d): %w", r.URL(), target, files.newest, ErrNoVersion)
		case files.newest < 0:
			return logFiles{}, checkpoint{}, corrupt(r.URL(), "names a checkpoint but holds none, and no commit",
				verdict.Facts("checkpoint named", hint), nil)
		}
		// A listing is not one moment: the commit may have come between.
		if o, err := r.Stat(ctx, commitKey(gap)); err == nil {
			files.commits[gap] = o
			if _, missing := files.missing(base.version, target); !missing {
				return files, base, nil
			}
		}
		return logFiles{}, checkpoint{}, corrupt(r.URL(), "has a gap",
			verdict.Facts("missing version", gap, "newest version", files.newest, "checkpoint", base.version), nil)
	}
	return logFiles{}, checkpoint{}, fmt.Errorf("%q: %w", r.URL(), ErrNoTable)
}

// lastCheckpoint reads the hint. One that is missing or broken is none; hinted
// tells whether a hint was there at all. err says that nobody could look, which
// matters only where nothing else is found.
func lastCheckpoint(ctx context.Context, r store.Reader) (version int64, hinted bool, err error) {
	data, err := store.ReadAll(ctx, r, logDir+"_last_checkpoint")
	if errors.Is(err, store.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("read the hint to the last checkpoint: %w", err)
	}
	return max(hintedVersion(data), 0), true, nil
}

// hintedVersion is the version that a hint names, 0 where it names none.
func hintedVersion(data []byte) int64 {
	var hint struct {
		Version int64 `json:"version"`
	}
	if json.Unmarshal(data, &hint) != nil {
		return 0
	}
	return hint.Version
}

// readCommit reads one commit that the log is known to hold.
func readCommit(ctx context.Context, r store.Reader, o store.Object, version int64) (Commit, error) {
	data, err := store.ReadAll(ctx, r, commitKey(version))
	if err != nil {
		return Commit{}, fmt.Errorf("read version %d: %w", version, err)
	}
	c, err := parseActions(data)
	if err != nil {
		return Commit{}, corrupt(r.URL(), "holds a commit that cannot be read",
			verdict.Facts("version", version, "size", fmt.Sprintf("%d B", len(data))), err)
	}
	c.Version, c.Modified = version, o.Modified
	return c, nil
}

// ictOn reports whether every commit must carry an in-commit timestamp.
func ictOn(p Protocol, m Metadata) bool {
	return p.Supports("inCommitTimestamp") && m.on("delta.enableInCommitTimestamps")
}

// loadInCommitTimestamp takes the newest commit's, or the checksum file's
// where only a checkpoint is left of that version.
func (s *Snapshot) loadInCommitTimestamp(ctx context.Context, r store.Reader, files logFiles, p *replay) error {
	if !ictOn(s.Protocol, s.Metadata) {
		return nil
	}
	if p.last.Version == s.Version && p.last.Info.InCommitTimestamp != nil {
		s.InCommitTimestamp = p.last.Info.InCommitTimestamp
		return nil
	}
	if o, ok := files.commits[s.Version]; ok {
		c, err := readCommit(ctx, r, o, s.Version)
		s.InCommitTimestamp = c.Info.InCommitTimestamp
		return err
	}
	data, err := store.ReadAll(ctx, r, fmt.Sprintf("%s%020d.crc", logDir, s.Version))
	if errors.Is(err, store.ErrNotExist) {
		return nil // Appendable says that it is missing; a reader does not need it
	}
	if err != nil {
		return fmt.Errorf("read the checksum of version %d: %w", s.Version, err)
	}
	var crc Object
	if crc.UnmarshalJSON(data) == nil {
		s.InCommitTimestamp = instant(crc, "inCommitTimestampOpt")
	}
	return nil
}
