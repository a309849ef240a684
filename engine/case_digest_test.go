package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"cdcseed/engine"
)

// later makes a plan, lets the server's clock and this machine's go on, and
// makes it again.
func (k *kit) later(ahead, d time.Duration) (before, after engine.Plan) {
	k.t.Helper()
	k.now = func() time.Time { return k.server.Now().Add(ahead) }
	before, err := k.build()
	k.must(err)
	k.server.Advance(d)
	after, err = k.build()
	k.must(err)
	return before, after
}

// A plan that is made again while nothing but time has passed is the same plan:
// what a person confirmed by its digest is still what would be done.
func TestDigestStandsStillWhileTimePasses(t *testing.T) {
	known := scene{user: `"roles": ["db_owner"]`}
	for _, c := range []struct {
		name    string
		scene   scene
		ahead   time.Duration // of this machine's clock
		arrange func(*kit)
		says    string // what the plan has to say for the case to be one
	}{
		{"clocks that agree", scene{}, 0, nil, "L stays readable until about"},
		{"this machine ahead", scene{}, 3*time.Minute + 12*time.Second, nil, "ahead of the server's by up to 5 m"},
		{"this machine behind", scene{}, -7 * time.Second, nil, "behind the server's by up to 10 s"},
		{"this machine far ahead", scene{}, 50 * time.Hour, nil, "ahead of the server's by more than a day"},
		{"the cleanup setting is known", known, 0, nil, "L stays readable until about 2026-10-27T12:30:00Z"},
		{"it is not, and three days have passed", purgedScene, 0, at("2026-10-02T06:00:00Z"), "cleanup may pass L at any time"},
		{"it is not, and less has passed", steppedScene, 0, at("2026-10-05T13:00:00Z"), "how long L stays readable is not known"},
		{"capture stopped, a time", stoppedScene, 0, at("2026-10-05T08:00:00Z"), "69 h before as_of"},
		{"capture stopped, an LSN", stoppedScene, 0, at(lsnText("0300")), "nothing was captured after 2026-10-02T11:00:00Z"},
		{"capture behind", stoppedScene, 0, at("2026-10-02T11:30:00Z"), "no captured commit after as_of yet"},
		{"a clock stepped back", steppedScene, 0, at("2026-10-05T12:00:45Z"), "commit times run backwards"},
		{"an hour that came twice", fallBackScene, 0, inRepeatedHour("2026-11-01T05:30:00Z"), "an hour earlier"},
		{"today's offset alone", offsetScene, 0, at("2026-10-05T10:30:00Z"), "60 minutes earlier"},
		{"a reseed", scene{}, -time.Minute, func(k *kit) { k.toReseed() }, "becomes the one that everything downstream rebuilds from"},
		{"a seed that is there", scene{}, time.Minute, func(k *kit) { k.seeded(3) }, "already seeded"},
		{"a seed whose changes are gone", scene{}, time.Minute, func(k *kit) { k.seeded(3); k.cleanup(lsnAt(50)) }, "not kept any more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, c.scene)
			if c.arrange != nil {
				c.arrange(k)
			}
			before, after := k.later(c.ahead, 61*time.Second)
			if before.MadeAt == after.MadeAt {
				t.Fatal("no time has passed")
			}
			if before.Digest != after.Digest {
				t.Errorf("another plan:\n%s", planDiff(before, after, cmpopts.IgnoreFields(engine.Plan{}, "MadeAt", "Digest")))
			}
			if all := checkTexts(before); !strings.Contains(all, c.says) {
				t.Errorf("the plan does not say %q:\n%s", c.says, all)
			}
		})
	}
}

// checkTexts are the texts of a plan's findings, one a line.
func checkTexts(p engine.Plan) string {
	var out []string
	for _, c := range p.Checks {
		out = append(out, c.Text)
	}
	return strings.Join(out, "\n")
}

// What may be another plan: one made after something was captured, since the
// newest position is in it, or after cleanup has moved the watermark.
func TestDigestFollowsTheLog(t *testing.T) {
	for name, change := range map[string]func(*kit){
		"a commit": func(k *kit) { _, err := k.server.Idle("Sales"); k.must(err) },
		"cleanup":  func(k *kit) { k.cleanup(lsnAt(5)) },
	} {
		k := kitIn(t, scene{})
		before, err := k.build()
		k.must(err)
		change(k)
		after, err := k.build()
		k.must(err)
		if before.Digest == after.Digest {
			t.Errorf("%s is not seen", name)
		}
		if before.Preconditions[0].Kind != engine.PlanIntact || len(before.Stops)+len(after.Stops) > 0 {
			t.Errorf("%s: %v, %v", name, before.Stops, after.Stops)
		}
		if got, err := k.execute(before); err != nil || got.State != engine.Ready {
			t.Errorf("%s: the plan made before cannot run: %v, %v", name, got.State, err)
		}
	}
}
