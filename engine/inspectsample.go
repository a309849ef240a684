package engine

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
)

// refusedSample is what a value becomes under an answer that does not write it.
const refusedSample = "refused"

// sampleChoices shows for each choice what it makes of one value of the copy: of
// one that tells the choices apart, where the values looked at have one.
func (in *columnsInspection) sampleChoices(ctx context.Context, lines []ColumnLine) error {
	for i, c := range in.plan.Columns.Columns {
		for j := range lines[i].Asks {
			a := &lines[i].Asks[j]
			zoneOpen := slices.ContainsFunc(in.open[c.Target.Name], asksZone)
			if a.Flag != cast.FlagZone && (a.Flag != cast.FlagCast || zoneOpen) {
				continue // while the zone is open, what would be written cannot be told
			}
			if err := in.sampleAsk(ctx, c, a, lines[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// sampleAsk looks through the files of the first class that has the column.
func (in *columnsInspection) sampleAsk(ctx context.Context, c cast.ColumnPlan, a *Ask, l ColumnLine) error {
	rows := int64(batchRows)
	differs := len(l.Effects) > 0 // for some value among those looked at
	if differs {
		rows = sampleRows
	}
	for _, class := range in.copy.Classes {
		tries, columns, err := in.tries(c, *a, class)
		if err != nil {
			return err
		}
		if len(tries) == 0 {
			continue
		}
		files := 0
		for _, f := range in.copy.Files {
			if f.Class != class.ID || f.Rows == 0 {
				continue
			}
			if files++; files > sampleFiles {
				break
			}
			found, err := in.tryFile(ctx, f, columns, tries, rows, a)
			if err != nil || found || !differs && a.Choices[tries[0].choice].Sample != "" {
				return err
			}
		}
		return nil
	}
	return nil
}

// try is one choice with a caster that follows it.
type try struct {
	choice int
	answer cast.Answer
	caster *cast.Caster
}

// tries makes a caster for each choice that the class's rule takes, of this
// column alone.
func (in *columnsInspection) tries(c cast.ColumnPlan, a Ask, class schema.FileClass) (out []try, columns []string, err error) {
	i := slices.IndexFunc(c.Rules, func(r cast.Rule) bool { return r.Class == class.ID })
	if i < 0 || c.Rules[i].Source == nil {
		return nil, nil, nil
	}
	for k, choice := range a.Choices {
		rule := c.Rules[i]
		if a.Flag == cast.FlagZone {
			rule.Zone = choice.Value
		} else if rule.Answer = cast.Answer(choice.Value); !slices.Contains(rule.Choices(c.Target), rule.Answer) {
			continue
		}
		m := cast.Mapping{Columns: []cast.ColumnPlan{{Target: c.Target, Rules: []cast.Rule{rule}}}}
		caster, err := m.Preview(class.ID, asof.Location)
		if err != nil {
			return nil, nil, err
		}
		out, columns = append(out, try{choice: k, answer: rule.Answer, caster: caster}), caster.Columns()
	}
	return out, columns, nil
}

// tryFile casts up to rows rows of a file under every choice and stops at the
// first value that tells them apart. The first value of all is shown meanwhile.
func (in *columnsInspection) tryFile(ctx context.Context, f lakecopy.File, columns []string, tries []try, rows int64, a *Ask) (found bool, err error) {
	scan := in.copy.Read(ctx, f, columns, batchRows)
	if in.filter != nil {
		scan = scan.ExcludeFlagged(*in.filter)
	}
	defer func() { _ = scan.Close() }() // it was only read
	for read := int64(0); read < rows && scan.Next(); {
		rec := scan.Record()
		if found, err = tryBatch(rec, f, tries, a); err != nil || found {
			return found, err
		}
		read += rec.NumRows()
	}
	return false, storeError("reading the copy", scan.Err())
}

func tryBatch(rec arrow.Record, f lakecopy.File, tries []try, a *Ask) (found bool, err error) {
	made := make([]arrow.Array, 0, len(tries))
	defer func() {
		for _, m := range made {
			m.Release()
		}
	}()
	for _, t := range tries {
		out, err := t.caster.Cast(rec, cast.Place{File: f.Key, FirstRow: 1})
		if err != nil {
			return false, err
		}
		made = append(made, out...)
	}
	src := rec.Column(0)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		apart := tellsApart(made, i)
		if apart || a.Choices[tries[0].choice].Sample == "" {
			for k, t := range tries {
				a.Choices[t.choice].Sample = cast.ValueText(src, i) + " -> " + madeText(made[k], t.answer, i)
			}
		}
		if apart {
			return true, nil
		}
	}
	return false, nil
}

// apartRows is how many rows of a batch are compared as text.
const apartRows = 512

// tellsApart reports whether the choices make different things of the value at
// i: one does not write it, or, of the first rows, their texts differ.
func tellsApart(made []arrow.Array, i int) bool {
	for _, m := range made {
		if m.IsNull(i) || i < apartRows && cast.ValueText(m, i) != cast.ValueText(made[0], i) {
			return true
		}
	}
	return false
}

func madeText(m arrow.Array, answer cast.Answer, i int) string {
	switch {
	case !m.IsNull(i):
		return cast.ValueText(m, i)
	case answer == cast.Null:
		return "NULL"
	}
	return refusedSample
}
