package report_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// The texts that the engine's refusals have, written by its tests: none is
// wider than the measure, sounds like a machine or ends without a next step.
func TestRefusalTexts(t *testing.T) {
	known := map[string]verdict.Code{}
	for _, c := range verdict.Codes() {
		known[string(c)+".txt"] = c
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, path := range files {
		name := filepath.Base(path)
		code, ok := known[name]
		if !ok {
			continue
		}
		seen++
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(b), "\r\n", "\n")
		narrow(t, name, text)
		if strings.Contains(strings.ToLower(text), "failed to") {
			t.Errorf("%s says that something failed to:\n%s", name, text)
		}
		if !strings.HasPrefix(text, "STOP  ") || !strings.Contains(text, "\nNext:\n  ") || !strings.HasSuffix(text, ")\n") || !strings.Contains(text, "("+string(code)+", exit status ") {
			t.Errorf("%s is not in its order:\n%s", name, text)
		}
	}
	if seen < len(verdict.Codes())-5 {
		t.Errorf("only %d of %d codes have a text", seen, len(verdict.Codes()))
	}
}

func TestFailureText(t *testing.T) {
	var b strings.Builder
	report.Failure(&b, &verdict.Error{
		Code: verdict.FactsFailed, What: "the seed is committed, its facts row is not",
		Wrote: "The seed is in \"/lake/bronze\" at version 1; the facts table \"/lake/facts\" does not record it, and this sentence is long.",
		Facts: verdict.Facts("a", "1", "a name that is longer than all of the others are", "2", "of middle length", strings.Repeat("value ", 20)),
		Why:   "Because " + strings.Repeat("of this ", 30), Hint: []string{"first", "second " + strings.Repeat("x", 100)},
		Err: errors.Join(errors.New("one cause"), errors.New("another")),
	})
	golden(t, "failure-long.txt", b.String())
	b.Reset()
	report.Failure(&b, &verdict.Error{Code: verdict.Usage, What: "--as-of is missing", Hint: []string{"Give it."}})
	if want := "STOP  --as-of is missing.\n      Nothing was written.\n\nNext:\n  Give it.\n\n(usage, exit status 2)\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// A person who stopped something reads that, and no word of how programs are stopped.
func TestFailureOfAStop(t *testing.T) {
	var b strings.Builder
	report.Failure(&b, &verdict.Error{Code: verdict.Stopped, What: "stopped on request before the seed was committed", Err: context.Canceled})
	if got, _, _ := strings.Cut(b.String(), "\n"); got != "STOP  Stopped on request before the seed was committed." {
		t.Error(got)
	}
}

// A name keeps its letters where a sentence begins with it.
func TestFailureKeepsNames(t *testing.T) {
	for what, want := range map[string]string{
		"no copy is there": "No copy is there.", "a copy.": "A copy.", "dbo.Orders is not captured": "dbo.Orders is not captured.",
		"as_of is later": "as_of is later.", `"orders" is a file`: `"orders" is a file.`, "sqlprod07: no answer": "sqlprod07: no answer.",
		"rowVersion does not fit": "rowVersion does not fit.", "cdcseed has no command": "cdcseed has no command.", "": ".", "ändern": "Ändern.",
	} {
		var b strings.Builder
		report.Failure(&b, &verdict.Error{Code: verdict.Usage, What: what})
		if got, _, _ := strings.Cut(b.String(), "\n"); got != strings.TrimRight("STOP  "+want, " ") {
			t.Errorf("%q is told as %q", what, got)
		}
	}
}

func TestChecksText(t *testing.T) {
	var b strings.Builder
	report.Checks(&b, []verdict.Check{
		verdict.Okay("the changes right after L are kept"),
		verdict.Noted("something to know", "A reason that notes do not print."),
		verdict.Warned(verdict.FellBack, "looked up an hour earlier: the server's clock showed this time twice", "A plain look-up could pick a commit up to an hour too late."),
	})
	golden(t, "checks.txt", b.String())
}
