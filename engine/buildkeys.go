package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/cast"
	"cdcseed/engine/duplicates"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// countKeys counts the keys that stand more than once, where that was asked for. It
// may take hours, so it comes last, and only where nothing else forbids the plan.
func (b *builder) countKeys(ctx context.Context) error {
	if !b.request.CountKeys || b.plan.State == AlreadySeeded {
		return nil
	}
	if len(b.plan.Stops) > 0 || b.copy == nil {
		b.check(verdict.Noted("keys were not counted: something has to change first", "They are counted once nothing else forbids the plan."))
		return nil
	}
	key, err := b.keyColumns()
	if err != nil {
		b.stop(err)
		return nil
	}
	b.tell("looking for keys that stand twice")
	k := b.newKeyCount(key)
	found, err := k.count(ctx)
	if err = errors.Join(err, k.close()); err != nil {
		return storeError("counting keys", err)
	}
	if err := k.report.Err(); err != nil {
		b.stop(err) // of values that a sample had not met
		return nil
	}
	b.plan.Keys = k.plan(found)
	b.check(b.plan.Keys.checks()...)
	return nil
}

// keyColumns are the columns of the configured instance's unique index, in its
// order. Refusal: verdict.NoKey.
func (b *builder) keyColumns() (cast.Mapping, error) {
	refused := func(what, why string, hint ...string) (cast.Mapping, error) {
		return cast.Mapping{}, &verdict.Error{
			Code: verdict.NoKey, What: what, Facts: verdict.Facts("capture instance", b.plan.Table.Instance), Why: why,
			Hint: append(hint, "Leave keys out of --check: the seed does not need them counted."),
		}
	}
	in := instanceOf(b.table, b.plan.Table.Instance)
	if in == nil || len(in.Key) == 0 {
		return refused("keys cannot be counted: the capture instance knows no unique index of the table",
			"A table without a primary key, captured without the name of a unique index, has no columns that tell its rows apart.",
			"Where the table has a unique index, capture it again with @index_name, and seed under that instance.")
	}
	var out cast.Mapping
	for _, name := range in.Key {
		i := slices.IndexFunc(b.plan.Columns.Columns, func(c cast.ColumnPlan) bool { return schema.SameName(c.Target.Name, name) })
		if i < 0 {
			return refused(fmt.Sprintf("keys cannot be counted: column %q of the unique index is not written", name),
				"A computed column is NULL in every change row, and one that is not captured is in none.")
		}
		out.Columns = append(out.Columns, b.plan.Columns.Columns[i])
	}
	return out, nil
}

// newKeyCount prepares to count the values of these columns.
func (b *builder) newKeyCount(key cast.Mapping) *keyCount {
	k := &keyCount{
		copy: b.copy, filter: b.filter, places: map[string]int{}, parts: b.allParts, key: key, rows: b.plan.Copy.Rows, now: b.session.now,
		told: func(done, total int64, unit string) {}, report: cast.Merge(),
	}
	for i, f := range b.copy.Files {
		k.places[f.Key] = i
	}
	if notify := b.options.Notify; notify != nil {
		k.told = func(done, total int64, unit string) {
			notify(Progress{Phase: Recheck, Done: done, Total: total, Unit: unit})
		}
	}
	var columns []duplicates.Column
	for _, c := range key.Columns {
		columns = append(columns, duplicates.Column{Name: c.Target.Name, SQL: c.Target.SQL, Type: cast.ArrowType(c.Target.Type)})
	}
	// What an earlier run left is not worth a refusal, whatever hinders its removal.
	left, _ := store.SweepScratch(b.options.Scratch, b.session.now().Time())
	for _, path := range left {
		b.tell("keys are sorted in " + path + " too, or were by a run that was killed; what is a day old is removed")
	}
	k.columns = columns
	k.counter = duplicates.New(duplicates.Options{
		Columns: columns, Writers: keyReaders(), Memory: b.options.KeyMemory, Rows: k.rows, Text: cast.ValueText,
		Space: func() (duplicates.Space, error) { return k.space(b.options.Scratch) },
	})
	return k
}

// checks are what was found, as findings: a key that stands twice, or may, has to
// be accepted by name.
func (k *KeysPlan) checks() []verdict.Check {
	var out []verdict.Check
	columns := strings.Join(k.Columns, ", ")
	if k.Keys > 0 {
		out = append(out, verdict.Warned(verdict.DuplicateKeys,
			fmt.Sprintf("%s more than once in the copy (%s): %s too many",
				verdict.Plural(k.Keys, "key stands", "keys stand"), columns, verdict.Plural(k.Extra, "row", "rows")),
			"The source's unique index allows each key once. Rows that were read while they moved, and parts that were loaded twice, look like this; "+
				"so do two keys that one cast makes the same. All of them are written; what is rebuilt from the seed keeps one of each, perhaps the older."))
	}
	if k.Groups > 0 {
		out = append(out, verdict.Warned(verdict.DuplicateKeys,
			fmt.Sprintf("%s (%s) may be the same under collation %s",
				verdict.Plural(k.GroupKeys+k.Groups, "key", "keys"), columns, strings.Join(k.Collations, ", ")),
			"They are written otherwise, and only the server knows whether its index takes them for one: "+
				"SELECT with = and COLLATE tells. Keys that it tells apart are right as they are."))
	}
	if k.Sure() {
		out = append(out, verdict.Okay(fmt.Sprintf("no two of %s have the same key (%s)", verdict.Plural(k.Rows, "row", "rows"), columns)))
	}
	return out
}
