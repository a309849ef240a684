package bronze

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Pen is what writing commits takes from outside.
type Pen struct {
	Engine string // cdcseed/<version>
	Now    func() clock.Instant
	NewID  func() string // a new UUID each time
}

// FactsFit is how a seed's row fits into an existing facts table.
type FactsFit struct {
	Migration *Migration // of an older table, to be committed before the row
	Notes     []verdict.Check

	columns []Column // that a row may fill, in the table's order and spelling, as after the migration
}

// FitFacts looks at a facts table that exists. An older one is fitted as it is
// once it is migrated. Refusals: FactsNotFacts, FactsFeature, TargetMigration.
func FitFacts(snap *delta.Snapshot) (*FactsFit, error) {
	k := factsKind()
	if err := factsShaped(snap, k); err != nil {
		return nil, err
	}
	notes, err := newer(snap, k)
	if err != nil {
		return nil, err
	}
	f := &FactsFit{Notes: notes}
	if f.Migration, snap, err = k.migrate(snap); err != nil {
		return nil, err
	}
	for _, field := range snap.Schema.Fields {
		for _, c := range k.columns {
			if schema.SameName(c.Name, field.Name) {
				f.columns = append(f.columns, Column{Name: field.Name, Type: c.Type})
			}
		}
	}
	if key := "delta.setTransactionRetentionDuration"; snap.Metadata.Configuration[key] != "" {
		f.Notes = append(f.Notes, verdict.Warned(verdict.FactsTxnExpires, "the facts table forgets after a while who wrote it",
			"A row that is offered again after that is written twice.", verdict.Facts(key, snap.Metadata.Configuration[key])...))
	}
	return f, asFacts(snap.Appendable(names(f.columns)...))
}

// Recorded reports whether the facts table remembers a row of TxnAppID(appID):
// the seed's row, or another first snapshot's under that app id.
func Recorded(snap *delta.Snapshot, appID string) bool {
	version, ok := snap.Txns[TxnAppID(appID)]
	return ok && version >= 0
}

// attempts bounds how often a commit that others came before is tried again.
const attempts = 20

// WriteFact writes a seed's row into the facts table, which it creates where it
// is missing and migrates where it is older. written is false where a row of that app id stands there already,
// and then nothing is written. Of several writers of one row exactly one writes it.
func WriteFact(ctx context.Context, w store.Writer, f Fact, pen Pen) (written bool, err error) {
	var staged *store.Object
	var stats string
	done := false
	defer func() {
		// After an unknown outcome the file may belong to the table.
		if staged != nil && !done && !errors.Is(err, verdict.CommitUnknown) {
			err = errors.Join(err, w.Remove(context.WithoutCancel(ctx), staged.Key))
		}
	}()
	for attempt := range attempts {
		if err := pause(ctx, attempt); err != nil {
			return false, err
		}
		snap, err := openFacts(ctx, w, pen)
		if errors.Is(err, store.ErrExist) {
			continue
		}
		if err != nil {
			return false, err
		}
		if Recorded(snap, f.AppID) {
			return false, nil
		}
		fit, err := FitFacts(snap)
		if err != nil {
			return false, err
		}
		if fit.Migration != nil {
			if err := migrateFacts(ctx, w, snap, fit.Migration, pen); err != nil && !errors.Is(err, store.ErrExist) {
				return false, err
			}
			continue // the table is read again, whoever migrated it
		}
		if staged == nil {
			if staged, stats, err = stageFact(ctx, w, snap, f, fit.columns, pen); err != nil {
				return false, err
			}
		}
		version, data, err := snap.Lines(factCommit(f, *staged, stats, pen), pen.Now())
		if err != nil {
			return false, asFacts(err)
		}
		switch err := delta.Put(ctx, w, version, data); {
		case err == nil:
			done = true
			return true, nil
		case !errors.Is(err, store.ErrExist):
			return false, err
		}
	}
	return false, &verdict.Error{
		Code:  verdict.TargetChanged,
		What:  fmt.Sprintf("other writers came first in the facts table %q each time its row was to be written", w.URL()),
		Facts: verdict.Facts("attempts", attempts),
		Hint:  []string{"Run again: the row is offered again."},
	}
}

// pause waits a little before another attempt, unlike the other writers.
func pause(ctx context.Context, attempt int) error {
	if attempt == 0 {
		return ctx.Err()
	}
	most := min(time.Second, 10*time.Millisecond<<attempt)
	t := time.NewTimer(rand.N(most) + time.Millisecond)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// openFacts reads the facts table, creating it first where there is none.
// store.ErrExist means that another created it just now.
func openFacts(ctx context.Context, w store.Writer, pen Pen) (*delta.Snapshot, error) {
	snap, err := delta.Open(ctx, w)
	if !errors.Is(err, delta.ErrNoTable) {
		return snap, err
	}
	c := Commit{Engine: pen.Engine, TxnID: pen.NewID(), At: pen.Now()}
	create, err := NewFacts(pen.NewID(), c)
	if err != nil {
		return nil, err
	}
	data, err := create.Lines(c.At)
	if err != nil {
		return nil, err
	}
	if err := delta.Put(ctx, w, 0, data); err != nil {
		return nil, err
	}
	return delta.Open(ctx, w)
}

// migrateFacts commits a migration. store.ErrExist means that another writer was first.
func migrateFacts(ctx context.Context, w store.Writer, snap *delta.Snapshot, m *Migration, pen Pen) error {
	a, err := m.Commit(Commit{Engine: pen.Engine, TxnID: pen.NewID()})
	if err != nil {
		return err
	}
	version, data, err := snap.Lines(a, pen.Now())
	if err != nil {
		return asFacts(err)
	}
	return delta.Put(ctx, w, version, data)
}

// stageFact writes the row's file, which no commit names yet.
func stageFact(ctx context.Context, w store.Writer, snap *delta.Snapshot, f Fact, columns []Column, pen Pen) (_ *store.Object, stats string, err error) {
	row, err := f.Record(columns)
	if err != nil {
		return nil, "", err
	}
	defer row.Release()
	rec := inFile(row, snap)
	defer rec.Release()
	up, err := w.Create(ctx, "part-00000-"+pen.NewID()+".c000.snappy.parquet")
	if err != nil {
		return nil, "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, up.Abort(context.WithoutCancel(ctx)))
		}
	}()
	pw, err := parquetfile.NewWriter(up, rec.Schema(), parquetfile.WriterOptions{CreatedBy: pen.Engine})
	if err != nil {
		return nil, "", err
	}
	if err := pw.Write(rec); err != nil {
		return nil, "", err
	}
	sum, err := pw.Close()
	if err != nil {
		return nil, "", err
	}
	o, err := up.Finish(ctx)
	if err != nil {
		return nil, "", err
	}
	return &o, sum.Stats, nil
}

func factCommit(f Fact, o store.Object, stats string, pen Pen) delta.Append {
	updated := int64(pen.Now()) / clock.Millisecond
	return delta.Append{
		Operation:  "WRITE",
		Parameters: []delta.Pair{{Key: "mode", Value: "Append"}, {Key: "partitionBy", Value: "[]"}},
		Metrics: []delta.Pair{
			{Key: "numFiles", Value: 1}, {Key: "numOutputRows", Value: 1}, {Key: "numOutputBytes", Value: o.Size},
		},
		Adds:       []delta.Add{delta.NewAdd(o, stats)},
		Txn:        &delta.Txn{AppID: TxnAppID(f.AppID), Version: 0, LastUpdated: &updated},
		EngineInfo: pen.Engine, TxnID: pen.NewID(),
	}
}

// factsShaped refuses a table that the stream did not make.
func factsShaped(snap *delta.Snapshot, k kind) error {
	var missing, other []string
	for _, want := range k.columns {
		have, ok := snap.Schema.Field(want.Name)
		switch {
		case !ok && k.due(snap, want.Name):
		case !ok:
			missing = append(missing, want.Name)
		case primitive(have) != want.Type.Delta():
			other = append(other, fmt.Sprintf("%s is %s, not %s", have.Name, primitive(have), want.Type.Delta()))
		}
	}
	if len(missing) == 0 && len(other) == 0 {
		return nil
	}
	return notFacts(snap, missing, other)
}

func notFacts(snap *delta.Snapshot, missing, other []string) error {
	what := fmt.Sprintf("the Delta table %q is no facts table: ", snap.URL())
	if len(missing) > 0 {
		what += "it lacks " + strings.Join(missing, ", ")
	} else {
		what += strings.Join(other, "; ")
	}
	return &verdict.Error{
		Code: verdict.FactsNotFacts, What: what,
		Why:  "The stream looks there for the row of its first snapshot.",
		Hint: []string{"Give --facts the table that the stream's job has as facts_table, or a place where no table is yet."},
	}
}

// asFacts turns a refusal of a target's feature into one of the facts table's.
func asFacts(err error) error {
	var e *verdict.Error
	if !errors.As(err, &e) || (e.Code != verdict.TargetFeature && e.Code != verdict.TargetNeedsNTZ) {
		return err
	}
	of := *e
	of.Code = verdict.FactsFeature
	return &of
}
