package fakeserver

import "fmt"

// edit is one row changed: before is nil for an insert, after for a delete.
type edit struct {
	table         *table
	before, after []any
	// moved marks both halves of an update that changed the primary key: the log
	// has it as a delete and an insert of one command.
	moved bool
}

// applyAll makes the changes of one commit, all or none.
func (d *database) applyAll(changes []Change, path string) ([]edit, error) {
	var done []edit
	for i, c := range changes {
		edits, err := d.editsFrom(c, fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			for n := len(done) - 1; n >= 0; n-- {
				done[n].undo()
			}
			return nil, err
		}
		for _, e := range edits {
			e.apply()
		}
		done = append(done, edits...)
	}
	return done, nil
}

// editsFrom reads one change against the table as it stands, without applying
// it: one edit, or two for an update that moves a row to another key.
func (d *database) editsFrom(c Change, path string) ([]edit, error) {
	t := d.tableByText(c.Table)
	if t == nil {
		return nil, at(path+".table", "there is no table %q", c.Table)
	}
	switch c.Op {
	case "insert":
		if c.Key != nil {
			return nil, at(path+".key", "an insert has a row, not a key")
		}
		row, err := t.rowFrom(c.Row, path+".row")
		if err != nil {
			return nil, err
		}
		if _, ok := t.at[t.keyText(row)]; ok && len(t.key) > 0 {
			return nil, errKeyTaken(t, path+".row")
		}
		return []edit{{table: t, after: row}}, d.complete(t, row, path+".row")
	case "update":
		return d.updateFrom(t, c, path)
	case "delete":
		if c.Row != nil {
			return nil, at(path+".row", "a delete has a key, not a row")
		}
		before, _, err := t.find(c.Key, path+".key", true)
		return []edit{{table: t, before: before}}, err
	}
	return nil, at(path+".op", "%q is not insert, update or delete", c.Op)
}

func errKeyTaken(t *table, path string) error {
	return at(path, "table %s.%s already has this key", t.schema, t.name)
}

// updateFrom finds the row by its key, which stands in the row or, for a key
// that changes, beside it.
func (d *database) updateFrom(t *table, c Change, path string) ([]edit, error) {
	var before []any
	var set map[int]any
	var err error
	if c.Key == nil {
		before, set, err = t.find(c.Row, path+".row", false)
	} else if before, _, err = t.find(c.Key, path+".key", true); err == nil {
		set, err = t.given(c.Row, path+".row")
	}
	if err != nil {
		return nil, err
	}
	after := append([]any{}, before...)
	for i, v := range set {
		if t.columns[i].identity && !sameValue(v, before[i]) {
			return nil, at(path+".row", "identity column %s cannot be updated", t.columns[i].name)
		}
		after[i] = v
	}
	if err := d.complete(t, after, path+".row"); err != nil {
		return nil, err
	}
	if t.keyText(before) == t.keyText(after) {
		return []edit{{table: t, before: before, after: after}}, nil
	}
	if _, ok := t.at[t.keyText(after)]; ok {
		return nil, errKeyTaken(t, path+".row")
	}
	return []edit{{table: t, before: before, moved: true}, {table: t, after: after, moved: true}}, nil
}

// apply puts an edit into its table.
func (e edit) apply() {
	t := e.table
	switch {
	case e.before == nil:
		t.rows = append(t.rows[:len(t.rows):len(t.rows)], e.after)
		t.at[t.keyText(e.after)] = len(t.rows) - 1
	case e.after == nil:
		i := t.at[t.keyText(e.before)]
		rows := make([][]any, 0, len(t.rows)-1)
		t.rows = append(append(rows, t.rows[:i]...), t.rows[i+1:]...)
		t.reindex()
	default:
		rows := append([][]any{}, t.rows...)
		rows[t.at[t.keyText(e.before)]] = e.after
		t.rows = rows
	}
}

// undo takes an edit back, for a commit that is refused half way.
func (e edit) undo() { edit{table: e.table, before: e.after, after: e.before}.apply() }
