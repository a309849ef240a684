package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/report"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// stagedOptions are the flags of staged.
type stagedOptions struct {
	target      string
	remove, all bool
}

func (a *app) staged() *cobra.Command {
	var o stagedOptions
	c := &cobra.Command{
		Use:   "staged",
		Short: "List or remove data files that a broken-off seed left behind",
		Long: `Lists the files below a target that a seed wrote and that no readable version
of its log names. No reader sees them; a rerun of the same seed goes on from
them.

--remove removes them, but for those of a run that wrote one of them less than
an hour ago: it may go on, and would fail right before its commit. --all
removes those too; give it only when no seed runs into this target.`,
		Example: `  cdcseed staged --target /lake/bronze/orders
  cdcseed staged --target /lake/bronze/orders --remove`,
		Args: noArgs,
	}
	c.Flags().StringVar(&o.target, "target", "", "`PATH` of the bronze table [CDCSEED_TARGET]")
	c.Flags().BoolVar(&o.remove, "remove", false, "remove the files")
	c.Flags().BoolVar(&o.all, "all", false, "with --remove, also those of a run that may go on")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if o.target == "" {
			o.target, _ = a.env("CDCSEED_TARGET")
		}
		switch {
		case o.target == "":
			return missing(c, "target")
		case o.all && !o.remove:
			return usageError("--all says what --remove removes", "Add --remove, or leave --all out: the list has all of them.")
		}
		return a.handleStaged(c.Context(), o)
	}
	return c
}

func (a *app) handleStaged(ctx context.Context, o stagedOptions) error {
	w, err := engine.OpenTarget(o.target)
	if err != nil {
		return err
	}
	table, err := isTable(ctx, w, o.target)
	if err != nil {
		return err
	}
	now := clock.Of(a.now())
	if !o.remove {
		files, err := engine.Staged(ctx, w)
		if err != nil {
			return err
		}
		return a.tellStaged(o, now, table, nil, files)
	}
	removed, left, err := engine.RemoveStaged(ctx, w, now, o.all)
	if err == nil && len(left) > 0 {
		err = stillStaging(o, removed, left)
	}
	if err != nil {
		return errors.Join(err, a.listStaged(now, removed, left))
	}
	return a.tellStaged(o, now, table, removed, left)
}

// isTable reports whether a Delta table is at a target: files of a first seed
// that broke off lie where none is yet. Nothing at all is refused, as a path
// that is misspelled.
func isTable(ctx context.Context, r store.Reader, target string) (bool, error) {
	for _, prefix := range []string{"_delta_log/", ""} {
		for _, err := range r.List(ctx, prefix, "") {
			if err != nil {
				return false, &verdict.Error{
					Code: verdict.StoreUnreachable, What: fmt.Sprintf("the target %q cannot be looked through", target), Err: err,
					Hint: []string{"Check --target, and that this user may read there."},
				}
			}
			return prefix != "", nil
		}
	}
	return false, &verdict.Error{
		Code: verdict.TargetPath, What: fmt.Sprintf("there is nothing at %q", target),
		Hint: []string{"Check --target: the folder of the Delta table that the seed was written to."},
	}
}

// stillStaging is the refusal to remove what another run may be writing.
func stillStaging(o stagedOptions, removed, left []engine.StagedFile) error {
	wrote := "Nothing was removed."
	if len(removed) > 0 {
		wrote = verdict.Plural(len(removed), "older file was removed.", "older files were removed.")
	}
	return &verdict.Error{
		Code:  verdict.WarningUnaccepted,
		What:  fmt.Sprintf("%s to a run that wrote less than an hour ago and may go on", verdict.Plural(len(left), "file belongs", "files belong")),
		Wrote: wrote,
		Why:   "A run whose staged file is gone stops right before its commit, and its work is lost.",
		Hint: []string{
			"Wait until no seed runs into this target, or an hour, and run the same command again.",
			"If none runs: " + engine.Command("staged", []string{"--target", o.target, "--remove", "--all"}),
		},
	}
}

// stagedLine is a file as JSON tells it.
type stagedLine struct {
	Key      string        `json:"key"`
	Size     int64         `json:"size"` // bytes
	Modified clock.Instant `json:"modified"`
	Whole    bool          `json:"whole"` // false: it was not finished
	Removed  bool          `json:"removed"`
}

// stagedResult closes the list.
type stagedResult struct {
	Target  string `json:"target"`
	Files   int    `json:"files"`   // found
	Bytes   int64  `json:"bytes"`   // of them
	Removed int    `json:"removed"` // of them
	Table   bool   `json:"table"`   // a Delta table is there; a first seed that broke off leaves files before one is
}

// listStaged lists what was removed, and then what is still there.
func (a *app) listStaged(now clock.Instant, removed, left []engine.StagedFile) error {
	var b strings.Builder
	for i, f := range slices.Concat(removed, left) {
		gone := i < len(removed)
		if a.json {
			a.lines().put("staged", stagedLine{f.Key, f.Size, f.Modified, f.Whole, gone})
			continue
		}
		fmt.Fprintf(&b, "%s\n  %s, %s%s\n", f.Key, report.Size(f.Size), age(now, f), stateOf(f, gone))
	}
	return a.write(b.String())
}

func (a *app) tellStaged(o stagedOptions, now clock.Instant, table bool, removed, left []engine.StagedFile) error {
	if err := a.listStaged(now, removed, left); err != nil {
		return err
	}
	sum := stagedResult{Target: o.target, Files: len(removed) + len(left), Removed: len(removed), Table: table}
	for _, f := range slices.Concat(removed, left) {
		sum.Bytes += f.Size
	}
	if a.json {
		a.lines().put("result", sum)
		return a.lines().err
	}
	return a.write(sum.text(o) + "\n")
}

func age(now clock.Instant, f engine.StagedFile) string {
	d := now.Sub(f.Modified).Truncate(time.Second)
	if d <= 0 {
		return "written just now"
	}
	return clock.Words(d) + " old"
}

func stateOf(f engine.StagedFile, gone bool) string {
	text := ""
	if !f.Whole {
		text = ", not finished"
	}
	if gone {
		text += ", removed"
	}
	return text
}

func (s stagedResult) text(o stagedOptions) string {
	if s.Files == 0 {
		if !s.Table {
			return fmt.Sprintf("No staged files in %s, which holds no Delta table.", s.Target)
		}
		return fmt.Sprintf("No staged files in %s.", s.Target)
	}
	text := fmt.Sprintf("%s, %s, that no reader sees", verdict.Plural(s.Files, "file", "files"), report.Size(s.Bytes))
	if o.remove {
		return text + fmt.Sprintf("; %d removed.", s.Removed)
	}
	return text + ". --remove removes them."
}
