package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// Accepting afterwards makes the plan that planning makes with the same names.
func TestAcceptedPlanIsTheOneThatIsBuilt(t *testing.T) {
	many := func(k *kit) {
		k.withFacts().bronzeTable(nil)
		k.appendRows("bronze", changeRow)
		k.factsTable(property("delta.setTransactionRetentionDuration", "interval 7 days"))
		k.request.AsOf, k.request.AllowAsOfAfterCopy = lsnAt(45), true
		k.request.Cast, k.request.Check, k.request.OnStop = map[string]string{"amount": "null"}, "all", "keep"
	}
	all := []string{"stream_must_be_stopped", "facts_txn_expires", "as_of_after_copy"}
	for _, c := range []struct {
		name    string
		arrange func(*kit)
		names   []string
	}{
		{"nothing", func(*kit) {}, nil},
		{"nothing of many", many, nil},
		{"one of many", many, all[1:2]},
		{"all, in another order", many, all},
		{"of a plan that is blocked", func(k *kit) {
			many(k)
			k.request.Missing, k.request.Cast = nil, map[string]string{"name": "stop"}
			k.newCopy([]arrow.Field{field("id", int32s), field("name", texts)}, `[{"id": 1, "name": "x"}]`)
		}, all},
		{"of a seed that is there", func(k *kit) { k.seeded(3) }, all[:1]},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, scene{})
			at := k.server.Now()
			k.now = k.server.Now
			c.arrange(k)
			before, err := k.build()
			k.must(err)
			k.request.Accept = c.names
			want, err := k.build()
			k.must(err)
			for _, from := range []engine.Plan{before, want} {
				text := hashed(from)
				got, err := from.WithAccepted(c.names)
				k.must(err)
				want.MadeAt, got.MadeAt = 0, 0
				if diff := planDiff(want, got); diff != "" {
					t.Errorf("%v:\n%s", at, diff)
				}
				k.must(got.Verify())
				if hashed(from) != text {
					t.Error("the plan itself was changed")
				}
			}
		})
	}
}

// hashed is what may not change of a plan that another is made from.
func hashed(p engine.Plan) string { return planDiff(engine.Plan{}, p) }

// planDiff is in what two plans differ, what is in no file of theirs included.
func planDiff(a, b engine.Plan, o ...cmp.Option) string {
	return cmp.Diff(a, b, append(o, cmp.AllowUnexported(cast.Mapping{}))...)
}

func TestAcceptedRefusals(t *testing.T) {
	k := kitIn(t, scene{})
	p, err := k.build()
	k.must(err)
	for _, name := range []string{"no_zone", "everything"} {
		if _, err := p.WithAccepted([]string{name}); !isCode(err, verdict.AcceptUnknown) {
			t.Errorf("%s: %v", name, err)
		}
		k.request.Accept = []string{name}
		_, byBuild := k.build()
		_, afterwards := p.WithAccepted([]string{name})
		if diff := cmp.Diff(verdict.As(byBuild), verdict.As(afterwards)); diff != "" {
			t.Error(diff)
		}
	}
	if !slices.Equal(p.Accepted, []string{}) {
		t.Error(p.Accepted)
	}
}

// A warning that is told of two columns has one name, which Next tells once.
func TestAWarningToldTwiceHasOneName(t *testing.T) {
	told := verdict.Warned(verdict.CutOffText, "a column", "")
	p := engine.Plan{Checks: []verdict.Check{told, verdict.Warned(verdict.RowsDiffer, "rows", ""), told}}
	for name, want := range map[string]string{"open": "--accept cut_off_text,rows_differ", "stopped": "add: --accept cut_off_text,rows_differ"} {
		if name == "stopped" {
			p.Stops = []engine.Stop{{Code: verdict.CopyMarks, What: "a mark"}}
		}
		e := verdict.As(p.Refusal())
		if len(e.Hint) != 1 || !strings.HasSuffix(e.Hint[0], want) {
			t.Errorf("%s: %q", name, e.Hint)
		}
	}
}
