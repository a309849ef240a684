package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// mostSkipped is how many files that are no part of the copy are named.
const mostSkipped = 20

// readCopy opens the copy: every footer, its evidence and the marks of other tools.
func (b *builder) readCopy(ctx context.Context) error {
	b.tell(Recheck, "reading the copy's file footers")
	c, err := lakecopy.Open(ctx, b.readers.Copy, b.readers.open)
	if err != nil {
		// A seed that is in the target is found without its copy (mapAsOf); of
		// a new one, the copy's refusal is told there.
		b.noCopy = storeError("reading the copy", err)
		return ctx.Err()
	}
	if c.Rows == 0 {
		b.noCopy = &verdict.Error{
			Code: verdict.CopyEmpty, What: fmt.Sprintf("the copy at %q has no rows", b.request.Copy),
			Facts: verdict.Facts("files", len(c.Files)),
			Why:   "A seed of nothing would tell the stream that the table was empty.",
			Hint:  []string{"Check --copy. Of a table that is really empty, the stream's own snapshot takes no time."},
		}
		return nil
	}
	b.copy = c
	b.plan.Copy = CopyPlan{
		Kind: c.Kind, URL: b.request.Copy, Version: c.Version, Files: len(c.Files), Rows: c.Rows, Bytes: c.Bytes,
		Hash: c.Hash, Evidence: c.Evidence.Earliest, Classes: c.Classes,
	}
	for _, f := range c.Files {
		b.plan.Files = append(b.plan.Files, PlanFile{
			Key: f.Key, Size: f.Size, ETag: f.ETag, Modified: f.Modified, Class: f.Class, Rows: f.Rows, Partition: f.Partition,
		})
	}
	b.plan.Copy.Skipped = c.Skipped[:min(len(c.Skipped), mostSkipped)]
	if n := len(c.Skipped); n > 0 {
		text := "passed over in the copy's folder: " + strings.Join(b.plan.Copy.Skipped, ", ")
		if n > mostSkipped {
			text += fmt.Sprintf(" and %d more", n-mostSkipped)
		}
		b.check(verdict.Noted(text, "Names that begin with _ or . and files that are not Parquet are no part of a copy."))
	}
	b.rows()
	b.noCopy = b.marks()
	return nil
}

// rows compares the copy's number of rows with the server's estimate of the
// table's: a part of a copy, or files that are there twice, look like this.
func (b *builder) rows() {
	if b.table.Rows == nil || *b.table.Rows <= 0 {
		return
	}
	const (
		tolerated = 10     // percent
		activity  = 10_000 // rows that a small table may gain or lose while nobody looks
	)
	there, here := *b.table.Rows, b.copy.Rows
	off := max(here-there, there-here)
	text := fmt.Sprintf("the copy has %s and the table about %s", verdict.Plural(here, "row", "rows"), verdict.Count(there))
	why := "A part of a copy, or files that are there twice, look like this; so does a table that grew or shrank since. A commit that the copy lacks is never made up for."
	switch {
	case off*100 <= max(there, here)*tolerated:
		b.check(verdict.Okay(text))
	case off < activity:
		b.check(verdict.Noted(text, why))
	default:
		b.check(verdict.Warned(verdict.RowsDiffer, text, why, verdict.Facts("copy", here, "table, estimated", there)...))
	}
}

// marks settles what other tools left in the copy (decision 23). An answer to a
// mark that is not there is an error: it was meant for something.
func (b *builder) marks() error {
	if err := b.unmet(); err != nil {
		return err
	}
	var open []string
	var hint []string
	for i, m := range b.copy.Marks {
		ignored := slices.ContainsFunc(b.request.IgnoreMark, func(c string) bool { return schema.SameName(c, m.Column) })
		switch {
		case m.Kind == lakecopy.Bookkeeping || ignored:
			b.check(verdict.Noted(fmt.Sprintf("column %q is %s's bookkeeping and is left out", m.Column, m.Tool), ""))
		case b.isCaptured(m.Column):
			b.check(verdict.Noted(fmt.Sprintf("column %q is named like %s's, but it is captured", m.Column, m.Tool), ""))
		case m.Kind == lakecopy.SoftDelete && b.request.ExcludeDeleted && b.filter != nil:
			open = append(open, fmt.Sprintf("%q and %q both flag deleted rows", b.filter.Column, m.Column))
			hint = append(hint, "Add --ignore-mark for the one that does not count.")
		case m.Kind == lakecopy.SoftDelete && b.request.ExcludeDeleted:
			b.filter = &b.copy.Marks[i]
			b.plan.Copy.Filter = &FilterPlan{Column: m.Column, Tool: m.Tool, When: m.When}
			b.check(verdict.Noted(fmt.Sprintf("rows that %s flagged as deleted in %q are left out", m.Tool, m.Column), ""))
		case m.Kind == lakecopy.SoftDelete && b.request.KeepDeleted:
			b.check(verdict.Warned(verdict.FlaggedKept, fmt.Sprintf("rows that %s flagged as deleted in %q are kept", m.Tool, m.Column),
				"They come alive in the target, and no change will ever delete them."))
		case m.Kind == lakecopy.SoftDelete:
			open = append(open, fmt.Sprintf("%s flags deleted rows in %q", m.Tool, m.Column))
			hint = append(hint, "Add --exclude-deleted to leave flagged rows out, or --keep-deleted to keep them.")
		case m.Column == "":
			open = append(open, fmt.Sprintf("%q looks like a file of changes by %s", m.Path, m.Tool))
			hint = append(hint, "Give the folder of the full load alone.")
		default:
			open = append(open, fmt.Sprintf("%q is a column by which %s tells changes, not rows", m.Column, m.Tool))
			hint = append(hint, "If the copy holds each row once all the same, add --ignore-mark "+shellQuote(m.Column)+".")
		}
	}
	if len(open) > 0 {
		slices.Sort(hint)
		b.stop(&verdict.Error{
			Code: verdict.CopyMarks, What: "the copy carries marks of other tools: " + strings.Join(open, "; "),
			Why:  "Left out like any other column, they would bring deleted rows back or write changes as rows.",
			Hint: slices.Compact(hint),
		})
	}
	return nil
}

// unmet refuses answers for which the copy has no mark.
func (b *builder) unmet() error {
	var softDeletes, names []string
	for _, m := range b.copy.Marks {
		names = append(names, m.Column)
		if m.Kind == lakecopy.SoftDelete {
			softDeletes = append(softDeletes, m.Column)
		}
	}
	unknown := func(what string) error {
		return &verdict.Error{
			Code: verdict.AnswerUnknown, What: what, Facts: verdict.Facts("recognised", strings.Join(names, ", ")),
			Why:  "The answer would do nothing, and rows that it was meant for would be written.",
			Hint: []string{"Look at the columns that the plan leaves out, and leave the flag out if none of them flags rows."},
		}
	}
	if (b.request.ExcludeDeleted || b.request.KeepDeleted) && len(softDeletes) == 0 {
		return unknown("no column of the copy is recognised as flagging deleted rows")
	}
	for _, c := range b.request.IgnoreMark {
		if !slices.ContainsFunc(names, func(n string) bool { return schema.SameName(n, c) }) {
			return unknown(fmt.Sprintf("--ignore-mark %q is no column that is recognised as another tool's", c))
		}
	}
	return nil
}

func (b *builder) isCaptured(column string) bool {
	return slices.ContainsFunc(b.captured, func(c schema.TargetColumn) bool { return schema.SameName(c.Name, column) })
}

// matchColumns finds how each captured column is made from the copy.
func (b *builder) matchColumns(context.Context) error {
	if b.copy == nil {
		b.plan.Columns = cast.Mapping{Columns: []cast.ColumnPlan{}, LeftOut: []string{}}
		return nil
	}
	m, err := cast.Match(b.captured, b.copy.Classes, cast.Answers{
		Cast: answers(b.request.Cast), Missing: answers(b.request.Missing),
		Zone: b.request.CopyTimeZone, Location: copyZone,
	})
	if err != nil {
		return err
	}
	b.plan.Columns = *m
	return nil
}

// copyZone finds the copy's zone. Its refusal is the cast's, whose hint names
// the copy's flag, not the server's.
func copyZone(name string) (*time.Location, error) {
	zone, err := asof.Location(name)
	if err != nil {
		return nil, errors.New(verdict.As(err).What)
	}
	return zone, nil
}

func answers(given map[string]string) map[string]cast.Answer {
	out := make(map[string]cast.Answer, len(given))
	for column, a := range given {
		out[column] = cast.Answer(a)
	}
	return out
}
