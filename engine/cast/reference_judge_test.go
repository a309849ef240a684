package cast_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// outcome is what a value should become: what is written, or NULL and the
// reason; and what is counted beside it.
type outcome struct {
	out    any
	notes  []cast.Effect
	reason cast.Effect
	length int  // in a column without declared length, where one watches for values that were cut
	foul   bool // it has no such length, being no text
}

func (o outcome) has(e cast.Effect) bool { return o.reason == e || slices.Contains(o.notes, e) }

func wrote(v any, notes ...cast.Effect) outcome { return outcome{out: v, notes: notes} }

func unwritten(reason cast.Effect) outcome { return outcome{reason: reason} }

// judge is the reference of one sheet: it says of each value what becomes of
// it, by the record's rules, slowly, and with nothing of the kernels.
type judge struct {
	*sheet
	zone     *time.Location // nil where times are not shifted
	day      *int64         // of a time column made from timestamps
	outcomes []outcome      // one a slot
	endless  bool           // the column has no declared length
}

func newJudge(s *sheet) *judge {
	j := &judge{sheet: s}
	if z := s.rule.Zone; z != "" && z != "UTC" && z != cast.WallClock {
		loc, err := locate(z)
		if err != nil {
			panic(err)
		}
		j.zone = loc
	}
	for _, x := range s.slots {
		switch {
		case !x.null:
			j.outcomes = append(j.outcomes, j.value(x.v))
		case j.to.Nullable || j.to.Computed:
			j.outcomes = append(j.outcomes, outcome{})
		default:
			j.outcomes = append(j.outcomes, unwritten(cast.ForbidsNull))
		}
	}
	return j
}

// counts are those of a batch, a slot for each row.
func (j *judge) counts(rows []int) cast.ColumnReport {
	want := cast.ColumnReport{Values: int64(len(rows)), Effects: map[cast.Effect]int64{}}
	for _, r := range rows {
		o, changed := j.outcomes[r], false
		for _, e := range o.notes {
			want.Effects[e]++
			changed = changed || isChange(e)
		}
		if o.reason != "" {
			want.Effects[o.reason]++
		}
		switch {
		case j.slots[r].null && o.reason == "":
			want.Nulls++
		case o.reason != "" && j.rule.Answer == cast.Null:
			want.ToNull++
		case o.reason != "":
			want.Refused++
		case changed:
			want.Changed++
		}
	}
	return want
}

// isChange reports whether a value that is written was changed.
func isChange(e cast.Effect) bool {
	return slices.Contains([]cast.Effect{cast.Rounded, cast.CutOff, cast.SubMicro, cast.Normalised, cast.Padded, cast.Rebased, cast.ZoneDropped}, e)
}

// value is what becomes of a value that is there.
func (j *judge) value(v any) outcome {
	switch j.to.Type.Kind {
	case schema.Boolean:
		return j.bit(v)
	case schema.Short, schema.Integer, schema.Long:
		return j.whole(v)
	case schema.Float, schema.Double:
		return j.floating(v)
	case schema.Decimal:
		return j.decimal(v)
	case schema.Date:
		return j.date(v)
	case schema.TimestampNTZ, schema.Timestamp:
		return j.stamp(v)
	case schema.String:
		return j.text(v)
	case schema.Binary:
		return j.binary(v)
	}
	panic(j.to.Type.String())
}

// is reports the annotation, or else the physical type, of the copy's column.
func (j *judge) is(names ...string) bool {
	name := j.from.Logical
	if name == "" {
		name = j.from.Physical
	}
	return slices.Contains(names, name)
}

func (j *judge) isText() bool { return j.is("STRING", "ENUM", "JSON", "PARTITION") }

// compare holds the kernel's counts and samples against the reference's.
func (j *judge) compare(t *testing.T, rows []int, got cast.ColumnReport) {
	t.Helper()
	maps.DeleteFunc(got.Effects, func(_ cast.Effect, n int64) bool { return n == 0 })
	want := j.counts(rows)
	g := fmt.Sprint(got.Values, got.Nulls, got.Changed, got.ToNull, got.Refused, got.Effects)
	w := fmt.Sprint(want.Values, want.Nulls, want.Changed, want.ToNull, want.Refused, want.Effects)
	if g != w {
		t.Errorf("%s:\ncounted  %s\nthe reference has %s\n(values, nulls, changed, to null, refused, effects)\n%s", j.sheet, g, w, j.listed())
	}
	for e, samples := range got.Samples {
		if n := min(int64(5), want.Effects[e]); int64(len(samples)) != n {
			t.Errorf("%s: %d samples of %s, want %d", j.sheet, len(samples), e, n)
		}
		seen := map[int64]bool{}
		for _, x := range samples {
			if seen[x.Row] || x.Row < 0 || x.Row >= int64(len(rows)) || !j.outcomes[rows[x.Row]].has(e) {
				t.Errorf("%s: row %d of %d is a sample of %s, which its value is not", j.sheet, x.Row, len(rows), e)
			}
			seen[x.Row] = true
		}
	}
	j.compareLongest(t, rows, got.Longest)
	some := map[int]bool{} // some of the values alone may have no date among them
	for _, r := range rows {
		some[r] = true
	}
	if all := len(some) == len(j.outcomes); all && (got.Day == nil) != (j.day == nil) || got.Day != nil && int64(*got.Day) != *j.day {
		t.Errorf("%s: the day is %v, want %v", j.sheet, got.Day, j.day)
	}
}

func (j *judge) compareLongest(t *testing.T, rows []int, got cast.Longest) {
	t.Helper()
	length, count := 0, int64(0)
	for _, r := range rows {
		o := j.outcomes[r]
		switch {
		case o.foul:
			return
		case !j.endless || j.slots[r].null:
		case o.length > length:
			length, count = o.length, 1
		case o.length == length:
			count++
		}
	}
	if got.Length != int64(length) || got.Count != count {
		t.Errorf("%s: the longest is %+v, want %d of %d", j.sheet, got, count, length)
	}
}

// listed is the batch with what the reference says of each value.
func (j *judge) listed() string {
	out := ""
	for i, x := range j.slots {
		if o := j.outcomes[i]; len(o.notes) > 0 || o.reason != "" {
			out += fmt.Sprintf("  slot %d: %s: %v %v %s\n", i, slotText(x), o.out, o.notes, o.reason)
		}
	}
	return out
}
