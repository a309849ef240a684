package engine_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// Who corrects an answer and runs again is told that the seed stands as it was made.
func TestRerunWithOtherAnswersIsTold(t *testing.T) {
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", arrow.PrimitiveTypes.Float64)}, `[{"id": 1, "amount": 1.256}]`)
	k.request.Cast = map[string]string{"amount": "round"}
	k.seeded(1)
	said := func() *verdict.Check {
		t.Helper()
		p, err := k.build()
		k.must(err)
		if p.State != engine.AlreadySeeded {
			t.Fatalf("the plan is %s", p.State)
		}
		for _, c := range p.Checks {
			if strings.Contains(c.Text, "other answers") {
				return &c
			}
		}
		return nil
	}
	if c := said(); c != nil {
		t.Errorf("the same answers: %+v", c)
	}
	for _, asOf := range []string{k.request.AsOf, lsnAt(30)} { // found by its commit, and by its rows
		k.request.AsOf = asOf
		k.request.Cast = map[string]string{"amount": "cut"}
		c := said()
		if c == nil || c.Level != verdict.Note || len(c.Facts) != 2 || c.Facts[0].Value != "--cast amount=round" || c.Facts[1].Value != "--cast amount=cut" {
			t.Errorf("another answer: %+v", c)
		}
		k.request.Cast = nil
		if c = said(); c == nil || c.Facts[1].Value != "none" {
			t.Errorf("no answer: %+v", c)
		}
	}
}

// Files that a removal would leave for an hour are told with the flag that takes
// them at once; older ones without.
func TestLeftoversAreToldAsRemovalTakesThem(t *testing.T) {
	for name, c := range map[string]struct {
		age  time.Duration
		more bool
	}{"young": {time.Minute, true}, "old": {2 * time.Hour, false}} {
		t.Run(name, func(t *testing.T) {
			k := kitIn(t, scene{})
			k.seeded(3)
			k.place("x", "bronze", stagedKey(3))
			at := k.now().Add(-c.age)
			k.must(os.Chtimes(k.path("bronze", stagedKey(3)), at, at))
			got, err := k.seed()
			k.must(err)
			next := strings.Join(got.Follow, "\n")
			if !strings.Contains(next, "1 file of earlier tries, seen by no reader, can go: cdcseed staged") || strings.Contains(next, "add --all") != c.more {
				t.Errorf("next:\n%s", next)
			}
			w, err := engine.OpenTarget(k.request.Target)
			k.must(err)
			_, left, err := engine.RemoveStaged(t.Context(), w, clock.Of(k.now()), false)
			k.must(err)
			if (len(left) > 0) != c.more {
				t.Errorf("without --all %d files stay", len(left))
			}
		})
	}
}
