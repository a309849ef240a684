package tui

import (
	"fmt"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// journey is what a running seed has said so far, and when.
type journey struct {
	plan    engine.Plan
	began   time.Time
	ended   time.Time // zero while it runs
	stretch map[engine.Phase]*stretch
	gauge   gauge
	log     []said // oldest first
	staged  int64  // bytes that were staged, of the furthest count
}

// stretch is one phase of it.
type stretch struct {
	text         string // what it does, then what came of it
	began, ended time.Time
}

// said is a line of the log.
type said struct {
	at         time.Time
	word, text string
}

func newJourney(plan engine.Plan, now time.Time) *journey {
	return &journey{plan: plan, began: now, stretch: map[engine.Phase]*stretch{}}
}

// hear takes an event.
func (j *journey) hear(e engine.Event, now time.Time) {
	switch e := e.(type) {
	case engine.PhaseStarted:
		j.stretch[e.Phase] = &stretch{text: e.Text, began: now}
		j.gauge = newGauge(now)
		j.say(now, "now", e.Text)
	case engine.Progress:
		j.gauge.hear(e, now)
		j.staged = max(j.staged, e.Bytes)
	case engine.Notice:
		j.say(now, "note", e.Text)
	case engine.PhaseDone:
		if s := j.stretch[e.Phase]; s != nil {
			s.text, s.ended = e.Text, now
		}
		j.say(now, "done", e.Text)
	}
}

// finish ends it, with its failure or nil.
func (j *journey) finish(e *verdict.Error, now time.Time) {
	j.ended = now
	if e != nil {
		j.say(now, "STOP", e.What)
	}
}

func (j *journey) say(now time.Time, word, text string) {
	j.log = append(j.log, said{now, word, text})
}

// took is how long it runs, or ran.
func (j *journey) took(now time.Time) time.Duration {
	if !j.ended.IsZero() {
		now = j.ended
	}
	return now.Sub(j.began)
}

// line is one of the log's, its time in UTC on the server's clock, which is
// ahead of this machine's.
func (s said) line(ahead time.Duration) string {
	return fmt.Sprintf(" %s  %-4s  %s", s.at.Add(ahead).UTC().Format("15:04:05Z"), s.word, clean(s.text))
}
