package report_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/report"
)

// Whoever types the name has before their eyes what it sets off.
func TestQuestion(t *testing.T) {
	ready, seeded, big := plan(t, "ready"), plan(t, "seeded"), plan(t, "ready")
	seeded.Facts.Present = false
	long := "/" + strings.Repeat("long/", 20)
	big.Copy.Filter, big.Copy.Rows, big.Target.URL = nil, 10_000_000_000, long
	for _, c := range []struct {
		plan engine.Plan
		want string
	}{
		{ready, "To write 2 snapshot rows to /data/bronze at L 0x00000000000000000010,"},
		{seeded, "To record the seed in /data/facts for app id orders-v1,"},
		{big, "To write 10,000,000,000 snapshot rows to\n" + long + "\nat L 0x00000000000000000010,"},
	} {
		var b strings.Builder
		report.Question(&b, c.plan)
		if want := "\n" + c.want + "\ntype the table's name (dbo.orders): "; b.String() != want {
			t.Errorf("got\n%s\nwant\n%s", b.String(), want)
		}
	}
}
