package tui

import (
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

// benchScene is a screen with much on it, and keys that change it.
type benchScene struct {
	name string
	open func(testing.TB) *play
	keys []string
}

// benchScenes are a thousand captured tables, five hundred columns, and the long
// pages that follow from them.
func benchScenes() []benchScene {
	tables := func(t testing.TB) *play { return atTable(t, thousandTables(), "") }
	columns := func(t testing.TB) *play {
		p, _ := columnsPlay(t, ordersRequest(), manyColumns)
		return p
	}
	after := func(open func(testing.TB) *play, keys ...string) func(testing.TB) *play {
		return func(t testing.TB) *play { return open(t).press(keys...) }
	}
	return []benchScene{
		{"tables/list", tables, []string{"down", "up", "pgdown", "pgup", "end", "home", "ctrl+o", "esc"}},
		{"tables/filter", after(tables, "/"), []string{"t", "0", "9", "backspace", "backspace", "backspace"}},
		{"tables/sort", tables, []string{"s", "down"}},
		{"tables/uncaptured", after(tables, "u"), []string{"pgdown", "pgup"}},
		{"columns/list", columns, []string{"down", "up", "pgdown", "pgup", "end", "home", "n", "ctrl+y", "esc"}},
		{"columns/filter", after(columns, "/"), []string{"c", "4", "9", "backspace", "backspace", "backspace"}},
		{"columns/open only", columns, []string{"o", "down", "o"}},
		{"columns/answer", after(columns, "n"), []string{" ", "left", "backspace"}},
		{"columns/whole", after(columns, "v"), []string{"pgdown", "pgup"}},
		{"columns/sort", columns, []string{"s", "down"}},
		{"log", longLog, []string{"pgdown", "pgup", "l", "l"}},
	}
}

// longLog is the log of a seed that had much to say.
func longLog(t testing.TB) *play {
	p := atRun(t, ordersPlan(t)).says(0, stageStarted())
	for range 2_000 {
		p.says(time.Second, engine.Notice{Text: "amount: 1 value rounded, such as 7.128 -> 7.13, in part-00855.parquet"})
	}
	return p.press("l")
}

// BenchmarkKeyToScreen is how long a key takes until the screen is drawn anew,
// each key apart: below 16 ms nobody sees a delay.
func BenchmarkKeyToScreen(b *testing.B) {
	for _, s := range benchScenes() {
		b.Run(s.name, func(b *testing.B) {
			p := s.open(b)
			p.see(200, 60)
			keys := make([]tea.KeyMsg, len(s.keys))
			for i, k := range s.keys {
				keys[i] = keyNamed(b, k)
			}
			took, n := make([]time.Duration, len(keys)), 0
			for b.Loop() {
				began := time.Now()
				p.hear(keys[n%len(keys)])
				p.View()
				took[n%len(keys)] += time.Since(began)
				n++
			}
			slowest := slices.Max(took) / time.Duration(max(1, n/len(keys)))
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(n), "ms/key")
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/slowest-key")
			b.ReportMetric(0, "ns/op")
		})
	}
}
