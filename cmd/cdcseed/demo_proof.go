package main

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/lsn"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// proof is what the demo found when it opened the target and the facts table
// again, and what the source says of L.
type proof struct {
	L          lsn.LSN `json:"lsn"`
	Rows       int64   `json:"rows"`        // in the target with operation 0 at L
	CopyRows   int64   `json:"copy_rows"`   // in the copy
	CopyHas    lsn.LSN `json:"copy_has"`    // the newest commit whose changes are in the copy
	Version    int64   `json:"version"`     // of the target
	FactsRows  int     `json:"facts_rows"`  // of this app id and L, with event bootstrap
	ToL        int     `json:"to_l"`        // commits in the source at or before L
	AfterL     int     `json:"after_l"`     // commits after L: what the stream reads
	Again      int     `json:"again"`       // of those, commits that the copy has already: read again, to no harm
	Changes    int     `json:"changes"`     // rows that the commits after L change
	SourceRows int     `json:"source_rows"` // in the source now
	Differ     int     `json:"differ"`      // keys where the seeded rows with those changes applied are not the source's rows
}

// holds is the refusal to call something proved that is not.
func (p proof) holds() error {
	if p.Rows == p.CopyRows && p.FactsRows == 1 && p.Differ == 0 && p.L.Compare(p.CopyHas) <= 0 {
		return nil
	}
	return &verdict.Error{
		Code: verdict.Unexpected, What: "what was read back is not what the seed should have written",
		Wrote: "The seed is in the target.",
		Facts: verdict.Facts("rows in the target", p.Rows, "in the copy", p.CopyRows, "facts rows", p.FactsRows, "L", p.L, "the copy has", p.CopyHas,
			"rows that differ after the changes", p.Differ),
		Hint: []string{"Please report this with the command and its output."},
	}
}

// prove reads the target and the facts table back.
func (d *demo) prove(ctx context.Context, plan engine.Plan, stores engine.Stores, began fakeserver.LSN) (proof, error) {
	p := proof{L: plan.AsOf.L, CopyRows: plan.Copy.Rows, CopyHas: lsn.LSN(began)}
	snap, err := delta.Open(ctx, stores.Target)
	if err != nil {
		return p, err
	}
	p.Version = snap.Version
	var seeded statuses
	if seeded, p.Rows, err = seededStatuses(ctx, stores.Target, p.L); err != nil {
		return p, err
	}
	if p.FactsRows, err = factsRows(ctx, stores.Facts, plan); err != nil {
		return p, err
	}
	commits, err := d.commits()
	if err != nil {
		return p, err
	}
	for _, c := range commits {
		if lsn.LSN(c.LSN).Compare(p.L) <= 0 {
			p.ToL++
			continue
		}
		p.AfterL++
		p.Changes += len(c.Changes)
		if lsn.LSN(c.LSN).Compare(p.CopyHas) <= 0 {
			p.Again++
		}
		for _, change := range c.Changes {
			if _, err := seeded.apply(change); err != nil {
				return p, err
			}
		}
	}
	source := d.statusesAt(nil)
	p.SourceRows, p.Differ = len(source), source.differ(seeded)
	return p, p.holds()
}

// factsRows counts the rows that record this seed.
func factsRows(ctx context.Context, r store.Reader, plan engine.Plan) (n int, err error) {
	err = eachRow(ctx, r, []string{"app_id", "event", "max_lsn"}, func(rec arrow.Record, i int) error {
		want := []string{plan.Facts.AppID, bronze.EventBootstrap, plan.AsOf.L.String()}
		for c, text := range want {
			column, ok := rec.Column(c).(*array.String)
			if !ok {
				return fmt.Errorf("the facts table's columns have other types than they should: %v", rec.Schema())
			}
			if column.Value(i) != text {
				return nil
			}
		}
		n++
		return nil
	})
	return n, err
}

// eachRow reads the newest version of a Delta table.
func eachRow(ctx context.Context, r store.Reader, columns []string, do func(rec arrow.Record, i int) error) error {
	t, err := lakecopy.Open(ctx, r, lakecopy.Options{})
	if err != nil {
		return err
	}
	for _, f := range t.Files {
		if err := eachRowOf(t.Read(ctx, f, columns, proofBatch), do); err != nil {
			return err
		}
	}
	return nil
}

// proofBatch is how many rows are read at a time.
const proofBatch = 4096

func eachRowOf(scan *lakecopy.Scanner, do func(rec arrow.Record, i int) error) error {
	defer func() { _ = scan.Close() }() // it was only read
	for scan.Next() {
		rec := scan.Record()
		for i := range int(rec.NumRows()) {
			if err := do(rec, i); err != nil {
				return err
			}
		}
	}
	return scan.Err()
}
