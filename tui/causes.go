package tui

import "cdcseed/engine/verdict"

// stepFor is the step whose answer has to change for a refusal to go away.
func stepFor(c verdict.Code) stepID {
	switch c {
	case verdict.LoginFailed, verdict.SourceUnreachable, verdict.CDCOff, verdict.SourceDenied, verdict.ZoneUnknown, verdict.ClockDisagrees:
		return connectStep
	case verdict.CopyChanged, verdict.CountsDiffer:
		return copyStep
	case verdict.NoInstance, verdict.InstanceAmbiguous, verdict.NothingCaptured, verdict.ColumnUnmapped, verdict.ColumnsDiffer, verdict.ColumnReserved, verdict.ColumnName:
		return tableStep
	case verdict.RetentionPassed, verdict.NoCommit, verdict.CDCNotOnYet, verdict.AsOfNoZone, verdict.AsOfInvalid, verdict.AsOfInFuture,
		verdict.AsOfAfterCopy, verdict.ReseedNotNewer, verdict.LSNAboveMax, verdict.ReplicaBehind:
		return asOfStep
	case verdict.ColumnMissing, verdict.ColumnAmbiguous, verdict.CastImpossible, verdict.CastNeedsAnswer, verdict.CastNeedsZone, verdict.ValueRefused,
		verdict.AnswerUnknown, verdict.CopyMarks:
		return columnsStep
	case verdict.PlanStale, verdict.PlanInvalid, verdict.TargetChanged, verdict.WarningUnaccepted, verdict.AcceptUnknown, verdict.Stopped,
		verdict.FactsFailed, verdict.CommitUnknown, verdict.Unexpected, verdict.Usage, verdict.StoreUnreachable, verdict.StoreFull, verdict.NoKey:
		return reviewStep
	}
	return copyStep // the copy, the target and the facts table
}

// blames reports whether a refusal puts a step's answer in doubt: the one that
// has to change, and of another copy its as_of too.
func blames(c verdict.Code, id stepID) bool {
	return stepFor(c) == id || otherCopy(c) && id == asOfStep
}

// otherCopy reports whether the copy is not the one that was planned, as its
// files or as its values show.
func otherCopy(c verdict.Code) bool { return c == verdict.CopyChanged || c == verdict.CountsDiffer }

// distrust forgets what a refusal says does not hold any more. Of a copy that
// changed everything is looked at again, and what was accepted is asked again.
func (d *desk) distrust(c verdict.Code) {
	if !otherCopy(c) {
		return
	}
	f := &d.found
	f.copy.print, f.asOf.print, f.columns.print, f.plan.print = "", "", "", ""
	clear(d.answers.accepted)
}
