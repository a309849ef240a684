package engine_test

import (
	"errors"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// What is typed is judged without a server.
func TestCheckAsOf(t *testing.T) {
	for text, want := range map[string]error{
		"2026-10-25T00:40:00Z": nil, "0x0000002A0005320B0001": nil,
		"2026-10-25 00:40": verdict.AsOfNoZone, "yesterday": verdict.AsOfInvalid,
	} {
		if err := engine.CheckAsOf(text); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}
