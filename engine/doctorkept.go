package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// askRetention asks what the cleanup job keeps, in both places where it stands.
func (d *doctor) askRetention(ctx context.Context) {
	owners, known := optional(ctx, d, optionalRead{
		name: "sys.sp_cdc_help_jobs", shows: "what the cleanup job keeps", grant: "ALTER ROLE db_owner ADD MEMBER {user}; allows far more than that: msdb.dbo.cdc_jobs shows the same.",
	}, d.session.source.OwnersRetention)
	msdb, also := optional(ctx, d, optionalRead{
		name: "msdb.dbo.cdc_jobs", shows: "what the cleanup job keeps", grant: "USE msdb; " + msdbUser + " GRANT SELECT ON dbo.cdc_jobs TO {login};",
	}, d.session.source.MsdbRetention)
	if d.set = owners; d.set == nil {
		d.set = msdb
	}
	d.noJob = d.set == nil && (known || also)
}

// window is what an instance keeps.
type window struct {
	table    Table
	instance schema.Instance
	low      *lsn.LSN       // the oldest kept position; nil where the server gives none
	at       *clock.Instant // of the commit there; nil where unknown
	earliest *clock.Instant // the earliest as_of; nil where unknown
	err      error
}

// windowsShown is how many instances are asked for where no table is named.
const windowsShown = 50

// lookAtTables tells of each capture instance from where its changes are kept
// and how far as_of may lie back.
func (d *doctor) lookAtTables(ctx context.Context) []Finding {
	switch {
	case d.noTable != nil:
		return []Finding{stops(d.noTable)}
	case d.table != nil:
		v := d.table
		rows := "rows not known to this login"
		if v.Table.Rows != nil {
			rows = "about " + verdict.Plural(*v.Table.Rows, "row", "rows")
		}
		key := "no key"
		if len(v.Key) > 0 {
			key = "key " + strings.Join(v.Key, ", ")
		}
		found := finds(verdict.Okay(fmt.Sprintf("%s, %s, %s, as capture instance %s", v.Table, rows, key, v.Instance)))
		for _, in := range v.Table.Instances {
			found = append(found, d.windowOf(ctx, v.Table, in)...)
		}
		return append(found, finds(v.Checks...)...)
	}
	var found []Finding
	left := 0
	for _, t := range d.tables {
		for _, in := range t.Instances {
			if len(d.windows) == windowsShown {
				left++
				continue
			}
			found = append(found, d.windowOf(ctx, t, in)...)
		}
	}
	if left > 0 {
		found = append(found, advised(verdict.Noted(fmt.Sprintf("%s more are not asked for", verdict.Plural(left, "capture instance", "capture instances")), ""),
			"Name a table with --table."))
	}
	return found
}

func (d *doctor) windowOf(ctx context.Context, t Table, in schema.Instance) []Finding {
	w := window{table: t, instance: in}
	if d.clock != nil {
		read, err := ask(ctx, d, "what is kept of "+in.Name, func(ctx context.Context) (window, error) {
			return d.readWindow(ctx, window{table: t, instance: in})
		})
		if w.err = err; err == nil {
			w = read
		}
	}
	d.windows = append(d.windows, w)
	found := d.tell(w)
	for i := range found {
		found[i].About = in.Name
	}
	return found
}

func (d *doctor) readWindow(ctx context.Context, w window) (window, error) {
	var err error
	if w.low, w.at, err = d.session.source.OldestKept(ctx, d.clock.Clock, w.instance.Name); err != nil || w.low == nil {
		return w, err
	}
	w.earliest, err = d.session.source.EarliestAsOf(ctx, d.clock.Clock, w.instance.Name)
	return w, err
}

func (d *doctor) tell(w window) []Finding {
	in := w.instance
	name := fmt.Sprintf("%s (%s of %s, created %s on the server's clock)", in.Name, verdict.Plural(len(in.Columns), "column", "columns"), w.table, in.Created.FloorSecond())
	switch {
	case w.err != nil:
		return []Finding{stops(w.err)}
	case in.StartLSN == nil:
		return []Finding{advised(verdict.Noted(name+" has no start yet: capture has not seen it", "Until it has, there is no position from which its changes are kept."),
			"Try again in a few minutes; if it stays so, see whether the capture job runs.")}
	case d.clock == nil:
		return finds(verdict.Okay(fmt.Sprintf("%s starts at %s", name, *in.StartLSN)))
	case w.low == nil:
		return []Finding{advised(verdict.Noted(fmt.Sprintf("%s starts at %s, and the server gives no oldest kept position", name, *in.StartLSN), "It answers so where the instance is gone or the login may not use it."),
			"Grant the login SELECT on all captured columns of the table, and membership in the gating role if there is one.")}
	}
	found := finds(verdict.Okay(name+" keeps changes from "+d.position(*w.low, w.at), instanceFacts(in)...))
	if w.earliest != nil {
		if back := d.clock.UTC.Sub(*w.earliest); back > 0 {
			found = append(found, finds(verdict.Okay(fmt.Sprintf("%s: as_of may lie back %s, to %s", in.Name, words(back), d.bothTimes(*w.earliest))))...)
		} else {
			found = append(found, finds(verdict.Noted(fmt.Sprintf("%s: no as_of is early enough before %s", in.Name, d.bothTimes(*w.earliest)), ""))...)
		}
	}
	return found
}

// instanceFacts are an instance as the server describes it, for a ticket.
func instanceFacts(in schema.Instance) []verdict.Fact {
	names := make([]string, 0, len(in.Columns))
	for _, c := range in.Columns {
		if c.Type.Name != "" {
			names = append(names, c.Name+" "+c.Type.String())
			continue
		}
		names = append(names, c.Name)
	}
	facts := verdict.Facts("columns", strings.Join(names, ", "))
	if len(in.Key) > 0 {
		facts = append(facts, verdict.Facts("key", strings.Join(in.Key, ", "))...)
	}
	if in.StartLSN != nil {
		facts = append(facts, verdict.Facts("start_lsn", *in.StartLSN)...)
	}
	if in.Role != "" {
		facts = append(facts, verdict.Facts("gating role", in.Role)...)
	}
	return facts
}

// cleanupEvery is how long after the retention has ended a change may still be
// there: the cleanup job runs once a day, and takes its time.
const cleanupEvery = 26 * time.Hour

// lookAtRetention puts what the cleanup job keeps beside what is kept.
func (d *doctor) lookAtRetention(ctx context.Context) []Finding {
	if d.session == nil || !d.on {
		return nil
	}
	v := d.view()
	if d.clock != nil {
		var err error
		if v.Oldest, err = ask(ctx, d, "the oldest kept commit", func(ctx context.Context) (*clock.Instant, error) {
			return d.session.source.Oldest(ctx, d.clock.Clock)
		}); err != nil {
			return []Finding{stops(err)}
		}
	}
	set := v.keeps()
	if d.noJob {
		set = verdict.Noted("there is no cleanup job", "What removes old changes here, if anything does, is not known, and how long an L stays readable is a guess.")
	}
	found := finds(set)
	for _, w := range d.windows {
		if w.at != nil && d.clock != nil {
			f := d.sideBySide(w)
			f.About = w.instance.Name
			found = append(found, f)
		}
	}
	return found
}

// sideBySide compares what the cleanup job keeps with how far an instance reaches
// back. Cleanup counts back from the newest captured commit.
func (d *doctor) sideBySide(w window) Finding {
	seen := d.clock.UTC.Sub(*w.at)
	set := "not known"
	if d.set != nil {
		set = words(*d.set)
	}
	text := fmt.Sprintf("%s: as set %s, as seen %s (from %s)", w.instance.Name, set, words(max(0, seen)), d.bothTimes(*w.at))
	if d.set == nil {
		return Finding{Check: verdict.Okay(text, verdict.Facts("oldest kept commit", *w.at)...)}
	}
	facts := verdict.Facts("cleanup keeps", clock.Words(*d.set), "oldest kept commit", *w.at)
	from := seen
	if n := d.clock.Newest; n != nil {
		from = n.UTC.Sub(*w.at)
	}
	switch {
	case seen < *d.set && d.moved(w):
		return advised(verdict.Noted(text+": they do not agree, something else cleans the change tables",
			"The oldest kept position went up before the cleanup job would have moved it. What the job keeps then says nothing about how long an L stays readable.", facts...),
			"Find what calls sys.sp_cdc_cleanup_change_table: another connector has an option for it.")
	case from > *d.set+cleanupEvery:
		return advised(verdict.Noted(text+": they do not agree, cleanup seems not to run", "More is kept than is set, until cleanup runs: then much goes at once.", facts...),
			"Seed soon, or ask whether the cleanup job is meant to stand still.")
	case seen < *d.set:
		return Finding{Check: verdict.Okay(text+": it was created only then", facts...)}
	}
	return Finding{Check: verdict.Okay(text+": they agree", facts...)}
}

// moved reports whether an instance's oldest kept position is later than its start was.
func (d *doctor) moved(w window) bool {
	created, err := d.clock.Clock.First(w.instance.Created)
	return err == nil && !sqlserver.NeverMoved(*w.at, created)
}
