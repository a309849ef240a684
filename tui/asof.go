package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// asOfScreen asks when the copy started to be read and shows what that maps to.
// Every answer is mapped anew when typing rests; the mapping before it stays on
// the screen until then.
type asOfScreen struct {
	form     form
	job      job // maps as_of
	zones    job // reads a time without a zone
	readings readingList
	lag      string    // the copy's lag as typed
	lagErr   error     // why it is none
	inPlace  bool      // whether the copy is refreshed in place is the question now
	mapped   time.Time // when the mapping was made
}

// mappingAge is how old a mapping may be before a return to the screen makes it
// anew: what is kept moves on.
const mappingAge = time.Minute

// The fields with a hint.
const (
	fieldAsOf = iota
	fieldLag
)

var keyRemap = bind("ctrl+r", "re-map", "ctrl+r")

func newAsOf() step {
	s := &asOfScreen{job: job{step: asOfStep}, zones: job{step: asOfStep}}
	lag := textField("Copy lag", "such as 15m, for a replica or restored backup", func(*answers) *string { return &s.lag })
	lag.set = s.setLag
	inPlace := choiceField("In place", nil,
		option{"", "no"}, option{"true", "yes: as of is when its last refresh in place began"})
	inPlace.get = func(a *answers) string { return strings.Join(flagNamed("allow-as-of-after-copy").Get(&a.Request), "") }
	inPlace.set = func(a *answers, v string) { a.AllowAsOfAfterCopy = v != "" }
	inPlace.shown = func(a *answers) bool { return s.inPlace || a.AllowAsOfAfterCopy }
	s.form.fields = []*field{
		textField("As of", "time with zone, or 0x and 20 hex digits", func(a *answers) *string { return &a.AsOf }), lag, inPlace,
	}
	return s
}

// flagNamed is the flag that takes the same answer.
func flagNamed(name string) engine.Flag {
	flags := engine.SeedFlags()
	return flags[slices.IndexFunc(flags, func(f engine.Flag) bool { return f.Name == name })]
}

// setLag takes the lag as its flag does. What is none is kept to be corrected,
// and no lag is taken.
func (s *asOfScreen) setLag(a *answers, text string) {
	s.lag, s.lagErr = strings.TrimSpace(text), nil
	a.CopyLag = 0
	if s.lag != "" {
		s.lagErr = flagNamed("copy-lag").Set(&a.Request, s.lag)
	}
}

// loadLag shows the answer, in the words that it was typed in where it still is.
func (s *asOfScreen) loadLag(a *answers) {
	typed := answers{}
	if s.lagErr != nil || flagNamed("copy-lag").Set(&typed.Request, s.lag) == nil && typed.CopyLag == a.CopyLag {
		return
	}
	s.lag = ""
	if a.CopyLag != 0 {
		s.lag = strings.ReplaceAll(a.CopyLag.String()+" ", "m0s ", "m ")
		s.lag = strings.TrimSpace(strings.ReplaceAll(s.lag, "h0m ", "h "))
	}
}

func (*asOfScreen) title() string { return "As of" }

func (s *asOfScreen) print(d *desk) string { return d.answers.print(asOfStep) }

func (s *asOfScreen) enter(d *desk) tea.Cmd {
	s.readings.out()
	s.form.at = max(0, s.form.at)
	s.loadLag(d.answers)
	k := d.found.asOf
	s.inPlace = k.of(s.print(d)) && errors.Is(k.err, verdict.AsOfAfterCopy)
	s.form.load(d.answers)
	if !s.complete(d) || k.of(s.print(d)) && d.now().Sub(s.mapped) < mappingAge {
		return nil
	}
	return s.ask(d)
}

// wrong is the field to correct, -1 for none.
func (s *asOfScreen) wrong(d *desk) int {
	switch k := d.found.asOf; {
	case s.lagErr != nil:
		return fieldLag
	case k.of(s.print(d)) && (errors.Is(k.err, verdict.AsOfInvalid) || errors.Is(k.err, verdict.AsOfNoZone)):
		return fieldAsOf
	}
	return -1
}

func (s *asOfScreen) leave() {
	s.job.stop()
	s.zones.stop()
}

// complete reports whether there is something to map.
func (s *asOfScreen) complete(d *desk) bool { return d.answers.AsOf != "" && s.lagErr == nil }

// ask maps as_of. Where the copy or the target was refused, nothing is compared with it.
func (s *asOfScreen) ask(d *desk) tea.Cmd {
	if !s.complete(d) {
		s.job.stop()
		return nil
	}
	r := d.answers.asked()
	var c engine.CopyView
	if k := d.found.copy; k.set && k.err == nil {
		c = k.value
	}
	var t engine.TargetView
	if k := d.found.target; k.set && k.err == nil {
		t = k.value
	}
	return begin(d, &s.job, "looking up the commit at "+r.AsOf, func(ctx context.Context) (engine.AsOfView, error) {
		return d.engine.AsOf(ctx, r, c, t)
	})
}

func (s *asOfScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case reply[engine.AsOfView]:
		if s.job.done(m.gen) {
			return s.heard(d, m), true
		}
		return nil, true
	case reply[[]engine.ReadingView]:
		if s.zones.done(m.gen) {
			s.readings.known = learn(merged(m.value), m.err, s.zonesPrint(d))
		}
		return nil, true
	case pause:
		if m.gen == s.job.gen {
			return s.ask(d), true
		}
		return nil, true
	case tea.KeyMsg:
		return s.key(d, m)
	}
	return nil, false
}

// heard takes a mapping. A time without a zone is then read in each of the zones
// that it may have been meant in.
func (s *asOfScreen) heard(d *desk, m reply[engine.AsOfView]) tea.Cmd {
	d.found.asOf = learn(m.value, m.err, s.print(d))
	s.mapped = d.now()
	s.inPlace = errors.Is(m.err, verdict.AsOfAfterCopy)
	if !errors.Is(m.err, verdict.AsOfNoZone) {
		s.readings.out()
		s.form.to(d.answers, max(0, s.form.at)) // the question may be gone that had the cursor
		return nil
	}
	if s.readings.known.good(s.zonesPrint(d)) {
		return nil
	}
	text := d.answers.AsOf
	return begin(d, &s.zones, "reading "+text+" in each zone", func(ctx context.Context) ([]engine.ReadingView, error) {
		return d.engine.Readings(ctx, text, d.here)
	})
}

// zonesPrint is what the readings depend on: the server and the text.
func (s *asOfScreen) zonesPrint(d *desk) string { return d.answers.printWith(connectStep, "as-of") }

// offers reports whether a zone is to be chosen now.
func (s *asOfScreen) offers(d *desk) bool {
	k := d.found.asOf
	return k.of(s.print(d)) && errors.Is(k.err, verdict.AsOfNoZone) && s.readings.known.good(s.zonesPrint(d)) && s.readings.choosable()
}

func (s *asOfScreen) key(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	if key.Matches(k, keyRemap) {
		return s.ask(d), true
	}
	if s.readings.on {
		return s.choose(d, k)
	}
	if down, leaves := s.leavesForm(d.answers, k); leaves && s.offers(d) {
		s.toReadings(down)
		return nil, true
	}
	cmd, changed, _, handled := s.form.update(d.answers, k)
	if !changed {
		return cmd, handled
	}
	s.zones.stop()
	if s.form.here().choices != nil {
		return s.ask(d), true
	}
	if !s.complete(d) {
		s.job.stop()
		return cmd, true
	}
	return tea.Batch(cmd, s.job.rest(d)), true
}

// leavesForm reports whether a key leads out of the form, to the question under
// it: down does from wherever the cursor is, tab from the last field, and what
// leads back from the first.
func (s *asOfScreen) leavesForm(a *answers, k tea.KeyMsg) (down, leaves bool) {
	switch k.Type {
	case tea.KeyDown:
		return true, true
	case tea.KeyTab:
		for _, f := range s.form.fields[s.form.at+1:] {
			if f.shown == nil || f.shown(a) {
				return false, false
			}
		}
		return true, true
	case tea.KeyShiftTab, tea.KeyUp:
		return false, s.form.at == 0
	}
	return false, false
}

// toReadings takes the cursor from the form to the readings under it.
func (s *asOfScreen) toReadings(down bool) {
	s.readings.enter(down)
	for _, f := range s.form.fields {
		if f.choices == nil {
			f.input.Blur()
		}
	}
	s.form.at = -1
}

// choose hears a key on the readings. The one taken becomes as_of.
func (s *asOfScreen) choose(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	if !s.offers(d) {
		s.readings.out()
		s.form.to(d.answers, 0)
		return nil, false
	}
	if key.Matches(k, keyTake) {
		d.answers.AsOf = s.readings.take(d.answers.AsOf)
		s.form.at = 0
		s.form.load(d.answers)
		return s.ask(d), true
	}
	left, down := s.readings.move(k)
	if left {
		s.form.at = 0
		if down {
			s.form.to(d.answers, 0)
		} else {
			s.form.back(d.answers)
		}
	}
	return nil, left || isMove(k)
}

func (s *asOfScreen) keys(d *desk) []key.Binding {
	switch {
	case s.readings.on:
		return []key.Binding{keyTake, keyRemap}
	case s.offers(d):
		return []key.Binding{bind("down", "to the readings", "down"), keyField, keyRemap}
	}
	return []key.Binding{keyField, keyRemap}
}

func (s *asOfScreen) ready(d *desk) status {
	k := d.found.asOf
	switch {
	case s.lagErr != nil:
		return stop("Copy lag: " + s.lagErr.Error() + ".")
	case d.answers.AsOf == "":
		return await("Give the time at which the copy started, or an LSN.")
	case s.job.running():
		return await("Checking: " + s.job.what + ".")
	case !k.of(s.print(d)):
		return await("Checking as soon as typing rests; ctrl+r checks now.")
	case s.offers(d):
		return stop("Which clock was it? Choose below: down, then space.")
	case k.err != nil:
		code := verdict.As(k.err).Code
		return stopFor(code, onAsOf(code))
	case k.value.Seeded:
		return fine("Seeded already: nothing will be written.")
	}
	if endangered(k.value) {
		return status{level: verdict.Warn, text: "L is " + k.value.L.String() + "; cleanup may pass it at any time."}
	}
	return fine("L is " + k.value.L.String() + left(k.value) + ".")
}

// left is how long L stays readable, in few words.
func left(v engine.AsOfView) string {
	if h := v.Kept.Headroom; h != nil && *h >= time.Second {
		return ", readable for about " + estimated(*h)
	}
	return ""
}

func (s *asOfScreen) checks(d *desk) []verdict.Check {
	if k := d.found.asOf; k.good(s.print(d)) {
		return k.value.Checks
	}
	return nil
}
