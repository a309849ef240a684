package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine"
)

// A seed that is there, asked for with another app id, gets a second facts row:
// the plan says so before, and of its own app id it says nothing.
func TestASecondFactsRowIsTold(t *testing.T) {
	k := kitIn(t, scene{}).withFacts()
	k.seeded(3)
	own := k.request.AppID
	for _, app := range []string{own, "orders-v9"} {
		k.request.AppID = app
		p, err := k.build()
		k.must(err)
		said := fmt.Sprint(p.Checks)
		if told := strings.Contains(said, fmt.Sprintf("as the row of app id %q: another row of it is written for %q", own, app)); p.State != engine.AlreadySeeded || told != (app != own) {
			t.Errorf("%s: %s %v in %s", app, p.State, told, said)
		}
	}
}
