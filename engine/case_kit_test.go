package engine_test

import (
	"cmp"
	"fmt"
	"os"
	"testing"
	"time"
)

// The cases are the acceptance cases of the users' job, each a test of its own
// with the input as given and every one of the given right results.

// bothReadings runs a part of a case under both readings that
// fn_cdc_map_time_to_lsn may have.
func bothReadings(t *testing.T, name string, s scene, do func(*kit)) {
	t.Helper()
	for _, reading := range []string{"by_time", "by_lsn"} {
		t.Run(name+" "+reading, func(t *testing.T) {
			t.Parallel()
			of := s
			of.server = cmp.Or(of.server, serverOf("UTC", "2026-10-24T13:00:00Z"))
			of.server += fmt.Sprintf(`, "map_time": %q`, reading)
			do(kitIn(t, of))
		})
	}
}

// accepts takes runs that are not refused: each is planned, seeded with its warnings
// accepted, and found again by a rerun that writes nothing.
func accepts(t *testing.T, s scene, runs ...accepted) {
	t.Helper()
	for _, r := range runs {
		bothReadings(t, r.name, s, func(k *kit) {
			r.arrange(k)
			r.check(k)
		})
	}
}

// refuses takes runs that are refused with nothing written.
func refuses(t *testing.T, s scene, runs ...refusal) {
	t.Helper()
	for _, r := range runs {
		bothReadings(t, r.name, s, func(k *kit) {
			r.check(k, r.run(k))
			before := k.tree()
			if _, err := k.seed(); !isCode(err, r.code) {
				k.t.Errorf("the seed itself: %v, want %s", err, r.code)
			}
			same(k.t, "seed", before, k.tree())
		})
	}
}

// lasting is at with the copy dated after every as_of of a case.
func lasting(asOf, copied string) func(*kit) {
	return func(k *kit) {
		k.request.AsOf = asOf
		k.dateCopy(copied)
	}
}

// touch dates one file of the copy.
func (k *kit) touch(name, at string) {
	k.t.Helper()
	when, err := time.Parse(time.RFC3339, at)
	k.must(err)
	k.must(os.Chtimes(k.path("copy", name), when, when))
}
