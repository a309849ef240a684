package fakeserver_test

import (
	"testing"

	"cdcseed/fakeserver"
)

// What nobody could look up is played both ways.
func TestMaxLSNOfAnEmptyMapping(t *testing.T) {
	for reading, expected := range map[string]string{"": "NULL", "null": "NULL", "zeros": full(t, "0x0")} {
		w := load(t, "catalogue.json")
		w.Server.EmptyMaxLSN = reading
		d := &w.Databases[0]
		d.Mapping, d.Commits, d.DDL = nil, nil, nil
		s := serve(t, w, fakeserver.Options{})
		want(t, as(t, s, "dba"), maxLSN, expected)
		l, err := s.Idle("Sales")
		if err != nil {
			t.Fatal(err)
		}
		want(t, as(t, s, "dba"), maxLSN, l.String())
	}
}

// The retention ends between two commits, at 01:15: the one before it is 0x30 by
// time (01:10), the one after it 0x60 (01:20).
func TestRetentionEndsBetweenCommits(t *testing.T) {
	for reading, mark := range map[string]string{"": "0x30", "at_or_before": "0x30", "at_or_after": "0x60"} {
		w := load(t, "catalogue.json")
		w.Server.CleanupMark = reading
		w.Databases[0].Cleanup.RetentionMinutes = 55
		low, err := serve(t, w, fakeserver.Options{}).RunCleanup("Sales")
		if err != nil || low == nil || *low != lsn(t, mark) {
			t.Errorf("%q: RunCleanup = %v, %v; want %s", reading, low, err, mark)
		}
	}
}
