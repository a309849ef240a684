package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/verdict"
)

// recovery is a target with a snapshot, and what a person is told of it.
type recovery struct {
	name       string
	arrange    func(*testing.T) *kit
	conditions string // kind and state of each, once everything is answered
	goesOn     bool
	reached    string
	kind       string // of the newest snapshot
}

func recoveries() []recovery {
	return []recovery{
		{
			name: "changes were lost", arrange: lost, conditions: "newer met, another_copy met, nothing_open met, new_app_id met",
			reached: lsnAt(12), kind: bronze.KindSeed,
		},
		{name: "the stream can go on", arrange: func(t *testing.T) *kit {
			k := lost(t)
			k.streamedTo(25)
			return k
		}, conditions: "newer met, another_copy met, nothing_open met, new_app_id met", goesOn: true, reached: lsnAt(25), kind: bronze.KindSeed},
		{name: "everything is wrong", arrange: func(t *testing.T) *kit {
			k := kitIn(t, scene{}).withFacts()
			k.request.AsOf = "2026-10-24T12:10:30Z"
			k.seeded(3)
			k.appendRows("bronze", snapshotRow(lsnAt(40), "null"))
			k.appendRows("facts", rowOf("elsewhere", openRow(lsnAt(45), "full")))
			k.request.AsOf, k.request.AppID, k.request.Reseed = "2026-10-24T12:30:30Z", "orders-v1.g7", true
			return k
		}, conditions: "newer unmet, another_copy unmet, nothing_open unmet, new_app_id unmet", goesOn: true, reached: lsnAt(40)},
		{name: "the facts table tells of a newer one", arrange: func(t *testing.T) *kit {
			k := lost(t)
			k.appendRows("facts", rowOf("elsewhere", bootstrapRow(lsnAt(40))))
			return k
		}, conditions: "newer unmet, another_copy met, nothing_open met, new_app_id met", reached: lsnAt(12), kind: bronze.KindSeed},
		{name: "nothing is recorded", arrange: func(t *testing.T) *kit {
			k := kitIn(t, scene{}).toReseed()
			k.request.AppID = ""
			return k
		}, conditions: "newer met, another_copy not_yet, nothing_open met, new_app_id not_yet", goesOn: true, reached: lsnAt(5)},
	}
}

// The conditions of a reseed are told one by one, and each that is unmet is what
// planning refuses, in the same words.
func TestReseedConditions(t *testing.T) {
	for _, r := range recoveries() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			k := r.arrange(t)
			session, _ := k.open()
			before := k.tree()
			request := k.request
			request.Reseed = false // not decided yet
			v, err := engine.InspectTarget(t.Context(), session, request)
			k.must(err)
			c, err := engine.InspectCopy(t.Context(), session, request, nil)
			k.must(err)
			a, err := engine.InspectAsOf(t.Context(), session, request, c, v)
			if verdict.As(err) == nil || verdict.As(err).Code != verdict.TargetHoldsSnapshot {
				t.Errorf("as_of is not refused: %v", err)
			}
			if got := conditionsText(v.ReseedConditions(engine.CopyView{}, engine.AsOfView{})); !strings.HasPrefix(got, "newer not_yet, another_copy not_yet") {
				t.Errorf("before anything is known: %s", got)
			}
			conditions := v.ReseedConditions(c, a)
			if got := conditionsText(conditions); got != r.conditions {
				t.Errorf("%s, want %s", got, r.conditions)
			}
			if v.Recovery == nil || v.Recovery.Lost() == r.goesOn || v.Recovery.Reached.String() != r.reached || v.Recovery.Newest.Kind != r.kind {
				t.Errorf("%+v", v.Recovery)
			}
			if said := fmt.Sprint(v.Checks); strings.Contains(said, "its stream can go on") != r.goesOn || strings.Contains(said, "are not all kept any more") == r.goesOn {
				t.Errorf("goes on: %v, and is told %s", r.goesOn, said)
			}
			same(t, "inspected", before, k.tree())
			k.refusedByAll(conditions)
		})
	}
}

// refusedByAll plans the reseed with each unmet condition alone left unmet, as
// far as the first refusal tells: it must be one of theirs.
func (k *kit) refusedByAll(conditions []engine.ReseedCondition) {
	k.t.Helper()
	unmet := map[string]bool{}
	for _, c := range conditions {
		if (c.Met == engine.IsUnmet) != (c.Refusal != nil) {
			k.t.Errorf("%+v", c)
		}
		if c.Refusal != nil {
			unmet[c.Refusal.Error()] = true
		}
	}
	_, err := k.build()
	if (err != nil) != (len(unmet) > 0) || err != nil && !unmet[err.Error()] {
		k.t.Errorf("planning says %v, the conditions %v", err, unmet)
	}
}

func conditionsText(conditions []engine.ReseedCondition) string {
	var out []string
	for _, c := range conditions {
		out = append(out, fmt.Sprintf("%s %s", c.Kind, c.Met))
	}
	return strings.Join(out, ", ")
}

// A target without a snapshot has nothing to recover from.
func TestNoRecoveryWithoutASnapshot(t *testing.T) {
	k := kitIn(t, scene{})
	k.bronzeTable(nil)
	session, _ := k.open()
	v, err := engine.InspectTarget(t.Context(), session, k.request)
	k.must(err)
	if v.Recovery != nil || v.ReseedConditions(engine.CopyView{}, engine.AsOfView{}) != nil {
		t.Errorf("%+v", v.Recovery)
	}
}

// The inspections of a reseed say what planning says.
func TestInspectionsAgreeOnAReseed(t *testing.T) {
	for name, change := range map[string]func(*kit){
		"reseed":       func(*kit) {},
		"older":        func(k *kit) { k.request.AsOf = lsnAt(9) },
		"used app id":  func(k *kit) { k.request.AppID = "orders-v1" },
		"open":         func(k *kit) { k.appendRows("facts", rowOf("elsewhere", openRow(lsnAt(45), "full"))) },
		"recorded":     func(k *kit) { k.appendRows("facts", rowOf("elsewhere", bootstrapRow(lsnAt(40)))) },
		"seeded":       func(k *kit) { k.seeded(5) },
		"not a reseed": func(k *kit) { k.request.Reseed = false },
		"lost again":   func(k *kit) { k.cleanup(lsnAt(40)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := lost(t)
			change(k)
			k.agrees()
		})
	}
}
