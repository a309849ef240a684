package fakeserver

import (
	"strings"
	"time"
)

// mapTime is sys.fn_cdc_map_time_to_lsn. As its page is worded, a tran_end_time is
// chosen first, then an LSN among the rows that share it. Around a clock that
// goes back, the order of times is not the order of LSNs, and a function that
// compares LSNs only (byLSN) answers otherwise; which one real servers do is
// not known, so both are here. An unknown operator gives NULL.
func (d *database) mapTime(operator string, t time.Time, byLSN bool) *LSN {
	operator = strings.ToLower(strings.TrimRight(operator, " "))
	var less bool
	switch operator {
	case "largest less than", "largest less than or equal":
		less = true
	case "smallest greater than", "smallest greater than or equal":
	default:
		return nil
	}
	orEqual := strings.HasSuffix(operator, "or equal")
	var best *entry
	for i := range d.mapping {
		m := &d.mapping[i]
		k := m.end.Compare(t)
		if k == 0 && !orEqual || k < 0 && !less || k > 0 && less {
			continue
		}
		if best == nil || better(m, best, less, byLSN) {
			best = m
		}
	}
	if best == nil {
		return nil
	}
	l := best.lsn
	return &l
}

// better tells whether m is taken over best; m's LSN is the larger one.
func better(m, best *entry, less, byLSN bool) bool {
	k := m.end.Compare(best.end)
	switch {
	case byLSN:
		return less // the largest LSN, or the smallest
	case less:
		return k >= 0
	}
	return k < 0
}

// mapLSN is sys.fn_cdc_map_lsn_to_time: the time of exactly this commit.
func (d *database) mapLSN(l LSN) *time.Time {
	for i := range d.mapping {
		if d.mapping[i].lsn == l {
			return &d.mapping[i].end
		}
	}
	return nil
}
