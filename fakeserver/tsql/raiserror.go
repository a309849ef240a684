package tsql

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"cdcseed/fakeserver/tds"
)

// raised is the number of a RAISERROR with a text.
const raised = 50000

// mostSubstitutions is how many arguments a text of RAISERROR may have.
const mostSubstitutions = 20

// raise sends a message of class 10 or less and returns an error above.
func (s *Session) raise(ctx context.Context, x *raiseStmt, w Reply) error {
	if len(x.args)-3 > mostSubstitutions {
		return Errorf(2747, 16, "Too many substitution parameters for RAISERROR. Cannot exceed %d substitution parameters.", mostSubstitutions)
	}
	var vals []Value
	for _, a := range x.args {
		v, err := s.evaluate(ctx, a)
		if err != nil {
			return err
		}
		vals = append(vals, v)
	}
	class, err := intOf(vals[1])
	if err != nil {
		return err
	}
	state, err := intOf(vals[2])
	if err != nil {
		return err
	}
	if !isString(vals[0].T) {
		return notSimulated("RAISERROR with a number")
	}
	if class > 18 {
		return Errorf(2754, 16, "Error severity levels greater than 18 can only be specified by members of the sysadmin role, "+
			"using the WITH LOG option.")
	}
	text, err := substituted(textIn(vals[0].V), vals[3:])
	if err != nil {
		return err
	}
	e := Errorf(raised, byte(max(0, class)), "%s", text)
	e.State = byte(state)
	if class > 10 {
		return e
	}
	if class == 10 {
		e.Class = 0 // as documented, for the sake of old clients
	}
	s.say(w, e)
	return nil
}

// substituted puts the arguments where a text of RAISERROR has %d, %s and the
// like. Widths and flags are not played.
func substituted(text string, args []Value) (string, error) {
	var b strings.Builder
	for n := 0; ; n++ {
		before, after, found := strings.Cut(text, "%")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		if strings.HasPrefix(after, "%") {
			b.WriteByte('%')
			text = after[1:]
			n--
			continue
		}
		verb, size := utf8.DecodeRuneInString(after)
		switch {
		case strings.ContainsRune("-+0# *123456789.hlI", verb) && size > 0:
			return "", notSimulated("the width or flag of %%%c in RAISERROR", verb)
		case !strings.ContainsRune("dioxXus", verb) || size == 0:
			return "", Errorf(2787, 16, "Invalid format specification: '%%%s'.", after)
		}
		s, err := substitution(verb, n, args)
		if err != nil {
			return "", err
		}
		b.WriteString(s)
		text = after[size:]
	}
}

// substitution writes the nth argument; one that is missing or NULL is (null).
func substitution(verb rune, n int, args []Value) (string, error) {
	if n >= len(args) || args[n].V == nil {
		return "(null)", nil
	}
	number, isNumber := args[n].V.(int64)
	text, isText := args[n].V.(string)
	switch {
	case verb == 's' && isText:
		return text, nil
	case verb != 's' && isNumber && args[n].T != tds.BigInt:
		switch verb {
		case 'u':
			return fmt.Sprint(uint32(number)), nil
		case 'o', 'x', 'X':
			return fmt.Sprintf("%"+string(verb), uint32(number)), nil
		}
		return fmt.Sprint(number), nil
	}
	return "", Errorf(2786, 16, "The data type of substitution parameter %d does not match the expected type of the format "+
		"specification.", n+1)
}
