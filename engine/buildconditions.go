package engine

import "fmt"

// conditions are the assertions that made the plan right. They follow from the
// plan alone, so that executing it finds out whether any was taken away.
func (p Plan) conditions() []Precondition {
	copyText := "the copy has the planned files, and they are unchanged"
	if p.Copy.Version != nil {
		copyText = fmt.Sprintf("the copy is version %d of its table, as planned", *p.Copy.Version)
	}
	target := "the target is still missing, or was made empty as planned"
	if !p.Target.Create {
		target = "the target has the planned identity, protocol and schema"
	}
	out := []Precondition{
		{PlanIntact, fmt.Sprint(PlanFormat), "the plan is of this format and was not changed"},
		{SameSource, p.Source.Server + "/" + p.Source.Database, "the server and the database are the planned ones"},
		{SameInstances, hashOf(instancePins(p.Table)), "the table's capture instances are the planned ones"},
	}
	if p.State == AlreadySeeded {
		out = append(out,
			Precondition{SameTarget, p.Target.TableID, target},
			Precondition{SeedStands, p.AsOf.L.String(), "the seed's rows are in the target"})
		if p.Facts != nil && !p.Facts.Present {
			out = append(out, Precondition{FactsRowFree, p.Facts.AppID, "the stream has no unfinished snapshot"})
		}
		return out
	}
	out = append(out,
		Precondition{ChangesKept, p.AsOf.L.Next().String(), "the changes right after L are kept"},
		Precondition{LSNCaptured, p.AsOf.L.String(), "L is not after the newest captured commit"},
		Precondition{SameCopy, p.Copy.Hash, copyText},
		Precondition{SameTarget, p.Target.TableID, target},
	)
	if p.Reseed != nil {
		return append(out, p.reseedConditions()...)
	}
	out = append(out, Precondition{NoOtherSnapshot, p.AsOf.L.String(), "the target holds no other snapshot of the table"})
	if p.Facts != nil {
		out = append(out, Precondition{FactsRowFree, p.Facts.AppID, "the stream has no unfinished snapshot, and the facts row is absent or this seed's"})
	}
	return out
}

// reseedConditions are those that a reseed has in place of a first seed's.
func (p Plan) reseedConditions() []Precondition {
	out := []Precondition{{SameNewest, p.Reseed.Follows.String(), "the newest snapshot of the table in the target is the planned one, and before L"}}
	if p.Reseed.AppID != "" {
		out = append(out, Precondition{AppIDNew, p.Reseed.AppID, "nothing was written under the app id, or this seed's row alone"})
	}
	return append(out, Precondition{NothingOpen, p.Target.Name, "no stream of the target has an unfinished snapshot"})
}

// instancePins are what must not change about a table's instances: cleanup may
// move their start.
func instancePins(t TablePlan) []InstancePlan {
	out := make([]InstancePlan, len(t.Instances))
	for i, in := range t.Instances {
		in.StartLSN = nil
		out[i] = in
	}
	return out
}
