package tui

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// flown is the answer to a command, and when it was given.
type flown struct {
	epoch int
	msg   tea.Msg
	fell  any // why the command broke; nil where it did not
}

// put brings a message to the conversation. After its end nobody hears it.
func (p *plain) put(m tea.Msg) {
	select {
	case p.mail <- m:
	case <-p.ended:
	}
}

// do has a command done beside the conversation.
func (p *plain) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	p.flying++
	epoch := p.epoch
	p.spawn(func() {
		f := flown{epoch: epoch}
		defer func() {
			f.fell = recover()
			p.put(f)
		}()
		f.msg = cmd()
	})
}

// hear takes a message as the screens' wizard does.
func (p *plain) hear(m tea.Msg) {
	switch m := m.(type) {
	case nil, tea.QuitMsg:
		return
	case flown:
		if m.fell != nil {
			panic(m.fell)
		}
		if m.epoch == p.epoch {
			p.flying--
		}
		p.hear(m.msg)
		return
	case tea.BatchMsg:
		for _, cmd := range m {
			p.do(cmd)
		}
		return
	case promptMsg:
		p.tell("To sign in: " + clean(m.text))
	}
	_, cmd := p.Update(m)
	p.over = nil // what would lie over a screen was told
	p.do(cmd)
}

// settle waits until nothing is awaited any more, and says for what it waits.
// ctrl+c cuts the wait off: what was asked for is given up.
func (p *plain) settle() error {
	ticks, stop := p.beat()
	defer stop()
	began, told, quietly := p.now(), "", false
	for p.flying > 0 {
		st := p.step().ready(p.desk)
		text := keyless(st.text)
		if st.wait && p.works() && text != told && !quietly {
			p.tell("Working: " + text)
			told = text
		}
		if p.deaf != nil {
			return errLeave
		}
		select {
		case m := <-p.mail:
			_, quietly = m.(progressed) // told by the beat, or it would be told ten times a second
			p.hear(m)
		case <-ticks:
			p.tell(fmt.Sprintf("Still working, %s so far: %s", lasted(p.now().Sub(began)), text))
		case s := <-p.stops:
			return p.cutOff(s)
		case <-p.ctx.Done():
			return errLeave
		}
	}
	return nil
}

// works reports whether the step has something done for it, and does not only
// wait for an answer.
func (p *plain) works() bool {
	switch s := p.step().(type) {
	case *connectScreen:
		return s.job.running()
	case *tableScreen:
		return s.read.running() || s.look.running()
	case *copyScreen:
		return s.copy.running() || s.target.running()
	case *asOfScreen:
		return s.job.running() || s.zones.running()
	case *columnsScreen:
		return s.job.running()
	case *reviewScreen:
		return s.build.running()
	}
	return false
}

// cutOff gives up what is awaited.
func (p *plain) cutOff(s StopAsked) error {
	p.step().leave()
	p.epoch++
	p.flying = 0
	if s.Now || p.warned {
		return errLeave
	}
	p.warned = true
	p.tell("")
	p.tell("Stopped waiting. ctrl+c again leaves.")
	return errCutOff
}

// typed is a line of the input, or why there is none.
type typed struct {
	text string
	err  error
}

// lineReader reads lines when they are asked for, and one at a time: what it reads
// ahead would be lost to whoever reads a password.
type lineReader struct {
	from  *bufio.Reader
	lines chan typed
	busy  bool // a line is on its way
}

// longest is the most bytes that an answer has.
const longest = 64 << 10

var errTooLong = errors.New("the line is too long")

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{from: bufio.NewReaderSize(in, longest), lines: make(chan typed, 1)}
}

// next is where the next line arrives. A line that nobody took is it.
func (k *lineReader) next() <-chan typed {
	if !k.busy {
		k.busy = true
		go func() { k.lines <- k.read() }()
	}
	return k.lines
}

func (k *lineReader) read() typed {
	b, err := k.from.ReadSlice('\n')
	text := strings.TrimRight(string(b), "\r\n")
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of it
			_, err = k.from.ReadSlice('\n')
		}
		return typed{err: errTooLong}
	}
	if err != nil && len(b) > 0 { // an end without a line's end; the next read tells it
		err = nil
	}
	return typed{text: text, err: err}
}

// line waits for a line of the input and hears what is said meanwhile.
func (p *plain) line() (string, error) {
	for {
		if p.deaf != nil {
			return "", errLeave
		}
		select {
		case l := <-p.keys.next():
			p.keys.busy = false
			if !p.echoes {
				p.write("\n")
			}
			if l.err == nil || errors.Is(l.err, errTooLong) {
				p.warned = false
				return l.text, l.err
			}
			p.eof = errors.Is(l.err, io.EOF)
			if p.echoes {
				p.write("\n")
			}
			return "", errLeave
		case m := <-p.mail:
			p.hear(m)
		case s := <-p.stops:
			p.tell("")
			if s.Now || p.warned {
				return "", errLeave
			}
			p.warned = true
			return "", errStay
		case <-p.ctx.Done():
			p.tell("")
			return "", errLeave
		}
	}
}

// errStay is a question that ctrl+c met for the first time.
var errStay = errors.New("ctrl+c")
