package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// readTarget looks at the target: missing, or a bronze table that the seed fits
// into, and which snapshots of the table it holds.
func (b *builder) readTarget(ctx context.Context) error {
	t := &b.plan.Target
	t.URL, t.Name, t.Version = b.request.Target, b.request.FactsTarget(), -1
	snap, err := openTable(ctx, b.readers.Target)
	if err != nil {
		return err
	}
	if snap == nil {
		t.Create = true
		b.check(verdict.Noted("keep the stream stopped until the seed is committed",
			"Started with bootstrap=True before that, it would take a snapshot of the table itself."))
		if err := emptyPlace(ctx, "target", "bronze table", b.readers.Target); err != nil {
			return err
		}
		b.held = &bronze.Snapshots{}
		made, err := bronze.NewTable(b.captured, true, "", bronze.Commit{})
		// Files staged for the table that the plan makes stay good for the empty
		// one that a try leaves when it ends right before its data commit.
		t.SchemaHash = sha([]byte(made.Metadata.SchemaString))
		b.columnMapping(made.Metadata)
		return err
	}
	b.target = snap
	if b.fit, err = bronze.FitTable(snap, b.captured, bronze.FitOptions{UpgradeProtocol: b.request.UpgradeProtocol}); err != nil {
		return err
	}
	b.captured = b.fit.Captured
	b.check(b.fit.Notes...)
	for _, c := range b.fit.Added {
		t.AddColumns = append(t.AddColumns, c.Name)
	}
	b.columnMapping(b.fit.Table)
	t.Version, t.TableID = snap.Version, snap.Metadata.ID
	t.UpgradeNTZ = b.fit.Protocol != nil
	t.SchemaHash = sha([]byte(snap.Metadata.SchemaString))
	t.MetadataHash, t.ProtocolHash = hashOf(snap.Metadata), hashOf(snap.Protocol)
	if err := b.planMigration(); err != nil {
		return err
	}
	if b.held, err = bronze.Lookup(ctx, b.readers.Target, snap, b.plan.Table.instanceNames()); err != nil {
		return storeError("reading the target's snapshots", err)
	}
	t.Held = heldPlan(b.held.Newest())
	b.streamRuns()
	b.uniform()
	return nil
}

// columnMapping tells of a target that maps its columns, and of one that the plan
// makes so: not every program can read it.
func (b *builder) columnMapping(table delta.Metadata) {
	mode := table.Mapping()
	if !mode.On() {
		return
	}
	t := &b.plan.Target
	t.Mapping, t.LayoutHash = string(mode), layoutHash(table)
	if t.Create {
		b.check(verdict.Noted("the target is made with column mapping: names with a blank or one of , ; { } ( ) = newline tab need it",
			"The stream makes such a table in the same way. Readers older than Delta Lake 2.0, and programs that do not know column mapping, cannot read it."))
	}
}

// layoutHash stands for the names and field ids that a table's data files have,
// empty where they have the table's own names.
func layoutHash(table delta.Metadata) string {
	if !table.Mapping().On() {
		return ""
	}
	return sha([]byte(string(table.Mapping()) + table.SchemaString))
}

// openTable opens a Delta table, or answers nil where there is none.
func openTable(ctx context.Context, r store.Reader) (*delta.Snapshot, error) {
	snap, err := delta.Open(ctx, r)
	if errors.Is(err, delta.ErrNoTable) {
		return nil, nil //nolint:nilnil // a missing table is an answer here, not a failure
	}
	if err != nil {
		return nil, storeError(fmt.Sprintf("reading the table at %q", r.URL()), err)
	}
	return snap, nil
}

// emptyPlace refuses to make a table among files that are none of ours.
func emptyPlace(ctx context.Context, place, table string, r store.Reader) error {
	for o, err := range r.List(ctx, "", "") {
		if err != nil {
			return storeError("looking at the "+place, err)
		}
		name := o.Key[strings.LastIndex(o.Key, "/")+1:]
		if _, ours := rewrite.ParseStageName(name); ours || strings.HasPrefix(name, ".") {
			continue
		}
		return &verdict.Error{
			Code: verdict.TargetNotDelta, What: fmt.Sprintf("the %s %q holds files and is no Delta table", place, r.URL()),
			Facts: verdict.Facts("first file", o.Key),
			Why:   "A table made there would mix with what is not its own.",
			Hint:  []string{"Give the folder of the " + table + ", or an empty or new one."},
		}
	}
	return nil
}

// streamRuns warns where a stream may be writing the target: it holds rows.
func (b *builder) streamRuns() {
	if len(b.target.Files) == 0 {
		return
	}
	b.check(verdict.Warned(verdict.StreamStopped, "the target holds rows: the stream that writes it must stay stopped until the seed is committed",
		"A stream that commits meanwhile may pass the position that the seed is made for.",
		verdict.Facts("files", len(b.target.Files), "version", b.target.Version)...))
}

// uniform warns of a table that other formats' readers read by metadata of their own.
func (b *builder) uniform() {
	formats := strings.TrimSpace(b.target.Metadata.Configuration["delta.universalFormat.enabledFormats"])
	b.plan.Target.Uniform = formats
	if formats == "" {
		return
	}
	b.check(verdict.Warned(verdict.UniformStale, "the target is read as "+formats+" too, by metadata that the seed does not bring up to date",
		"Those readers do not see the seed until Spark has brought the metadata up to date.",
		verdict.Facts("delta.universalFormat.enabledFormats", formats)...))
}

// readFacts looks at the facts table: whether the stream has an unfinished
// snapshot, and whether the seed's row is there.
func (b *builder) readFacts(ctx context.Context) error {
	if b.readers.Facts == nil {
		return nil
	}
	f := &FactsPlan{URL: b.request.Facts, AppID: b.request.AppID, Target: b.request.FactsTarget(), Version: -1}
	b.plan.Facts = f
	snap, err := openTable(ctx, b.readers.Facts)
	if err != nil {
		return err
	}
	if snap == nil {
		return emptyPlace(ctx, "facts location", "facts table", b.readers.Facts)
	}
	b.facts, f.Version = snap, snap.Version
	fit, err := bronze.FitFacts(snap)
	if err != nil {
		return err
	}
	b.check(fit.Notes...)
	f.Present = bronze.Recorded(snap, f.AppID)
	if fit.Migration != nil && !f.Present {
		f.Migrate = migrationPlan(fit.Migration)
		b.check(fit.Migration.Note("facts"))
	}
	if b.events, err = eventsOf(ctx, b.readers.Facts, snap, f.Target); err != nil {
		return err
	}
	return b.session.openSnapshot(ctx, b.table, b.events, f.Target, f.AppID)
}

// appIDTaken refuses rows for which no facts row could be written: the app id
// has recorded another snapshot (contract 6.2: one version-0 event for each).
func appIDTaken(f FactsPlan) error {
	return &verdict.Error{
		Code: verdict.AppIDTaken, What: fmt.Sprintf("app id %q has recorded another snapshot in the facts table", f.AppID),
		Facts: verdict.Facts("facts table", f.URL, "target of this seed", f.Target),
		Why:   "One such row exists for each app id, so this seed would go unrecorded and its stream would be taken for the other's.",
		Hint:  []string{"Give the stream a new app id, and pass it as --app-id."},
	}
}

// openSnapshot refuses to seed over a snapshot that the stream appID, or with an
// empty one any stream of the target, has not finished.
func (s *Session) openSnapshot(ctx context.Context, t schema.Table, rows []bronze.Event, target, appID string) error {
	open, err := bronze.Unfinished(rows, target, appID, func(l lsn.LSN) (bool, error) {
		kept, err := s.kept(ctx, t, l)
		return err == nil && !kept.Holds, err
	})
	if err != nil || open == nil {
		return err
	}
	return open.Refusal(target)
}

// eventsOf reads the facts rows of a target that tell of snapshots.
func eventsOf(ctx context.Context, r store.Reader, snap *delta.Snapshot, target string) ([]bronze.Event, error) {
	rows, err := bronze.Events(ctx, r, snap, target)
	return rows, storeError("reading the facts table", err)
}
