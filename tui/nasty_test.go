package tui

import (
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/muesli/termenv"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// nasty are names that a database may have and that break frames drawn by bytes
// or by runes.
func nasty() map[string]string {
	return map[string]string{
		"Chinese":            "订单明细表二零二六年十月份的所有订单",
		"combining":          "cafe\u0301 " + strings.Repeat("z\u0334\u0335\u0336", 12),
		"many marks":         "a" + strings.Repeat("\u0300", 200) + "b",
		"right to left":      "הזמנות العملاء ordrer",
		"marks of direction": "a\u202eb\u2066c\u200fd\u061ce\u200ef",
		"emoji":              "🧾👩‍👩‍👧‍👦🏳️‍🌈 1️⃣ ⚠️",
		"joined":             "क्षि नमस्ते ไทยที่ 한국어\u1112\u1161\u11ab",
		"half and full":      "ｱｲｳ ＡＢＣ １２３",
		"nothing wide":       "\u200b\u200c\u200d\ufeff\u00ad\u2060",
		"fillers":            "a\u115fb\u1160c\u3164d\u180ee\u2061f\uffa0",
		"controls":           "a\x00b\x1b[31mc\td\ne\rf\x7fg\u0085h\x9bi",
		"no text":            "a\xff\xfe\xc3(b\xe2\x82",
		"lines":              "one\u2028two\u2029three",
		"private":            "\ue000\uf8ff\U000f0000",
		"blanks":             "  \u00a0\u3000\u2003 x \u2007",
		"long":               strings.Repeat("Sehr_langer_Name_", 40),
	}
}

// Terminals count a soft hyphen, a filler and their like as a cell or as none: no
// such character is ever drawn, so that no way to count can be wrong.
func TestUnseenCharactersAreSpelled(t *testing.T) {
	for r, want := range map[rune]string{
		'\u00ad': "<00AD>", '\u115f': "<115F>", '\u1160': "<1160>", '\u3164': "<3164>", '\uffa0': "<FFA0>",
		'\u180e': "<180E>", '\u2060': "<2060>", '\u2064': "<2064>", '\ufeff': "<FEFF>", '\ufff9': "<FFF9>",
		'\u200d': "\u200d", '\ufe0f': "\ufe0f", 'x': "x",
	} {
		if got := clean("soft" + string(r) + "hy"); got != "soft"+want+"hy" {
			t.Errorf("%U: %q", r, got)
		}
	}
}

// badlyNamed is the story with a name in every place where the world gives one.
func badlyNamed(t testing.TB, name string) (*script, engine.Request) {
	s, r := orders(), ordersRequest()
	s.source.Identity.Server, s.source.Identity.Database, s.source.Identity.Login = name, name, name
	s.source.Clock = name
	s.source.Checks = append(s.source.Checks, verdict.Okay("connected to "+name), verdict.Warned(verdict.NoZone, name, name))
	table := s.tables[0]
	table.Name, table.Instances[0].Name = name, name
	table.Instances[0].Key = []string{name, name}
	s.tables = []engine.Table{table, s.tables[0]}
	s.table.Table, s.table.Instance, s.table.Key = table, name, []string{name}
	s.table.Checks = []verdict.Check{verdict.Noted(name, name)}
	s.uncaptured = []string{name, "dbo.Other", name}
	s.copyErr = &verdict.Error{Code: verdict.CopyNotFound, What: name, Facts: verdict.Facts(name, name), Why: name, Hint: []string{name}}
	s.targetErr = &verdict.Error{Code: verdict.TargetNotBronze, What: name, Facts: verdict.Facts(name, name), Hint: []string{name}}
	s.asOfErr = &verdict.Error{Code: verdict.NoCommit, What: name, Facts: verdict.Facts(name, name), Why: name}
	s.plan = ordersPlan(t)
	s.plan.Table.Name, s.plan.Checks = name, append(s.plan.Checks, verdict.Warned(verdict.NoZone, name, name))
	s.plan.Target.URL, s.plan.Copy.URL = name, name
	r.Database, r.User, r.Copy, r.Target, r.TargetName, r.Facts, r.AppID = name, name, name, name, name, name, name
	return s, r
}

// scenesOf are screens with the name on them: every step, every overlay, a list
// of columns, a running seed, its log, a failure.
func scenesOf(t testing.TB, name string, show func(what string, p *play)) {
	s, r := badlyNamed(t, name)
	p := perform(t, s, r)
	for id := connectStep; id <= doneStep; id++ {
		p.do(p.show(id))
		show(p.step().title(), p)
		for _, key := range []string{"ctrl+o", "ctrl+y", "ctrl+g", "ctrl+c"} {
			p.press(key)
			show(p.step().title()+" "+key, p)
			p.press("esc")
		}
	}
	p.do(p.show(tableStep))
	for _, key := range []string{"u", "v", "/"} {
		p.press(key)
		show("Table "+key, p)
		p.press("esc")
	}
	p.press("/").paste(name)
	show("Table filtered", p)
	columns, _ := columnsPlay(t, r, func(r engine.Request) engine.ColumnsView {
		v := ordersColumns(r)
		for i := range v.Lines {
			l := &v.Lines[i]
			if l.Copy != "" {
				l.Copy = name
			}
			l.Target, l.CopyType, l.Cast, l.Why = name, name, name, name
			l.Effects, l.Notes = []string{name}, []string{name}
			l.Samples = []engine.SampleView{{Before: name, After: name, File: name, Row: 3}}
			for j := range l.Asks {
				l.Asks[j].Text, l.Asks[j].Column = name, name
			}
		}
		return v
	})
	show("Columns", columns)
	columns.press("down", "down", "v")
	show("Columns whole", columns)
	plan := ordersPlan(t)
	if name == clean(name) { // else nobody can type it
		plan.Table.Name = name
	}
	run := atRun(t, plan).says(0, stageStarted(), engine.Notice{Text: name})
	show("Run", run)
	run.press("l")
	show("Log", run)
	run.press("l").hear(finishedMsg{err: &verdict.Error{
		Code: verdict.RetentionPassed, What: name, Wrote: name, Facts: verdict.Facts(name, name), Why: name, Hint: []string{name, "cdcseed seed --copy " + name},
	}})
	show("Failure", run)
}

// Whatever a thing is called, the frame holds: every line has at most the
// terminal's cells, there are as many as the terminal has, and a terminal that
// draws them has its rail, rules and keys where they belong.
func TestNastyNames(t *testing.T) {
	for what, name := range nasty() {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			scenesOf(t, name, func(scene string, p *play) {
				for _, size := range [][2]int{{80, 24}, {120, 40}, {60, 18}, {61, 19}} {
					w, h := size[0], size[1]
					screen := p.see(w, h)
					lines := strings.Split(screen, "\n")
					if len(lines) != h {
						t.Fatalf("%s at %dx%d has %d lines", scene, w, h, len(lines))
					}
					for i, l := range lines {
						if width(l) > w || ansi.StringWidth(l) > w {
							t.Fatalf("%s at %dx%d: line %d is %d cells wide: %q", scene, w, h, i+1, width(l), l)
						}
						if strings.ContainsAny(l, "\x00\x1b\r\t\x7f\u202e\u2066\u200f\u061c") {
							t.Fatalf("%s at %dx%d: line %d has what a terminal acts on: %q", scene, w, h, i+1, l)
						}
					}
				}
				framed(t, scene, p.see(80, 24))
			})
		})
	}
}

// framed draws a screen on a terminal and checks that the frame's rules are
// where they belong.
func framed(t *testing.T, scene, screen string) {
	t.Helper()
	terminal := vt.NewEmulator(80, 24)
	_, _ = terminal.Write([]byte(strings.ReplaceAll(screen, "\n", "\r\n")))
	lines := strings.Split(ansi.Strip(terminal.Render()), "\n")
	for _, at := range []int{2, 20} {
		if at >= len(lines) || !strings.HasPrefix(lines[at], "----") {
			t.Errorf("%s: line %d is no rule:\n%s", scene, at+1, strings.Join(lines, "\n"))
			return
		}
	}
}

// Colour repeats words and changes no width, at every depth and on either
// background.
func TestColoursChangeNoWidth(t *testing.T) {
	for _, profile := range []termenv.Profile{termenv.Ascii, termenv.ANSI, termenv.ANSI256, termenv.TrueColor} {
		for _, dark := range []bool{true, false} {
			for _, glyphs := range []glyphs{plainGlyphs, lineGlyphs} {
				renderer := lipgloss.NewRenderer(os.Stderr)
				renderer.SetColorProfile(profile)
				renderer.SetHasDarkBackground(dark)
				every(t, func(p *play) {
					p.glyph = plainGlyphs
					bare := p.see(100, 30)
					p.look, p.glyph = newTheme(renderer), glyphs
					screen := p.see(100, 30)
					if coloured := strings.Contains(screen, "\x1b["); coloured != (profile != termenv.Ascii) {
						t.Errorf("%s: coloured %v with %v", p.step().title(), coloured, profile)
					}
					if text := ansi.Strip(screen); glyphs == plainGlyphs && text != bare {
						t.Errorf("%s: colour changes the text:\n%s", p.step().title(), text)
					}
					for i, l := range strings.Split(screen, "\n") {
						if width(l) > 100 {
							t.Errorf("%s: line %d is %d cells wide", p.step().title(), i+1, width(l))
						}
					}
				})
			}
		}
	}
}
