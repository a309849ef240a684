package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

var update = flag.Bool("update", false, "write what the tests compare with")

// golden compares got with the file at path, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the code says (go test ./cmd/cdcseed -update writes it):\n%s", path, got)
	}
}

func TestFlagsPageIsTheTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Flags of `cdcseed seed`\n\nMade from the flag table in `engine/flag.go`. A flag wins over the environment.\n" +
		"The connection's flags are those of `tables` and `lsn` too.\n\n| flag | environment | default | what it says |\n|---|---|---|---|\n")
	for _, f := range engine.SeedFlags() {
		name := "`--" + f.Name
		if f.Value != "" {
			name += " " + strings.ReplaceAll(f.Value, "|", `\|`)
		}
		name += "`"
		if f.Repeats {
			name += ", repeated for more"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", name, f.Env(), f.Default, f.Doc)
	}
	b.WriteString("\nThe password comes from `--password-file`, `CDCSEED_PASSWORD` or a question; it has no flag of its own.\n")
	golden(t, "../../docs/flags.md", b.String())
}

func TestExitPageIsTheList(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Exit statuses, codes and warnings\n\nMade from `engine/verdict`. The JSON error carries the code and the status.\n\n| status | codes |\n|---|---|\n")
	for _, exit := range []int{
		verdict.ExitUnexpected, verdict.ExitUsage, verdict.ExitRefused, verdict.ExitNotKept, verdict.ExitStale,
		verdict.ExitForeign, verdict.ExitUnreachable, verdict.ExitFactsFailed, verdict.ExitStopped,
	} {
		var codes []string
		for _, c := range verdict.Codes() {
			if c.Exit() == exit {
				codes = append(codes, "`"+string(c)+"`")
			}
		}
		fmt.Fprintf(&b, "| %d | %s |\n", exit, strings.Join(codes, ", "))
	}
	b.WriteString("\nStatus 0: done, would run, or already seeded at this L.\n\n## Warnings\n\n" +
		"Each is accepted by name: `--accept NAME`, or several at once: `--accept fell_back,capture_behind`. There is no accept-all.\n\n" +
		"| warning | what it means, and what accepting it costs |\n|---|---|\n")
	for _, w := range verdict.Warnings() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", w, w.Text())
	}
	golden(t, "../../docs/exit-codes.md", b.String())
}
