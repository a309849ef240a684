//go:build !windows

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// terminal is the program in a real terminal, and what a person sees on it.
type terminal struct {
	t      *testing.T
	line   *os.File // the terminal's own end
	child  *exec.Cmd
	screen *vt.SafeEmulator
	ended  chan struct{} // closed when the program has ended
	hung   chan struct{} // closed when nothing more is read
	frozen atomic.Bool   // what is written stays where it is

	mu   sync.Mutex
	raw  bytes.Buffer // everything that was written
	over bool         // nothing more is to be read
}

// patience is how long anything may take on a busy machine.
const patience = 60 * time.Second

// openTerminal starts the program at 100 x 30.
func openTerminal(t *testing.T, env map[string]string, args ...string) *terminal {
	t.Helper()
	s := &terminal{t: t, screen: vt.NewSafeEmulator(100, 30), ended: make(chan struct{}), hung: make(chan struct{})}
	return s.start(exec.Command(os.Args[0], args...), env)
}

// start runs a command on the terminal, with the program's tests' environment.
func (s *terminal) start(child *exec.Cmd, env map[string]string) *terminal {
	t := s.t
	t.Helper()
	s.child = child
	home := t.TempDir()
	s.child.Env = []string{childEnv + "=1", "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "CDCSEED_STATE=" + home + "/state"}
	for name, value := range env {
		s.child.Env = append(s.child.Env, name+"="+value)
	}
	line, err := pty.StartWithSize(s.child, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		t.Fatal(err)
	}
	s.line = line
	go s.show()
	go s.reply()
	go func() {
		_ = s.child.Wait() // how it ended shows in its state
		close(s.ended)
	}()
	t.Cleanup(func() {
		_ = s.child.Process.Kill()
		<-s.ended
		s.hangUp()
		_ = s.screen.InputPipe().(interface{ Close() error }).Close() // ends reply
	})
	return s
}

// show draws what the program writes. It never waits in a read: that would keep
// the terminal open when it is to be closed.
func (s *terminal) show() {
	defer close(s.hung)
	b := make([]byte, 1<<14)
	for fd := int(s.line.Fd()); !s.closing(); {
		var ready unix.FdSet
		ready.Set(fd)
		wait := unix.NsecToTimeval(int64(20 * time.Millisecond))
		if s.frozen.Load() {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		if n, err := unix.Select(fd+1, &ready, nil, nil, &wait); n == 0 || errors.Is(err, unix.EINTR) {
			continue
		}
		n, err := s.line.Read(b)
		s.mu.Lock()
		s.raw.Write(b[:n])
		s.mu.Unlock()
		_, _ = s.screen.Write(b[:n]) // a screen takes everything
		if err != nil {
			return
		}
	}
}

func (s *terminal) closing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// reply gives the program what the terminal answers to its questions.
func (s *terminal) reply() {
	b := make([]byte, 256)
	for {
		n, err := s.screen.Read(b)
		if err != nil {
			return
		}
		_, _ = s.line.Write(b[:n]) // a closed terminal answers nobody
	}
}

// see is what the screen shows.
func (s *terminal) see() string { return ansi.Strip(s.screen.Render()) }

// expect waits until all the texts are on the screen at once, wherever lines
// break.
func (s *terminal) expect(texts ...string) *terminal {
	s.t.Helper()
	s.until(func(screen string) string {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return "the screen lacks " + text
			}
		}
		return ""
	})
	return s
}

// gone waits until a text is not on the screen any more.
func (s *terminal) gone(text string) *terminal {
	s.t.Helper()
	s.until(func(screen string) string {
		if strings.Contains(screen, text) {
			return "the screen still shows " + text
		}
		return ""
	})
	return s
}

func (s *terminal) until(lacks func(screen string) string) {
	s.t.Helper()
	end := time.Now().Add(patience)
	for {
		what := lacks(flat(s.see()))
		if what == "" {
			return
		}
		over := false
		select {
		case <-s.hung:
			over = true
		default:
		}
		if (over || time.Now().After(end)) && lacks(flat(s.see())) != "" {
			s.t.Fatalf("%s (ended: %v):\n%s", what, over, s.see())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// keys are what a terminal sends for keys that are no letters.
var keys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"pgup": "\x1b[5~", "pgdn": "\x1b[6~", "end": "\x1b[F", "home": "\x1b[H", "backspace": "\x7f", "space": " ",
	"ctrl+c": "\x03", "ctrl+l": "\x0c", "ctrl+z": "\x1a", "ctrl+o": "\x0f", "ctrl+r": "\x12", "ctrl+u": "\x15", "ctrl+y": "\x19",
}

// press presses keys as a person does, one after the other.
func (s *terminal) press(names ...string) *terminal {
	s.t.Helper()
	for _, name := range names {
		code, ok := keys[name]
		if !ok {
			code = name
		}
		s.send(code)
		time.Sleep(60 * time.Millisecond) // an escape that is followed at once is another key
	}
	return s
}

// write types text.
func (s *terminal) write(text string) *terminal {
	s.t.Helper()
	for _, r := range text {
		s.send(string(r))
		time.Sleep(2 * time.Millisecond)
	}
	return s
}

// paste pastes text as a terminal does.
func (s *terminal) paste(text string) *terminal {
	s.t.Helper()
	s.send("\x1b[200~" + text + "\x1b[201~")
	return s
}

func (s *terminal) send(text string) {
	s.t.Helper()
	select {
	case <-s.ended: // nobody hears it
		return
	default:
	}
	if _, err := s.line.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// accept presses enter until the screen shows a text: warnings are named and
// accepted on the way.
func (s *terminal) accept(text string) *terminal {
	s.t.Helper()
	end := time.Now().Add(patience)
	for {
		screen := flat(s.see())
		switch {
		case strings.Contains(screen, text):
			return s
		case time.Now().After(end):
			s.t.Fatalf("enter does not lead to %q:\n%s", text, s.see())
		case strings.Contains(screen, "enter (off)"): // something is awaited
			time.Sleep(20 * time.Millisecond)
			continue
		case strings.Contains(screen, "enter again accepts it"):
			time.Sleep(450 * time.Millisecond) // it has to be read
		}
		s.press("enter")
		for wait := time.Now().Add(time.Second); flat(s.see()) == screen && time.Now().Before(wait); {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// leave presses enter until the program ends: one that comes right behind the
// end of a seed was meant for something else, and counts for nothing.
func (s *terminal) leave() (status int, after string) {
	s.t.Helper()
	for range 20 {
		s.press("enter")
		select {
		case <-s.ended:
			return s.exit()
		case <-time.After(500 * time.Millisecond):
		}
	}
	return s.exit()
}

// resize changes the terminal's size.
func (s *terminal) resize(w, h int) *terminal {
	s.t.Helper()
	s.screen.Resize(w, h)
	if err := pty.Setsize(s.line, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		s.t.Fatal(err)
	}
	return s
}

// signal sends the program a signal.
func (s *terminal) signal(sig syscall.Signal) *terminal {
	s.t.Helper()
	if err := s.child.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
	return s
}

// hangUp closes the terminal's own end, as a window that is closed does.
func (s *terminal) hangUp() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	<-s.hung
	_ = s.line.Close() // a second time, where a test did
}

// exit waits for the program's end, and answers its status and what stands on
// the normal screen below the wizard.
func (s *terminal) exit() (status int, after string) {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.t.Fatalf("the program does not end:\n%s", s.see())
	}
	return s.child.ProcessState.ExitCode(), s.afterwards()
}

// afterwards is what was written once the wizard's screen was closed.
func (s *terminal) afterwards() string {
	select {
	case <-s.hung:
	case <-time.After(patience):
		s.t.Fatal("the terminal is still open")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.raw.String()
	if at := strings.LastIndex(text, "\x1b[?1049l"); at >= 0 {
		text = text[at:]
	} else if strings.Contains(text, "\x1b[?1049h") {
		s.t.Error("the wizard's screen was not closed")
	}
	return strings.ReplaceAll(ansi.Strip(text), "\r", "")
}

// colours reports whether anything on the screen has one.
func (s *terminal) colours() bool {
	for y := range s.screen.Height() {
		for x := range s.screen.Width() {
			if c := s.screen.CellAt(x, y); c != nil && (c.Style.Fg != nil || c.Style.Bg != nil) {
				return true
			}
		}
	}
	return false
}
