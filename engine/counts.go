package engine

import (
	"errors"
	"fmt"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// stagedCounts are the counts of the casts that made a staged file of another
// try, as its footer holds them.
func stagedCounts(in store.File, rows int64) (_ cast.Report, err error) {
	f, err := parquetfile.Open(in)
	if err != nil {
		return cast.Report{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, ok := f.KeyValue(cast.RecordKey)
	if !ok {
		return cast.Report{}, errors.New("its footer does not tell what its casts counted")
	}
	return cast.ReadRecord(text, rows)
}

// checkCounts holds what the casts of all staged files counted, those of an
// earlier try too, against what the plan saw. Where the plan saw every value the
// two are equal, or what is about to be committed is not what was shown.
func (x *execution) checkCounts(r cast.Report) error {
	for name, c := range r.Columns {
		if !c.Longest.Suspicious() {
			c.LongestAt = nil
		}
		r.Columns[name] = c
	}
	x.result.Report = &r
	if err := r.Err(); err != nil { // no file has such a value by itself, but files can contradict each other
		return err
	}
	if x.plan.Preview.Depth != CheckAll {
		return nil
	}
	found := cast.Differences(x.plan.Preview.Report, r)
	if len(found) == 0 {
		return nil
	}
	e := &verdict.Error{
		Code: verdict.CountsDiffer,
		What: fmt.Sprintf("the casts of column %q did other things to its values than the plan saw", found[0].Column),
		Why:  "The plan looked at every value of the same files, so they cannot have been the same: what was shown is not what would be written.",
		Hint: []string{
			"Make the plan again with --check all and look at what is different.",
			"If it comes again for the same copy, something changes its files without changing their size and time: keep it away, and report it.",
		},
	}
	for i, d := range found {
		if i == mostNamed {
			e.Facts = append(e.Facts, verdict.Facts("and", verdict.Plural(len(found)-i, "more count", "more counts"))...)
			break
		}
		e.Facts = append(e.Facts, verdict.Fact{Name: d.Column, Value: fmt.Sprintf("%s %s planned, %s found", d.What, verdict.Count(d.Was), verdict.Count(d.Is))})
	}
	return e
}
