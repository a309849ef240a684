package report_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"cdcseed/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with its file in testdata, and its lines with the measure.
func golden(t *testing.T, name, got string) {
	t.Helper()
	narrow(t, name, got)
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// narrow fails for a line wider than 79 whose last word could have gone to the
// next line: it stands behind another word, or behind more than a name.
func narrow(t *testing.T, name, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%s: blanks at the end of %q", name, line)
		}
		words := strings.Fields(line)
		if utf8.RuneCountInString(line) <= 79 || len(words) <= 1 {
			continue
		}
		if before := strings.TrimSuffix(line, words[len(words)-1]); utf8.RuneCountInString(before) > 36 {
			t.Errorf("%s: %d columns: %q", name, utf8.RuneCountInString(line), line)
		}
	}
}

// plan is one of the plans that the engine's tests keep.
func plan(t *testing.T, name string) engine.Plan {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "plan-"+name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var p engine.Plan
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	return p
}
