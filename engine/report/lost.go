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
	lost, _ := p.Effects()
	if r.State == engine.AlreadySeeded || len(lost) == 0 {
		return
	}
	t := text{w: w}
	t.line("")
	t.line("%s%s:", LostHeading, AsLooked(p))
	for _, l := range lost {
		t.paragraphFirst("  ", "    ", l)
	}
}

// AsLooked says in how many rows the effects of a plan's casts were counted.
func AsLooked(p engine.Plan) string {
	looked := verdict.Plural(p.Preview.Rows, "row", "rows")
	if p.Preview.Depth != engine.CheckAll {
		looked += " sampled"
	}
	return ", as the plan saw it in " + looked
}
