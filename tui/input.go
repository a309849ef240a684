package tui

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"
	"unicode/utf8"
)

// typedInput is the terminal as the program reads it. It gives out only whole
// keys: over a slow line one key may come in pieces, and a piece would be taken
// for another key, esc above all. It keeps back the terminal's answer about its
// background, whenever that comes, and tells when the terminal is gone. Any other
// error ends the program by itself.
type typedInput struct {
	*os.File
	gone       func()
	background func(dark bool)

	held []byte // the beginning of an answer whose end has not come
}

// between is how long the rest of a key may take after its first bytes. Esc is
// such a beginning, so it takes as long.
const between = 25 * time.Millisecond

func (t *typedInput) Read(b []byte) (int, error) {
	n := copy(b, t.held)
	t.held = nil
	for {
		m, err := t.File.Read(b[n:])
		n += m
		if errors.Is(err, io.EOF) {
			t.gone()
		}
		if err != nil {
			return n, err
		}
		if n == len(b) || wholeKeys(b[:n]) || !follows(t.File, between) {
			return t.keys(b[:n]), nil
		}
	}
}

// keys leaves in b what was typed and returns how many bytes that is.
func (t *typedInput) keys(b []byte) int {
	n := 0
	for {
		at := bytes.Index(b[n:], []byte(backgroundIntro))
		if at < 0 {
			return len(b)
		}
		n += at
		answer, size := backgroundAnswer(b[n:])
		if size == 0 { // its end comes with another read
			t.held = bytes.Clone(b[n:])
			return n
		}
		if answer != nil {
			t.background(*answer)
		}
		b = append(b[:n], b[n+size:]...)
	}
}

// wholeKeys reports whether b ends with the end of a key.
func wholeKeys(b []byte) bool {
	if at := bytes.LastIndexByte(b, esc); at >= 0 && !wholeSequence(b[at:]) {
		return false
	}
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if tail := b[len(b)-back:]; utf8.RuneStart(tail[0]) {
			return utf8.FullRune(tail)
		}
	}
	return true
}

const esc = 0x1b

// wholeSequence reports whether a text that begins with an escape holds all of
// its sequence.
func wholeSequence(b []byte) bool {
	const longest = 48 // of a sequence that a key sends; behind it there is none
	if len(b) > longest {
		return true
	}
	switch {
	case len(b) == 1:
		return false
	case b[1] == 'O':
		return len(b) > 2
	case b[1] == ']':
		return bytes.ContainsAny(b[2:], "\a\\")
	case b[1] != '[':
		return true
	}
	return bytes.ContainsFunc(b[2:], func(r rune) bool { return r >= '@' && r <= '~' && r != '[' })
}
