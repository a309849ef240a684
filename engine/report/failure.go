// Package report renders plans, progress, results and errors as plain text
// without escape codes. It decides nothing: the wizard, the command line and
// the log print the same words.
package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cdcseed/engine/verdict"
)

// Failure tells an error in the order that people need at night: what
// happened, what was written, the values that disagree, why it matters, what
// to type next.
func Failure(w io.Writer, e *verdict.Error) {
	t := text{w: w}
	what := e.What
	asked := e.Code == verdict.Stopped && errors.Is(e.Err, context.Canceled) // then the cause is whoever asked for it
	if e.Err != nil && !asked {
		what += ": " + strings.ReplaceAll(e.Err.Error(), "\n", "; ")
	}
	t.paragraphFirst("STOP  ", "      ", sentence(what)+".")
	t.paragraph("      ", e.WroteText())
	if len(e.Facts) > 0 {
		t.line("")
	}
	t.facts(e.Facts)
	if e.Why != "" {
		t.line("")
		t.paragraph("  ", e.Why)
	}
	for i, h := range e.Hint {
		if i == 0 {
			t.line("")
			t.line("Next:")
		}
		t.paragraph("  ", h)
	}
	t.line("")
	t.line("(%s, exit status %d)", e.Code, e.Code.Exit())
}

// Checks lists findings, one a paragraph, heaviest words first in each.
func Checks(w io.Writer, checks []verdict.Check) { checksAccepted(w, checks, nil) }

// checksAccepted also tells which warnings are accepted: nothing is left to do about those.
func checksAccepted(w io.Writer, checks []verdict.Check, accepted []string) {
	t := text{w: w}
	for _, c := range checks {
		head := fmt.Sprintf("  %-6s", c.Level)
		name := ""
		if c.Code != "" {
			name = string(c.Code) + ": "
			if slices.Contains(accepted, string(c.Code)) {
				name = string(c.Code) + " (accepted): "
			}
		}
		t.paragraphFirst(head, "        ", name+c.Text)
		if c.Level == verdict.Warn && c.Why != "" {
			t.paragraph("        ", c.Why)
		}
	}
}
