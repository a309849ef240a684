package tui

import "cdcseed/engine/verdict"

// stepFor is the step whose answer has to change for a refusal to go away.
func stepFor(c verdict.Code) stepID {
	switch c {
	case verdict.LoginFailed, verdict.SourceUnreachable, verdict.CDCOff, verdict.SourceDenied, verdict.ZoneUnknown, verdict.ClockDisagrees:
		return connectStep
	case verdict.NoInstance, verdict.InstanceAmbiguous, verdict.NothingCaptured, verdict.ColumnUnmapped, verdict.ColumnsDiffer, verdict.ColumnReserved, verdict.ColumnName:
		return tableStep
	case verdict.RetentionPassed, verdict.NoCommit, verdict.CDCNotOnYet, verdict.AsOfNoZone, verdict.AsOfInvalid, verdict.AsOfInFuture,
		verdict.AsOfAfterCopy, verdict.LSNAboveMax, verdict.ReplicaBehind:
		return asOfStep
	case verdict.ColumnMissing, verdict.ColumnAmbiguous, verdict.CastImpossible, verdict.CastNeedsAnswer, verdict.CastNeedsZone, verdict.ValueRefused,
		verdict.AnswerUnknown, verdict.CopyMarks:
		return columnsStep
	case verdict.PlanStale, verdict.PlanInvalid, verdict.CopyChanged, verdict.TargetChanged, verdict.WarningUnaccepted, verdict.AcceptUnknown, verdict.Stopped,
		verdict.FactsFailed, verdict.CommitUnknown, verdict.Unexpected, verdict.Usage, verdict.StoreUnreachable, verdict.StoreFull:
		return reviewStep
	}
	return copyStep // the copy, the target and the facts table
}
