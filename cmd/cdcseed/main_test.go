package main

import (
	"os"
	"testing"
)

// childEnv makes the test binary the program itself: a flow test runs it in a
// terminal of its own.
const childEnv = "CDCSEED_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		main()
	}
	os.Exit(m.Run())
}
