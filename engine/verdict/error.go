package verdict

import (
	"errors"
	"fmt"
	"strings"
)

// Fact is one value that a message rests on, named and with its unit.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Facts pairs names with values, in order: Facts("as_of", a, "server clock", b).
func Facts(pairs ...any) []Fact {
	out := make([]Fact, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, Fact{fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1])})
	}
	return out
}

// Error is a refusal or a failure, in the order in which it is told: what
// happened, what was written, the values that disagree, why it matters, what
// to type next.
type Error struct {
	Code  Code     // the cause; decides the exit status
	What  string   // what happened: lower case, no full stop, names in quotes
	Wrote string   // what stands in the target now, a sentence; empty means nothing was written
	Facts []Fact   // the values that disagree, with units
	Why   string   // why it matters, a sentence or empty
	Hint  []string // what to do next: sentences or commands, best first
	Err   error    // the cause underneath, or nil
}

// NothingWritten is the sentence owed wherever it is true.
const NothingWritten = "Nothing was written."

// Error is one line: the cause's chain without what was written or the hints.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.What)
	for i, f := range e.Facts {
		if i == 0 {
			b.WriteString(" (")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(f.Name + " " + f.Value)
		if i == len(e.Facts)-1 {
			b.WriteString(")")
		}
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the code and the cause underneath to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.Err}
}

// WroteText is Wrote, or NothingWritten.
func (e *Error) WroteText() string {
	if e.Wrote == "" {
		return NothingWritten
	}
	return e.Wrote
}

// As is the Error in err's chain, or err wrapped as Unexpected. It is nil for nil.
func As(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{
		Code: Unexpected, What: "something unexpected happened", Err: err,
		Hint: []string{"Run again; if it happens again, report the message with the log."},
	}
}
