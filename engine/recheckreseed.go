package engine

import (
	"context"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// sameNewest refuses a reseed where the snapshot that it was planned to follow is
// not the newest any more. heldNow has looked at snap.
func (x *execution) sameNewest(snap *delta.Snapshot) error {
	planned, now := x.plan.Target.Held, x.newest
	switch {
	case planned == nil || planned.LSN != x.plan.Reseed.Follows:
		return stale("the plan of a reseed names no snapshot that it follows", "Such a plan is not made.")
	case now == nil:
		return x.changed("the snapshot that the reseed follows is not in the target any more",
			verdict.Facts("planned", planned.LSN, "version", snap.Version)...)
	case now.LSN == planned.LSN:
		return nil
	case now.LSN.Compare(planned.LSN) < 0:
		return x.changed("the newest snapshot in the target is an older one than planned",
			verdict.Facts("now", now.LSN, "planned", planned.LSN, "version", snap.Version)...)
	}
	return &verdict.Error{
		Code: verdict.TargetHoldsSnapshot, What: "another snapshot of the table appeared in the target since the reseed was planned",
		Facts: append(verdict.Facts("target", x.plan.Target.URL, "planned to follow", planned.LSN),
			append(heldFacts(*now), verdict.Facts("L", x.plan.AsOf.L)...)...),
		Why: "Somebody else recovers the table, or its stream runs and took a snapshot itself: one of the two would be lost.",
		Hint: []string{
			"Find out who wrote it. If it is right, start the stream from it: nothing is left to do here.",
			"If it is not, stop its stream, and make a plan again with a copy that started after " + heldText(*now) + ".",
		},
	}
}

// appIDUsed says whether anything was written under a reseed's app id by now.
func (x *execution) appIDUsed(ctx context.Context, facts *delta.Snapshot, rows []bronze.Event) (taken, err error) {
	target, err := x.openTarget(ctx)
	if err != nil {
		return nil, err
	}
	return usedAppID(x.plan.Reseed.AppID, target, facts, rows), nil
}
