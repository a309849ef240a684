package report

import (
	"fmt"
	"io"

	"cdcseed/engine"
)

// Question asks for the name that confirms a plan, and says what is at stake.
// It leaves the cursor behind the question.
func Question(w io.Writer, p engine.Plan) {
	stake := fmt.Sprintf("To write %s to %s at L %s,", rowsOf(p), p.Target.URL, p.AsOf.L)
	if p.State == engine.AlreadySeeded && p.Facts != nil {
		stake = fmt.Sprintf("To record the seed in %s for app id %s,", p.Facts.URL, p.Facts.AppID)
	}
	t := text{w: w}
	t.line("")
	t.paragraph("", stake)
	_, _ = fmt.Fprintf(w, "type the table's name (%s): ", p.Table)
}
