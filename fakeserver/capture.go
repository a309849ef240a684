package fakeserver

import (
	"reflect"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

func errTwoInstances(t *table) *tds.Error {
	return tsql.Errorf(22962, 16, "Two capture instances already exist for source table '%s.%s'. A table can have at most two capture instances. If the current tracking options are not appropriate, disable change tracking for the obsolete instance by using sys.sp_cdc_disable_table and retry the operation.", t.schema, t.name)
}

// capture writes a commit's changes to the change tables that track them, and
// tells whether any does.
func (d *database) capture(c commit) (tracked bool) {
	for _, in := range d.instances {
		if in.start == nil || c.lsn.less(*in.start) {
			continue
		}
		command := int64(0)
		for n, e := range c.edits {
			if e.table != in.table {
				continue
			}
			if !e.moved || e.before != nil { // the insert of a moved row belongs to its delete
				command++
			}
			// A change's log record precedes the record of its commit.
			seq := c.lsn.add(int64(n - len(c.edits)))
			if in.record(e, changeRow{lsn: c.lsn, seq: seq, command: command}) {
				tracked = true
			}
		}
	}
	return tracked
}

// record adds the change rows of one edit: one for an insert or a delete, two
// for an update, none for an update of columns that are not captured: false.
func (in *instance) record(e edit, r changeRow) bool {
	add := func(op int64, mask []byte, row []any) {
		r.op, r.mask, r.row = op, mask, row
		in.changes = append(in.changes, r)
	}
	switch {
	case e.before == nil:
		add(2, in.maskOf(nil, nil), in.image(e.after, nil, 2))
	case e.after == nil:
		add(1, in.maskOf(nil, nil), in.image(e.before, nil, 1))
	default:
		mask := in.maskOf(e.before, e.after)
		if mask == nil {
			return false
		}
		add(3, mask, in.image(e.before, e.after, 3))
		add(4, mask, in.image(e.after, e.before, 4))
	}
	return true
}

// image is the captured part of a row as a change table holds it: computed
// columns are NULL, the old large types are NULL before a change, the max
// types before an update that leaves them alone.
func (in *instance) image(row, other []any, op int64) []any {
	out := make([]any, len(in.columns))
	for i, k := range in.columns {
		c := in.table.columns[k]
		switch {
		case c.computed != nil:
		case (op == 1 || op == 3) && (c.typ.name == "text" || c.typ.name == "ntext" || c.typ.name == "image"):
		case op == 3 && (c.typ.length < 0 || c.typ.name == "xml") && sameValue(row[k], other[k]):
		default:
			out[i] = row[k]
		}
	}
	return out
}

// maskOf is __$update_mask: bit n-1 of the last byte onwards stands for the
// captured column n. All columns count for inserts and deletes (two nils).
func (in *instance) maskOf(before, after []any) []byte {
	mask := make([]byte, (len(in.columns)+7)/8)
	any := false
	for i, k := range in.columns {
		if before != nil && (in.table.columns[k].computed != nil || sameValue(before[k], after[k])) {
			continue
		}
		any = true
		mask[len(mask)-1-i/8] |= 1 << (i % 8)
	}
	if !any {
		return nil
	}
	return mask
}

func sameValue(a, b any) bool { return reflect.DeepEqual(a, b) }

// captureCommit is what the capture job does with a commit: its change rows and,
// where it has any, its row in cdc.lsn_time_mapping. A commit without any
// changes stands for one whose changes do not matter, and has a row as well.
func (d *database) captureCommit(c commit) {
	d.startPending()
	if d.capture(c) || len(c.edits) == 0 {
		d.mapping = append(d.mapping, c.entry)
	}
}

// startPending gives instances whose enable capture has not seen yet their low
// endpoint.
func (d *database) startPending() {
	for _, in := range d.instances {
		if in.start == nil {
			l := in.enabled
			in.start = &l
		}
	}
}

// enable fixes where an instance without a low endpoint will begin: above
// all that is committed.
func (d *database) enable(in *instance) {
	d.lastLSN = d.lastLSN.nextCommit()
	in.enabled = d.lastLSN
}
