package tsql

import (
	"fmt"

	"cdcseed/fakeserver/tds"
)

// Errorf is an error with SQL Server's number and class (severity) and its most
// frequent state; its line is filled in by the statement that gives it.
func Errorf(number int32, class byte, format string, args ...any) *tds.Error {
	return &tds.Error{Number: number, Class: class, State: stateOf(number), Message: fmt.Sprintf(format, args...)}
}

// stateOf is 1 but for the numbers that are hardly seen with it.
func stateOf(number int32) byte {
	switch number {
	case 137, 8115:
		return 2
	case 195:
		return 10
	}
	return 1
}

func notSimulated(format string, args ...any) *tds.Error {
	return Errorf(NotSimulated, 16, "not simulated: "+format, args...)
}

// atLine is e at a line of the batch, unless it has one already. The error is
// copied, because a catalogue may hand out the same one twice.
func atLine(e *tds.Error, line int32) *tds.Error {
	if e.Line != 0 {
		return e
	}
	c := *e
	c.Line = line
	return &c
}
