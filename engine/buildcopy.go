package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

// mostSkipped is how many files that are no part of the copy are named.
const mostSkipped = 20

// readCopy opens the copy and settles the marks of other tools.
func (b *builder) readCopy(ctx context.Context) error {
	if err := b.openCopy(ctx); err != nil || b.copy == nil {
		return err
	}
	b.noCopy = b.marks()
	return nil
}

// openCopy opens the copy: every footer, and its evidence.
func (b *builder) openCopy(ctx context.Context) error {
	b.tell("reading the copy's file footers")
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
		Kind: c.Kind, URL: b.request.Copy, Version: c.Version, Files: len(c.Files), Rows: c.Rows, Deleted: c.Deleted, Bytes: c.Bytes,
		Hash: c.Hash, Content: c.Content, Evidence: c.Evidence.Earliest, Classes: c.Classes,
	}
	for _, f := range c.Files {
		b.plan.Files = append(b.plan.Files, PlanFile{
			Key: f.Key, Size: f.Size, ETag: f.ETag, Modified: f.Modified, Class: f.Class,
			Rows: f.Rows, Deleted: f.Deleted, Vector: f.Vector(), Partition: f.Partition,
		})
	}
	if c.Deleted > 0 {
		b.check(verdict.Noted(fmt.Sprintf("%s of the copy's files are deleted in the table and left out", verdict.Plural(c.Deleted, "row", "rows")),
			"The copy's deletion vectors hide them. All counts of its rows are without them."))
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
		activity  = 10_000 // rows that a table may gain or lose while nobody looks
		quarter   = 25     // percent, which no table gains or loses unseen
		few       = 100    // rows, by which nothing can be told
	)
	there, here := *b.table.Rows, b.copy.Rows
	off := max(here-there, there-here)
	text := fmt.Sprintf("the copy has %s and the table about %s", verdict.Plural(here, "row", "rows"), verdict.Count(there))
	why := "A part of a copy, or files that are there twice, look like this; so does a table that grew or shrank since. A commit that the copy lacks is never made up for."
	switch {
	case off*100 <= max(there, here)*tolerated:
		b.check(verdict.Okay(text))
	case off < activity && (there < few || off*100 < max(there, here)*quarter):
		b.check(verdict.Noted(text, why))
	default:
		b.check(verdict.Warned(verdict.RowsDiffer, text, why, verdict.Facts("copy", here, "table, estimated", there)...))
	}
}

// matchColumns finds how each captured column is made from the copy.
func (b *builder) matchColumns(context.Context) error {
	if b.copy == nil {
		b.plan.Columns = cast.Mapping{Columns: []cast.ColumnPlan{}, LeftOut: []string{}}
		return nil
	}
	m, err := cast.Match(b.captured, b.copy.Classes, cast.Answers{
		Map: b.request.Map, Cast: answers(b.request.Cast), Missing: answers(b.request.Missing), Encoding: b.request.Encoding,
		Zone: b.request.CopyTimeZone, Location: copyZone,
	})
	if err != nil {
		return err
	}
	b.plan.Columns = *m
	b.uncaptured()
	return nil
}

// uncaptured tells which of the columns that are left out are the table's own:
// a person who sees them in the copy misses them in the target.
func (b *builder) uncaptured() {
	var here []string
	for _, name := range b.plan.Columns.LeftOut {
		if _, ok := b.table.Uncaptured(name); ok {
			here = append(here, name)
		}
	}
	if len(here) > 0 {
		b.check(verdict.Noted("columns of the table that no capture instance has are left out: "+strings.Join(here, ", "),
			"They were added after the capture instance, or left off its list. The stream writes them once an instance captures them."))
	}
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
