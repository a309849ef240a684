package tds

import (
	"errors"
	"fmt"
)

// Error is a SQL Server message. Class (severity) 0 to 10 travels as INFO, 11
// to 25 as ERROR; returned from a Session, a class of 20 and above also ends
// the connection.
type Error struct {
	Number       int32
	State, Class byte
	Message      string
	Proc         string // the procedure it came from, or empty
	Line         int32  // in the batch or procedure, from 1; 0 is sent as 1
}

// Error shows the message as SQL Server's tools do.
func (e *Error) Error() string {
	return fmt.Sprintf("Msg %d, Level %d, State %d: %s", e.Number, e.Class, e.State, e.Message)
}

// ErrDrop, returned by a Session, closes the socket with no reply. What
// Reply.Flush has sent before stays sent.
var ErrDrop = errors.New("tds: connection dropped on purpose")

// fatalClass is the first severity that ends the connection.
const fatalClass = 20

// notSimulated is the answer to what SQL Server can do and this package cannot.
func notSimulated(format string, a ...any) *Error {
	return &Error{Number: 40000, Class: 16, State: 1, Message: "not simulated: " + fmt.Sprintf(format, a...)}
}

// badStream is the answer to a message that cannot be taken apart.
func badStream(err error) *Error {
	return &Error{
		Number: 4002, Class: 16, State: 1,
		Message: "The incoming tabular data stream (TDS) protocol stream is incorrect. " + err.Error(),
	}
}
