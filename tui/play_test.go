package tui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

var update = flag.Bool("update", false, "write the goldens")

// play is the wizard without a terminal: every command runs at once, typing
// settles at once, and its clock moves only when it is told to.
type play struct {
	*wizard
	t      testing.TB
	script *script
	clock  time.Time
	quit   bool
	copies []string
	runs   []engine.Plan // that were started
	stops  int           // how often the running seed was asked to stop
}

// perform opens the wizard over a script.
func perform(t testing.TB, s *script, r engine.Request) *play {
	t.Helper()
	p := &play{t: t, script: s, clock: time.Date(2026, 10, 26, 21, 14, 30, 0, time.UTC)}
	renderer := lipgloss.NewRenderer(os.Stderr)
	renderer.SetColorProfile(termenv.Ascii)
	d := &desk{
		answers: newAnswers(r, "secret"), engine: s, look: newTheme(renderer), glyph: plainGlyphs,
		now:  func() time.Time { return p.clock },
		here: time.UTC, life: context.Background(),
		send: func(m tea.Msg) { p.hear(m) },
		after: func(_ time.Duration, m tea.Msg) tea.Cmd {
			if _, tick := m.(second); tick {
				return nil
			}
			return say(m)
		},
		keep:    func(engine.Plan) (string, error) { return "/state/plan.json", s.keepErr },
		execute: func(plan engine.Plan, _ engine.Request) { p.runs = append(p.runs, plan) },
		cease:   func() { p.stops++ },
		copied:  func(text string) { p.copies = append(p.copies, text) },
	}
	p.wizard = newWizard(d, "0.1.0", steps())
	p.do(p.Init())
	return p
}

// hear gives the wizard a message and runs what it asks for.
func (p *play) hear(m tea.Msg) {
	_, cmd := p.Update(m)
	p.do(cmd)
}

func (p *play) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range m {
			p.do(c)
		}
	case tea.QuitMsg:
		p.quit = true
	default:
		p.hear(m)
	}
}

// press presses keys by name, such as enter, esc, tab, ctrl+r, or one letter.
// The clock moves a second before each, so that a warning has been read.
func (p *play) press(keys ...string) *play {
	p.t.Helper()
	for _, k := range keys {
		p.clock = p.clock.Add(time.Second)
		p.hear(keyNamed(p.t, k))
	}
	return p
}

// write types text, letter by letter.
func (p *play) write(text string) *play {
	for _, r := range text {
		m := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
		if r == ' ' {
			m.Type = tea.KeySpace
		}
		p.hear(m)
	}
	return p
}

// paste is text that arrives at once.
func (p *play) paste(text string) *play {
	p.hear(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
	return p
}

func keyNamed(t testing.TB, name string) tea.KeyMsg {
	t.Helper()
	if len([]rune(name)) == 1 {
		if name == " " {
			return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
		}
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	}
	for k := tea.KeyType(-100); k < 200; k++ {
		if m := (tea.KeyMsg{Type: k}); m.String() == name {
			return m
		}
	}
	t.Fatalf("no key is named %q", name)
	return tea.KeyMsg{}
}

// hold lets rests in typing last until release, as if the person went on.
func (p *play) hold() (release func()) {
	var held []tea.Msg
	after := p.after
	p.after = func(_ time.Duration, m tea.Msg) tea.Cmd {
		held = append(held, m)
		return nil
	}
	return func() {
		p.after = after
		for _, m := range held {
			p.hear(m)
		}
	}
}

// see is the screen at a size.
func (p *play) see(w, h int) string {
	p.hear(tea.WindowSizeMsg{Width: w, Height: h})
	return p.View()
}

// shows fails the test where the screen lacks a text.
func (p *play) shows(texts ...string) *play {
	p.t.Helper()
	screen := p.see(120, 60)
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			p.t.Fatalf("the screen lacks %q:\n%s", text, screen)
		}
	}
	return p
}

// lacks fails the test where the screen shows a text.
func (p *play) lacks(texts ...string) *play {
	p.t.Helper()
	screen := p.see(120, 60)
	for _, text := range texts {
		if strings.Contains(screen, text) {
			p.t.Fatalf("the screen shows %q:\n%s", text, screen)
		}
	}
	return p
}

// golden compares the screen with testdata/NAME at the sizes that people have.
// Every line fits, and the screen is as high as the terminal.
func (p *play) golden(name string) *play {
	p.t.Helper()
	for _, size := range []struct {
		file string
		w, h int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"60x18", 60, 18}} {
		got := p.see(size.w, size.h)
		lines := strings.Split(got, "\n")
		if len(lines) != size.h {
			p.t.Errorf("%s at %s has %d lines", name, size.file, len(lines))
		}
		for i, l := range lines {
			if width(l) > size.w {
				p.t.Errorf("%s at %s: line %d is %d cells wide: %q", name, size.file, i+1, width(l), l)
			}
			lines[i] = strings.TrimRight(l, " ")
		}
		got = strings.Join(lines, "\n") + "\n"
		if d := p.found.plan.value.Digest; len(d) > 8 { // it changes with whatever a plan holds
			got = strings.ReplaceAll(got, d[:8], "7f3a91c2")
		}
		file := filepath.Join("testdata", name, size.file+".txt")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				p.t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				p.t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			p.t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			p.t.Errorf("%s at %s (-want +got):\n%s", name, size.file, diff)
		}
	}
	return p
}
