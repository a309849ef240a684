package tui

import (
	"bytes"
	"io"
	"runtime"
	"strconv"
	"strings"
)

// The terminal is asked for its background (OSC 11) and nobody waits for the
// answer: many terminals give none, and over a slow line it comes late.
const (
	backgroundIntro = "\x1b]11;"
	backgroundQuery = backgroundIntro + "?\x1b\\"
)

// askBackground asks, where an answer is possible.
func askBackground(w io.Writer, env func(string) (string, bool)) {
	if term, _ := env("TERM"); runtime.GOOS == "windows" || term == "linux" || term == "dumb" {
		return
	}
	_, _ = io.WriteString(w, backgroundQuery) // a terminal that is gone tells it by itself
}

// darkAtFirst is the background by the environment, dark where nothing says it:
// CDCSEED_BACKGROUND, then what some terminals set. asked is whether the terminal
// may say otherwise.
func darkAtFirst(env func(string) (string, bool)) (dark, asked bool) {
	if v, _ := env("CDCSEED_BACKGROUND"); v == "light" || v == "dark" {
		return v == "dark", false
	}
	v, _ := env("COLORFGBG") // "15;0", or "15;default;0": the last is the background
	parts := strings.Split(v, ";")
	n, err := strconv.Atoi(parts[len(parts)-1])
	return err != nil || n != 7 && (n < 9 || n > 15), true
}

// backgroundAnswer is the terminal's answer at the beginning of b and its length,
// 0 while its end has not come. dark is nil where it says nothing.
func backgroundAnswer(b []byte) (dark *bool, size int) {
	const longest = 64
	end := bytes.IndexAny(b[len(backgroundIntro):], "\a\x1b")
	switch {
	case end < 0 && len(b) < longest:
		return nil, 0
	case end < 0:
		return nil, len(backgroundIntro) // no answer: what is behind it was typed
	}
	size = len(backgroundIntro) + end + 1
	if b[size-1] == esc {
		if size == len(b) {
			return nil, 0
		}
		size++ // its other half
	}
	return darkColour(string(b[len(backgroundIntro) : len(backgroundIntro)+end])), size
}

// darkColour reads a colour as X11 writes it, "rgb:1d1d/2020/2121"; nil for
// another text. Each part has one to four digits.
func darkColour(text string) *bool {
	_, rgb, found := strings.Cut(text, ":")
	parts := strings.Split(rgb, "/")
	if !found || len(parts) < 3 {
		return nil
	}
	light := 0.0
	for i, weight := range []float64{0.299, 0.587, 0.114} { // as the eye takes them
		n, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return nil
		}
		light += weight * float64(n) / float64(uint64(1)<<(4*len(parts[i]))-1)
	}
	dark := light < 0.5
	return &dark
}
