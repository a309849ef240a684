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
}

func wrote(v any, notes ...cast.Effect) outcome { return outcome{out: v, notes: notes} }

func unwritten(reason cast.Effect) outcome { return outcome{reason: reason} }

// judge is the reference of one sheet: it says of each value what becomes of
// it, by the record's rules, slowly, and with nothing of the kernels.
type judge struct {
	*sheet
	zone    *time.Location // nil where times are not shifted
	day     *int64         // of a time column made from timestamps
	want    cast.ColumnReport
	rows    map[cast.Effect]map[int64]bool
	longest []int // lengths of values in a column without declared length
	foul    bool  // some of them are no text
}

func newJudge(s *sheet) *judge {
	j := &judge{sheet: s, want: cast.ColumnReport{Effects: map[cast.Effect]int64{}}, rows: map[cast.Effect]map[int64]bool{}}
	if z := s.rule.Zone; z != "" && z != "UTC" && z != cast.WallClock {
		loc, err := locate(z)
		if err != nil {
			panic(err)
		}
		j.zone = loc
	}
	return j
}

// next judges the value of row i and counts it.
func (j *judge) next(i int) outcome {
	x := j.slots[i]
	j.want.Values++
	var o outcome
	switch {
	case x.null && (j.to.Nullable || j.to.Computed):
		j.want.Nulls++
		return outcome{}
	case x.null:
		if countedAsNow {
			j.want.Nulls++
		}
		o = unwritten(cast.ForbidsNull)
	default:
		o = j.value(x.v)
	}
	changed := false
	for _, e := range o.notes {
		j.count(e, i)
		if countedAsNow && isChange(e) {
			j.want.Changed++
		}
		changed = changed || isChange(e)
	}
	switch {
	case o.reason != "" && j.rule.Answer == cast.Null:
		j.want.ToNull++
	case o.reason != "":
		j.want.Refused++
	case changed && !countedAsNow:
		j.want.Changed++
	}
	if o.reason != "" {
		j.count(o.reason, i)
	}
	return o
}

func (j *judge) count(e cast.Effect, row int) {
	j.want.Effects[e]++
	if j.rows[e] == nil {
		j.rows[e] = map[int64]bool{}
	}
	j.rows[e][int64(row)] = true
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

// compare holds the kernel's counts against the reference's.
func (j *judge) compare(t *testing.T, got cast.ColumnReport) {
	t.Helper()
	maps.DeleteFunc(got.Effects, func(_ cast.Effect, n int64) bool { return n == 0 })
	g := fmt.Sprint(got.Values, got.Nulls, got.Changed, got.ToNull, got.Refused, got.Effects)
	w := fmt.Sprint(j.want.Values, j.want.Nulls, j.want.Changed, j.want.ToNull, j.want.Refused, j.want.Effects)
	if g != w {
		t.Errorf("%s:\ncounted  %s\nthe reference has %s\n(values, nulls, changed, to null, refused, effects)\n%s", j.sheet, g, w, j.listed())
	}
	for e, samples := range got.Samples {
		if want := min(int64(5), j.want.Effects[e]); int64(len(samples)) != want {
			t.Errorf("%s: %d samples of %s, want %d", j.sheet, len(samples), e, want)
		}
		seen := map[int64]bool{}
		for _, x := range samples {
			if seen[x.Row] || !j.rows[e][x.Row] {
				t.Errorf("%s: row %d is a sample of %s, want one each of rows %v", j.sheet, x.Row, e, slices.Sorted(maps.Keys(j.rows[e])))
			}
			seen[x.Row] = true
		}
	}
	j.compareLongest(t, got.Longest)
	if (got.Day == nil) != (j.day == nil) || got.Day != nil && int64(*got.Day) != *j.day {
		t.Errorf("%s: the day is %v, want %v", j.sheet, got.Day, j.day)
	}
}

func (j *judge) compareLongest(t *testing.T, got cast.Longest) {
	t.Helper()
	if j.foul {
		return
	}
	var want cast.Longest
	for _, n := range j.longest {
		switch {
		case int64(n) > want.Length:
			want = cast.Longest{Length: int64(n), Count: 1}
		case int64(n) == want.Length:
			want.Count++
		}
	}
	if got.Length != want.Length || got.Count != want.Count {
		t.Errorf("%s: the longest is %+v, want %+v", j.sheet, got, want)
	}
}

// listed is the batch with what the reference says of each value.
func (j *judge) listed() string {
	again := newJudge(j.sheet)
	out := ""
	for i, x := range j.slots {
		if o := again.next(i); len(o.notes) > 0 || o.reason != "" {
			out += fmt.Sprintf("  row %d: %s: %v %v %s\n", i, slotText(x), o.out, o.notes, o.reason)
		}
	}
	return out
}
