package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// seen is what all inspections of one request said.
type seen struct {
	source  engine.SourceView
	table   engine.TableView
	copy    engine.CopyView
	target  engine.TargetView
	asOf    engine.AsOfView
	columns engine.ColumnsView
	refused []*verdict.Error // by any of them, in order
	checks  []verdict.Check  // of all of them, in order
}

// inspect asks everything that the wizard asks before a plan is made.
func (k *kit) inspect() seen {
	k.t.Helper()
	var out seen
	ctx, r := k.t.Context(), k.request
	session, err := engine.Open(ctx, r, "", k.now, nil)
	if err != nil {
		out.refused = append(out.refused, verdict.As(err))
		return out
	}
	defer session.Close()
	keep := func(err error, checks []verdict.Check) {
		if err != nil {
			out.refused = append(out.refused, verdict.As(err))
		}
		out.checks = append(out.checks, checks...)
	}
	out.source, err = session.Inspect(ctx)
	keep(err, out.source.Checks)
	out.table, err = session.InspectTable(ctx, r.Table)
	keep(err, out.table.Checks)
	out.copy, err = engine.InspectCopy(ctx, session, r, nil)
	keep(err, out.copy.Checks)
	out.target, err = engine.InspectTarget(ctx, session, r)
	keep(err, out.target.Checks)
	if out.target.NeedsNTZ != nil {
		keep(out.target.NeedsNTZ, nil)
	}
	out.asOf, err = engine.InspectAsOf(ctx, session, r, out.copy, out.target)
	keep(err, out.asOf.Checks)
	if out.copy.URL == "" {
		return out
	}
	out.columns, err = engine.InspectColumns(ctx, session, r, out.copy, out.target, true, nil)
	keep(err, out.columns.Checks)
	if out.columns.Stop != nil {
		keep(out.columns.Stop, nil)
	}
	keep(nil, out.columns.Tight(out.copy, out.asOf))
	return out
}

// agrees checks that planning says nothing that an inspection has not said, in
// the same words, and that no inspection refuses what planning does not.
func (k *kit) agrees() {
	k.t.Helper()
	k.request.CountKeys = false // planning alone counts keys: a person asks for it with the plan in sight
	before := k.tree()
	got := k.inspect()
	same(k.t, "inspections", before, k.tree())
	p, err := k.build()
	if err != nil {
		k.refusedAlike(got, verdict.As(err))
		return
	}
	if p.State == engine.AlreadySeeded {
		if !got.asOf.Seeded || got.asOf.L != p.AsOf.L {
			k.t.Errorf("the seed was not found: %+v", got.asOf)
		}
		return
	}
	for _, s := range p.Stops {
		k.refusedAlike(got, s.Err())
	}
	if len(p.Stops) == 0 && len(got.refused) > 0 {
		k.t.Errorf("planning refuses nothing, an inspection does: %v", got.refused[0])
	}
	if diff := cmp.Diff(told(p.Checks, verdict.Warn), told(got.checks, verdict.Warn)); diff != "" {
		k.t.Errorf("warnings of the plan (-) and of the inspections (+):\n%s", diff)
	}
	for _, text := range told(p.Checks, verdict.Note) {
		if !slices.Contains(told(got.checks, verdict.Note), text) {
			k.t.Errorf("no inspection notes: %s", text)
		}
	}
	if p.AsOf.L != got.asOf.L || cmp.Diff(p.AsOf.CommitTS, got.asOf.CommitTS) != "" {
		k.t.Errorf("the plan's L is %s, the inspection's %s", p.AsOf.L, got.asOf.L)
	}
	if got.copy.Rows != p.Copy.Rows || got.copy.Bytes != p.Copy.Bytes || got.copy.Files != p.Copy.Files || got.columns.Depth != p.Preview.Depth {
		k.t.Errorf("another copy: %+v, planned %+v", got.copy, p.Copy)
	}
	if diff := cmp.Diff(p.Target, got.target.TargetPlan); diff != "" {
		k.t.Errorf("another target:\n%s", diff)
	}
}

// refusedAlike looks for planning's refusal among those of the inspections.
// Other stops of a plan may be named in the hints of its first.
func (k *kit) refusedAlike(got seen, e *verdict.Error) {
	k.t.Helper()
	if e.Code == verdict.AcceptUnknown { // nothing is accepted before a plan is there
		return
	}
	for _, have := range got.refused {
		if have.Code == e.Code && (have.What == e.What || e.Err != nil) || slices.Contains(have.Hint, "Also: "+e.What+".") {
			return
		}
	}
	k.t.Errorf("planning refuses, and no inspection does: %s: %v; they refuse %v", e.Code, e, got.refused)
}

// told are the codes and texts of the checks of one level, sorted. How long
// casting takes, L is kept and clocks are apart differs from one look to the next.
func told(checks []verdict.Check, level verdict.Level) []string {
	out := []string{}
	for _, c := range checks {
		switch {
		case c.Level != level:
		case c.Code == verdict.RetentionTight:
			out = append(out, string(c.Code))
		case strings.HasPrefix(c.Text, "this machine's clock"):
			out = append(out, c.Why)
		default:
			out = append(out, string(c.Code)+" "+c.Text+" "+c.Why)
		}
	}
	slices.Sort(out)
	return out
}

// Every scene in which planning refuses or warns, and every mapping that holds.
func TestInspectionsAgreeWithPlanning(t *testing.T) {
	for _, r := range refusals() {
		if r.meanwhile != nil || r.places != nil || r.stop != nil {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, r.scene)
			if r.arrange != nil {
				r.arrange(k)
			}
			k.agrees()
		})
	}
	for _, c := range append(mappings(), otherWarnings()...) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, c.scene)
			c.arrange(k)
			k.agrees()
		})
	}
}

// A seed that is there is found, whatever else the request says by then.
func TestInspectionsFindTheSeed(t *testing.T) {
	k := kitIn(t, scene{}).withFacts()
	k.seeded(3)
	k.agrees()
	k.request.AsOf = lsnAt(30)
	k.agrees()
	k.request.AsOf = lsnAt(31)
	k.agrees() // refused
	v := k.inspect()
	if len(v.target.Held) != 1 || v.target.Held[0].LSN.String() != lsnAt(30) || v.target.Held[0].Rows != 3 || v.target.Facts == nil || !v.target.Facts.Present {
		t.Errorf("%+v", v.target)
	}
	if v.asOf.L.String() != lsnAt(31) || v.asOf.Seeded {
		t.Errorf("beside the refusal there is no mapping: %+v", v.asOf)
	}
}

// Inspections stop when they are told to.
func TestInspectionsStop(t *testing.T) {
	k := kitIn(t, scene{})
	session, _ := k.open()
	ctx, cancel := context.WithCancel(t.Context())
	whole := k.inspect()
	cancel()
	calls := map[string]func() error{
		"source":     func() error { _, err := session.Inspect(ctx); return err },
		"table":      func() error { _, err := session.InspectTable(ctx, k.request.Table); return err },
		"uncaptured": func() error { _, err := session.Uncaptured(ctx); return err },
		"copy":       func() error { _, err := engine.InspectCopy(ctx, session, k.request, nil); return err },
		"target":     func() error { _, err := engine.InspectTarget(ctx, session, k.request); return err },
		"as of": func() error {
			_, err := engine.InspectAsOf(ctx, session, k.request, whole.copy, whole.target)
			return err
		},
		"columns": func() error {
			_, err := engine.InspectColumns(ctx, session, k.request, whole.copy, whole.target, true, nil)
			return err
		},
		"readings": func() error { _, err := session.Readings(ctx, "2026-10-24 12:30", nil); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, verdict.Stopped) || verdict.As(err).Err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A stop in the middle takes no longer than people wait for it.
func TestInspectionsStopWithinASecond(t *testing.T) {
	k := kitIn(t, scene{})
	for i := range 200 {
		k.writeCopy(fmt.Sprintf("b%d.parquet", i), orders(50))
	}
	session, _ := k.open()
	ctx, cancel := context.WithCancel(t.Context())
	var asked time.Time
	stop := func(done, _ int) {
		if done == 3 {
			asked = time.Now()
			cancel()
		}
	}
	if _, err := engine.InspectCopy(ctx, session, k.request, stop); !errors.Is(err, verdict.Stopped) || time.Since(asked) > time.Second {
		t.Errorf("%v after %v", err, time.Since(asked))
	}
	k.must(k.server.SetFault(fakeserver.Fault{Match: "cdcseed: mapping_newest", Delay: "20s"}))
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { asked = time.Now(); cancel() })
	if _, err := session.Inspect(ctx); !errors.Is(err, verdict.Stopped) || time.Since(asked) > time.Second {
		t.Errorf("%v after %v", err, time.Since(asked))
	}
}
