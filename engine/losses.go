package engine

import (
	"maps"
	"slices"

	"cdcseed/engine/cast"
)

// Loss is a column of a plan whose cast may lose something, as a person answered
// that it may.
type Loss struct {
	Column string
	Answer string // round, cut, null or wall-clock
	Every  bool   // the copy lacks the column: it is NULL in every row
	Values int64  // looked at that were changed so
}

// missingEverywhere reports whether no file of the copy has the column.
func missingEverywhere(c cast.ColumnPlan) bool {
	return !slices.ContainsFunc(c.Rules, func(r cast.Rule) bool { return r.Code != cast.MissingNull })
}

// Losses are the plan's, in the order of its columns.
func (p Plan) Losses() []Loss {
	var out []Loss
	for _, c := range p.Columns.Columns {
		l := Loss{Column: c.Target.Name}
		for _, r := range c.Rules {
			switch {
			case r.Answer == cast.Null && r.Code == cast.MissingNull:
				l.Answer, l.Every = string(cast.Null), missingEverywhere(c)
			case r.Answer == cast.Round, r.Answer == cast.Cut, r.Answer == cast.Null:
				l.Answer = string(r.Answer)
			case r.Zone == "wall-clock" && l.Answer == "":
				l.Answer = r.Zone
			}
		}
		report := p.Preview.Report.Columns[c.Target.Name]
		l.Values = report.ToNull
		for effect, n := range report.Effects {
			if effect.Loses() {
				l.Values += n
			}
		}
		if l.Answer != "" && (l.Answer != "wall-clock" || l.Values > 0) {
			out = append(out, l)
		}
	}
	return out
}

// LeftOut is how many rows of the copy are left out as another tool flagged them:
// known where rows are left out and every one was looked at.
func (p Plan) LeftOut() (rows int64, known bool) {
	if p.Copy.Filter == nil || p.Preview.Depth != CheckAll {
		return 0, false
	}
	return p.Copy.Rows - p.Preview.Rows, true
}

// Effects are what the casts of the plan did to values, a column's effect a line:
// those that lose something, and apart from them those that leave a value what it
// is, spelled as the stream spells it. written is what a run counted, nil for what
// the plan saw.
func (p Plan) Effects(written *cast.Report) (lost, others []string) {
	of := p.Preview.Report
	if written != nil {
		of = *written
	}
	losses := p.Losses()
	for _, c := range p.Columns.Columns {
		name := c.Target.Name
		every := slices.ContainsFunc(losses, func(l Loss) bool { return l.Every && l.Column == name })
		if every {
			lost = append(lost, name+": NULL in every row, as the copy has no such column")
		}
		report := of.Columns[name]
		lost = append(lost, effectLines(report, name+": ", cast.Effect.Loses)...)
		lost = append(lost, effectLines(report, name+": to NULL, ", func(e cast.Effect) bool { return e.Refuses() && (!every || e != cast.Missing) })...)
		others = append(others, effectLines(report, name+": ", func(e cast.Effect) bool { return !e.Loses() && !e.Refuses() })...)
	}
	return lost, others
}

// effectLines are a column's effects of one kind, each behind head.
func effectLines(report cast.ColumnReport, head string, kind func(cast.Effect) bool) []string {
	report.Effects = maps.Clone(report.Effects)
	maps.DeleteFunc(report.Effects, func(e cast.Effect, _ int64) bool { return !kind(e) })
	var out []string
	for _, line := range EffectLines(report) {
		out = append(out, head+line)
	}
	return out
}
