package report

import (
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// Result prints what a seed came to and what to do next.
func Result(w io.Writer, r engine.Result) {
	t := text{w: w}
	switch {
	case r.State == engine.AlreadySeeded:
		t.line("Already seeded. No rows were written.")
	case r.Follows != nil:
		t.line("Reseeded. %s in one commit.", verdict.Plural(r.Rows, "row", "rows"))
	default:
		t.line("Seeded. %s in one commit.", verdict.Plural(r.Rows, "row", "rows"))
	}
	t.line("")
	t.item("target", fmt.Sprintf("%s, version %d", r.Target, r.Version))
	if r.Follows != nil {
		t.item("follows", fmt.Sprintf("the snapshot at %s, which stays in the target", r.Follows))
	}
	committed := "commit time not known"
	if r.CommitTS != nil {
		committed = "committed " + r.CommitTS.String()
	}
	t.item("L", r.L.String()+", "+committed)
	if r.State != engine.AlreadySeeded {
		t.item("written", fmt.Sprintf("%s, %s", verdict.Plural(r.Files, "file", "files"), Size(r.Bytes)))
	}
	if r.Excluded > 0 {
		t.item("left out", verdict.Plural(r.Excluded, "row that another tool flagged as deleted", "rows that another tool flagged as deleted"))
	}
	if r.FactsURL != "" {
		t.item("facts", r.FactsURL+", row "+r.FactsRow)
	}
	if r.Retention != nil {
		t.item("kept", "changes after L are kept until about "+r.Retention.String())
	}
	for i, f := range r.Follow {
		if i == 0 {
			t.line("")
			t.line("Next:")
		}
		t.paragraphFirst(fmt.Sprintf("  %d. ", i+1), "     ", f)
	}
}

// Progress prints a running seed's events as whole lines: phases as they come,
// counts at most every few seconds.
type Progress struct {
	t       text
	now     func() time.Time
	started time.Time
	last    time.Time
}

// every is the least time between two lines of counts.
const every = 5 * time.Second

// NewProgress prints to w.
func NewProgress(w io.Writer, now func() time.Time) *Progress {
	return &Progress{t: text{w: w}, now: now}
}

// Event prints e. It is called by one goroutine at a time.
func (p *Progress) Event(e engine.Event) {
	switch e := e.(type) {
	case engine.PhaseStarted:
		p.started, p.last = p.now(), p.now()
		what := e.Text
		if e.Phase == engine.Stage {
			what += "; no reader sees them before the commit"
		}
		p.said("now", what)
	case engine.Progress:
		if p.started.IsZero() { // of planning, which is no phase
			p.started, p.last = p.now(), p.now()
		}
		if now := p.now(); now.Sub(p.last) >= every {
			p.last = now
			p.count(e, now.Sub(p.started))
		}
	case engine.Notice:
		p.said("note", e.Text)
	case engine.PhaseDone:
		p.said("done", e.Text)
	}
}

func (p *Progress) said(word, text string) {
	p.t.paragraphFirst(fmt.Sprintf("%-6s ", word), "       ", text)
}

// count tells how far it is on one line. What does not fit the measure is left
// out, the least telling first; the counts always stay.
func (p *Progress) count(e engine.Progress, took time.Duration) {
	const indent = "       "
	rate := float64(e.Done) / took.Seconds()
	line := fmt.Sprintf("%s of %s %s", verdict.Count(e.Done), verdict.Count(e.Total), e.Unit)
	speed, size, left := "", "", ""
	if rate >= 1 {
		speed = fmt.Sprintf(", %s/s", verdict.Count(int64(rate)))
	}
	if e.Bytes > 0 {
		size = ", " + Size(e.Bytes) + " staged"
	}
	if e.Total > 0 && e.Done*100 >= e.Total && e.Done < e.Total && rate > 0 {
		left = ", about " + remaining(float64(e.Total-e.Done)/rate) + " left"
	}
	for _, rest := range []string{speed + size + left, speed + left, left} {
		if whole := line + rest; len(indent)+utf8.RuneCountInString(whole) <= width {
			p.t.line("%s%s", indent, whole)
			return
		}
	}
	p.t.line("%s%s", indent, line)
}

// remaining is a length of time in words, no finer than it can be known.
func remaining(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d >= time.Hour {
		return clock.Words(d.Truncate(time.Minute))
	}
	return clock.Words(max(d.Truncate(time.Second), time.Second))
}
