package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// commitTries bounds how often a lost race for a version is run again (decision 14).
const commitTries = 20

// verify looks at the staged files once more, and at what may have moved
// meanwhile, before anything is made visible.
func (x *execution) verify(ctx context.Context) error {
	return x.phase(Verify, "Check staged files, and again what may have moved", func() (string, error) {
		// Staging may have taken hours: what it read must still be the copy that was hashed.
		if err := x.sameCopy(ctx); err != nil {
			return "", err
		}
		if err := x.again(ctx); err != nil {
			return "", err
		}
		return verdict.Plural(len(x.staged), "file is whole", "files are whole"), nil
	})
}

// again checks what time can break: the staged files, retention, the target,
// foreign snapshots and the facts row (decision 13).
func (x *execution) again(ctx context.Context) error {
	for _, f := range x.staged {
		now, err := x.stores.Target.Stat(ctx, f.Key)
		if err == nil && now.Size == f.Size {
			continue
		}
		if err != nil && !errors.Is(err, store.ErrNotExist) {
			return storeError("looking at the staged files", err)
		}
		// A run that took the file over and committed the seed has removed it:
		// then the look-up right before the commit settles the race.
		if seed, err := x.seedNow(ctx); err != nil || seed != nil {
			return err
		}
		return x.changed("a staged file is gone or changed before the commit", verdict.Facts("file", f.Key, "size", now.Size, "staged", f.Size)...)
	}
	for _, check := range []func(context.Context) error{x.changesKept, x.sameTarget, x.factsFree} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// commit makes the table if it is missing, or migrates it if it is older, and
// then makes the one commit that makes the rows visible.
func (x *execution) commit(ctx context.Context) error {
	return x.phase(Commit, "Commit to the Delta log", func() (string, error) {
		if err := x.create(ctx); err != nil {
			return "", err
		}
		for try := range commitTries {
			if err := x.migrate(ctx); err != nil {
				return "", err
			}
			done, err := x.tryCommit(ctx)
			if err != nil {
				return "", err
			}
			if done != "" {
				return done, nil
			}
			x.notify(Notice{Commit, "another writer committed first: everything is checked again for the next version"})
			if err := pause(ctx, try); err != nil {
				return "", err
			}
		}
		return "", x.changed(fmt.Sprintf("other writers were first %d times in a row", commitTries))
	})
}

// pause waits a little, longer after each lost race and never the same for two writers.
func pause(ctx context.Context, try int) error {
	most := min(time.Duration(try+1)*50*time.Millisecond, time.Second)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(most) + time.Millisecond): //nolint:gosec // jitter is no secret
		return nil
	}
}

// create makes the bronze table, unless it exists by now.
func (x *execution) create(ctx context.Context) error {
	if !x.plan.Target.Create {
		return nil
	}
	snap, err := x.openTarget(ctx)
	if err != nil || snap != nil {
		return err
	}
	now := x.session.now()
	c, err := bronze.NewTable(x.columns(), true, uuid.NewString(), bronze.Commit{Engine: x.plan.Tool, TxnID: uuid.NewString(), At: now})
	if err != nil {
		return err
	}
	lines, err := c.Lines(now)
	if err != nil {
		return err
	}
	err = delta.Put(context.WithoutCancel(ctx), x.stores.Target, 0, lines)
	if errors.Is(err, store.ErrExist) {
		return nil // another writer made it; the next look says whether it fits
	}
	if errors.Is(err, verdict.CommitUnknown) {
		// No commit that names a data file was tried: those may go.
		x.maybe = true
		return &verdict.Error{
			Code: verdict.StoreUnreachable, What: fmt.Sprintf("whether the table at %q was made is not known", x.plan.Target.URL), Err: verdict.As(err).Err,
			Hint: []string{"Run the same command again: an empty table is as good as none."},
		}
	}
	if err != nil {
		return storeError("making the table", err)
	}
	x.created, x.result.Created = true, true
	return nil
}

// tryCommit checks everything again on the newest version and tries the next
// one. It answers what was done, or nothing where another writer was first.
func (x *execution) tryCommit(ctx context.Context) (done string, err error) {
	if err := x.again(ctx); err != nil {
		return "", err
	}
	snap, err := x.openTarget(ctx)
	if err != nil {
		return "", err
	}
	if snap == nil {
		return "", x.changed("the target is gone right before the commit")
	}
	if err := x.fits(snap); err != nil {
		return "", err
	}
	seed, err := x.heldNow(ctx, snap)
	if err != nil {
		return "", err
	}
	if seed != nil {
		return x.foundSeed(ctx, snap, *seed)
	}
	if x.plan.Target.Create && len(snap.Files) > 0 {
		return "", x.changed("the table that was made at the target meanwhile holds rows", verdict.Facts("version", snap.Version, "files", len(snap.Files))...)
	}
	fit, err := x.fit(snap)
	if err != nil {
		return "", err
	}
	if fit.Migration != nil {
		return "", nil // another job set its version back just now, as one that migrates from an older one does
	}
	version, lines, rows, err := x.lines(snap, fit)
	if err != nil {
		return "", err
	}
	// Once more, now that everything else was read: on a large target that takes a while.
	if err := x.changesKept(ctx); err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	// From here the outcome must be known: a stop waits for it.
	err = delta.Put(context.WithoutCancel(ctx), x.stores.Target, version, lines)
	if errors.Is(err, store.ErrExist) {
		return "", nil
	}
	if err != nil {
		return "", storeError("committing the seed", err)
	}
	x.dropTaken(context.WithoutCancel(ctx))
	x.result.Version, x.result.Rows = version, rows
	x.wrote = &bronze.Wrote{Rows: rows, StartedAt: x.started, Took: x.session.now().Sub(x.started)}
	return fmt.Sprintf("version %d created: %s visible", version, verdict.Plural(rows, "row is", "rows are")), nil
}

// lines is the data commit on top of snap.
func (x *execution) lines(snap *delta.Snapshot, fit *bronze.Fit) (version int64, lines []byte, rows int64, err error) {
	var adds []delta.Add
	var bytes int64
	for _, f := range x.staged {
		adds = append(adds, delta.NewAdd(f.Object, f.Stats))
		rows += f.Rows
		bytes += f.Size
	}
	tags, err := x.plan.tags(x.excluded)
	if err != nil {
		return 0, nil, 0, err
	}
	now := x.session.now()
	c := bronze.Commit{Engine: x.plan.Tool, TxnID: uuid.NewString(), At: now}
	version, lines, err = snap.Lines(bronze.SeedCommit(fit, x.stamp(), adds, rows, bytes, tags, c), now)
	x.result.Files, x.result.Bytes = len(x.staged), bytes
	return version, lines, rows, err
}

// foundSeed settles a race that another run of the same seed won.
func (x *execution) foundSeed(ctx context.Context, snap *delta.Snapshot, seed bronze.Snapshot) (string, error) {
	for _, f := range x.staged {
		// One that stays is told with what earlier tries left: the seed stands all the same.
		_ = x.stores.Target.Remove(context.WithoutCancel(ctx), f.Key)
	}
	x.staged = nil
	x.result.State, x.result.Version, x.result.Rows, x.result.Files, x.result.Bytes = AlreadySeeded, snap.Version, 0, 0, 0
	x.result.CommitTS = seed.Commit
	return fmt.Sprintf("another run seeded the table at the same L: its %s, nothing was written", verdict.Plural(seed.Rows, "row stands", "rows stand")), nil
}

// columns are the captured columns of the seed, as the plan maps them.
func (x *execution) columns() []schema.TargetColumn {
	out := make([]schema.TargetColumn, len(x.plan.Columns.Columns))
	for i, c := range x.plan.Columns.Columns {
		out[i] = c.Target
	}
	return out
}

func sameColumns(a, b []bronze.Column) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Type != b[i].Type {
			return false
		}
	}
	return true
}
