package schema_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"cdcseed/engine/schema"
)

// Names fold as the stream's package folds them, letter by letter and in words
// (case 33): testdata/lower.txt is what its language made of them.
func TestFoldIsPythonsLower(t *testing.T) {
	table, err := os.ReadFile("testdata/lower.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for line := range strings.Lines(string(table)) {
		in, out, ok := strings.Cut(strings.TrimSpace(line), " > ")
		if !ok {
			continue
		}
		names++
		name, want := text(t, in), text(t, out)
		if got := schema.Fold(name); got != want {
			t.Errorf("%+q folds to %+q, want %+q", name, got, want)
		}
		if got := schema.Fold(want); got != want {
			t.Errorf("%+q, folded already, folds to %+q", want, got)
		}
	}
	if names < 1800 {
		t.Errorf("only %d names", names)
	}
}

// text is the string of code points in hexadecimal.
func text(t *testing.T, points string) string {
	var out strings.Builder
	for _, p := range strings.Fields(points) {
		r, err := strconv.ParseInt(p, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteRune(rune(r))
	}
	return out.String()
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Order Date", "ORDER DATE", true},
		{"ID", "ıd", false}, // dotless i is another letter
		{"İd", "id", false}, // and dotted capital I is i with a dot above
		{"İd", "i\u0307d", true},
		{"ΟΔΟΣ", "οδος", true},
		{"ΟΔΟΣ", "οδοσ", false},
		{"STRASSE", "straße", false},
	} {
		if got := schema.SameName(c.a, c.b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

func BenchmarkFold(b *testing.B) {
	for _, name := range []string{"CustomerAddressLine1", "Ünïcode_Straße", "ΟΔΟΣ"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				schema.Fold(name)
			}
		})
	}
}
