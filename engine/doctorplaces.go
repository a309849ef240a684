package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// known reports whether the table was read: what a copy and a target are
// compared with.
func (d *doctor) known() bool { return d.table != nil && d.stuck == "" }

// uncompared notes that a place was looked at by itself.
func (d *doctor) uncompared(what string) []Finding {
	why := "the table could not be read"
	if d.request.Table == "" {
		why = "no table is named"
	}
	return []Finding{advised(verdict.Noted(fmt.Sprintf("the %s is not compared with the table: %s", what, why), ""), "Give --table with a table that this login may use.")}
}

// lookAtCopy tells what lies at the copy's path, and how it fits the table.
func (d *doctor) lookAtCopy(ctx context.Context) []Finding {
	if d.request.Copy == "" {
		return nil
	}
	limit := placeLimits * d.options.Limit
	if !d.known() {
		aside := doctor{} // it needs no connection that may be stuck
		v, err := bounded(ctx, &aside, limit, "the copy", func(ctx context.Context) (CopyView, error) { return copyAlone(ctx, d.request) })
		if err != nil {
			return []Finding{stops(err)}
		}
		return append(finds(v.found(), v.times()), d.uncompared("copy")...)
	}
	v, err := bounded(ctx, d, limit, "the copy", func(ctx context.Context) (CopyView, error) {
		return InspectCopy(ctx, d.session, d.request, nil)
	})
	if err != nil && v.URL == "" {
		return []Finding{stops(err)}
	}
	d.copy = v
	found := finds(v.found(), v.times())
	found = append(found, v.columnsFound()...)
	found = append(found, finds(v.Checks...)...)
	if err != nil { // marks that no answer settles
		return append(found, stops(err))
	}
	return append(found, d.casts(ctx)...)
}

// copyAlone looks at the copy where there is no table to compare it with.
func copyAlone(ctx context.Context, r Request) (CopyView, error) {
	part, err := Request{Copy: r.Copy}.Absolute()
	if err != nil {
		return CopyView{}, err
	}
	from, o, err := openCopy(part.Copy)
	if err != nil {
		return CopyView{}, err
	}
	c, err := lakecopy.Open(ctx, from, o)
	if err != nil {
		return CopyView{}, err
	}
	return viewOfCopy(&builder{request: part, copy: c}), nil
}

func (v CopyView) found() verdict.Check {
	kind := "Parquet files"
	if v.Version != nil {
		kind = fmt.Sprintf("a Delta table, version %d", *v.Version)
	}
	return verdict.Okay(fmt.Sprintf("the copy is %s: %s, %s, %s", kind, verdict.Plural(v.Files, "file", "files"), verdict.Plural(v.Rows, "row", "rows"), Size(v.Bytes)),
		verdict.Facts("at", v.URL)...)
}

func (v CopyView) times() verdict.Check {
	return verdict.Okay(fmt.Sprintf("its files are from %s to %s; as_of cannot be later than %s", v.First, v.Last, v.Evidence), verdict.Facts("seen in", v.SeenIn)...)
}

// columnsFound compares the names of columns.
func (v CopyView) columnsFound() []Finding {
	found := finds(verdict.Okay(fmt.Sprintf("%d of %s by name in every file; the copy has %d", v.Matched, verdict.Plural(v.Matched+len(v.Missing), "captured column", "captured columns"), v.Columns)))
	if len(v.Missing) > 0 {
		found = append(found, advised(verdict.Noted("captured columns that the copy lacks: "+strings.Join(v.Missing, ", "), ""),
			"A seed asks for each: --missing "+v.Missing[0]+"=null writes NULL, stop refuses."))
	}
	if len(v.Extra) > 0 {
		found = append(found, finds(verdict.Noted("columns of the copy that nothing captures are left out: "+strings.Join(v.Extra, ", "), ""))...)
	}
	return found
}

// casts tells how the columns become the stream's, by their types alone: no
// value is looked at.
func (d *doctor) casts(ctx context.Context) []Finding {
	v, err := ask(ctx, d, "the columns", func(ctx context.Context) (ColumnsView, error) {
		return InspectColumns(ctx, d.session, d.request, d.copy, TargetView{}, false, nil)
	})
	if err != nil {
		return []Finding{stops(err)}
	}
	counts := map[Mark]int{}
	var asks []string
	for _, l := range v.Lines {
		counts[l.Mark]++
		for _, a := range l.Asks {
			if a.Open {
				asks = append(asks, a.Flag+" for "+cmp.Or(a.Column, l.Target, l.Copy))
			}
		}
	}
	found := finds(verdict.Okay(fmt.Sprintf("columns: %d as they are, %d cast and checked, %d that may lose something, %d left out",
		counts[MarkSame], counts[MarkChecked], counts[MarkLoses], counts[MarkLeftOut])))
	found = append(found, finds(v.Checks...)...)
	if len(asks) > 0 {
		found = append(found, advised(verdict.Noted("a seed will ask: "+strings.Join(asks, ", "), "No value was looked at: casts may ask for more."),
			"cdcseed seed --dry-run shows each question with its choices, and writes nothing."))
	}
	return found
}

// lookAtTarget tells what lies at the target's and the facts table's places.
func (d *doctor) lookAtTarget(ctx context.Context) []Finding {
	if d.request.Target == "" {
		return nil
	}
	limit := placeLimits * d.options.Limit
	if !d.known() {
		aside := doctor{}
		v, err := bounded(ctx, &aside, limit, "the target", func(ctx context.Context) (TargetView, error) { return targetAlone(ctx, d.request) })
		if err != nil {
			return []Finding{stops(err)}
		}
		return append(v.findings(), d.uncompared("target")...)
	}
	v, err := bounded(ctx, d, limit, "the target", func(ctx context.Context) (TargetView, error) {
		return InspectTarget(ctx, d.session, d.request)
	})
	if err != nil {
		return []Finding{stops(err)}
	}
	d.target, d.out.Stream = v, v.stream()
	found := v.findings()
	if d.copy.URL != "" {
		found = append(found, finds(v.Room(d.copy))...)
	}
	if v.NeedsNTZ != nil {
		found = append(found, stops(v.NeedsNTZ))
	}
	return found
}

// targetAlone looks at the target where there is no table whose snapshots could
// be looked for in it.
func targetAlone(ctx context.Context, r Request) (TargetView, error) {
	part, err := Request{Target: r.Target}.Absolute()
	if err != nil {
		return TargetView{}, err
	}
	from, err := readPlace("target", part.Target)
	if err != nil {
		return TargetView{}, err
	}
	snap, err := openTable(ctx, from)
	if err != nil {
		return TargetView{}, err
	}
	v := TargetView{TargetPlan: TargetPlan{URL: part.Target, Version: -1, Create: snap == nil}}
	if snap != nil {
		v.Version, v.Protocol, v.Files = snap.Version, protocolText(snap.Protocol), len(snap.Files)
	} else if err := emptyPlace(ctx, "target", "bronze table", from); err != nil {
		return TargetView{}, err
	}
	v.Checks = []verdict.Check{v.status()}
	v.room(v.URL)
	return v, nil
}

// findings are the target's checks, with its place at their end: one where this
// user may not write would stop a seed.
func (v TargetView) findings() []Finding {
	found := finds(v.Checks...)
	path, err := store.LocalPath(v.URL)
	if err != nil {
		return found
	}
	if may, known := store.Writable(path); known && !may && len(found) > 0 {
		last := &found[len(found)-1]
		last.Level, last.Cause = verdict.Stop, verdict.StoreDenied
		last.Do = []string{"Let this user write there, or give another --target."}
	}
	return found
}

// lookAtAsOf maps as_of as planning does.
func (d *doctor) lookAtAsOf(ctx context.Context) []Finding {
	if d.request.AsOf == "" || d.session == nil {
		return nil
	}
	if !d.known() {
		return []Finding{advised(verdict.Noted("as_of is not mapped: L is found for a table", ""), "Give --table with a table that this login may use.")}
	}
	v, err := bounded(ctx, d, mapLimits*d.options.Limit, "as_of", func(ctx context.Context) (AsOfView, error) {
		return InspectAsOf(ctx, d.session, d.request, d.copy, d.target)
	})
	d.asOf, d.refused = v, err
	var found []Finding
	if !v.L.IsZero() {
		found = finds(verdict.Okay(fmt.Sprintf("%s maps to L %s", v.asked(d.request.AsOf), d.position(v.L, v.CommitTS))))
	}
	found = append(found, finds(v.Checks...)...)
	if err != nil {
		found = append(found, stops(err))
	}
	return found
}

// asked is as_of in UTC where it is a time.
func (v AsOfView) asked(text string) string {
	if v.Asked != nil {
		return v.Asked.String()
	}
	return text
}

// lookAtReseed tells what --reseed asks for, each condition by itself.
func (d *doctor) lookAtReseed(context.Context) []Finding {
	if !d.request.Reseed {
		return nil
	}
	conditions := d.target.ReseedConditions(d.copy, d.asOf)
	if len(conditions) == 0 && d.target.URL != "" && !errors.Is(d.refused, verdict.NothingToReseed) { // else it stands above
		return []Finding{stops(nothingToReseed(d.target.TargetPlan))}
	}
	var found []Finding
	for _, c := range conditions {
		switch c.Met {
		case IsMet:
			found = append(found, finds(verdict.Okay(c.Text))...)
		case IsUnmet:
			found = append(found, stops(c.Refusal))
		case IsNotYet:
			found = append(found, finds(verdict.Noted("not known yet whether "+c.Text, "It hangs on what was not given or is refused above."))...)
		}
	}
	return found
}
