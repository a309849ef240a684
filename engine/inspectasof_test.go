package engine_test

import (
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// asOf maps the request's as_of with nothing inspected before.
func (k *kit) asOf() (engine.AsOfView, error) {
	k.t.Helper()
	session, _ := k.open()
	return engine.InspectAsOf(k.t.Context(), session, k.request, engine.CopyView{}, engine.TargetView{})
}

// Beside a refusal stands what was found before it.
func TestRefusedAsOfKeepsWhatWasFound(t *testing.T) {
	cleaned := offsetScene
	cleaned.mapping = commits("0x50", "2026-10-02T05:00:00", "0x0200", "2026-10-05T06:00:00", "0x0300", "2026-10-05T12:50:00")
	for _, c := range []struct {
		name   string
		scene  scene
		change func(*kit)
		code   verdict.Code
		found  func(engine.AsOfView) bool
	}{
		{"purged, on a server without a zone", cleaned, func(k *kit) {
			k.request.AsOf = "2026-10-05T04:00:00Z"
			_, err := k.server.Cleanup("Sales", parsed(k, lsnText("0200")))
			k.must(err)
			k.request.AsOf = lsnText("0100")
		}, verdict.RetentionPassed, func(v engine.AsOfView) bool {
			return v.L.String() == lsnText("0100") && v.Kept.Low.String() == lsnText("0200") && v.Kept.LowTime != nil && v.Input.LSN != nil
		}},
		{"before everything", purgedScene, at("2026-10-01T22:00:00Z"), verdict.NoCommit, func(v engine.AsOfView) bool {
			return v.L.IsZero() && v.Asked != nil && v.UsedLocal != nil && v.Newest != nil && !v.Max.IsZero() && v.ServerNow != 0
		}},
		{"no zone and before everything", offsetScene, at("2026-10-05T07:00:00Z"), verdict.NoCommit, func(v engine.AsOfView) bool {
			return v.NoZone && len(v.Checks) == 1 && v.Checks[0].Code == verdict.NoZone
		}},
		{"in the future", chinaScene, at("2026-10-05T10:00:00Z"), verdict.AsOfInFuture, func(v engine.AsOfView) bool {
			return v.ServerNow != 0 && v.Input.Instant != nil && v.Clock.Zone == "China Standard Time"
		}},
		{"an LSN above the newest", purgedScene, at(lsnText("0301")), verdict.LSNAboveMax, func(v engine.AsOfView) bool {
			return v.L.IsZero() && v.Max.String() == lsnText("0300")
		}},
		{"no time at all", purgedScene, at("soon"), verdict.AsOfInvalid, func(v engine.AsOfView) bool { return v.L.IsZero() }},
		{"a lag with an LSN", purgedScene, func(k *kit) { k.request.AsOf, k.request.CopyLag = lsnText("0200"), time.Minute }, verdict.Usage, func(v engine.AsOfView) bool { return v.L.IsZero() }},
		{"none", purgedScene, at(""), verdict.Usage, func(engine.AsOfView) bool { return true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kitIn(t, c.scene)
			c.change(k)
			v, err := k.asOf()
			if !isCode(err, c.code) || !c.found(v) {
				t.Errorf("%v, %+v", err, v)
			}
		})
	}
}

// What was inspected before is compared with, and what was not is left out.
func TestAsOfIsComparedWithWhatIsKnown(t *testing.T) {
	k := kitIn(t, scene{}).withFacts()
	k.bronzeTable(nil)
	k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
	session, _ := k.open()
	whole := k.inspect()
	k.request.AsOf = lsnAt(45) // after the copy's files
	ask := func(c engine.CopyView, to engine.TargetView) (engine.AsOfView, error) {
		return engine.InspectAsOf(t.Context(), session, k.request, c, to)
	}
	v, err := ask(engine.CopyView{}, engine.TargetView{})
	if err != nil || v.L.String() != lsnAt(45) || v.Until == nil || strings.Contains(lines(v.Checks), "file times") {
		t.Error(err, lines(v.Checks))
	}
	if v, err = ask(whole.copy, engine.TargetView{}); !isCode(err, verdict.AsOfAfterCopy) || v.L.String() != lsnAt(45) {
		t.Error(v.L, err)
	}
	if v, err = ask(engine.CopyView{}, whole.target); !isCode(err, verdict.TargetHoldsSnapshot) || v.L.String() != lsnAt(45) {
		t.Error(v.L, err)
	}
	k.request.AsOf = lsnAt(5)
	if v, err = ask(engine.CopyView{}, whole.target); err != nil || !v.Seeded || v.L.String() != lsnAt(5) || textOf(v.CommitTS) != "2026-10-24T12:05:00Z" {
		t.Error(v, err)
	}
}

// A seed's commit that names this as_of is found though nothing can be mapped any more.
func TestAsOfOfASeedThatIsThere(t *testing.T) {
	k := kitIn(t, scene{})
	k.seeded(3)
	_, err := k.server.Cleanup("Sales", parsed(k, lsnAt(50)))
	k.must(err)
	v := k.inspect()
	if !v.asOf.Seeded || v.asOf.L.String() != lsnAt(30) || v.asOf.CommitTS == nil || v.asOf.Until != nil {
		t.Errorf("%+v", v.asOf)
	}
	k.agrees()
}

// The copy was compared with one table, and another is asked for: it is read anew.
func TestAsOfOfAnotherTable(t *testing.T) {
	both := instance("dbo_orders", "0x10", "2026-10-24T11:00:00") + ", " + instance("dbo_orders_v2", "0x0290", "2026-10-24T11:30:00")
	k := kitIn(t, scene{instances: both})
	k.request.Table = "dbo_orders"
	session, _ := k.open()
	c, err := k.inspectCopy()
	k.must(err)
	k.request.Table = "nobody"
	if _, err := engine.InspectAsOf(t.Context(), session, k.request, c, engine.TargetView{}); !isCode(err, verdict.NoInstance) {
		t.Error(err)
	}
}
