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
	b.WriteString(`# Flags of ` + "`cdcseed seed`" + `

Made from the flag table in ` + "`engine/flag.go`" + `. The connection's flags are those of ` + "`tables`, `lsn` and `doctor`" + ` too,
and ` + "`cdcseed`" + ` alone, the wizard, takes all of them as answers to begin with.

A flag wins over its variable in the environment; an empty variable is as none. A switch takes ` + "`true` or `false`" + ` there.

A flag that may be repeated takes one value each time: ` + "`--cast Amount=stop --cast Shipping=round`" + `. In the environment commas stand between
the values, ` + "`CDCSEED_CAST=Amount=stop,Shipping=round`" + `, so a column whose name holds a comma needs the flag; ` + "`--accept`" + ` takes commas as a flag
too. Given once on the command line, the flag replaces the variable's whole list.

| flag | environment | default | what it says |
|---|---|---|---|
`)
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
	b.WriteString(`
The password comes from ` + "`--password-file`, `CDCSEED_PASSWORD`" + ` (an empty one is one) or a question at a terminal; it has no flag of its own.

` + "`seed`" + ` has these beside: ` + "`--dry-run`, `--plan-out FILE`, `--plan FILE|DIGITS`, `--confirm SCHEMA.TABLE`" + `; every command has ` + "`--json`" + `.
`)
	golden(t, "../../docs/flags.md", b.String())
}

func TestExitPageIsTheList(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Exit statuses, codes and warnings\n\nMade from `engine/verdict`. The JSON error carries the code and the status.\n\n| status | means | codes |\n|---|---|---|\n")
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
		fmt.Fprintf(&b, "| %d | %s | %s |\n", exit, exitMeaning(exit), strings.Join(codes, ", "))
	}
	b.WriteString("\nWhat status 0 means, and what else each command ends with:\n\n| command | status 0 | others |\n|---|---|---|\n")
	for _, name := range append([]string{"cdcseed"}, commandNames()...) {
		title := "`" + name + "`"
		if name == "cdcseed" {
			title += " alone, the wizard"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", title, done(name), strings.Trim(fmt.Sprint(exits(name)[1:]), "[]"))
	}
	b.WriteString("\n## Warnings\n\n" +
		"Each is accepted by name: `--accept NAME`, or several at once: `--accept fell_back,capture_behind`. There is no accept-all.\n\n" +
		"| warning | what it means, and what accepting it costs |\n|---|---|\n")
	for _, w := range verdict.Warnings() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", w, w.Text())
	}
	golden(t, "../../docs/exit-codes.md", b.String())
}
