package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// InspectTarget looks at the places that r names for the target and the facts
// table, and writes nothing there. Where r names a copy too, they must lie apart
// from it. Refusals are Build's of these places; a protocol that only lacks
// --upgrade-protocol is none: it is the view's NeedsNTZ.
func InspectTarget(ctx context.Context, s *Session, r Request) (TargetView, error) {
	v, err := inspectTarget(ctx, s, r)
	return v, stoppedInspecting(ctx, err)
}

func inspectTarget(ctx context.Context, s *Session, r Request) (TargetView, error) {
	b, err := s.openPlaces(r)
	if err != nil {
		return TargetView{}, err
	}
	if err := b.readTable(ctx); err != nil {
		return TargetView{}, err
	}
	needs, err := b.readTargetOrAsk(ctx)
	if err != nil {
		return TargetView{}, err
	}
	if err := b.readFacts(ctx); err != nil {
		return TargetView{}, err
	}
	v := TargetView{
		TargetPlan: b.plan.Target, Facts: b.plan.Facts, NeedsNTZ: needs,
		asked: r.Table, appID: r.AppID, captured: b.captured, target: b.target, held: b.held, reader: b.readers.Target,
		facts: b.facts, events: b.events,
	}
	if needs != nil {
		v.UpgradeNTZ = false // nobody has said so yet
	}
	if b.target != nil {
		v.Protocol, v.Files = protocolText(b.target.Protocol), len(b.target.Files)
	}
	if err := v.recover(ctx, b); err != nil {
		return TargetView{}, err
	}
	v.Checks = []verdict.Check{v.status(), v.holds()}
	if v.Recovery != nil {
		v.Checks = append(v.Checks, v.Recovery.status()...)
	}
	v.Checks = append(v.Checks, b.plan.Checks...)
	if v.Migrate != nil {
		v.Checks = append(v.Checks, b.fit.Migration.Note("bronze"))
	}
	for _, text := range v.Changes() {
		v.Checks = append(v.Checks, verdict.Noted(text, ""))
	}
	v.Checks = append(v.Checks, v.factsStatus()...)
	v.room(v.URL)
	return v, nil
}

// openPlaces validates and opens the target and the facts table for reading.
func (s *Session) openPlaces(r Request) (*builder, error) {
	part := Request{
		Server: unasked, Table: r.Table, Copy: unasked, Target: r.Target, TargetName: r.TargetName, Facts: r.Facts, AppID: r.AppID,
		Reseed: r.Reseed, AsOf: unasked, UpgradeProtocol: r.UpgradeProtocol, OnStop: r.OnStop,
	}
	if err := part.Validate(); err != nil {
		return nil, err
	}
	part.Copy = r.Copy
	part, err := part.Absolute()
	if err != nil {
		return nil, err
	}
	if err := apart(part); err != nil {
		return nil, err
	}
	b := s.inspection(part)
	// A Writer is kept as the Reader that it is too: nothing here may write.
	if b.readers.Target, err = readPlace("target", part.Target); err != nil {
		return nil, err
	}
	if part.Facts != "" {
		b.readers.Facts, err = readPlace("facts table", part.Facts)
	}
	return b, err
}

func readPlace(what, location string) (store.Reader, error) {
	w, err := openTarget(what, location)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// readTargetOrAsk is readTarget, which where only the protocol is in the way
// goes on as if its upgrade were allowed and returns what to ask.
func (b *builder) readTargetOrAsk(ctx context.Context) (*verdict.Error, error) {
	err := b.readTarget(ctx)
	if !errors.Is(err, verdict.TargetNeedsNTZ) || b.request.UpgradeProtocol {
		return nil, err
	}
	b.request.UpgradeProtocol = true
	return verdict.As(err), b.readTarget(ctx)
}

// protocolText is a table's protocol: 1/2, or 3/7 with its features.
func protocolText(p delta.Protocol) string {
	text := fmt.Sprintf("%d/%d", p.MinReaderVersion, p.MinWriterVersion)
	if p.MinWriterVersion >= 7 && len(p.WriterFeatures) > 0 {
		text += " (" + strings.Join(p.WriterFeatures, ", ") + ")"
	}
	return text
}

// heldViews are the snapshots that the target holds of the table, newest first.
func heldViews(b *builder) []HeldView {
	out := []HeldView{}
	for _, h := range b.held.Held {
		if n := len(out); n == 0 || out[n-1].LSN != h.LSN {
			out = append(out, HeldView{LSN: h.LSN})
		}
		v := &out[len(out)-1]
		v.Rows += h.Rows
		v.Chunked = v.Chunked || h.Chunked
		if h.Commit != nil && (v.Commit == nil || *h.Commit > *v.Commit) {
			v.Commit = h.Commit
		}
	}
	return out
}

// status says what is at the target's place.
func (v TargetView) status() verdict.Check {
	if v.Create {
		return verdict.Okay("the target is missing: it is made first")
	}
	return verdict.Okay(fmt.Sprintf("the target is a Delta table, version %d, protocol %s", v.Version, v.Protocol))
}

// holds says which snapshot of the table is there.
func (v TargetView) holds() verdict.Check {
	if len(v.Held) == 0 {
		return verdict.Okay("no snapshot of the table is in the target")
	}
	h := v.Held[0]
	facts := verdict.Facts("L", h.LSN, "rows", h.Rows)
	if h.Commit != nil {
		facts = append(facts, verdict.Facts("committed", *h.Commit)...)
	}
	text := fmt.Sprintf("the target holds a snapshot of the table at %s", h.LSN)
	if h.Chunked {
		return verdict.Noted(text+", taken in chunks", "A seed beside it is refused, whatever its as_of, but for a reseed once it is finished.", facts...)
	}
	return verdict.Noted(text, "With an as_of that maps there, the seed is found and nothing is written; with another it is refused, but for a reseed.", facts...)
}

// factsStatus says what is at the facts table's place.
func (v TargetView) factsStatus() []verdict.Check {
	f := v.Facts
	switch {
	case f == nil:
		return nil
	case f.Version < 0:
		return []verdict.Check{verdict.Okay("the facts table is missing: it is made when the seed is committed")}
	case f.Present:
		return []verdict.Check{verdict.Noted(fmt.Sprintf("the facts table has a row of app id %q already", f.AppID),
			"It can only be this seed's, found again: for a seed of its own, another app id is needed.")}
	}
	return []verdict.Check{verdict.Okay(fmt.Sprintf("the facts table is version %d and has no row of app id %q yet", f.Version, f.AppID))}
}

// known is the target as a builder of the same table uses it.
func (v TargetView) known(b *builder) {
	if v.URL == "" {
		return
	}
	b.target, b.held, b.readers.Target = v.target, v.held, v.reader
	b.plan.Target, b.plan.Facts = v.TargetPlan, v.Facts
	b.facts, b.events, b.request.AppID = v.facts, v.events, v.appID
}
