package fakeserver

import (
	"time"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// cleanUp moves the low watermarks to mark and forgets what is older, as
// sys.sp_cdc_cleanup_change_table does for one instance and the cleanup job for all
// (only is nil). The mark must be a start_lsn of the mapping; it is lowered to
// the smallest one of its commit time. Without a mark the watermarks stay. With
// rows, the deletion fails after so many rows of each instance: the watermarks
// were moved in a transaction of their own before it.
func (d *database) cleanUp(mark *LSN, only *instance, rows *int) (LSN, error) {
	var low LSN
	if mark != nil {
		var ok bool
		if low, ok = d.lowestOfItsTime(*mark); !ok {
			return LSN{}, errBadMark(*mark)
		}
	} else if only != nil && only.start != nil {
		low = *only.start
	}
	for _, in := range d.instances {
		if (only == nil || in == only) && in.start != nil && in.start.less(low) {
			l := low
			in.start = &l
		}
	}
	for _, in := range d.instances {
		if only == nil || in == only {
			in.forgetChanges(rows)
		}
	}
	if lowest := d.lowestStart(); lowest != nil && rows == nil {
		d.forgetBelow(*lowest)
	}
	return low, nil
}

func errBadMark(mark LSN) *tds.Error {
	return tsql.Errorf(22964, 16, "LSN %s, specified as the new low end point for change table cleanup must represent the start_lsn value of a current entry in the cdc.lsn_time_mapping table. Choose an LSN value that satisfies this requirement.", mark)
}

func (d *database) lowestOfItsTime(mark LSN) (LSN, bool) {
	var end time.Time
	found := false
	for _, m := range d.mapping {
		if m.lsn == mark {
			end, found = m.end, true
		}
	}
	for _, m := range d.mapping {
		if found && m.end.Equal(end) {
			return m.lsn, true
		}
	}
	return LSN{}, false
}

// lowestStart is the lowest watermark of all instances, nil when none has one.
func (d *database) lowestStart() (low *LSN) {
	for _, in := range d.instances {
		if in.start != nil && (low == nil || in.start.less(*low)) {
			low = in.start
		}
	}
	return low
}

// forgetChanges deletes the change rows below the watermark, or the first few
// of them.
func (in *instance) forgetChanges(rows *int) {
	var kept []changeRow
	gone := 0
	for _, c := range in.changes {
		if in.start != nil && !c.lsn.less(*in.start) || rows != nil && gone == *rows {
			kept = append(kept, c)
			continue
		}
		gone++
	}
	in.changes = kept
}

func (d *database) forgetBelow(low LSN) {
	var kept []entry
	for _, m := range d.mapping {
		if !m.lsn.less(low) {
			kept = append(kept, m)
		}
	}
	d.mapping = kept
}

// retentionMark is where the cleanup job moves the watermark: the retention
// is counted back from the newest tran_end_time, not from the clock. By which
// operator real servers turn that time into an LSN is not known.
func (d *database) retentionMark(h ServerSettings) *LSN {
	if d.cleanup == nil || len(d.mapping) == 0 {
		return nil
	}
	newest := d.mapping[0].end
	for _, m := range d.mapping {
		if m.end.After(newest) {
			newest = m.end
		}
	}
	cut := newest.Add(-time.Duration(d.cleanup.RetentionMinutes) * time.Minute)
	operator := "largest less than or equal"
	if h.CleanupMark == "at_or_after" {
		operator = "smallest greater than or equal"
	}
	return d.mapTime(operator, cut, h.MapTime == "by_lsn")
}
