package fakeserver

import (
	"fmt"

	"cdcseed/fakeserver/tsql"
)

// spaceUsed plays sp_spaceused for one table: its number of rows, and pages of
// 8 KB that agree with sys.dm_db_partition_stats.
func spaceUsed(s *session, a arguments) ([][]any, error) {
	name, ok := a.text(0)
	if !ok {
		return nil, errNotPlayed("sp_spaceused for the whole database")
	}
	for i := 1; i < len(a); i++ {
		if a[i].V != nil {
			return nil, errNotPlayed("sp_spaceused with more than @objname")
		}
	}
	o := s.object(name)
	switch {
	case o == nil:
		return nil, tsql.Errorf(15009, 16, "The object '%s' does not exist in database '%s' or is invalid for this operation.", name, s.db.name)
	case o.table == nil:
		return nil, errNotPlayed("sp_spaceused for a table of the cdc schema")
	}
	used, reserved := o.table.pages()
	kb := func(pages int64) string { return fmt.Sprintf("%d KB", 8*pages) }
	// rows is char(20): padded.
	return [][]any{{o.name, fmt.Sprintf("%-20d", len(o.table.rows)), kb(reserved), kb(used), kb(0), kb(reserved - used)}}, nil
}
