package tui

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/clock"
)

func TestTimeline(t *testing.T) {
	const now, oldest = "2026-10-26T21:10:00Z", "2026-10-23T21:10:00Z"
	moment := func(text string) *clock.Instant {
		if text == "" {
			return nil
		}
		return atp(text)
	}
	for name, c := range map[string]struct {
		oldest, l, asOf string
		timeless        bool
		w               int
		want            []string
	}{
		"L and as_of apart": {oldest, "2026-10-24T21:10:00Z", "2026-10-25T21:10:00Z", false, 62, []string{
			"oldest kept 10-23 21:10Z                      now 10-26 21:10Z",
			"|--------------------L-------------------A-------------------|",
			"L 10-24 21:10Z   A = as_of 10-25 21:10Z",
			"cleanup moves the left edge",
		}},
		"in one cell, L wins": {oldest, "2026-10-25T00:39:58Z", "2026-10-25T00:40:00Z", false, 62, []string{
			"oldest kept 10-23 21:10Z                      now 10-26 21:10Z",
			"|----------------------LA------------------------------------|",
			"L 10-25 00:39Z   A = as_of 10-25 00:40Z",
			"cleanup moves the left edge",
		}},
		"in the last cell, both stay inside": {oldest, "2026-10-26T21:09:59Z", now, false, 40, []string{
			"kept 10-23 21:10Z       now 10-26 21:10Z",
			"|------------------------------------LA|",
			"L 10-26 21:09Z   A = as_of 10-26 21:10Z",
			"cleanup moves the left edge",
		}},
		"L is gone": {oldest, "2026-10-23T16:59:00Z", "2026-10-23T18:00:00Z", false, 74, []string{
			"            oldest kept 10-23 21:10Z                      now 10-26 21:10Z",
			"L.A.........|------------------------------------------------------------|",
			"L 10-23 16:59Z   A = as_of 10-23 18:00Z   left of |: not kept any more",
		}},
		"as_of is still to come": {oldest, "", "2026-10-27T05:00:00Z", false, 62, []string{
			"oldest kept 10-23 21:10Z            now 10-26 21:10Z",
			"|--------------------------------------------------|.........A",
			"A = as_of 10-27 05:00Z   cleanup moves the left edge",
			"right of |: not yet",
		}},
		"L has no time": {oldest, "", "", true, 62, []string{
			"oldest kept 10-23 21:10Z                      now 10-26 21:10Z",
			"|------------------------------------------------------------|",
			"L is not drawn: its commit time is not known",
			"cleanup moves the left edge",
		}},
		"the oldest has no time": {"", "2026-10-25T21:10:00Z", "2026-10-25T22:10:00Z", false, 62, []string{
			"oldest kept not known                         now 10-26 21:10Z",
			"?------L-A---------------------------------------------------|",
			"L 10-25 21:10Z   A = as_of 10-25 22:10Z",
			"?: the oldest kept has no known time",
		}},
		"narrow, across a year": {"2025-12-30T21:10:00Z", "2025-12-30T16:59:00Z", "2025-12-31T18:00:00Z", false, 20, []string{
			"     12-30       now",
			"L....|A------------|",
			"L 2025-12-30 16:59Z",
			"A = as_of 2025-12-31",
			"18:00Z",
			"left of |: not kept",
			"any more",
		}},
		"nothing to mark": {oldest, "", "", false, 62, nil},
	} {
		m := moments{oldest: moment(c.oldest), now: at(now), l: moment(c.l), asOf: moment(c.asOf), timeless: c.timeless}
		if diff := cmp.Diff(c.want, timeline(m, c.w, plainGlyphs)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Whatever the moments are, no row is too wide, no mark is lost or doubled, the
// marks stand in the order of time, and each stands on its side of the edges.
func TestTimelineKeepsItsMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	spread := []int64{1, 1e3, 1e6, 60e6, 3600e6, 86400e6, 86400e6 * 365, 86400e6 * 365 * 200}
	pick := func(around clock.Instant) *clock.Instant {
		if r.IntN(8) == 0 {
			return nil
		}
		size := spread[r.IntN(len(spread))]
		i := around + clock.Instant(r.Int64N(2*size+1)-size)
		return &i
	}
	now := at("2026-10-26T21:10:00Z")
	for range 10_000 {
		m := moments{now: now, oldest: pick(now), l: pick(now)}
		m.asOf = pick(now)
		if m.l != nil && r.IntN(2) == 0 {
			m.asOf = pick(*m.l)
		}
		m.timeless = m.l == nil && r.IntN(2) == 0
		w := leastTimeline + r.IntN(181)
		for _, g := range []glyphs{plainGlyphs, lineGlyphs} {
			rows := timeline(m, w, g)
			if rows == nil {
				if m.l != nil || m.asOf != nil || m.timeless {
					t.Fatalf("%+v at %d: no picture", m, w)
				}
				continue
			}
			for _, row := range rows {
				if width(row) > w {
					t.Fatalf("%+v at %d: %q is %d wide", m, w, row, width(row))
				}
			}
			if fault := misplaced(m, []rune(rows[1])); fault != "" {
				t.Fatalf("%+v at %d: %s: %s", m, w, fault, rows[1])
			}
		}
	}
}

// misplaced says what is wrong with a bar, or nothing.
func misplaced(m moments, bar []rune) string {
	find := func(r rune) int { return strings.IndexRune(strings.Map(ascii, string(bar)), r) }
	l, a, right := find('L'), find('A'), strings.LastIndex(strings.Map(ascii, string(bar)), "|")
	left := find('|')
	if m.oldest == nil {
		left = find('?')
	}
	switch {
	case (m.l != nil) != (l >= 0) || (m.asOf != nil) != (a >= 0):
		return "a mark is lost"
	case m.l != nil && m.asOf != nil && *m.l <= *m.asOf && l >= a, m.l != nil && m.asOf != nil && *m.l > *m.asOf && l <= a:
		return "the marks are not in the order of time"
	case left < 0 || right <= left:
		return "an edge is lost"
	}
	for _, mark := range []struct {
		t    *clock.Instant
		cell int
	}{{m.l, l}, {m.asOf, a}} {
		if mark.t == nil {
			continue
		}
		old := m.oldest != nil && *mark.t < min(*m.oldest, m.now)
		if old != (mark.cell < left) || (*mark.t > m.now) != (mark.cell > right) {
			return "a mark is on the wrong side of an edge"
		}
	}
	return ""
}

// ascii makes one byte of each character, so that places are cells.
func ascii(r rune) rune {
	if r > 127 {
		return '-'
	}
	return r
}
