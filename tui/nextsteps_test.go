package tui

import (
	"strings"
	"testing"
)

// A command is whole on its line; where it cannot be, it is broken where it may
// be broken when it is pasted.
func TestNextStepsKeepCommandsWhole(t *testing.T) {
	p := perform(t, orders(), ordersRequest())
	see := func(w int, step string) string { return strings.Join(nextLines(p.desk, []string{step}, w)[2:], "|") }
	create := "Register the name: CREATE TABLE a USING DELTA LOCATION '/lake/my orders'"
	for _, c := range []struct {
		w          int
		step, want string
	}{
		{80, create, "   1  Register the name:|      CREATE TABLE a USING DELTA LOCATION '/lake/my orders'"},
		{40, create, "   1  Register the name:| CREATE TABLE a USING DELTA LOCATION| '/lake/my orders'"},
		{80, "Use another copy: it is older.", "   1  Use another copy: it is older."},
		{80, "cdcseed staged --target /lake", "   1  cdcseed staged --target /lake"},
		{30, "Files can go: cdcseed staged --target /lake --remove", "   1  Files can go:| cdcseed staged --target \\| /lake --remove"},
	} {
		if got := see(c.w, c.step); got != c.want {
			t.Errorf("%q in %d cells:\n%s\nwant\n%s", c.step, c.w, got, c.want)
		}
	}
}

// Blanks inside a value's quotes are part of it.
func TestQuotedValuesAreNotBroken(t *testing.T) {
	got := strings.Join(wrapQuoted(" ", "   ", `2 padded, such as "AMS1" -> "AMS1  "`, 34), "|")
	if want := ` 2 padded, such as "AMS1" ->|   "AMS1  "`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = strings.Join(wrapQuoted("", "", `one quote " and many words`, 12), "|")
	if want := `one quote "|and many|words`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
