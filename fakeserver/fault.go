package fakeserver

import (
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// fault is a Fault that counts.
type fault struct {
	Fault
	delay time.Duration
	step  time.Duration // of the server's clock
	err   *tds.Error
	seen  int
}

// faultTexts has the class, state and message of the errors that tests ask
// for most; a fault may say otherwise.
var faultTexts = map[int32]tds.Error{
	596:   {Class: 21, State: 1, Message: "Cannot continue the execution because the session is in the kill state."},
	1205:  {Class: 13, State: 45, Message: "Transaction (Process ID 51) was deadlocked on lock resources with another process and has been chosen as the deadlock victim. Rerun the transaction."},
	1222:  {Class: 16, State: 51, Message: "Lock request time out period exceeded."},
	3952:  {Class: 16, State: 1, Message: "Snapshot isolation transaction failed accessing the database because snapshot isolation is not allowed in this database. Use ALTER DATABASE to allow snapshot isolation."},
	3960:  {Class: 16, State: 2, Message: "Snapshot isolation transaction aborted due to update conflict."},
	4221:  {Class: 16, State: 1, Message: "Login to read-secondary failed due to long wait on 'HADR_DATABASE_WAIT_FOR_TRANSITION_TO_VERSIONING'."},
	10928: {Class: 16, State: 1, Message: "Resource ID : 1. The request limit for the database is 200 and has been reached."},
	10929: {Class: 16, State: 1, Message: "Resource ID : 1. The server is currently too busy to support requests for this database."},
	40197: {Class: 17, State: 1, Message: "The service has encountered an error processing your request. Please try again. Error code 40540."},
	40501: {Class: 17, State: 1, Message: "The service is currently busy. Retry the request after 10 seconds."},
	40613: {Class: 17, State: 1, Message: "Database is not currently available. Please retry the connection later."},
	49918: {Class: 16, State: 1, Message: "Cannot process request. Not enough resources to process request."},
}

// check refuses what contradicts itself.
func (w Fault) check(path string) error {
	switch {
	case w.Nth < 0 || w.Times < 0 || w.AfterRows < 0 || w.AfterPackets < 0:
		return at(path, "nth, times, after_rows and after_packets are not negative")
	case w.Error == nil && !w.Drop && w.Delay == "" && w.Clock == "":
		return at(path, "an error, a drop, a delay or a clock is needed")
	case w.Error != nil && w.Drop:
		return at(path+".drop", "an error is given already")
	case w.AfterRows > 0 && w.After:
		return at(path+".after_rows", "after is given already")
	case w.AfterPackets > 0 && (!w.Drop || w.After || w.AfterRows > 0):
		return at(path+".after_packets", "it goes with a drop, without after and after_rows")
	case w.Error == nil && !w.Drop && (w.After || w.AfterRows > 0):
		return at(path, "a delay or a clock always comes before the statement; after and after_rows need an error or a drop")
	}
	return nil
}

func newFault(w Fault, path string) (*fault, error) {
	f := &fault{Fault: w}
	if w.Delay != "" {
		d, err := time.ParseDuration(w.Delay)
		if err != nil || d < 0 {
			return nil, at(path+".delay", "%q is not a duration such as 250ms", w.Delay)
		}
		f.delay = d
	}
	if w.Clock != "" {
		d, err := time.ParseDuration(w.Clock)
		if err != nil {
			return nil, at(path+".clock", "%q is not a duration such as -1h", w.Clock)
		}
		f.step = d
	}
	if err := w.check(path); err != nil || w.Error == nil {
		return f, err
	}
	e, known := faultTexts[w.Error.Number]
	e.Number = w.Error.Number
	if w.Error.Message != "" {
		e.Message = w.Error.Message
	} else if !known {
		return nil, at(path+".error.message", "error %d needs its message", e.Number)
	}
	if w.Error.Class != 0 {
		e.Class = w.Error.Class
	}
	if w.Error.State != 0 {
		e.State = w.Error.State
	}
	e.Class, e.State = max(e.Class, 11), max(e.State, 1)
	if !known && w.Error.Class == 0 {
		e.Class = 16
	}
	f.err = &e
	return f, nil
}

// hits counts a statement against the fault and tells whether it strikes.
func (f *fault) hits(text, login string) bool {
	if f.Login != "" && !strings.EqualFold(f.Login, login) {
		return false
	}
	if !strings.Contains(strings.ToLower(text), strings.ToLower(f.Match)) {
		return false
	}
	f.seen++
	first := max(f.Nth, 1)
	return f.seen >= first && (f.Times == 0 || f.seen < first+f.Times)
}

// outcome is what the statement ends with: an error, the dropped connection,
// or nil for a fault that only delays.
func (f *fault) outcome() error {
	switch {
	case f.Drop:
		return tds.ErrDrop
	case f.err != nil:
		e := *f.err
		return &e
	}
	return nil
}
