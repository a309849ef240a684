package report

import (
	"io"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// LostHeading heads what the casts of a plan lost.
const LostHeading = "Lost in the cast"

// Lost prints what the casts of a seed that was written lost, behind its result;
// nothing where nothing was, or where the seed was only found.
func Lost(w io.Writer, p engine.Plan, r engine.Result) {
	lost, _ := p.Effects(r.Report)
	if r.State == engine.AlreadySeeded || len(lost) == 0 {
		return
	}
	t := text{w: w}
	t.line("")
	t.line("%s%s:", LostHeading, Counted(p, r))
	for _, l := range lost {
		t.paragraphFirst("  ", "    ", l)
	}
}

// Counted says in which rows the effects of a seed's casts were counted: those that
// were written, or else those that its plan looked at.
func Counted(p engine.Plan, r engine.Result) string {
	if r.Report != nil {
		return ", in " + verdict.Plural(r.Rows, "row", "rows") + " written"
	}
	looked := verdict.Plural(p.Preview.Rows, "row", "rows")
	if p.Preview.Depth != engine.CheckAll {
		looked += " sampled"
	}
	return ", as the plan saw it in " + looked
}
