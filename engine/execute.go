package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// tidyTime bounds the work that goes on after a stop: removing staged files.
const tidyTime = 30 * time.Second

// Execute runs a plan. It takes nothing that could change the plan's mind. The
// order is fixed: stage, re-check, create the table if it is missing or migrate
// it if it is older, the one data commit, the facts row. Before the data commit
// no row is visible; a cancelled context stops there, and a commit that has begun is finished.
// notify is called by one goroutine at a time. Refusals: the plan's own,
// verdict.PlanInvalid, PlanStale, CopyChanged, TargetChanged,
// TargetHoldsSnapshot, RetentionPassed, ValueRefused, CountsDiffer, CommitUnknown,
// FactsFailed, Stopped, and those of the stores.
func Execute(ctx context.Context, p Plan, s *Session, st Stores, notify func(Event)) (Result, error) {
	if notify == nil {
		notify = func(Event) {}
	}
	x := &execution{plan: p, session: s, stores: st, notify: notify, started: s.now()}
	x.result = Result{
		State: p.State, L: p.AsOf.L, CommitTS: p.AsOf.CommitTS, Target: p.Target.URL, Version: p.Target.Version,
		Plan: p.Digest, Retention: p.AsOf.KeptUntil,
	}
	if err := x.recheck(ctx); err != nil {
		return x.result, x.named(ctx, err)
	}
	if x.result.State == Ready {
		if err := x.seed(ctx); err != nil {
			return x.result, x.named(ctx, err)
		}
	}
	// The rows are committed, or were: a stop now would only lose their record.
	if err := x.record(context.WithoutCancel(ctx)); err != nil {
		return x.result, err
	}
	x.countLeft(ctx)
	x.lookBack(ctx)
	x.result.Follow = x.follow()
	return x.result, nil
}

// countLeft counts what earlier tries left in the target. It is only told, so
// a store that does not answer any more stops nothing.
func (x *execution) countLeft(ctx context.Context) {
	if files, err := Staged(context.WithoutCancel(ctx), x.stores.Target); err == nil {
		x.left = len(files)
		now := x.session.now()
		x.young = slices.ContainsFunc(files, func(f StagedFile) bool { return f.Young(now) })
	}
}

// execution is a plan being executed.
type execution struct {
	plan    Plan
	session *Session
	stores  Stores
	notify  func(Event)
	started clock.Instant
	result  Result

	table    schema.Table
	newest   *bronze.Snapshot // in the target when it was looked at last; nil for none
	copy     *lakecopy.Copy
	staged   []stagedFile
	excluded int64
	wrote    *bronze.Wrote  // nil where this run wrote no rows
	created  bool           // this run made the table
	migrated bool           // this run migrated the table
	maybe    bool           // whether it did either could not be read back
	gone     bool           // of a seed that was found: the changes right after L are not kept any more
	keptAt   *clock.Instant // the server's clock when it was asked last what it keeps; nil where it was not
	left     int            // files of earlier tries that remain in the target
	young    bool           // one of them may be of a try that goes on
	kept     []string       // staged files that stay after a stop or a failure
}

// seed does everything up to and including the data commit.
func (x *execution) seed(ctx context.Context) error {
	err := x.stage(ctx)
	if err == nil {
		err = x.verify(ctx)
	}
	if err == nil {
		err = x.commit(ctx)
	}
	if err != nil && !errors.Is(err, verdict.CommitUnknown) {
		return x.tidy(ctx, err)
	}
	return err
}

// named gives a cancellation its name, and says what stands in the target.
func (x *execution) named(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(err, verdict.CommitUnknown) {
		e := &verdict.Error{Code: verdict.Stopped, What: "stopped on request before the seed was committed", Err: context.Cause(ctx)}
		var was *verdict.Error
		if errors.As(err, &was) {
			e.Wrote = was.Wrote
		}
		e.Facts = x.keptFacts()
		e.Hint = []string{"Run the same command again: it starts over, or goes on from files that were kept."}
		return e
	}
	return err
}

// tidy removes what was staged, or keeps it as the plan says, and tells which in the error.
func (x *execution) tidy(ctx context.Context, err error) error {
	e := verdict.As(storeError("writing the target", err))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	wrote := x.made()
	var bytes int64
	for _, f := range x.staged {
		if e.Code == verdict.CountsDiffer && f.From != "" {
			_ = x.stores.Target.Remove(ctx, f.From) // a rerun would take it over again, and differ again
		}
		// A copy of a file that an earlier try left is not kept beside it, and
		// nothing is kept that no rerun could go on from.
		if x.plan.Stage.OnStop == "keep" && f.From == "" && !voids(e.Code) || x.stores.Target.Remove(ctx, f.Key) != nil {
			x.kept = append(x.kept, f.Key)
			bytes += f.Size
		}
	}
	switch {
	case len(x.kept) > 0:
		wrote += fmt.Sprintf("%d staged files, %d bytes, that no reader sees are kept: cdcseed staged --target %s lists and removes them, and a rerun goes on from them.",
			len(x.kept), bytes, verdict.ShellWord(x.plan.Target.URL))
		e.Facts = append(e.Facts, x.keptFacts()...)
	case wrote == "":
		wrote = verdict.NothingWritten
	default:
		wrote += "No rows were written."
	}
	e.Wrote = wrote
	return e
}

// voids tells the refusals after which staged files are of no use: their rows,
// their L or their place is not what a rerun would take (decision 15).
func voids(c verdict.Code) bool {
	switch c {
	case verdict.RetentionPassed, verdict.CDCNotOnYet, verdict.TargetHoldsSnapshot, verdict.TargetChanged, verdict.CopyChanged,
		verdict.ValueRefused, verdict.CountsDiffer, verdict.PlanStale, verdict.AppIDTaken, verdict.ReseedNotNewer:
		return true
	default:
		return false
	}
}

// keptFacts names the staged files that are kept.
func (x *execution) keptFacts() []verdict.Fact {
	var out []verdict.Fact
	for i, key := range x.kept {
		if i == mostNamed {
			return append(out, verdict.Facts("kept", fmt.Sprintf("and %d more", len(x.kept)-i))...)
		}
		out = append(out, verdict.Facts("kept", key)...)
	}
	return out
}

// mostNamed bounds the files that an error names one by one.
const mostNamed = 20

// phase tells a phase's beginning and end around what it does.
func (x *execution) phase(p Phase, text string, do func() (done string, err error)) error {
	x.notify(PhaseStarted{p, text})
	done, err := do()
	if err == nil {
		x.notify(PhaseDone{p, done})
	}
	return err
}

// openTarget reads the target as it is now; nil where it is missing.
func (x *execution) openTarget(ctx context.Context) (*delta.Snapshot, error) {
	return openTable(ctx, x.stores.Target)
}

func (x *execution) stamp() bronze.Stamp {
	return bronze.Stamp{Instance: x.plan.Table.Instance, LSN: x.plan.AsOf.L, Commit: x.plan.AsOf.CommitTS}
}
