package engine

import (
	"context"
	"errors"
	"fmt"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// recheck checks all of the plan's preconditions.
func (x *execution) recheck(ctx context.Context) error {
	if r := x.plan.Reseed; r != nil {
		x.result.Follows = &r.Follows
	}
	return x.phase(Recheck, "Re-check the plan", func() (string, error) {
		checks := map[PreconditionKind]func(context.Context) error{
			PlanIntact:      func(context.Context) error { return x.intact() },
			SameSource:      x.sameSource,
			SameInstances:   x.sameInstances,
			ChangesKept:     x.changesKept,
			LSNCaptured:     x.captured,
			SameCopy:        x.sameCopy,
			SameTarget:      x.sameTarget,
			NoOtherSnapshot: x.noOtherSnapshot,
			SameNewest:      x.noOtherSnapshot,
			SeedStands:      x.seedStands,
			FactsRowFree:    x.factsFree,
			AppIDNew:        x.factsFree,
			NothingOpen:     x.factsFree,
		}
		if hashOf(x.plan.Preconditions) != hashOf(x.plan.conditions()) {
			return "", &verdict.Error{
				Code: verdict.PlanInvalid, What: "the plan's preconditions are not those of such a plan",
				Why: "Only what was checked may be executed.", Hint: []string{"Make the plan again."},
			}
		}
		if done, err := x.ran(ctx); done || err != nil {
			return "the target holds this seed already", err
		}
		for i, c := range x.plan.Preconditions {
			check, known := checks[c.Kind]
			if !known {
				return "", stale("the plan holds a precondition that this program does not know", "", verdict.Facts("precondition", c.Kind)...)
			}
			if err := check(ctx); err != nil {
				return "", err
			}
			x.notify(Progress{Phase: Recheck, Done: int64(i + 1), Total: int64(len(x.plan.Preconditions)), Unit: "preconditions"})
		}
		return verdict.Plural(len(x.plan.Preconditions), "precondition holds", "preconditions hold"), nil
	})
}

// ran tells whether the target holds the plan's seed already: the plan was
// executed before, and then neither cleanup nor a changed copy matters any more.
func (x *execution) ran(ctx context.Context) (bool, error) {
	if x.plan.State != Ready {
		return false, nil
	}
	if err := x.intact(); err != nil {
		return false, err
	}
	if err := x.sameSource(ctx); err != nil {
		return false, err
	}
	snap, err := x.openTarget(ctx)
	if err != nil || snap == nil {
		return false, err
	}
	held, err := bronze.Lookup(ctx, x.stores.Target, snap, x.plan.Table.instanceNames())
	if err != nil {
		return false, storeError("reading the target's snapshots", err)
	}
	x.newest = held.Newest()
	seed := held.At(x.plan.AsOf.L)
	if seed == nil {
		return false, nil
	}
	x.result.State, x.result.Version, x.result.CommitTS = AlreadySeeded, snap.Version, seed.Commit
	if x.plan.Facts == nil {
		return true, nil
	}
	if x.table, _, err = x.session.source.Table(ctx, x.plan.Table.Instance); err != nil {
		return true, err
	}
	return true, x.factsFree(ctx)
}

func stale(what, why string, facts ...verdict.Fact) error {
	return &verdict.Error{
		Code: verdict.PlanStale, What: what, Facts: facts, Why: why,
		Hint: []string{"Make the plan again and look at what is different."},
	}
}

func (x *execution) intact() error {
	if err := x.plan.Verify(); err != nil {
		return err
	}
	return x.plan.Refusal()
}

func (x *execution) sameSource(context.Context) error {
	now, was := x.session.identity, x.plan.Source
	if now.Server == was.Server && now.Database == was.Database && now.DatabaseID == was.DatabaseID {
		return nil
	}
	return stale("the plan was made from another server or database", "An L is a position in one database's log and means nothing in another's.",
		verdict.Facts("connected to", now.Server+" / "+now.Database, "planned from", was.Server+" / "+was.Database)...)
}

func (x *execution) sameInstances(ctx context.Context) error {
	table, _, err := x.session.source.Table(ctx, x.plan.Table.Instance)
	if err != nil {
		return err
	}
	x.table = table
	now := tablePlan(table, x.plan.Table.Instance)
	if got, want := hashOf(instancePins(now)), hashOf(instancePins(x.plan.Table)); got != want || now.ObjectID != x.plan.Table.ObjectID {
		return stale("the table's capture instances are not the planned ones", "Their columns decide what the seed's rows hold.",
			verdict.Facts("now", instanceText(now), "planned", instanceText(x.plan.Table))...)
	}
	return nil
}

func instanceText(t TablePlan) string {
	s := ""
	for i, in := range t.Instances {
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%s (object %d, columns %.8s)", in.Name, in.ObjectID, in.ColumnsHash)
	}
	return s
}

func (x *execution) changesKept(ctx context.Context) error {
	now, err := x.session.source.Clock(ctx, x.session.zone)
	if err != nil {
		return err
	}
	x.keptAt = &now.UTC
	_, err = x.session.source.CheckKept(ctx, now.Clock, x.table, x.plan.AsOf.L)
	return err
}

func (x *execution) captured(ctx context.Context) error {
	top, err := x.session.source.MaxLSN(ctx)
	if err != nil {
		return err
	}
	if top != nil && x.plan.AsOf.L.Compare(*top) <= 0 {
		return nil
	}
	var newest lsn.LSN
	if top != nil {
		newest = *top
	}
	return stale("L is after the newest captured commit now", "The database was restored, or capture started over: positions mean something else.",
		verdict.Facts("L", x.plan.AsOf.L, "newest captured", newest, "when planned", x.plan.AsOf.MaxLSN)...)
}

func (x *execution) sameCopy(ctx context.Context) error {
	o := x.stores.open
	o.Version = x.plan.Copy.Version
	c, err := lakecopy.Open(ctx, x.stores.Copy, o)
	if errors.Is(err, verdict.CopyNotFound) || errors.Is(err, verdict.CopyNotACopy) {
		return &verdict.Error{
			Code: verdict.CopyChanged, What: "the copy is not there any more", Err: err,
			Hint: []string{"Make the plan again once the copy is there, with an as_of that is right for it."},
		}
	}
	if err != nil {
		return storeError("reading the copy", err)
	}
	if c.Hash != x.plan.Copy.Hash {
		return &verdict.Error{
			Code: verdict.CopyChanged, What: "the copy is not the one that was planned",
			Facts: append(verdict.Facts("files now", len(c.Files), "planned", x.plan.Copy.Files), firstChange(x.plan.Files, c.Files)...),
			Why:   "Whatever changed it may have brought rows that as_of does not cover.",
			Hint:  []string{"Make the plan again, with an as_of that is right for the copy as it is now."},
		}
	}
	x.copy = c
	return nil
}

// firstChange names the first file, by key, in which the copy is not the planned one.
func firstChange(planned []PlanFile, now []lakecopy.File) []verdict.Fact {
	was := map[string]PlanFile{}
	for _, f := range planned {
		was[f.Key] = f
	}
	for _, f := range now {
		p, known := was[f.Key]
		delete(was, f.Key)
		switch {
		case !known:
			return verdict.Facts("new file", f.Key)
		case p.Size != f.Size:
			return verdict.Facts("file", f.Key, "bytes now", f.Size, "planned", p.Size)
		case p.ETag != f.ETag || p.Modified != f.Modified:
			return verdict.Facts("file", f.Key, "written", f.Modified, "planned", p.Modified, "identity", f.ETag, "planned", p.ETag)
		case p.Vector != f.Vector():
			return verdict.Facts("file", f.Key, "rows deleted now", f.Deleted, "planned", p.Deleted, "deletion vector", f.Vector(), "planned", p.Vector)
		}
	}
	for _, f := range planned {
		if _, gone := was[f.Key]; gone {
			return verdict.Facts("gone", f.Key)
		}
	}
	return nil
}

func (x *execution) sameTarget(ctx context.Context) error {
	snap, err := x.openTarget(ctx)
	if err != nil {
		return err
	}
	return x.fits(snap)
}

// fits compares the target with the plan. A table that the plan makes may exist
// by now, if it is empty and as the plan makes it: a try that was broken off
// leaves one.
func (x *execution) fits(snap *delta.Snapshot) error {
	t := x.plan.Target
	switch {
	case snap == nil && (t.Create || x.plan.State == AlreadySeeded && t.Version < 0):
		return nil
	case snap == nil:
		return x.changed("the target is gone", verdict.Facts("planned", "version "+fmt.Sprint(t.Version))...)
	case t.Create:
		return x.asMade(snap)
	case snap.Metadata.ID != t.TableID:
		return x.changed("the target is another table now", verdict.Facts("table id", snap.Metadata.ID, "planned", t.TableID)...)
	case hashOf(snap.Protocol) != t.ProtocolHash:
		return x.changed("the target's protocol changed", verdict.Facts("protocol", snap.Protocol, "version", snap.Version, "planned at version", t.Version)...)
	case t.Migrate != nil:
		return x.settled(snap)
	case sha([]byte(snap.Metadata.SchemaString)) != t.SchemaHash:
		return x.changed("the target's schema changed", verdict.Facts("version", snap.Version, "planned at version", t.Version)...)
	case hashOf(snap.Metadata) != t.MetadataHash:
		return x.changed("the target's properties changed", verdict.Facts("version", snap.Version, "planned at version", t.Version)...)
	}
	return nil
}

// asMade refuses a table that stands where the plan makes one, unless the seed
// would be written into it just the same.
func (x *execution) asMade(snap *delta.Snapshot) error {
	fit, err := bronze.FitTable(snap, x.columns(), bronze.FitOptions{})
	if err != nil {
		return x.changed("a table that the seed does not fit was made at the target", verdict.Facts("version", snap.Version, "refusal", err)...)
	}
	if fit.Migration != nil || fit.Metadata != nil || fit.Protocol != nil || !sameColumns(fit.Columns, bronze.Columns(x.columns(), true)) {
		return x.changed("another table was made at the target", verdict.Facts("version", snap.Version)...)
	}
	made, err := bronze.NewTable(x.columns(), true, "", bronze.Commit{})
	if err != nil {
		return err
	}
	// The staged files carry the names that the plan gave the columns.
	if !sameFiles(snap.Metadata, made.Metadata) {
		return x.changed("a table that maps its columns otherwise was made at the target", verdict.Facts("version", snap.Version)...)
	}
	return nil
}

// sameFiles reports whether data files name their columns alike in two tables of
// the same columns.
func sameFiles(a, b delta.Metadata) bool {
	if a.Mapping() != b.Mapping() {
		return false
	}
	return !a.Mapping().On() || sha([]byte(a.SchemaString)) == sha([]byte(b.SchemaString))
}

func (x *execution) changed(what string, facts ...verdict.Fact) error {
	return &verdict.Error{
		Code: verdict.TargetChanged, What: what, Facts: append(verdict.Facts("target", x.plan.Target.URL), facts...),
		Why:  "The plan was made for the table as it was.",
		Hint: []string{"Find out who changed it, then make the plan again."},
	}
}

// seedStands refuses a plan that found its seed where the rows are gone by now:
// a facts row would record what is not there.
func (x *execution) seedStands(ctx context.Context) error {
	seed, err := x.seedNow(ctx)
	if err != nil || seed != nil {
		return err
	}
	return stale("the seed that the plan found is not in the target any more", "Somebody deleted its rows or restored an older version.",
		verdict.Facts("target", x.plan.Target.URL, "L", x.plan.AsOf.L)...)
}

func (x *execution) noOtherSnapshot(ctx context.Context) error {
	_, err := x.seedNow(ctx)
	return err
}

// seedNow is this very seed in the target as it is now, or nil.
func (x *execution) seedNow(ctx context.Context) (*bronze.Snapshot, error) {
	snap, err := x.openTarget(ctx)
	if err != nil || snap == nil {
		return nil, err
	}
	return x.heldNow(ctx, snap)
}

// heldNow looks for snapshots of the table that appeared since the plan was
// made: this very seed is returned, another one refuses.
func (x *execution) heldNow(ctx context.Context, snap *delta.Snapshot) (*bronze.Snapshot, error) {
	held, err := bronze.Lookup(ctx, x.stores.Target, snap, x.plan.Table.instanceNames())
	if err != nil {
		return nil, storeError("reading the target's snapshots", err)
	}
	x.newest = held.Newest()
	if seed := held.At(x.plan.AsOf.L); seed != nil {
		return seed, nil
	}
	if x.plan.Reseed != nil && x.plan.State == Ready {
		return nil, x.sameNewest(snap)
	}
	if x.newest != nil {
		return nil, holdsSnapshot(x.plan.Target.URL, *x.newest, x.plan.AsOf.L)
	}
	return nil, nil //nolint:nilnil // no snapshot is the answer that lets the seed go on
}

// factsFree checks that the facts table takes the seed's row, and that no
// snapshot is open which the seed would be written over: one of its own stream,
// or in a reseed of any. What this seed's rows in the target prove wins: another
// run of it was first.
func (x *execution) factsFree(ctx context.Context) error {
	facts, rows, err := x.factsNow(ctx)
	if err != nil {
		return err
	}
	f, t, reseed := x.plan.Facts, x.table, x.result.State == Ready && x.plan.Reseed != nil
	var taken error
	if x.result.State == Ready {
		taken = superseded(f, rows, x.plan.AsOf.L)
	}
	switch {
	case taken != nil:
	case reseed:
		taken, err = x.appIDUsed(ctx, facts, rows)
	case facts != nil && bronze.Recorded(facts, f.AppID):
		taken = appIDTaken(*f)
	}
	if err != nil {
		return err
	}
	if taken != nil || reseed {
		// Another run of this seed records it after its rows, which are there then.
		seed, err := x.seedNow(ctx)
		if err != nil {
			return err
		}
		if seed == nil && taken != nil {
			return taken
		}
		reseed = reseed && seed == nil
	}
	switch {
	case reseed:
		return x.session.nothingOpen(ctx, t, *x.newest, f, rows)
	case facts == nil:
		return nil
	}
	return x.session.openSnapshot(ctx, t, rows, f.Target, f.AppID)
}

// factsNow reads the facts table as it is now: nil where it is missing or no row
// is wanted.
func (x *execution) factsNow(ctx context.Context) (*delta.Snapshot, []bronze.Event, error) {
	f := x.plan.Facts
	if f == nil {
		return nil, nil, nil
	}
	snap, err := openTable(ctx, x.stores.Facts)
	if err != nil || snap == nil {
		return nil, nil, err
	}
	if _, err := bronze.FitFacts(snap); err != nil {
		return nil, nil, err
	}
	rows, err := eventsOf(ctx, x.stores.Facts, snap, f.Target)
	return snap, rows, err
}
