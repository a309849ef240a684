package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

func (a *app) doctor() *cobra.Command {
	var r engine.Request
	var passwordFile, dump string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Tell what a seed would meet here, and what is missing for one",
		Long: `Runs the checks of a seed, as far as flags name what they are about, and
writes nothing: the connection, the server's clock, CDC and the job that
captures, the login's permissions one by one, what is kept of each table, and
the copy, the target and as_of where they are given. It needs no more rights
than a seed. What only tells more is asked for as well, and where that is
denied, a note says what would show it. A check that is refused or takes too
long is a line, not the end.

With --dump it also writes a file for a ticket: without passwords, without
values of rows.`,
		Example: `  cdcseed doctor --server sql01 --database Sales --user svc
  cdcseed doctor --server sql01 --database Sales --user svc \
    --table dbo.Orders --copy /lake/orders --target /lake/bronze/orders \
    --as-of 2026-10-25T00:40:00Z --dump ticket.txt`,
		Args: noArgs,
	}
	complete := a.bind(c, doctorFlags(), &r)
	c.Flags().StringVar(&dump, "dump", "", "also write everything found to `FILE`, as JSON where it ends in .json")
	addPasswordFile(c, &passwordFile)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := complete(); err != nil {
			return err
		}
		if r.Server == "" {
			return missing(c, "server")
		}
		return a.diagnose(c.Context(), r, passwordFile, dump)
	}
	return c
}

// doctorFlags are those of a seed without answers about columns and without
// what only matters while it is run.
func doctorFlags() []engine.Flag {
	without := []string{"cast", "missing", "copy-time-zone", "exclude-deleted", "keep-deleted", "ignore-mark", "check", "on-stop", "accept"}
	return slices.DeleteFunc(engine.SeedFlags(), func(f engine.Flag) bool { return slices.Contains(without, f.Name) })
}

func (a *app) diagnose(ctx context.Context, r engine.Request, passwordFile, dump string) error {
	r, err := r.Absolute()
	if err != nil {
		return err
	}
	if dump != "" {
		if err := dumpPlace(r, dump); err != nil {
			return err
		}
	}
	password, err := a.secret(ctx, r, passwordFile)
	if err != nil {
		return err
	}
	d, err := engine.Diagnose(ctx, r, engine.DiagnoseOptions{
		Tool: tool(), Password: password, Now: a.now, Prompt: func(text string) { a.prompt("%s\n", text) },
	})
	if err != nil {
		return err
	}
	if dump != "" {
		if err := writeDump(d, dump); err != nil {
			return err
		}
	}
	if err := a.tellDiagnosis(d, dump); err != nil {
		return err
	}
	if d.Exit() != verdict.ExitDone {
		return &toldError{d.Exit()}
	}
	return nil
}

// toldError ends a command whose output has said all: only its status is left.
type toldError struct{ exit int }

func (e *toldError) Error() string { return fmt.Sprintf("exit status %d", e.exit) }

// checkLine is a finding as JSON tells it.
type checkLine struct {
	Section string `json:"section"`
	engine.Finding
}

// doctorResult closes the findings.
type doctorResult struct {
	Exit     int           `json:"exit"` // the exit status
	OK       int           `json:"ok"`   // how many findings have each level
	Notes    int           `json:"notes"`
	Warnings int           `json:"warnings"`
	Stops    int           `json:"stops"`
	Stream   string        `json:"stream,omitempty"` // what the target's stream can no longer do, though it stops no seed
	MadeAt   clock.Instant `json:"made_at"`
	Dump     string        `json:"dump,omitempty"` // where everything stands
}

func (a *app) tellDiagnosis(d engine.Diagnosis, dump string) error {
	if !a.json {
		var text bytes.Buffer
		report.Diagnosis(&text, d)
		_, err := a.out.Write(text.Bytes())
		if dump != "" {
			a.say("\nFor a ticket: %s", report.Clean(dump))
		}
		return err
	}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			a.lines().put("check", checkLine{s.Name, f})
		}
	}
	a.lines().put("result", doctorResult{
		Exit: d.Exit(), OK: d.Count(verdict.OK), Notes: d.Count(verdict.Note), Warnings: d.Count(verdict.Warn), Stops: d.Count(verdict.Stop),
		Stream: d.Stream, MadeAt: d.MadeAt, Dump: dump,
	})
	return a.lines().err
}

// mostDump is more bytes than any dump has.
const mostDump = 64 << 20

// dumpPlace refuses to write among the files of the copy and the tables, and
// over a file that is no dump.
func dumpPlace(r engine.Request, path string) error {
	if what, inside := r.Holds(path); inside {
		return usageError(fmt.Sprintf("--dump %s lies inside the %s", path, what), "Give a path of its own.")
	}
	at, err := os.Stat(path)
	var body []byte
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !at.Mode().IsRegular(): // a pipe or a device may have no end
		return usageError(fmt.Sprintf("--dump %s is no regular file", path), "Give --dump the path of a file.")
	case err == nil && at.Size() <= mostDump:
		body, err = os.ReadFile(path)
	}
	if err != nil || !isDump(body) {
		return usageError(fmt.Sprintf("%s is there and is no dump: it would be overwritten", path), "Give --dump a new path.")
	}
	return nil
}

// isDump tells a dump of any version from other files.
func isDump(body []byte) bool {
	var d struct {
		Tool     string            `json:"tool"`
		Sections []json.RawMessage `json:"sections"`
	}
	return bytes.HasPrefix(body, []byte("cdcseed/")) || json.Unmarshal(body, &d) == nil && strings.HasPrefix(d.Tool, "cdcseed/") && d.Sections != nil
}

func writeDump(d engine.Diagnosis, path string) error {
	body, err := dumpText(d, path)
	if err == nil {
		err = os.WriteFile(path, body, 0o600)
	}
	if err != nil {
		return &verdict.Error{
			Code: verdict.StoreDenied, What: "the dump could not be written", Err: err,
			Hint: []string{"Give --dump a path that can be written."},
		}
	}
	return nil
}

func dumpText(d engine.Diagnosis, path string) ([]byte, error) {
	if !strings.EqualFold(filepath.Ext(path), ".json") {
		var text bytes.Buffer
		report.Dump(&text, d)
		return text.Bytes(), nil
	}
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(unvalued(d)); err != nil {
		return nil, err
	}
	// JSON writes most control characters out; the others stand inside texts too.
	var text strings.Builder
	for _, c := range body.String() {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			fmt.Fprintf(&text, `\u%04x`, c)
			continue
		}
		text.WriteRune(c)
	}
	return []byte(text.String()), nil
}

// unvalued is d without the values of rows that stand in the names of folders.
func unvalued(d engine.Diagnosis) engine.Diagnosis {
	each := func(list []string) []string {
		out := slices.Clone(list)
		for i := range out {
			out[i] = report.Unvalued(out[i])
		}
		return out
	}
	d.Args = each(d.Args)
	d.Sections = slices.Clone(d.Sections)
	for i := range d.Sections {
		s := &d.Sections[i]
		s.Findings = slices.Clone(s.Findings)
		for k := range s.Findings {
			f := &s.Findings[k]
			f.Text, f.Why, f.Do = report.Unvalued(f.Text), report.Unvalued(f.Why), each(f.Do)
			f.Facts = slices.Clone(f.Facts)
			for n := range f.Facts {
				f.Facts[n].Value = report.Unvalued(f.Facts[n].Value)
			}
		}
	}
	return d
}
