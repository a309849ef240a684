package engine

import (
	"context"
	"fmt"
	"slices"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// place refuses an L that has no place in the target: beside another snapshot of
// the table, or, of a reseed, not after the newest one; or before one that the
// facts table records.
func (b *builder) place(l lsn.LSN) error {
	newest := b.held.Newest()
	switch {
	case newest == nil && b.request.Reseed:
		return nothingToReseed(b.plan.Target)
	case newest == nil:
	case !b.request.Reseed:
		return holdsSnapshot(b.plan.Target.URL, *newest, l)
	case l.Compare(newest.LSN) <= 0:
		return notNewer(b.plan.Target.URL, *newest, l, b.mapping.CommitTS)
	}
	return superseded(b.plan.Facts, b.events, l)
}

// reseed checks what else a reseed asks for (decision 12) and has it accepted by
// name. L is known to be after the newest snapshot.
func (b *builder) reseed(ctx context.Context) error {
	if !b.request.Reseed {
		return nil
	}
	seeds, err := heldSeeds(ctx, b.readers.Target, b.held)
	if err != nil {
		return err
	}
	if err := b.newestIsOurs(seeds); err != nil {
		return err
	}
	if err := b.appIDNew(); err != nil {
		return err
	}
	if err := b.nothingOpen(ctx); err != nil {
		return err
	}
	if err := b.anotherCopy(seeds); err != nil {
		return err
	}
	newest := *b.held.Newest()
	b.plan.Reseed = &ReseedPlan{Follows: newest.LSN, AppID: b.request.AppID}
	b.check(verdict.Warned(verdict.Reseed,
		fmt.Sprintf("the seed follows the snapshot at %s and becomes the one that everything downstream rebuilds from", newest.LSN),
		"Silver rebuilds from it, and rows that the copy lacks go away there. The old stream must not run again; the new one takes a new checkpoint and a new app id.",
		// What was accepted is one copy at one position: another is asked about again.
		append(heldFacts(newest), verdict.Facts("L", b.mapping.L, "copy", b.plan.Copy.URL, "app id", b.request.AppID)...)...))
	b.whetherNeeded(ctx)
	return nil
}

// heldSeeds are the seeds in a target whose commits its log still holds, newest first.
func heldSeeds(ctx context.Context, r store.Reader, held *bronze.Snapshots) ([]bronze.Seed, error) {
	var out []bronze.Seed
	for c, err := range bronze.Seeds(ctx, r) {
		if err != nil {
			return nil, storeError("reading the target's log", err)
		}
		if held.At(c.LSN) != nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// newestIsOurs refuses to follow a seed of another database's table: its LSN
// cannot be compared with ours.
func (b *builder) newestIsOurs(seeds []bronze.Seed) error {
	newest := *b.held.Newest()
	for _, s := range seeds {
		if s.LSN == newest.LSN {
			return b.sameDatabase(s.Tags[tagDatabase], newest)
		}
	}
	return nil
}

// whetherNeeded notes what speaks against a reseed, or for another look at what
// was given. It is only told.
func (b *builder) whetherNeeded(ctx context.Context) {
	if f := b.plan.Facts; f != nil && b.facts != nil && len(b.events) == 0 {
		b.check(verdict.Noted(fmt.Sprintf("the facts table tells of no snapshot of target %q", f.Target),
			"The stream that took the one in the target had no facts table, another one, or another text for the target: the text is compared as it stands."))
	}
	reached := b.held.Newest().LSN
	if l, ok := bronze.Reached(b.target); ok && l.Compare(reached) > 0 {
		reached = l
	}
	if l := b.mapping.L; reached.Compare(l) > 0 {
		b.check(verdict.Noted(fmt.Sprintf("the target holds changes after L, up to %s", reached),
			"The new stream writes them again. Silver takes the latest image of each key, so it is the same with them twice."))
	}
	goesOn, _ := b.keptAfter(ctx, reached)
	switch {
	case goesOn == nil:
	case *goesOn:
		b.check(verdict.Noted(fmt.Sprintf("the changes after the target's newest row, at %s, are still kept", reached),
			"If its stream has its checkpoint it may still go on, and then nothing has to be seeded again."))
	default:
		b.check(verdict.Noted(fmt.Sprintf("the changes after the target's newest row, at %s, are not all kept any more: its stream has lost them unless it has read further", reached), ""))
	}
}

// appIDNew refuses an app id under which anything was written: its stream would
// be taken for the old one.
func (b *builder) appIDNew() error {
	return usedAppID(b.request.AppID, b.target, b.facts, b.events)
}

// usedAppID is the refusal of an app id that a reseed cannot take, or nil. The
// tables may be nil.
func usedAppID(appID string, target, facts *delta.Snapshot, rows []bronze.Event) error {
	if appID == "" {
		return nil // no row is written; the stream's is told to be new when the seed is done
	}
	for _, t := range []struct {
		snap *delta.Snapshot
		name string
	}{{target, "target"}, {facts, "facts table"}} {
		if t.snap == nil {
			continue
		}
		if used := bronze.AppIDUsed(t.snap, appID); used != "" {
			return appIDUsed(appID, verdict.Facts(t.name, t.snap.URL(), "transactions of", used))
		}
	}
	for _, r := range rows {
		if bronze.SameStream(r.AppID, appID) {
			return appIDUsed(appID, verdict.Facts("facts table", facts.URL(), "row of", r.AppID, "event", r.Event, "at", r.LSN))
		}
	}
	return nil
}

func appIDUsed(appID string, facts []verdict.Fact) error {
	return &verdict.Error{
		Code: verdict.AppIDTaken, What: fmt.Sprintf("app id %q is not new, and a reseed needs one that is", appID), Facts: facts,
		Why:  "Delta skips what an app id has written before, so the stream that starts from the reseed would leave out its first batches or its facts row.",
		Hint: []string{"Choose an app id that no stream has had, pass it as --app-id, and give it to the Python job with a new checkpoint."},
	}
}

// nothingOpen refuses to write over a snapshot that any stream of this target
// has begun and not finished.
func (b *builder) nothingOpen(ctx context.Context) error {
	return b.session.nothingOpen(ctx, b.table, *b.held.Newest(), b.plan.Facts, b.events)
}

func (s *Session) nothingOpen(ctx context.Context, t schema.Table, newest bronze.Snapshot, f *FactsPlan, rows []bronze.Event) error {
	if f != nil {
		if err := s.openSnapshot(ctx, t, rows, f.Target, ""); err != nil {
			return err
		}
	}
	done := func(e bronze.Event) bool { return e.Event != bronze.EventOpen && e.LSN.Compare(newest.LSN) >= 0 }
	if !newest.Chunked || slices.ContainsFunc(rows, done) {
		return nil
	}
	return &verdict.Error{
		Code: verdict.SnapshotOpen, What: "the target's newest snapshot was taken in chunks, and nothing tells that it is finished",
		Facts: heldFacts(newest),
		Why:   "A seed written over one that is not finished would stand beside its rows, every key twice.",
		Hint:  []string{"Give as --facts the facts table of the stream that took it, with --target-name as that stream passes it and a new --app-id. If the snapshot was never finished, seed a new target."},
	}
}

// thisReseed refuses to take a seed that was found for the reseed that is asked
// for, where it is not: the command of the first seed typed again with a new copy
// would end green, recover nothing and use up the new app id. recorded is the
// copy that it was made from, as far as the log still has it.
func (b *builder) thisReseed(ctx context.Context, seed bronze.Snapshot, recorded copyID) error {
	if !b.request.Reseed || b.copy == nil && b.noCopy == nil { // nobody has looked at the copy yet
		return nil
	}
	same := b.copy != nil && recorded.is(b.plan.Copy.id())
	if recorded.files != "" && b.copy != nil && !same {
		return notThisReseed(b.plan.Target.URL, seed, "made from another copy", verdict.Facts("copy", b.plan.Copy.Hash, "made from", recorded.files))
	}
	if b.plan.Reseed != nil { // its commit says so
		return nil
	}
	if recorded.files != "" && !same {
		return notThisReseed(b.plan.Target.URL, seed, "not made by a reseed", nil)
	}
	f := b.plan.Facts
	if f == nil || f.Present {
		return nil
	}
	k, err := b.session.kept(ctx, b.table, seed.LSN)
	if err != nil || k.Holds {
		return err
	}
	return notThisReseed(b.plan.Target.URL, seed, "one that no stream can start from any more", verdict.Facts("app id that would begin there", f.AppID))
}

func notThisReseed(url string, held bronze.Snapshot, is string, facts []verdict.Fact) error {
	return &verdict.Error{
		Code: verdict.ReseedNotNewer, What: fmt.Sprintf("as_of is that of the snapshot that is in %q already, and that is %s", url, is),
		Facts: append(heldFacts(held), facts...),
		Why:   "Taken for this reseed, the new copy would not be written and the stream would go on from the old snapshot, whose changes it lost.",
		Hint: []string{
			"Give the time at which this copy started as --as-of.",
			"To see the seed that is there, run the command that made it, without --reseed.",
		},
	}
}

func nothingToReseed(t TargetPlan) error {
	found := "no table"
	if !t.Create {
		found = fmt.Sprintf("a table at version %d, and no snapshot of this source table in it", t.Version)
	}
	return &verdict.Error{
		Code: verdict.NothingToReseed, What: fmt.Sprintf("the target %q holds no snapshot that a reseed could follow", t.URL),
		Facts: verdict.Facts("found", found),
		Why:   "--reseed is for a target that its stream has lost changes of, so this may be the wrong place.",
		Hint:  []string{"Check --target and --table. For a first seed, leave --reseed out."},
	}
}

func notNewer(url string, held bronze.Snapshot, l lsn.LSN, committed *clock.Instant) error {
	facts := append(heldFacts(held), verdict.Facts("asked for", l)...)
	if committed != nil {
		facts = append(facts, verdict.Facts("committed there", *committed)...)
	}
	return &verdict.Error{
		Code: verdict.ReseedNotNewer, What: fmt.Sprintf("L is not after the newest snapshot of the table in %q", url), Facts: facts,
		Why: "Whatever reads the target rebuilds from the newest snapshot, so an older one would be written and never used.",
		Hint: []string{
			"Take a new copy of the table, and give the time at which it started as --as-of.",
			"Only if as_of was typed wrong: give the time at which this copy started.",
		},
	}
}

// holdsSnapshot is the refusal of a target that holds another snapshot of the table.
func holdsSnapshot(url string, held bronze.Snapshot, l lsn.LSN) error {
	kind := "a snapshot"
	if held.Chunked {
		kind = "a chunked snapshot"
	}
	return &verdict.Error{
		Code: verdict.TargetHoldsSnapshot, What: fmt.Sprintf("the target %q already holds %s of the table", url, kind),
		Facts: append(heldFacts(held), verdict.Facts("asked for", l)...),
		Why:   "A second one would silently move the point that everything downstream rebuilds from.",
		Hint: []string{
			"If it is the seed you mean, give its LSN as --as-of: nothing is written then.",
			fmt.Sprintf("If the stream lost changes and cannot go on, stop it for good and add --reseed, with a copy that started after %s and a new app id.", heldText(held)),
			"Otherwise seed a new target and let the stream and what reads it move there.",
		},
	}
}

func heldFacts(held bronze.Snapshot) []verdict.Fact {
	facts := verdict.Facts("held", held.LSN, "rows", held.Rows)
	if held.Commit != nil {
		facts = append(facts, verdict.Facts("committed", *held.Commit)...)
	}
	return facts
}

// heldText is a snapshot's commit time, or its LSN where that is not known.
func heldText(held bronze.Snapshot) string {
	if held.Commit != nil {
		return held.Commit.String()
	}
	return held.LSN.String()
}

func heldPlan(h *bronze.Snapshot) *HeldPlan {
	if h == nil {
		return nil
	}
	return &HeldPlan{LSN: h.LSN, CommitTS: h.Commit, Rows: h.Rows, Chunked: h.Chunked}
}
