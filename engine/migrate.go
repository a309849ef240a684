package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// migrationPlan pins a migration, nil for none.
func migrationPlan(m *bronze.Migration) *MigratePlan {
	if m == nil {
		return nil
	}
	return &MigratePlan{From: m.From, To: m.To, AddColumns: m.Added}
}

// planMigration pins what the target's migration makes of it, and what may not
// change about it meanwhile. Files are staged for the migrated table, so that a
// rerun takes them over whether or not the migration was committed.
func (b *builder) planMigration() (err error) {
	m := b.fit.Migration
	if m == nil {
		return nil
	}
	settled, err := bronze.Settled(b.target)
	t := &b.plan.Target
	t.Migrate = migrationPlan(m)
	t.SettledHash = sha([]byte(settled))
	t.SchemaHash = sha([]byte(m.Metadata.SchemaString))
	return err
}

// settleMigration tells of the migrations that executing the plan makes. A seed
// that is there already needs none of the target.
func (b *builder) settleMigration() {
	t := &b.plan.Target
	if t.Migrate == nil {
		return
	}
	if b.plan.State == AlreadySeeded {
		t.Migrate, t.SettledHash, t.SchemaHash = nil, "", sha([]byte(b.target.Metadata.SchemaString))
		return
	}
	b.check(b.fit.Migration.Note("bronze"))
}

// migrate brings an older target to the version that new tables have, in a commit
// of its own. Whoever does it first, the result serves the seed.
func (x *execution) migrate(ctx context.Context) error {
	if x.plan.Target.Migrate == nil {
		return nil
	}
	for try := range commitTries {
		done, err := x.tryMigrate(ctx)
		if done || err != nil {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return x.changed(fmt.Sprintf("other writers were first %d times in a row while the table was to be migrated", commitTries))
}

// tryMigrate tries the next version for the migration, unless the table has none
// to make any more or holds the seed. It answers false where another writer was first.
func (x *execution) tryMigrate(ctx context.Context) (done bool, err error) {
	snap, err := x.openTarget(ctx)
	if err != nil {
		return false, err
	}
	if err := x.fits(snap); err != nil {
		return false, err
	}
	fit, err := x.fit(snap)
	if err != nil || fit.Migration == nil {
		return err == nil, err
	}
	seed, err := x.heldNow(ctx, snap)
	if err != nil || seed != nil {
		return seed != nil, err // right before the data commit the race is settled
	}
	// No table is touched for a seed that could not follow.
	if err := x.again(ctx); err != nil {
		return false, err
	}
	now := x.session.now()
	a, err := fit.Migration.Commit(bronze.Commit{Engine: x.plan.Tool, TxnID: uuid.NewString(), At: now})
	if err != nil {
		return false, err
	}
	version, lines, err := snap.Lines(a, now)
	if err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	err = delta.Put(context.WithoutCancel(ctx), x.stores.Target, version, lines)
	switch {
	case errors.Is(err, store.ErrExist):
		return false, nil
	case errors.Is(err, verdict.CommitUnknown):
		// No commit that names a data file was tried: those may go.
		x.maybe = true
		return false, &verdict.Error{
			Code: verdict.StoreUnreachable, What: fmt.Sprintf("whether the table at %q was migrated is not known", x.plan.Target.URL), Err: verdict.As(err).Err,
			Hint: []string{"Run the same command again: it goes on from the table as it is then."},
		}
	case err != nil:
		return false, storeError("migrating the table", err)
	}
	x.migrated = true
	x.notify(Notice{Commit, fmt.Sprintf("version %d created: the table's schema version %d became %d", version, fit.Migration.From, fit.Migration.To)})
	return true, nil
}

// fit is how the seed fits into the target as snap has it. In a table that maps
// its columns the staged files have the names that the plan gave them: where new
// columns would get others now, those files would read as NULL.
func (x *execution) fit(snap *delta.Snapshot) (*bronze.Fit, error) {
	fit, err := bronze.FitTable(snap, x.columns(), bronze.FitOptions{UpgradeProtocol: x.plan.Target.UpgradeNTZ})
	if err == nil && !x.plan.Target.Create && layoutHash(fit.Table) != x.plan.Target.LayoutHash {
		return nil, x.changed("the target maps its columns, and new ones would get other names in its files than when the plan was made",
			verdict.Facts("version", snap.Version, "planned at version", x.plan.Target.Version)...)
	}
	return fit, err
}

// settled compares the target with the plan of a seed that migrates it: by
// everything that no migration changes.
func (x *execution) settled(snap *delta.Snapshot) error {
	t := x.plan.Target
	text, err := bronze.Settled(snap)
	if err != nil {
		return err
	}
	if sha([]byte(text)) != t.SettledHash {
		return x.changed("the target's schema or its properties changed, and not only by its migration",
			verdict.Facts("version", snap.Version, "planned at version", t.Version)...)
	}
	// The files are staged with the names that the plan gives the new columns.
	if snap.Metadata.Mapping().On() && hashOf(snap.Metadata) != t.MetadataHash && sha([]byte(snap.Metadata.SchemaString)) != t.SchemaHash {
		return x.changed("another job migrated the target, which maps its columns, and files name the new ones otherwise there",
			verdict.Facts("version", snap.Version, "planned at version", t.Version)...)
	}
	return nil
}

// made tells what of this run stands in the target while no row does; empty for nothing.
func (x *execution) made() string {
	url, m := x.plan.Target.URL, x.plan.Target.Migrate
	switch {
	case x.created:
		return fmt.Sprintf("The table at %q was made and is empty. ", url)
	case x.migrated:
		return fmt.Sprintf("The table at %q was migrated from schema version %d to %d, which changes no row. ", url, m.From, m.To)
	case x.maybe && m != nil:
		return fmt.Sprintf("The table at %q may have been migrated from schema version %d to %d, which changes no row. ", url, m.From, m.To)
	case x.maybe:
		return fmt.Sprintf("The table at %q may have been made; it is empty then. ", url)
	default:
		return ""
	}
}
