package tui

import (
	"fmt"
	"strings"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// chosenTable is a captured table as the pane under the list tells of it: from
// the list at once, and from a closer look when that is there.
type chosenTable struct {
	table    engine.Table
	instance string
	key      []string
	since    string // "2026-03-02 08:14", on the server's clock; empty where the instance is gone
	columns  int
}

// chosenOf is what the list alone knows of a line.
func (l *tableList) chosenOf(line int) chosenTable {
	x := l.lines[line]
	t := l.tables[x.table]
	in := t.Instances[x.instance]
	return chosenTable{
		table: t, instance: in.Name, key: in.Key,
		since: in.Created.Time().Format("2006-01-02 15:04"), columns: len(in.Columns),
	}
}

// closer is what a closer look found.
func closer(v engine.TableView) chosenTable {
	c := chosenTable{table: v.Table, instance: v.Instance, key: v.Key}
	for _, in := range v.Table.Instances {
		if strings.EqualFold(in.Name, v.Instance) {
			c.since, c.columns = in.Created.Time().Format("2006-01-02 15:04"), len(in.Columns)
		}
	}
	return c
}

// lines tell what a table is and why one would seed it.
func (c chosenTable) lines(d *desk, w int) []string {
	out := wrap(" ", "   ", d.look.bold.Render(clean(c.table.String()))+" through "+clean(c.instance), w)
	key := "none: no unique index is captured"
	if len(c.key) > 0 {
		key = clean(strings.Join(c.key, ", "))
	}
	out = append(out, item("Key", key, w)...)
	if c.since == "" {
		out = append(out, item("Captured", fmt.Sprintf("%s is gone: rows keep its name, and the stream reads %s", clean(c.instance), clean(c.others())), w)...)
	} else {
		out = append(out, item("Captured", fmt.Sprintf("since %s on the server's clock, %s", c.since, verdict.Plural(c.columns, "column", "columns")), w)...)
	}
	return append(out, item("Too big?", tooBig(c.table.Rows, keptNow(d.found.source.value)), w)...)
}

func (c chosenTable) others() string {
	var names []string
	for _, in := range c.table.Instances {
		names = append(names, in.Name)
	}
	return strings.Join(names, ", ")
}

// The rows a second that snapshots were measured at, on production servers.
const fastRows, slowRows = 11_000, 4_000

// tooBig answers why one would seed and not take a snapshot: it has to end
// before CDC drops the changes that were made since it began. kept is 0 where
// it is not known.
func tooBig(rows *int64, kept time.Duration) string {
	if rows == nil {
		return "its rows are not shown to this login"
	}
	need := func(perSecond int64) time.Duration { return time.Duration(*rows/perSecond) * time.Second }
	count := *rows
	text := verdict.Plural(count, "row needs", "rows need")
	if count >= 1_000_000 {
		text = rowsShort(rows) + " rows need"
	}
	if need(slowRows) < time.Minute {
		return text + " less than a minute: a snapshot by the stream itself is the simpler way"
	}
	text += fmt.Sprintf(" %s to %s at 11,000 to 4,000 rows/s", roughly(need(fastRows)), roughly(need(slowRows)))
	switch {
	case kept == 0:
		return text + "; how long CDC keeps changes is not known"
	case need(fastRows) > kept:
		return fmt.Sprintf("%s; CDC keeps %s: a snapshot does not fit. Seed from a copy instead.", text, roughly(kept))
	case need(slowRows) > kept:
		return fmt.Sprintf("%s; CDC keeps %s: a snapshot may not fit. Seed from a copy instead.", text, roughly(kept))
	}
	return fmt.Sprintf("%s; CDC keeps %s: a snapshot by the stream itself fits, too", text, roughly(kept))
}

// keptNow is how long CDC keeps changes, by its setting or else by the oldest
// that is there.
func keptNow(v engine.SourceView) time.Duration {
	switch {
	case v.Retention != nil:
		return *v.Retention
	case v.Oldest != nil:
		return max(0, v.Now.Sub(*v.Oldest))
	}
	return 0
}

// roughly is a length of time no finer than an estimate is.
func roughly(d time.Duration) string {
	switch {
	case d >= 24*time.Hour:
		return clock.Words(d.Round(time.Hour))
	case d >= time.Minute:
		return clock.Words(d.Round(time.Minute))
	}
	return clock.Words(d)
}

// uncapturedLines are the tables that cannot be seeded yet, and what makes one
// of them seedable.
func uncapturedLines(d *desk, names []string, err error, w int) []string {
	db := clean(d.found.source.value.Identity.Database)
	out := []string{cut(" "+d.look.bold.Render("Tables of "+db+" without a capture instance: "+verdict.Count(len(names))), w), ""}
	out = append(append(out, howToCapture(w)...), "")
	if err != nil {
		return append(out, d.refusal(err, min(w, proseWidth))...)
	}
	return append(out, inColumns(names, w)...)
}

// howToCapture tells what a DBA does, and what it means for a copy.
func howToCapture(w int) []string {
	w = min(w, proseWidth)
	out := wrap(" ", " ", "A DBA captures a table with", w)
	out = append(out, wrap("   ", "     ", "EXEC sys.sp_cdc_enable_table @source_schema=N'dbo', @source_name=N'TABLE', @role_name=NULL", w)...)
	return append(out, wrap(" ", " ", "Then take the copy: one that began before cannot be seeded. "+
		"A table in neither list is hidden from this login by its permissions or the gating role.", w)...)
}

// inColumns sets names side by side, as many as fit.
func inColumns(names []string, w int) []string {
	cell := 1
	for _, n := range names {
		cell = max(cell, width(clean(n))+2)
	}
	across := max(1, (w-3)/cell)
	down := (len(names) + across - 1) / across
	out := make([]string, down)
	for i, n := range names {
		if i < down {
			out[i] = "   "
		}
		out[i%down] += fill(clean(n), cell)
	}
	for i := range out {
		out[i] = cut(strings.TrimRight(out[i], " "), w)
	}
	return out
}
