package tui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// field is one answer on a form: a line of text, or a choice of few.
type field struct {
	name    string
	input   textinput.Model
	other   string   // of a choice: a value given by a flag that is none of them
	choices []option // of a choice; a text has none
	get     func(*answers) string
	set     func(*answers, string)
	shown   func(*answers) bool // nil: always
	hint    string              // what it takes, behind the value while it is empty or has the cursor
}

// option is a value to choose and its words.
type option struct{ value, text string }

func textField(name, hint string, at func(*answers) *string) *field {
	return &field{
		name: name, hint: hint, input: newInput(),
		get: func(a *answers) string { return *at(a) },
		set: func(a *answers, s string) { *at(a) = strings.TrimSpace(s) },
	}
}

func choiceField(name string, at func(*answers) *string, options ...option) *field {
	return &field{
		name: name, choices: options,
		get: func(a *answers) string { return *at(a) },
		set: func(a *answers, s string) { *at(a) = s },
	}
}

func newInput() textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 4096
	in.Cursor.SetMode(cursor.CursorStatic) // typed draws it
	return in
}

// form is some fields, one of which has the cursor.
type form struct {
	fields []*field
	at     int
}

// load shows the answers as they stand.
func (f *form) load(a *answers) {
	for _, x := range f.fields {
		if x.choices == nil && x.input.Value() != x.get(a) {
			x.input.SetValue(x.get(a))
			x.input.CursorEnd()
		}
	}
	f.to(a, f.at)
}

// to puts the cursor on a field, the next one that is shown.
func (f *form) to(a *answers, at int) {
	n := len(f.fields)
	for range n {
		at = (at + n) % n
		if x := f.fields[at]; x.shown == nil || x.shown(a) {
			break
		}
		at++
	}
	f.at = at
	for i, x := range f.fields {
		if x.choices == nil {
			if i == at {
				x.input.Focus()
			} else {
				x.input.Blur()
			}
		}
	}
}

// here is the field with the cursor.
func (f *form) here() *field { return f.fields[f.at] }

// update hears a key. changed tells that an answer changed, moved that the
// cursor went to another field; a key that means nothing here is not handled.
func (f *form) update(a *answers, msg tea.Msg) (cmd tea.Cmd, changed, moved, handled bool) {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil, false, false, false
	}
	x := f.here()
	switch {
	case k.Type == tea.KeyTab, k.Type == tea.KeyDown:
		f.to(a, f.at+1)
		return nil, false, true, true
	case k.Type == tea.KeyShiftTab, k.Type == tea.KeyUp:
		f.back(a)
		return nil, false, true, true
	case x.choices != nil:
		changed = x.choose(a, k)
		return nil, changed, false, changed || k.Type == tea.KeySpace || k.Type == tea.KeyLeft || k.Type == tea.KeyRight
	}
	if k.Type == tea.KeyEnter || k.Type == tea.KeyEsc || k.Type == tea.KeyPgUp || k.Type == tea.KeyPgDown || strings.HasPrefix(k.String(), "ctrl+") && !editing(k) {
		return nil, false, false, false
	}
	before := x.input.Value()
	x.input, cmd = x.input.Update(k)
	if after := x.input.Value(); after != before {
		x.set(a, after)
		changed = true
	}
	return cmd, changed, false, true
}

// back puts the cursor on the field before, the last one that is shown.
func (f *form) back(a *answers) {
	for at := f.at - 1; ; at-- {
		at = (at + len(f.fields)) % len(f.fields)
		if x := f.fields[at]; x.shown == nil || x.shown(a) || at == f.at {
			f.to(a, at)
			return
		}
	}
}

// choose moves a choice.
func (x *field) choose(a *answers, k tea.KeyMsg) bool {
	step := 0
	switch k.Type {
	case tea.KeySpace, tea.KeyRight:
		step = 1
	case tea.KeyLeft:
		step = -1
	default:
		return false
	}
	options, now := x.options(a)
	if now < 0 && step < 0 {
		now = 0
	}
	x.set(a, options[(now+step+len(options))%len(options)].value)
	return true
}

// editing tells the control keys that a line of text uses itself.
func editing(k tea.KeyMsg) bool {
	switch k.String() {
	case "ctrl+a", "ctrl+b", "ctrl+d", "ctrl+e", "ctrl+f", "ctrl+h", "ctrl+k", "ctrl+n", "ctrl+p", "ctrl+u", "ctrl+v", "ctrl+w",
		"ctrl+left", "ctrl+right":
		return true
	}
	return false
}

// labelWidth is the cells before a field's value.
const labelWidth = 14

// lines draws the fields that are shown; focus is the line with the cursor.
func (f *form) lines(d *desk, w int) (lines []string, focus int) {
	for i, x := range f.fields {
		if x.shown != nil && !x.shown(d.answers) {
			continue
		}
		if i == f.at {
			focus = len(lines)
		}
		lines = append(lines, x.line(d, i == f.at, w)...)
	}
	return lines, focus
}

func (x *field) line(d *desk, here bool, w int) []string {
	head := "   "
	if here {
		head = " " + d.look.accent.Render(d.glyph.cursor) + " "
	}
	head += fill(x.name, labelWidth-3)
	room := max(1, w-labelWidth-1)
	if x.choices != nil {
		return []string{cut(head+x.chosen(d, room), w)}
	}
	hint := d.look.dim.Render(x.hint)
	if here {
		line := head + x.typed(d, room)
		if rest := w - width(line) - 2; x.hint != "" && rest >= width(x.hint) {
			line += "  " + hint
		}
		return []string{cut(line, w)}
	}
	value := clean(x.input.Value())
	if x.secret() {
		value = stars(value)
	}
	if value == "" {
		return []string{cut(head+hint, w)}
	}
	return []string{cut(head+value, w)}
}

// chosen draws the options in w cells: side by side where they fit, else the
// one that is chosen and how many there are.
func (x *field) chosen(d *desk, w int) string {
	options, at := x.options(d.answers)
	var parts []string
	for i, o := range options {
		dot := d.glyph.off
		if i == at {
			dot = d.glyph.on
		}
		parts = append(parts, dot+" "+clean(o.text))
	}
	if all := strings.Join(parts, "   "); width(all) <= w {
		return all
	}
	if at < 0 {
		return d.look.dim.Render(fmt.Sprintf("space chooses, one of %d", len(options)))
	}
	return parts[at] + d.look.dim.Render(fmt.Sprintf("   %d of %d (space)", at+1, len(options)))
}

// options are the choices and which one is chosen, -1 for none. A value that a
// flag gave and that is none of them is one more.
func (x *field) options(a *answers) ([]option, int) {
	v := x.get(a)
	if x.other == "" && v != "" && !slices.ContainsFunc(x.choices, func(o option) bool { return o.value == v }) {
		x.other = v
	}
	out := x.choices
	if x.other != "" {
		out = append(slices.Clone(out), option{x.other, x.other})
	}
	return out, slices.IndexFunc(out, func(o option) bool { return o.value == v })
}

// secret reports whether the value is never shown.
func (x *field) secret() bool { return x.input.EchoMode == textinput.EchoPassword }

// stars stand for a secret. They tell at most twelve of its length.
func stars(s string) string { return strings.Repeat("*", min(12, width(s))) }

// typed is the value with the cursor, the part around it where it is longer
// than w. The cursor is a character: without colour it is seen too.
func (x *field) typed(d *desk, w int) string {
	text := []rune(x.input.Value())
	at := min(x.input.Position(), len(text))
	if x.secret() {
		text = []rune(strings.Repeat("*", len(text)))
	}
	before, after := clean(string(text[:at])), clean(string(text[at:]))
	for width(before)+1 > w && before != "" {
		_, n := utf8.DecodeRuneInString(before)
		before = before[n:]
	}
	return before + d.look.accent.Render(d.glyph.caret(after)) + cut(after, max(0, w-width(before)-1))
}
