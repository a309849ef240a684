package engine

import (
	"fmt"

	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// answered says where an answer does more than whoever gave it can have meant: an
// encoding that no value needs, and a column of which no value is left.
func (b *builder) answered(r cast.Report) {
	for _, c := range b.plan.Columns.Columns {
		name := c.Target.Name
		report := r.Columns[name]
		if wrongEncoding(report) {
			b.check(verdict.Warned(verdict.EncodingDoubtful,
				fmt.Sprintf("every value of %q that is more than ASCII is UTF-8 text already: %s would be decoded", name, verdict.Plural(report.Of(cast.UTF8Too), "value", "values")),
				"Decoding UTF-8 text as another encoding makes other letters of it. Leave the column's "+cast.FlagEncoding+" out, unless these values only happen to look like UTF-8.",
				sampleFacts(name, report.Samples[cast.UTF8Too])...))
		}
		if n := report.ToNull - report.Of(cast.Missing); n > 0 && n == report.Values-report.Nulls-report.Of(cast.Missing) {
			b.check(verdict.Noted(
				fmt.Sprintf("no value of %q is left: each of the %s looked at becomes NULL, as answered", name, verdict.Plural(n, "value", "values")),
				"A copy that spells all of a column's values otherwise, or the wrong column, looks like this. They stay NULL in the target until their rows change.",
				emptied(name, report)...))
		}
	}
}

// wrongEncoding reports whether all that an encoding was named for is UTF-8 as it
// stands. One value that is not shows that the encoding was needed.
func wrongEncoding(r cast.ColumnReport) bool {
	n := r.Of(cast.UTF8Too)
	return n > 0 && n == r.Of(cast.Decoded) && r.Of(cast.Unparseable) == 0
}

// sampleFacts are a column's samples, what becomes of each and where it is.
func sampleFacts(name string, samples []cast.Sample) []verdict.Fact {
	var out []verdict.Fact
	for _, s := range samples {
		out = append(out, verdict.Fact{Name: name, Value: fmt.Sprintf("%s -> %s (%s)", s.Before, s.After, s.Where())})
	}
	return out
}

// emptied is a sample of each reason for which a column's values become NULL.
func emptied(name string, r cast.ColumnReport) []verdict.Fact {
	var out []verdict.Fact
	for _, e := range effectsOf(r.Effects) {
		if s := r.Samples[e]; e.Refuses() && len(s) > 0 {
			out = append(out, sampleFacts(name, s[:1])...)
		}
	}
	return out
}
