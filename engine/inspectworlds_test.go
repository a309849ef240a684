package engine_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// worldKit is a kit on one of the worlds that are shown to people, with a copy
// of some of its columns.
func worldKit(t *testing.T, name, table, asOf, written string) *kit {
	t.Helper()
	w, err := fakeserver.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := &kit{t: t, server: s, dir: t.TempDir(), now: s.Now}
	k.request = engine.Request{Server: s.URL(), Table: table, Copy: k.path("copy"), Target: k.path("bronze"), AsOf: asOf}
	k.newCopy([]arrow.Field{
		field("OrderId", int64s), field("CustomerId", int64s), field("Amount", doubles), field("updatedat", moments), field("RowGuid", texts), field("Extra", texts),
	}, `[{"OrderId": 1, "CustomerId": 2, "Amount": 7.128, "updatedat": "2026-07-01 00:40:12", "RowGuid": "6f9619ff-8b86-d011-b42d-00cf4fc964ff"}]`)
	k.dateCopy(written)
	return k
}

// In every world the inspections say what planning says, before anything is
// answered and after everything is.
func TestInspectionsOfEveryWorld(t *testing.T) {
	worlds := map[string]struct {
		table, asOf, written string
		code                 verdict.Code // of the as_of's refusal
		warns                []verdict.Warning
	}{
		"orders-clock-change":     {"dbo.Orders", "2026-10-25T00:40:00Z", "2026-10-25T00:52:00Z", "", []verdict.Warning{verdict.FellBack}},
		"orders-retention-passed": {"dbo.Orders", "2026-10-05T22:00:00Z", "2026-10-05T23:00:00Z", verdict.NoCommit, nil},
		"orders-two-instances":    {"dbo_Orders", "2026-10-07T22:00:00Z", "2026-10-07T23:00:00Z", "", nil},
		"old-server-2017":         {"dbo.Orders", "2026-10-07T18:00:00Z", "2026-10-07T19:00:00Z", "", []verdict.Warning{verdict.NoZone}},
		"capture-stopped":         {"dbo.Orders", "2026-10-05T08:00:00Z", "2026-10-05T09:00:00Z", "", []verdict.Warning{verdict.CaptureStopped}},
	}
	for _, name := range fakeserver.Names() {
		c, ok := worlds[name]
		if !ok {
			t.Errorf("%s is inspected by nothing", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := worldKit(t, name, c.table, c.asOf, c.written)
			k.agrees()
			v := k.inspect()
			if v.asOf.Input.Text != c.asOf || len(v.columns.Lines) != 23 {
				t.Fatalf("as_of %+v, %d lines", v.asOf.Input, len(v.columns.Lines))
			}
			k.answerEach()
			k.agrees()
			v = k.inspect()
			if v.columns.Open != 0 || v.columns.Stop != nil {
				t.Errorf("%d open, %+v", v.columns.Open, v.columns.Stop)
			}
			var refused verdict.Code
			if len(v.refused) > 0 {
				refused = v.refused[0].Code
			}
			var warns []verdict.Warning
			for _, x := range v.asOf.Checks {
				if x.Level == verdict.Warn {
					warns = append(warns, x.Code)
				}
			}
			if refused != c.code || cmp.Diff(c.warns, warns) != "" {
				t.Errorf("refused %q, warned %q", refused, warns)
			}
		})
	}
}
