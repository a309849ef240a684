package tui

import (
	"strings"

	"cdcseed/engine/verdict"
)

// stopFor is a refusal as the status tells it: which answer to change on which
// step, short enough for the narrowest screen, and behind that the code by which
// the refusal can be looked up.
func stopFor(c verdict.Code, text string) status { return stop(text + " (" + string(c) + ")") }

// onConnect is the way out of a connection that was refused.
func onConnect(e *verdict.Error) string {
	switch e.Code {
	case verdict.LoginFailed:
		return "Login refused: check User, Password and Database."
	case verdict.SourceUnreachable:
		return "No connection: check Server and Encrypt."
	case verdict.CDCOff:
		return "CDC is off there: choose another Database."
	case verdict.SourceDenied:
		return "This login may not read there: change User."
	case verdict.ZoneUnknown:
		return "No such zone: correct Time zone."
	case verdict.ClockDisagrees:
		return "The server's clock contradicts itself: see above."
	case verdict.Usage:
		switch {
		case strings.Contains(e.What, "sign-in"), strings.Contains(e.What, "sign in"):
			return "Sign in, User and Password do not fit together."
		case strings.Contains(strings.ToLower(e.What), "encrypt"):
			return "Correct Encrypt."
		}
		return "Correct the answer that is named above."
	}
	return "It is told above; ctrl+r tries again."
}

// elsewhere reports whether what a refusal is about is answered before the copy:
// it is the source's or the table's, whatever was being looked at.
func elsewhere(err error) bool { return err != nil && stepFor(verdict.As(err).Code) < copyStep }

// onSource is the way out where the source or the table fails on a later step.
func onSource(c verdict.Code) string {
	switch c {
	case verdict.LoginFailed:
		return "The source refuses the login: nothing to change here."
	case verdict.SourceUnreachable:
		return "The source is gone: nothing to change here; ctrl+r."
	case verdict.CDCOff:
		return "CDC is off at the source: nothing to change here."
	case verdict.SourceDenied:
		return "The source may not be read: nothing to change here."
	case verdict.NothingCaptured:
		return "Capture has not run yet: wait, then ctrl+r."
	case verdict.ZoneUnknown:
		return "The server's zone: name it on Connect (esc)."
	case verdict.ClockDisagrees:
		return "The server's clock contradicts itself: see above."
	}
	return "It is the table: esc goes back to choose another."
}

// onList is the way out where the tables cannot be read, onTable where one
// cannot be seeded.
func onList(c verdict.Code) string {
	switch c {
	case verdict.SourceDenied:
		return "This login may not read the tables: esc changes it."
	case verdict.SourceUnreachable, verdict.LoginFailed:
		return "The source is gone: ctrl+r tries again."
	}
	return "The tables cannot be read: ctrl+r tries again."
}

func onTable(c verdict.Code) string {
	switch c {
	case verdict.NoInstance:
		return "No such table here: choose a line."
	case verdict.InstanceAmbiguous:
		return "Two instances have that name: choose a line."
	case verdict.SourceUnreachable, verdict.LoginFailed:
		return "The source is gone: ctrl+r tries again."
	}
	return "This one cannot be seeded: choose another line."
}

// onCopy is the way out of a copy that was refused.
func onCopy(c verdict.Code) string {
	switch c {
	case verdict.CopyNotFound:
		return "Copy: nothing is there. Correct the path."
	case verdict.CopyNotACopy:
		return "Copy: that is no copy. Correct the path."
	case verdict.CopyUnreadable:
		return "Copy: a file cannot be read. ctrl+r looks again."
	case verdict.CopyFeature:
		return "Copy: it uses what is not read. Give another."
	case verdict.CopyEmpty:
		return "Copy: it has no rows. Give another."
	case verdict.CopyMarks:
		return "Copy: another tool's marks forbid it. Give another."
	case verdict.Usage:
		return "Copy: correct the path."
	case verdict.StoreUnreachable:
		return "Copy: it cannot be reached. ctrl+r looks again."
	case verdict.StoreDenied:
		return "Copy: this user may not read it."
	case verdict.ColumnAmbiguous, verdict.ColumnName, verdict.ColumnReserved:
		return "Copy: its columns do not fit. Give another."
	}
	return "Copy: it cannot be used. ctrl+r looks again."
}

// onTarget is the way out of a target or facts table that was refused, and the
// field that leads there.
func onTarget(e *verdict.Error) (text string, field int) {
	switch e.Code {
	case verdict.TargetNotDelta:
		return "Target: files are there, no Delta table. Change it.", fieldTarget
	case verdict.TargetNotBronze, verdict.TargetType, verdict.TargetMigration:
		return "Target: that is another kind of table. Change it.", fieldTarget
	case verdict.TargetFeature:
		return "Target: it needs what a seed lacks. Change it.", fieldTarget
	case verdict.TargetNeedsNTZ:
		return "Target: it lacks timestampNtz. Answer Protocol.", fieldProtocol
	case verdict.TargetCorrupt:
		return "Target: its log contradicts itself. Change it.", fieldTarget
	case verdict.TargetPath:
		return "Target: no seed may go there. Change it.", fieldTarget
	case verdict.SnapshotOpen:
		return "Facts: the stream's snapshot is not finished.", fieldFacts
	case verdict.FactsNotFacts:
		return "Facts: another table is there. Correct the path.", fieldFacts
	case verdict.FactsFeature:
		return "Facts: it needs what a seed lacks. Change it.", fieldFacts
	case verdict.AppIDTaken:
		return "App id: it is taken. Give a new one.", fieldApp
	case verdict.StoreDenied:
		return "Target: this user may not read it.", fieldTarget
	case verdict.Usage:
		if strings.Contains(e.What, "facts") {
			return "Facts: correct the path.", fieldFacts
		}
		return "Target: correct the path.", fieldTarget
	}
	return "Target: it cannot be read. ctrl+r looks again.", fieldTarget
}

// onAsOf is the way out of an as_of that was refused.
func onAsOf(c verdict.Code) string {
	switch c {
	case verdict.AsOfInvalid, verdict.Usage:
		return "As of: give a time with its zone, or an LSN."
	case verdict.AsOfNoZone:
		return "As of: add the zone, such as Z for UTC."
	case verdict.AsOfInFuture:
		return "As of: that is in the future. Check its zone."
	case verdict.AsOfAfterCopy:
		return "As of: give an earlier time, or tab to In place."
	case verdict.LSNAboveMax:
		return "As of: not captured yet. Wait, or correct it."
	case verdict.ReplicaBehind:
		return "The replica is behind: wait, then ctrl+r."
	case verdict.RetentionPassed:
		return "The copy is too old: changes after L are gone."
	case verdict.NoCommit:
		return "As of: no commit is that old."
	case verdict.CDCNotOnYet:
		return "As of: CDC was not on then."
	case verdict.ClockDisagrees:
		return "As of: no time can be mapped there. Give an LSN."
	case verdict.TargetHoldsSnapshot:
		return "Another seed is in the target: esc, then Reseed."
	case verdict.ReseedNotNewer:
		return "The snapshot there is newer: take a newer copy."
	case verdict.CopySameAsSeed:
		return "The copy is that seed's: esc, then a newer one."
	case verdict.NothingToReseed:
		return "Nothing to follow there: esc, then Reseed no."
	case verdict.AppIDTaken:
		return "The app id is taken: esc, then a new App id."
	}
	switch step := stepFor(c); {
	case step < copyStep:
		return onSource(c)
	case step == copyStep:
		return "The copy or the target: esc goes back to them."
	}
	return "This as_of cannot be seeded. " + verdict.NothingWritten
}
