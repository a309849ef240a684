package engine_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
)

// By when the stream has to have started is told as what lies ahead, or, where
// cleanup is late, as what may happen at any moment.
func TestByWhenTheStreamHasToStart(t *testing.T) {
	for retention, want := range map[string]string{
		"4320": "Cleanup passes L at about 2026-10-27T12:30:00Z: start it before that.",
		"20":   "Start it at once: cleanup was to pass L at about 2026-10-24T12:50:00Z, and may at any moment.",
	} {
		k := kitIn(t, scene{user: `"roles": ["db_owner"]`, database: `"cdc": true, "cleanup": {"retention_minutes": ` + retention + `}`})
		p, err := k.build()
		k.must(err)
		for _, state := range []engine.State{engine.Ready, engine.AlreadySeeded} {
			got, err := k.execute(p)
			k.must(err)
			next := strings.Join(got.Follow, "\n")
			if got.State != state || strings.Contains(next, want) != (state == engine.Ready) {
				t.Errorf("kept for %s m, %s: %q in\n%s", retention, got.State, want, next)
			}
			// The plan run again is told what the whole command run again is told.
			if again := strings.Contains(next, "If the stream runs from this seed already, leave it"); again != (state == engine.AlreadySeeded) {
				t.Errorf("%s: a stream that runs is left alone: %v in\n%s", state, again, next)
			}
		}
	}
}
