package store_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"cdcseed/engine/store"
)

const (
	raceDir   = "CDCSEED_TEST_RACE_DIR"
	raceName  = "CDCSEED_TEST_RACE_NAME"
	raceKeys  = 60
	processes = 5
)

func raceKey(i int) string { return fmt.Sprintf("_delta_log/%020d.json", i) }

// TestProcessesRace starts this test binary several times; each tries to
// create all keys, and prints those it got.
func TestProcessesRace(t *testing.T) {
	dir := t.TempDir()
	outs := make([]string, processes)
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRacingProcess$", "-test.v")
			cmd.Env = append(os.Environ(), raceDir+"="+dir, fmt.Sprintf("%s=p%d", raceName, i))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("process %d: %v\n%s", i, err, out)
			}
			outs[i] = string(out)
		})
	}
	wg.Wait()
	l := open(t, dir)
	for k := range raceKeys {
		var winners []string
		for i, out := range outs {
			if strings.Contains(out, fmt.Sprintf("won %d!", k)) {
				winners = append(winners, fmt.Sprintf("p%d", i))
			}
		}
		data, err := store.ReadAll(t.Context(), l, raceKey(k))
		if err != nil || len(winners) != 1 || string(data) != winners[0] {
			t.Errorf("key %d: winners %v, content %q, %v", k, winners, data, err)
		}
	}
	if got := names(t, l, ""); len(got) != raceKeys {
		t.Errorf("left behind: %v", got)
	}
}

func TestRacingProcess(t *testing.T) {
	dir := os.Getenv(raceDir)
	if dir == "" {
		t.Skip("runs inside TestProcessesRace")
	}
	l := open(t, dir)
	for k := range raceKeys {
		err := l.CreateOnce(t.Context(), raceKey(k), []byte(os.Getenv(raceName)))
		switch {
		case err == nil:
			t.Logf("won %d!", k)
		case !errors.Is(err, store.ErrExist):
			t.Fatal(err)
		}
	}
}
