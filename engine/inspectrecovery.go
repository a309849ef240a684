package engine

import (
	"context"
	"errors"
	"fmt"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// RecoveryView is what a person needs to know of a target that holds a snapshot
// of the table already: whether its stream can go on, and what a reseed asks for.
type RecoveryView struct {
	Newest  HeldView       // what a stream started anew begins with, and what a reseed follows
	Reached lsn.LSN        // the newest position of any row: how far the stream has come at least
	GoesOn  *bool          // the changes right after Reached are kept; nil where the server did not tell
	Starts  *bool          // those right after Newest are: a stream can still start from it; nil likewise
	Oldest  lsn.LSN        // the oldest position that is kept; zero where unknown
	Since   *clock.Instant // when the source committed there; nil where unknown
}

// Lost reports whether a stream of the target cannot go on, as far as its rows
// tell: its checkpoint may be ahead of them where the table changed little.
func (v RecoveryView) Lost() bool { return v.GoesOn != nil && !*v.GoesOn }

// ConditionKind names what a reseed asks for.
type ConditionKind string

// The conditions of a reseed, in the order in which they are told.
const (
	ReseedNewer       ConditionKind = "newer"        // L is after the newest snapshot
	ReseedAnotherCopy ConditionKind = "another_copy" // no seed in the target was made from the copy
	ReseedNothingOpen ConditionKind = "nothing_open" // no stream of the target has an unfinished snapshot
	ReseedNewAppID    ConditionKind = "new_app_id"   // nothing was written under the app id
)

// Met says whether a condition is met.
type Met string

// What is known of a condition.
const (
	IsMet    Met = "met"
	IsUnmet  Met = "unmet"
	IsNotYet Met = "not_yet" // it hangs on an answer that is not given yet
)

// ReseedCondition is one condition of a reseed.
type ReseedCondition struct {
	Kind    ConditionKind
	Met     Met
	Text    string         // the condition and what it was held against: one sentence without a full stop
	Refusal *verdict.Error // how a seed with --reseed is refused; set where it is unmet
}

// reseedFindings are what a reseed's conditions are told from, beside answers of
// other steps.
type reseedFindings struct {
	seeds []bronze.Seed  // in the target, newest first, whose commits the log still holds
	open  *verdict.Error // an unfinished snapshot
	quiet error          // why the server did not tell whether there is one
	appID *verdict.Error // that the app id was used
}

// status says whether the target's stream can go on, as far as its rows tell.
func (v RecoveryView) status() []verdict.Check {
	if v.GoesOn == nil {
		return nil
	}
	if *v.GoesOn {
		return []verdict.Check{verdict.Okay(fmt.Sprintf("the changes after the target's newest row, at %s, are kept: its stream can go on", v.Reached))}
	}
	return []verdict.Check{verdict.Noted(fmt.Sprintf("the changes after the target's newest row, at %s, are not all kept any more", v.Reached),
		"If its stream has read no further it has lost them. A newer copy can be seeded after the snapshot that is there: --reseed, with a new app id.",
		verdict.Facts("oldest kept", v.Oldest)...)}
}

// recover looks at the snapshots that the target holds and at what follows them.
func (v *TargetView) recover(ctx context.Context, b *builder) error {
	v.Held = heldViews(b)
	newest := b.held.Newest()
	if newest == nil {
		return nil
	}
	for c, err := range bronze.Stamped(ctx, v.reader) {
		if err != nil {
			return storeError("reading the target's log", err)
		}
		made := false
		for i := range v.Held {
			if h := &v.Held[i]; h.LSN == c.LSN && h.Kind == "" && !h.Chunked {
				at := c.At
				h.Kind, h.Made, made = c.Kind, &at, true
			}
		}
		if made && c.Kind == bronze.KindSeed {
			v.reseed.seeds = append(v.reseed.seeds, c)
		}
	}
	r := &RecoveryView{Newest: v.Held[0], Reached: newest.LSN}
	if l, ok := bronze.Reached(v.target); ok && l.Compare(r.Reached) > 0 {
		r.Reached = l
	}
	r.Starts, _ = b.keptAfter(ctx, newest.LSN)
	var k kept
	r.GoesOn, k = b.keptAfter(ctx, r.Reached)
	r.Oldest, r.Since = k.Low, k.LowTime
	v.Recovery = r
	if err := b.nothingOpen(ctx); errors.Is(err, verdict.SnapshotOpen) {
		v.reseed.open = verdict.As(err)
	} else {
		v.reseed.quiet = err
	}
	if err := b.appIDNew(); err != nil {
		v.reseed.appID = verdict.As(err)
	}
	return nil
}

// keptAfter asks whether the changes right after l are kept. It is only told, so
// a server that gives no answer stops nothing: the answer is nil.
func (b *builder) keptAfter(ctx context.Context, l lsn.LSN) (*bool, kept) {
	k, err := b.session.kept(ctx, b.table, l)
	if err != nil {
		return nil, k
	}
	return &k.Holds, k
}

// ReseedConditions are what a seed with --reseed asks for, each held against what
// is known by now: c and a may be zero. They are empty where the target holds no
// snapshot of the table, which a reseed could follow.
func (v TargetView) ReseedConditions(c CopyView, a AsOfView) []ReseedCondition {
	if v.Recovery == nil {
		return nil
	}
	return []ReseedCondition{v.newer(a), v.anotherCopy(c), v.nothingOpen(), v.newAppID()}
}

func condition(kind ConditionKind, open bool, text string, refusal error) ReseedCondition {
	switch {
	case open:
		return ReseedCondition{Kind: kind, Met: IsNotYet, Text: text}
	case refusal == nil:
		return ReseedCondition{Kind: kind, Met: IsMet, Text: text}
	}
	return ReseedCondition{Kind: kind, Met: IsUnmet, Text: text, Refusal: verdict.As(refusal)}
}

func (v TargetView) newer(a AsOfView) ReseedCondition {
	newest := *v.held.Newest()
	text := "the copy started after the newest snapshot, which was committed " + heldText(newest)
	if newest.Commit == nil {
		text = "the copy started after the newest snapshot, at " + newest.LSN.String()
	}
	var refusal error
	switch {
	case a.L.IsZero():
	case a.L.Compare(newest.LSN) <= 0:
		refusal = notNewer(v.URL, newest, a.L, a.CommitTS)
	default:
		refusal = superseded(v.Facts, v.events, a.L)
	}
	return condition(ReseedNewer, a.L.IsZero(), text, refusal)
}

func (v TargetView) anotherCopy(c CopyView) ReseedCondition {
	text := "the copy is not one that the target was seeded from"
	if c.copy == nil {
		return condition(ReseedAnotherCopy, true, text, nil)
	}
	id := copyID{c.copy.Hash, c.copy.Content}
	if s := seedOf(v.reseed.seeds, func(seed copyID) bool { return seed.files == id.files }); s != nil {
		return condition(ReseedAnotherCopy, false, text, copySame(c.URL, *s))
	}
	if s := seedOf(v.reseed.seeds, func(seed copyID) bool { return seed.is(id) }); s != nil {
		return condition(ReseedAnotherCopy, true, text+"; it holds the same, byte for byte, which is right only if nothing changed since", nil)
	}
	// Of a seed whose copy is not recorded it is never said to be another; a stream
	// takes its snapshot from the table itself.
	taken := v.Held[0].Chunked || v.Held[0].Kind == bronze.KindSnapshot
	return condition(ReseedAnotherCopy, !taken && !newestTold(v.reseed.seeds, v.held), text, nil)
}

func (v TargetView) nothingOpen() ReseedCondition {
	text := "no stream of the target has an unfinished snapshot"
	if v.Facts == nil {
		text += "; without its facts table only the target's rows tell"
	}
	return condition(ReseedNothingOpen, v.reseed.quiet != nil, text, orNil(v.reseed.open))
}

func (v TargetView) newAppID() ReseedCondition {
	if v.appID == "" {
		return condition(ReseedNewAppID, true, "the stream that starts from the reseed has an app id that no stream has had", nil)
	}
	return condition(ReseedNewAppID, false, "app id "+v.appID+" is new to the target and its facts table", orNil(v.reseed.appID))
}

// orNil is e as an error that is nil where e is.
func orNil(e *verdict.Error) error {
	if e == nil {
		return nil
	}
	return e
}
