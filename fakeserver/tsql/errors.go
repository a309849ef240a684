package tsql

import (
	"fmt"

	"cdcseed/fakeserver/tds"
)

// Errorf is an error with SQL Server's number and class (severity); its state
// is 1 and its line is filled in by the statement that gives it.
func Errorf(number int32, class byte, format string, args ...any) *tds.Error {
	return &tds.Error{Number: number, Class: class, State: 1, Message: fmt.Sprintf(format, args...)}
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
