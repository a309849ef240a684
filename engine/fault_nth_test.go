package engine_test

import (
	"slices"
	"sync"

	"cdcseed/engine"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

// nth strikes the n-th operation that several stores see together.
type nth struct {
	n     int
	fault storetest.Fault
	only  []string // operations that count; nil counts all
	then  func()   // called when it strikes, or nil

	mu     sync.Mutex
	seen   int
	writes map[string]int // of each file
	struck *storetest.Op  // nil: fewer than n operations came
	place  string         // copy, target or facts
}

// changes are the operations that leave something behind.
var changes = []string{"Create", "Write", "Finish", "Abort", "CreateOnce", "Link", "Remove"}

func (f *nth) wrap(place string, w store.Writer) store.Writer {
	return storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.only != nil && !slices.Contains(f.only, op.Name) || op.Name == "Write" && f.alike(op.Key) {
			return storetest.Fault{}
		}
		if f.seen++; f.seen != f.n {
			return storetest.Fault{}
		}
		f.struck, f.place = &op, place
		if f.then != nil {
			f.then()
		}
		return f.fault
	})
}

// alike reports whether a write is like one that counted already: a file takes
// dozens of them, and only the first ones differ.
func (f *nth) alike(key string) bool {
	if f.writes == nil {
		f.writes = map[string]int{}
	}
	f.writes[key]++
	return f.writes[key] > 3 && f.writes[key]%8 != 0
}

// around puts the fault around all places of a seed.
func (f *nth) around(s engine.Stores) engine.Stores {
	s.Copy = f.wrap("copy", s.Copy.(store.Writer))
	s.Target = f.wrap("target", s.Target)
	if s.Facts != nil {
		s.Facts = f.wrap("facts", s.Facts)
	}
	return s
}
