package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// connectScreen asks for the server and who reads it. It connects when tab leaves a field
// or on request, never while one is typed: half a password, tried at
// every pause, locks a login out.
type connectScreen struct {
	form  form
	job   job
	dirty bool // an answer changed since the last try

	prompt string // what to do elsewhere to sign in, while it connects
}

// The fields that are named, of eight.
const (
	fieldUser     = 3
	fieldPassword = 4
	fieldPin      = 6
	fieldZone     = 7
)

func newConnect() step {
	s := &connectScreen{job: job{step: connectStep}}
	s.form.fields = []*field{
		textField("Server", "host, host,port or host\\instance", func(a *answers) *string { return &a.Server }),
		textField("Database", "the one that has CDC", func(a *answers) *string { return &a.Database }),
		choiceField("Sign in", func(a *answers) *string { return &a.SignIn }, signIns()...),
		textField("User", "", func(a *answers) *string { return &a.User }),
		passwordField(),
		encryptField(),
		certificateField(),
		textField("Time zone", "only where the server cannot name its own: a Windows name", func(a *answers) *string { return &a.TimeZone }),
	}
	return s
}

func passwordField() *field {
	f := textField("Password", "", func(a *answers) *string { return &a.password })
	f.set = func(a *answers, s string) { a.password = s } // blanks count
	f.input.EchoMode = textinput.EchoPassword
	return f
}

// pinned begins the answer that pins a certificate; its file follows.
const pinned = "pin:"

func encryptField() *field {
	f := choiceField("Encrypt", func(a *answers) *string { return &a.Encrypt },
		option{"", "verify, or as a URL says"}, option{"strict", "strict (TDS 8)"}, option{pinned, "pin the server's certificate"},
		option{"trust", "trust any (unsafe)"}, option{"none", "none (this machine only)"})
	f.get = func(a *answers) string {
		if strings.HasPrefix(a.Encrypt, pinned) {
			return pinned
		}
		return a.Encrypt
	}
	return f
}

// told are the answers as a command has them. A certificate that is to be pinned
// and not named yet is none.
func (a *answers) told() engine.Request {
	r := a.WithoutSecrets()
	if r.Encrypt == pinned {
		r.Encrypt = ""
	}
	return r
}

// certificateField takes the file of a certificate that is pinned.
func certificateField() *field {
	f := textField("PEM file", "the server's certificate, and no other is taken", nil)
	f.get = func(a *answers) string {
		file, is := strings.CutPrefix(a.Encrypt, pinned)
		if !is {
			return "" // it is another answer
		}
		return file
	}
	f.set = func(a *answers, s string) { a.Encrypt = pinned + unquoted(s) }
	f.shown = func(a *answers) bool { return strings.HasPrefix(a.Encrypt, pinned) }
	return f
}

func (*connectScreen) title() string { return "Connect" }

func (s *connectScreen) enter(d *desk) tea.Cmd {
	s.form.load(d.answers)
	if d.answers.Server == "" || d.found.source.of(s.print(d)) {
		return nil
	}
	if user, must := d.answers.PasswordUser(); must && user != "" && d.answers.password == "" {
		s.form.to(d.answers, fieldPassword)
		s.dirty = true
		return nil
	}
	return s.try(d)
}

func (s *connectScreen) leave() { s.job.stop() }

func (s *connectScreen) print(d *desk) string { return d.answers.print(connectStep) }

// try connects.
func (s *connectScreen) try(d *desk) tea.Cmd {
	s.dirty, s.prompt = false, ""
	s.part(d)
	r, pass := d.answers.asked(), d.answers.password
	return begin(d, &s.job, "connecting to "+r.WithoutSecrets().Server, func(ctx context.Context) (engine.SourceView, error) {
		return d.engine.Connect(ctx, r, pass)
	})
}

// part takes a password that was typed into the server's field to its own: it
// is shown nowhere.
func (s *connectScreen) part(d *desk) {
	clean, password := engine.WithoutPassword(d.answers.Server)
	if password != "" {
		d.answers.Server, d.answers.password = clean, password
		s.form.load(d.answers)
	}
}

// words gives the fields the hints of the way to sign in.
func (s *connectScreen) words(d *desk) {
	words := wordsFor(d.answers.SignIn)
	s.form.fields[fieldUser].hint, s.form.fields[fieldPassword].hint = words.user, words.password
}

func (s *connectScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case promptMsg:
		s.prompt = m.text
		return nil, true
	case reply[engine.SourceView]:
		if s.job.done(m.gen) {
			d.found.source = learn(m.value, m.err, s.print(d))
		}
		return nil, true
	case tea.KeyMsg:
		if key.Matches(m, keyRecheck) {
			return s.try(d), true
		}
		if key.Matches(m, keyNext) && d.answers.Encrypt == pinned {
			s.form.to(d.answers, fieldPin)
			return nil, true
		}
		if key.Matches(m, keyNext) && !s.job.running() && !d.found.source.good(s.print(d)) && d.answers.Server != "" {
			return s.try(d), true
		}
		cmd, changed, moved, handled := s.form.update(d.answers, m)
		if changed {
			if s.form.here().choices != nil { // another field may hold the answer now
				s.form.load(d.answers)
			}
			s.dirty = true
			s.job.stop()
		}
		// An arrow may be the wheel's, turned while a password is half typed.
		if moved && s.dirty && s.complete(d) && m.Type != tea.KeyUp && m.Type != tea.KeyDown {
			return tea.Batch(cmd, s.try(d)), true
		}
		return cmd, handled
	}
	return nil, false
}

// complete reports whether there is enough to connect with.
func (s *connectScreen) complete(d *desk) bool {
	user, must := d.answers.PasswordUser()
	return d.answers.Server != "" && d.answers.Database != "" && d.answers.Encrypt != pinned && (!must || user == "" || d.answers.password != "")
}

func (s *connectScreen) view(d *desk, w, h int) page {
	s.words(d)
	lines := []string{apart(" "+d.look.bold.Render("Where is the source?"), "cdcseed reads it and never changes it. ", w), ""}
	fields, focus := s.form.hinted(d, w, s.wrong(d))
	focus += len(lines)
	lines = append(lines, fields...)
	if list := s.form.unfolded(d, w, h-len(lines)+1); len(list) > 0 { // without the blank line above
		lines = append(append(lines, ""), list...)
	}
	lines = append(lines, "")
	return page{lines: append(lines, s.found(d, w)...), focus: focus}.tight(h)
}

// wrong is the field to correct, -1 where none can be told.
func (s *connectScreen) wrong(d *desk) int {
	if k := d.found.source; k.of(s.print(d)) && errors.Is(k.err, verdict.ZoneUnknown) {
		return fieldZone
	}
	return -1
}

// found draws what the last try came to; dimmed where it is of older answers.
func (s *connectScreen) found(d *desk, w int) []string {
	k := d.found.source
	var lines []string
	if s.job.running() {
		lines = append(lines, " "+cut(clean(s.job.what)+" ...", w-1))
		if s.prompt != "" {
			lines = append(lines, wrap("  "+d.look.word(verdict.Note), "        ", clean(s.prompt), w)...)
		}
	}
	if !k.set {
		return lines
	}
	head := " Checks"
	old := !k.of(s.print(d))
	if old {
		head += ", of earlier answers"
	}
	lines = append(lines, d.look.bold.Render(head))
	if k.err != nil {
		lines = append(lines, d.refusal(k.err, w)...)
	} else {
		lines = append(lines, d.findings(k.value.Checks, w)...)
	}
	if old {
		lines = d.faded(lines)
	}
	return lines
}

func (s *connectScreen) keys(*desk) []key.Binding { return []key.Binding{keyField, keyRecheck} }

func (s *connectScreen) ready(d *desk) status {
	k := d.found.source
	switch {
	case d.answers.Server == "":
		return await("Give the server's name.")
	case d.answers.Encrypt == pinned:
		return await("Give the PEM file of the server's certificate.")
	case s.job.running():
		return await(strings.ToUpper(s.job.what[:1]) + s.job.what[1:] + ".")
	case !k.of(s.print(d)):
		return status{level: verdict.Note, text: "enter connects and checks."}
	case k.err != nil:
		e := verdict.As(k.err)
		return stopFor(e.Code, onConnect(e))
	}
	n := len(k.value.Checks)
	return fine(fmt.Sprintf("Ready. %s; server time %s.", verdict.Plural(n, "check", "checks"), k.value.Now.FloorSecond()))
}

func (s *connectScreen) checks(d *desk) []verdict.Check {
	if k := d.found.source; k.good(s.print(d)) {
		return k.value.Checks
	}
	return nil
}
