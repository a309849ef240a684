package tsql

import "testing"

func TestErrorState(t *testing.T) {
	for number, want := range map[int32]byte{102: 1, 137: 2, 195: 10, 208: 1, 8115: 2, 8134: 1} {
		if got := Errorf(number, 16, "x").State; got != want {
			t.Errorf("error %d has state %d, and not %d", number, got, want)
		}
	}
}
