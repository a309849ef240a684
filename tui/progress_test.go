package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

var start = time.Date(2026, 10, 26, 21, 0, 0, 0, time.UTC)

func rows(done, total int64) engine.Progress {
	return engine.Progress{Phase: engine.Stage, Done: done, Total: total, Unit: "rows"}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		share float64
		w     int
		want  string
	}{
		{0, 12, "[----------]"}, {0.5, 12, "[#####-----]"}, {0.999, 12, "[#########-]"}, {1, 12, "[##########]"}, {0.5, 3, "[-]"}, {0.5, 1, "["}, {0.5, 0, ""}, {0.5, -4, ""},
	} {
		if got := plainGlyphs.drawn(c.share, c.w); got != c.want {
			t.Errorf("%v in %d cells: %q, want %q", c.share, c.w, got, c.want)
		}
	}
}

// 100 % is said only when nothing is left.
func TestPercent(t *testing.T) {
	for done, want := range map[int64]string{0: "0.0 %", 1: "0.0 %", 99_999: "99.9 %", 100_000: "100.0 %", 200_000: "100.0 %", 43_199: "43.1 %"} {
		g := newGauge(start)
		g.hear(rows(done, 100_000), start.Add(time.Second))
		if got := g.percent(); got != want {
			t.Errorf("%d: %s, want %s", done, got, want)
		}
	}
	g := newGauge(start)
	g.hear(rows(0, 0), start.Add(time.Second))
	if got := g.percent(); got != "0.0 %" {
		t.Errorf("of nothing: %s", got)
	}
}

// The present rate is of the last seconds, the other of all.
func TestRates(t *testing.T) {
	g := newGauge(start)
	if _, _, ok := g.rates(start); ok {
		t.Error("a rate without time")
	}
	for i := range int64(100) {
		g.hear(rows((i+1)*1000, 1_000_000), start.Add(time.Duration(i+1)*time.Second))
	}
	for i := range int64(20) {
		g.hear(rows(100_000+(i+1)*100, 1_000_000), start.Add(time.Duration(101+i)*time.Second))
	}
	now := start.Add(120 * time.Second)
	recent, overall, ok := g.rates(now)
	if !ok || int(recent) != 100 || int(overall) != 850 {
		t.Errorf("%v %v %v, want 100 and 850", recent, overall, ok)
	}
	left, ok := g.left(now)
	if want := 8980 * time.Second; !ok || left != want {
		t.Errorf("left %v, want %v: the slower rate counts", left, want)
	}
	if recent, _, _ := g.rates(now.Add(90 * time.Second)); recent > 11 {
		t.Errorf("standing still, the rate is %v", recent)
	}
}

// Before one per cent, and with nothing left, no time is told.
func TestLeftIsToldFromOnePerCent(t *testing.T) {
	for done, want := range map[int64]bool{0: false, 9_999: false, 10_000: true, 999_999: true, 1_000_000: false} {
		g := newGauge(start)
		g.hear(rows(done, 1_000_000), start.Add(100*time.Second))
		if _, ok := g.left(start.Add(100 * time.Second)); ok != want {
			t.Errorf("%d: %v, want %v", done, ok, want)
		}
	}
}

// Counts that come late or twice never turn the numbers back.
func TestGaugeNeverGoesBack(t *testing.T) {
	g := newGauge(start)
	g.hear(engine.Progress{Done: 500, Total: 1000, Files: 3, FileCount: 4, Bytes: 70}, start.Add(time.Second))
	g.hear(engine.Progress{Done: 400, Total: 1000, Files: 2, FileCount: 4, Bytes: 60}, start.Add(2*time.Second))
	if g.at.Done != 500 || g.at.Files != 3 || g.at.Bytes != 70 {
		t.Errorf("%+v", g.at)
	}
	if recent, _, ok := g.rates(start.Add(2 * time.Second)); !ok || recent < 0 {
		t.Errorf("rate %v %v", recent, ok)
	}
}

func TestInMillions(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999_999: "999,999", 1_000_000: "1.0 M", 917_649_999: "917.6 M", 999_999_999: "999.9 M", 2_128_904_113: "2.12 B", 12_000_000_000_000: "12,000.00 B",
	} {
		if got := inMillions(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// A line that is too wide goes on where its value begins.
func TestPrinted(t *testing.T) {
	p := perform(t, orders(), ordersRequest())
	for in, want := range map[string]string{
		"  to         /lake/bronze one commit":      "   to         /lake/bronze one|              commit",
		"  warn  fell_back: looked up an hour back": "   warn  fell_back: looked up|         an hour back",
		"  1. Register the name before the stream":  "   1. Register the name before|      the stream",
		"        a paragraph of some words here":    "         a paragraph of some|         words here",
		"short":                                     " short",
	} {
		if got := strings.Join(p.printed(in, 30), "|"); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", in, got, want)
		}
	}
}

// A window stays within its lines, and its words are true.
func TestPane(t *testing.T) {
	lines := strings.Split("a b c d e f g h i j", " ")
	var p pane
	see := func(want, wantMore string) {
		t.Helper()
		shown, more := p.draw(lines, 4)
		if got := strings.Join(shown, ""); got != want || more != wantMore {
			t.Errorf("%s %q, want %s %q", got, more, want, wantMore)
		}
	}
	see("abcd", "6 lines below (pgdn)")
	p.hear(tea.KeyMsg{Type: tea.KeyPgDown})
	see("defg", "3 lines above (pgup), 3 below (pgdn)")
	for range 5 {
		p.hear(tea.KeyMsg{Type: tea.KeyPgDown})
	}
	see("ghij", "6 lines above (pgup)")
	p.hear(tea.KeyMsg{Type: tea.KeyPgUp})
	see("defg", "3 lines above (pgup), 3 below (pgdn)")
	p.hear(tea.KeyMsg{Type: tea.KeyEnd})
	see("ghij", "6 lines above (pgup)")
	p.hear(tea.KeyMsg{Type: tea.KeyHome})
	see("abcd", "6 lines below (pgdn)")
	if shown, more := (&pane{top: 7}).draw(nil, 0); len(shown) != 0 || more != "" {
		t.Error(shown, more)
	}
}

// Empty lines give way to what is said, and only where that helps.
func TestTightened(t *testing.T) {
	lines := []string{"a", "", "b", "", "c"}
	for h, want := range map[int]string{9: "a||b||c", 5: "a||b||c", 4: "a||b|c", 3: "a|b|c", 2: "a||b||c", 0: "a||b||c"} {
		if got := strings.Join(tightened(lines, h), "|"); got != want {
			t.Errorf("in %d lines: %s, want %s", h, got, want)
		}
	}
	if strings.Join(lines, "|") != "a||b||c" {
		t.Error("the lines themselves changed")
	}
}
