package engine

import (
	"cmp"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
)

// line is one captured column.
func (in *columnsInspection) line(c cast.ColumnPlan) ColumnLine {
	r := in.plan.Preview.Report.Columns[c.Target.Name]
	l := ColumnLine{
		Target: c.Target.Name, TargetType: c.Target.Type.String(), Key: c.Target.Key,
		Effects: EffectLines(r), Counts: CountLine(r), Values: r.Values, Changed: r.Changed, Refused: r.Refused,
	}
	for _, rule := range c.Rules {
		if l.Copy == "" && rule.From != "" {
			l.Copy = rule.From
		}
	}
	from, how, _ := HowMade(c)
	if l.Why = how; l.Copy != "" {
		l.CopyType = from
	}
	for _, rule := range c.Rules {
		if rule.Note != "" && !slices.Contains(l.Notes, rule.Note) {
			l.Notes = append(l.Notes, rule.Note)
		}
	}
	l.Mark, l.Cast = in.weigh(c, r)
	l.Asks = in.asks(c, r)
	l.Samples = append(l.Samples, in.kept[c.Target.Name]...)
	if s := r.Shown; s != nil && s.Before != s.After {
		l.Samples = append(l.Samples, SampleView{Before: s.Before, After: s.After, File: s.File, Row: s.Row, Key: cast.KeyText(s.Key)})
	}
	for _, e := range effectsOf(r.Effects) {
		for _, s := range r.Samples[e] {
			l.Samples = append(l.Samples, SampleView{Before: s.Before, After: s.After, Effect: e.Text(), File: s.File, Row: s.Row, Key: cast.KeyText(s.Key)})
		}
	}
	return l
}

// leftOut is a column of the copy that nothing captures.
func (in *columnsInspection) leftOut(name, kind string) ColumnLine {
	why := "nothing captures it, so the stream does not write it"
	if later, ok := in.table.Uncaptured(name); ok {
		why = "the table has it, but it was left off the capture instance's list, so the stream does not write it"
		if later {
			why = "the table has it, but it was added after the capture instance, or left off its list, so the stream does not write it"
		}
	}
	return ColumnLine{
		Copy: name, CopyType: kind, Mark: MarkLeftOut, Cast: "left out", Why: why,
		Asks: in.markAsks(name), Effects: []string{},
	}
}

// weigh is how much the column's cast weighs, and what it does in a few words:
// those of its heaviest rule.
func (in *columnsInspection) weigh(c cast.ColumnPlan, r cast.ColumnReport) (Mark, string) {
	mark, word := MarkSame, "same"
	for _, rule := range c.Rules {
		zoneOpen := slices.ContainsFunc(in.open[c.Target.Name], func(q cast.Question) bool {
			return asksZone(q) && slices.Contains(q.Classes, rule.Class)
		})
		m, w := weighRule(rule, c.Target, zoneOpen)
		if heavier(m, mark) || m == mark && mark == MarkSame && w != "same" {
			mark, word = m, w
		}
	}
	switch {
	case r.Refused > 0 && len(in.open[c.Target.Name]) == 0:
		return MarkLoses, "values refused"
	case loses(r):
		return MarkLoses, word
	case mark == MarkChecked && word == "checked" && r.Values > 0:
		return mark, "checked, fits"
	}
	return mark, word
}

// heavier reports whether a weighs more than b.
func heavier(a, b Mark) bool {
	order := []Mark{MarkSame, MarkChecked, MarkLoses}
	return slices.Index(order, a) > slices.Index(order, b)
}

// loses reports whether values lost something, as an answer has it.
func loses(r cast.ColumnReport) bool {
	return r.ToNull > 0 || r.Of(cast.Rounded) > 0 || r.Of(cast.CutOff) > 0 || r.Of(cast.ZoneDropped) > 0
}

// weighRule is how much one rule weighs by itself, whatever the values are.
func weighRule(r cast.Rule, to schema.TargetColumn, zoneOpen bool) (Mark, string) {
	about, _ := cast.Describe(r.Code)
	switch {
	case r.Code == cast.MissingNull && to.Key:
		return MarkLoses, "missing key"
	case r.Code == cast.MissingNull:
		return MarkLoses, "becomes NULL"
	case zoneOpen:
		return MarkLoses, "which zone?"
	case about.Asks && r.Answer == "":
		return MarkLoses, openWord(r.Code)
	}
	switch r.Answer {
	case cast.Round:
		return MarkLoses, "rounded"
	case cast.Cut:
		return MarkLoses, "cut"
	case cast.Null:
		return MarkLoses, "NULL if unfit"
	case cast.Stop:
		return MarkChecked, "stops if unfit"
	case cast.TextOrder, cast.SQLOrder:
		return MarkChecked, string(r.Answer)
	case cast.Pad:
		return MarkChecked, "padded"
	case cast.Keep:
		return MarkChecked, "kept short"
	}
	switch r.Code {
	case cast.Same, cast.BytesToText:
		switch {
		case r.Encoding != "":
			return MarkChecked, "decoded"
		case r.Code != cast.Same:
			return MarkChecked, castWord(r.Code)
		case !schema.SameName(r.From, to.Name):
			return MarkSame, "mapped"
		case r.From != to.Name:
			return MarkSame, "case differs"
		}
		return MarkSame, "same"
	case cast.AbsentNull:
		return MarkChecked, "NULL where older"
	}
	if r.Zone != "" {
		return MarkChecked, zoneWord(r.Zone)
	}
	return MarkChecked, castWord(r.Code)
}

func zoneWord(zone string) string {
	if zone == cast.WallClock {
		return "digits kept"
	}
	return "zone named"
}

// openWord is what a cast that asks may lose.
func openWord(c cast.Code) string {
	switch c {
	case cast.StampToDate:
		return "drops the time"
	case cast.GUIDOrder:
		return "which order?"
	case cast.AnsiChar, cast.AnsiBinary:
		return "pad or keep?"
	}
	return "must round"
}

// castWord is what a cast that asks nothing does.
func castWord(c cast.Code) string {
	switch c {
	case cast.Widen, cast.IntToFloat:
		return "widened"
	case cast.MillisToMicros:
		return "ms to us"
	case cast.NanosToMicros:
		return "ns cut to us"
	case cast.DateToStamp:
		return "midnight"
	case cast.TimeToText, cast.StampToTime:
		return "time as text"
	case cast.GUIDText, cast.GUIDBytes:
		return "upper case"
	case cast.PadChar, cast.PadBinary:
		return "padded"
	case cast.RowversionRaw, cast.RowversionInt, cast.RowversionText:
		return "eight bytes"
	case cast.TextToInt, cast.TextToDecimal, cast.TextToFloat, cast.TextToBool, cast.TextToDate, cast.TextToStamp, cast.TextToTime:
		return "read from text"
	}
	return "checked"
}

// Bounds of the samples of values that stay what they are.
const (
	plainSamples = 2  // of a column
	plainRows    = 64 // of each batch that are looked through for them
)

// keep remembers values whose text a cast leaves as it is: the first ones of the
// copy, in whatever order its files come.
func (in *columnsInspection) keep(f lakecopy.File, rec arrow.Record, out []arrow.Array, row func(i int) int64) {
	for k, c := range in.plan.Columns.Columns {
		name := c.Target.Name
		kept := in.kept[name]
		if len(kept) == plainSamples && !before(SampleView{File: f.Key, Row: row(0)}, kept[plainSamples-1]) {
			continue
		}
		i := slices.IndexFunc(c.Rules, func(r cast.Rule) bool { return r.Class == f.Class && r.Source != nil })
		if i < 0 {
			continue
		}
		from := rec.Schema().FieldIndices(c.Rules[i].Source.Name)
		if len(from) == 0 {
			continue
		}
		src := rec.Column(from[0])
		found := 0
		for r := 0; r < min(src.Len(), plainRows) && found < plainSamples; r++ {
			if src.IsNull(r) || out[k].IsNull(r) {
				continue
			}
			if text := cast.ValueText(src, r); text == cast.ValueText(out[k], r) {
				kept = append(kept, SampleView{Before: text, After: text, File: f.Key, Row: row(r)})
				found++
			}
		}
		slices.SortFunc(kept, func(a, b SampleView) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row))
		})
		in.kept[name] = kept[:min(len(kept), plainSamples)]
	}
}

func before(a, b SampleView) bool { return a.File < b.File || a.File == b.File && a.Row < b.Row }
