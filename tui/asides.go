package tui

import (
	"maps"
	"slices"

	"cdcseed/engine"
)

// asides keeps what was answered about the columns of tables that are not asked
// for now: a look at another table, whose columns are others, loses nothing.
type asides struct {
	table string // that the present answers are for
	kept  map[string]engine.Request
}

// exchange puts the answers of the table before aside, where r asks for another
// one now, and brings back those that were given for this one.
func (a *asides) exchange(r *engine.Request) {
	was := a.table
	a.table = r.Table
	if was == "" || was == r.Table {
		return
	}
	if a.kept == nil {
		a.kept = map[string]engine.Request{}
	}
	a.kept[was] = columnAnswers(*r)
	back := columnAnswers(a.kept[r.Table]) // of a table that was not answered yet: none
	r.Cast, r.Missing, r.CopyTimeZone = back.Cast, back.Missing, back.CopyTimeZone
	r.ExcludeDeleted, r.KeepDeleted, r.IgnoreMark = back.ExcludeDeleted, back.KeepDeleted, back.IgnoreMark
}

// columnAnswers are the answers about a table's columns alone, as a copy.
func columnAnswers(r engine.Request) engine.Request {
	return engine.Request{
		Cast: maps.Clone(r.Cast), Missing: maps.Clone(r.Missing), CopyTimeZone: r.CopyTimeZone,
		ExcludeDeleted: r.ExcludeDeleted, KeepDeleted: r.KeepDeleted, IgnoreMark: slices.Clone(r.IgnoreMark),
	}
}
