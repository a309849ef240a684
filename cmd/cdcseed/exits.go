package main

import (
	"fmt"
	"strings"

	"cdcseed/engine/verdict"
)

// exits are the statuses that a command can end with, in their order.
func exits(command string) []int {
	reads := []int{verdict.ExitDone, verdict.ExitUnexpected, verdict.ExitUsage, verdict.ExitRefused, verdict.ExitUnreachable, verdict.ExitStopped}
	switch command {
	case "seed", "cdcseed", "demo":
		return []int{
			verdict.ExitDone, verdict.ExitUnexpected, verdict.ExitUsage, verdict.ExitRefused, verdict.ExitNotKept, verdict.ExitStale,
			verdict.ExitForeign, verdict.ExitUnreachable, verdict.ExitFactsFailed, verdict.ExitStopped,
		}
	case "lsn":
		return []int{
			verdict.ExitDone, verdict.ExitUnexpected, verdict.ExitUsage, verdict.ExitRefused, verdict.ExitNotKept, verdict.ExitUnreachable,
			verdict.ExitStopped,
		}
	case "doctor":
		return []int{
			verdict.ExitDone, verdict.ExitUnexpected, verdict.ExitUsage, verdict.ExitRefused, verdict.ExitNotKept, verdict.ExitForeign,
			verdict.ExitUnreachable, verdict.ExitStopped,
		}
	case "tables", "staged":
		return reads
	case "fake":
		return []int{verdict.ExitDone, verdict.ExitUnexpected, verdict.ExitUsage}
	case "version":
		return []int{verdict.ExitDone, verdict.ExitUnexpected}
	}
	return nil
}

// done is what status 0 means, which is another thing for every command.
func done(command string) string {
	switch command {
	case "cdcseed":
		return "seeded, or already seeded at this L"
	case "seed":
		return "seeded, or already seeded at this L; with --dry-run: it would run"
	case "lsn":
		return "mapped, and the changes after L are kept; warnings do not count"
	case "doctor":
		return "nothing found would stop a seed; warnings do not count"
	case "tables":
		return "listed, also where there are none"
	case "staged":
		return "listed, or all of them removed"
	case "demo":
		return "seeded, or found from an earlier run, and proved"
	case "fake":
		return "served until it was stopped"
	case "version":
		return "printed"
	}
	return ""
}

// exitMeaning is what a status but 0 means for all commands.
func exitMeaning(status int) string {
	switch status {
	case verdict.ExitUnexpected:
		return "something unexpected happened"
	case verdict.ExitUsage:
		return "the command line is wrong"
	case verdict.ExitRefused:
		return "refused by a check, or a warning is not accepted"
	case verdict.ExitNotKept:
		return "changes after L are not kept, or no commit at or before as_of"
	case verdict.ExitStale:
		return "the plan is stale"
	case verdict.ExitForeign:
		return "the target holds another snapshot, or changed under us"
	case verdict.ExitUnreachable:
		return "the source or a store cannot be reached"
	case verdict.ExitFactsFailed:
		return "the seed is committed, its facts row is not: run again"
	case verdict.ExitStopped:
		return "stopped on request"
	}
	return ""
}

// exitHelp is the closing part of a command's help, empty where the command
// only leads to others.
func exitHelp(command string) string {
	var b strings.Builder
	for i, s := range exits(command) {
		if i == 0 {
			b.WriteString("\nExit status:\n")
		}
		meaning := exitMeaning(s)
		if s == verdict.ExitDone {
			meaning = done(command)
		}
		fmt.Fprintf(&b, "  %3d  %s\n", s, meaning)
	}
	return b.String()
}
