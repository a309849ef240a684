package tui

import (
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// purged is the story on the day after: the target holds a seed, and CDC has
// dropped what its stream needs next.
func purged() *script {
	s := lake()
	s.target.Version = 31
	s.target.Recovery = &engine.RecoveryView{
		Newest: engine.HeldView{
			LSN: position("0x0000003100000A280001"), Commit: atp("2026-10-24T23:39:58Z"), Rows: 2_128_904_113, Kind: seedKind, Made: atp("2026-10-25T08:30:00Z"),
		},
		Reached: position("0x0000003200000B110004"), GoesOn: ptr(false), Starts: ptr(false),
		Oldest: position("0x0000003300000F100002"), Since: atp("2026-10-25T02:10:44Z"),
	}
	s.target.Checks = []verdict.Check{
		verdict.Okay("the target is a Delta table, version 31, protocol 3/7 (timestampNtz)"),
		verdict.Okay("this user can write there"),
	}
	return s
}

// askedOfAReseed are the conditions as the engine tells them: the app id of the
// story has had a stream, any other one not.
func askedOfAReseed(v engine.TargetView, _ engine.CopyView, _ engine.AsOfView) []engine.ReseedCondition {
	if v.Recovery == nil {
		return nil
	}
	app := engine.ReseedCondition{Kind: engine.ReseedNewAppID, Met: engine.IsMet, Text: "app id orders-v12 is new to the target and its facts table"}
	if v.Facts.AppID == "orders-v1" {
		app.Met, app.Text = engine.IsUnmet, "app id orders-v1 is new to the target and its facts table"
		app.Refusal = &verdict.Error{Code: verdict.AppIDTaken, What: "the app id is taken"}
	}
	return []engine.ReseedCondition{
		{Kind: engine.ReseedNewer, Met: engine.IsNotYet, Text: "the copy started after the newest snapshot, which was committed 2026-10-24T23:39:58Z"},
		{Kind: engine.ReseedAnotherCopy, Met: engine.IsMet, Text: "the copy is not one that the target was seeded from"},
		{Kind: engine.ReseedNothingOpen, Met: engine.IsMet, Text: "no stream of the target has an unfinished snapshot"},
		app,
	}
}

// A target whose stream lost changes says so, and what a reseed asks for; the
// answer is on the same screen, and in the command.
func TestRecovery(t *testing.T) {
	r := ordersRequest()
	p := atCopy(t, purged(), r)
	p.places().conditions = askedOfAReseed
	p.golden("copy-recovery")
	p.shows("Reseed", "a seed of 2,128,904,113 rows", "0x0000003200000B110004", "are gone", "its stream cannot go on", "A reseed appends this copy as the next snapshot", "not known yet")
	p.inOrder("not met: app id", "not known yet: the copy started")
	p.lacks("STOP") // of what is not asked for
	if p.answers.Reseed {
		t.Fatal("nobody asked for a reseed")
	}
	p.press("tab", "tab", "tab", "tab", "tab", " ").shows("> Reseed")
	if !p.answers.Reseed {
		t.Fatalf("space did not choose it:\n%s", p.see(80, 24))
	}
	p.golden("copy-reseed").shows("--reseed", "not met: app id orders-v1", "Reseed: the app id is taken. Give a new one. (app_id_taken)", "enter (off)")
	p.script.target.Facts = &engine.FactsPlan{URL: "/lake/ops/ingestion_facts", AppID: "orders-v12", Version: 7}
	p.press("up").write("2").shows("enter next", "app id orders-v12 is new").lacks("not met")

	s := purged()
	s.target.Recovery.GoesOn = ptr(true)
	atCopy(t, s, r).shows("are kept:", "its stream can go on and needs no seed").lacks("A reseed appends")
	s.target.Recovery.GoesOn = nil
	atCopy(t, s, r).shows("the server does not tell").lacks("A reseed appends")
	atCopy(t, lake(), r).lacks("Reseed")
}

// That the stream lost changes is said before the warnings of the target are asked
// for: their enter leads on.
func TestLostChangesAreSaidFirst(t *testing.T) {
	s := purged()
	s.target.Checks = append(s.target.Checks, streamStopped)
	p := atCopy(t, s, ordersRequest())
	p.places().conditions = askedOfAReseed
	p.shows("Its stream lost changes: Reseed, or another Target. Then 1 warning.")
	p.press("enter").shows("enter again accepts it")
}

// A reseed of a target that holds nothing stops where both are answered.
func TestReseedOfAnEmptyTarget(t *testing.T) {
	r := ordersRequest()
	r.Reseed = true
	p := atCopy(t, lake(), r).shows("STOP  the target holds no snapshot of the table", "answer Reseed with no", "(nothing_to_reseed)", "enter (off)")
	if p.press("enter", "left").lacks("nothing_to_reseed"); p.answers.Reseed {
		t.Error("enter does not lead to the answer")
	}
}

// What a condition asks for is told once: an app id that is taken is no doubt
// beside it, and the way out stays the status.
func TestRecoveryIsToldOnce(t *testing.T) {
	s := purged()
	s.target.Facts = &engine.FactsPlan{URL: "/lake/ops/ingestion_facts", AppID: "orders-v1", Version: 7, Present: true}
	p := atCopy(t, s, ordersRequest())
	p.places().conditions = askedOfAReseed
	p.shows("note  not met: app id orders-v1", "Its stream lost changes: Reseed, or another Target.").lacks("has recorded a snapshot", "warn  app id")
}

// A reseed is accepted by its code, Review names what it follows, and the end
// says what becomes of the old stream.
func TestReseedToItsEnd(t *testing.T) {
	plan := ordersPlan(t)
	plan.Reseed = &engine.ReseedPlan{}
	plan.Target.Held = &engine.HeldPlan{LSN: position("0x0000003000000A280001"), Rows: 2_100_000_000}
	plan.Checks = append(plan.Checks, verdict.Warned(verdict.Reseed, "the copy becomes the next snapshot of a target that holds one: what is derived from the table is rebuilt from it", ""))
	p := atReview(t, plan).shows("0x0000003000000A280001", "reseed")
	for range 2 * len(p.answers.open(plan.Checks)) {
		p.press("enter")
	}
	p.golden("review-reseed").shows("reseed", "Type "+plan.Table.String()+" to enable enter")
	p.write(plan.Table.String()).press("enter").committed()
	result := ordersResult(plan)
	result.Follows = &plan.Target.Held.LSN
	result.Follow = []string{"Leave the old stream stopped for good.", "Start the new one with a new checkpoint and app_id=\"orders-v2\"."}
	p.hear(finishedMsg{result: result})
	p.golden("done-reseed").shows("Reseeded.", "0x0000003000000A280001", "Leave the old stream stopped", "new checkpoint")
}

// reseedView is a copy that becomes the next snapshot.
func reseedView() engine.AsOfView {
	v := mappedView()
	v.Checks = append(v.Checks, verdict.Warned(verdict.Reseed,
		"the seed follows the snapshot at 0x0000003100000A280001 and becomes the one that everything downstream rebuilds from",
		"Silver rebuilds from it, and rows that the copy lacks go away there. The old stream must not run again; the new one takes a new checkpoint and a new app id.",
		verdict.Facts("newest snapshot", "0x0000003100000A280001", "L", v.L, "copy", "/lake/sales/orders", "app id", "orders-v2")...))
	return v
}

// notNewerScene is a reseed with a copy that is older than what the target holds.
func notNewerScene() *script {
	s, v := orders(), mappedView()
	v.L, v.CommitTS = position("0x0000003000000A280001"), atp("2026-10-24T12:29:48Z")
	lookedUp(&v, "2026-10-24T12:30:00Z", "2026-10-24T14:30:00Z", "2026-10-24T12:30:00Z", "2026-10-24T14:30:00Z")
	refusedAsOf(s, v, &verdict.Error{
		Code: verdict.ReseedNotNewer, What: `L is not after the newest snapshot of the table in "/lake/bronze/orders"`,
		Facts: verdict.Facts("newest snapshot", "0x0000003100000A280001", "L", v.L),
		Why:   "Whatever reads the target rebuilds from the newest snapshot, so an older one would be written and never used.",
		Hint:  []string{"Take a new copy of the table, and give the time at which it started as --as-of."},
	})
	return s
}

// sameCopyScene is a reseed with the copy that the target was seeded from.
func sameCopyScene() *script {
	s := orders()
	refusedAsOf(s, mappedView(), &verdict.Error{
		Code: verdict.CopySameAsSeed, What: "the copy is one that the target was seeded from",
		Facts: verdict.Facts("copy", "/lake/sales/orders", "seed", "0x0000003100000A280001"),
		Why:   "A reseed with it would bring back old rows as new ones.",
		Hint:  []string{"Give a copy that was taken after that seed as --copy."},
	})
	return s
}
