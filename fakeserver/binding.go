package fakeserver

import (
	"fmt"
	"strings"
)

// binding is a function where one statement names it. It lasts as long as the
// statement runs, and keeps what it has found: the statement sees one state of
// the server in its tables too, and none of the functions depends on anything
// but its arguments and that state. Without it a function of constants in WHERE
// goes through all objects of the database again for each row.
type binding struct {
	function
	in      *database
	answers map[string]any // by the arguments' values
	objects objectList
}

// answer is the function's value. An error is not kept: the call that meets it
// ends the statement, or is made again where the statement goes on.
func (b *binding) answer(s *session, values arguments) (any, error) {
	key := values.key()
	if v, ok := b.answers[key]; ok {
		return v, nil
	}
	s.srv.lock()
	defer s.srv.mu.Unlock()
	defer s.within(b.in)()
	defer s.keeping(&b.objects)()
	s.srv.work.calls++
	v, err := b.eval(s, values)
	if err == nil {
		b.answers[key] = v
	}
	return v, err
}

// key tells argument lists apart. The types of a binding's arguments never change.
func (a arguments) key() string {
	var b strings.Builder
	for _, v := range a {
		text := fmt.Sprintf("%T %v", v.V, v.V)
		fmt.Fprintf(&b, "%d:%s", len(text), text)
	}
	return b.String()
}

// objectList is what the session sees in a database, with the ids looked up.
type objectList struct {
	listed bool
	all    []object
	byID   map[int64]int
}

// keeping makes list the place of what objects() finds until the returned
// function is called.
func (s *session) keeping(list *objectList) (back func()) {
	s.seen = list
	return func() { s.seen = nil }
}

// work counts what a statement costs that goes up with the number of objects.
type work struct{ calls, lists int }
