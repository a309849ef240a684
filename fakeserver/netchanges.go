package fakeserver

import "sort"

// netChange is what a range of changes comes to for one source row.
type netChange struct {
	first int64  // operation of the oldest change
	mask  []byte // all columns that any of the changes touched
	last  changeRow
}

// netChangesBetween is the rows of fn_cdc_get_net_changes_<instance>: one for
// each source row that the range changed, with its final content. A row that
// came and went within the range leaves nothing.
func (in *instance) netChangesBetween(from, to LSN, option string) [][]any {
	byKey := map[string]*netChange{}
	var list []*netChange
	for _, c := range in.changes {
		if c.op == 3 || c.lsn.less(from) || to.less(c.lsn) {
			continue
		}
		k := in.changeKey(c)
		n := byKey[k]
		if n == nil {
			n = &netChange{first: c.op, mask: make([]byte, len(c.mask))}
			byKey[k], list = n, append(list, n)
		}
		for i, b := range c.mask {
			n.mask[i] |= b
		}
		n.last = c
	}
	// The rows come in the order of their last changes.
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i].last, list[j].last
		if a.lsn == b.lsn {
			return a.seq.less(b.seq)
		}
		return a.lsn.less(b.lsn)
	})
	var out [][]any
	for _, n := range list {
		op := n.operation()
		if op == 0 {
			continue
		}
		var mask any
		if option == "all with mask" && op == 4 {
			mask = n.mask
		}
		if option == "all with merge" && op != 1 {
			op = 5
		}
		out = append(out, append([]any{n.last.lsn.bytes(), op, mask}, n.last.row...))
	}
	return out
}

// operation is 1 for a row that is gone, 2 for one that is new, 4 for one that
// was there and is, 0 for one that was not there and is not.
func (n *netChange) operation() int64 {
	existed, exists := n.first != 2, n.last.op != 1
	switch {
	case existed && exists:
		return 4
	case existed:
		return 1
	case exists:
		return 2
	}
	return 0
}

// changeKey tells the source rows of a change table apart. An instance for net
// changes has all key columns among its captured ones.
func (in *instance) changeKey(c changeRow) string {
	row := make([]any, len(in.table.columns))
	for i, k := range in.columns {
		row[k] = c.row[i]
	}
	return in.table.keyText(row)
}
