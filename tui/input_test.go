//go:build !windows

package tui

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// read gives the input pieces, one behind the other, and answers what each read
// gives out.
func readPieces(t *testing.T, pieces ...string) (reads []string, backgrounds []bool) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	in := &typedInput{File: r, gone: func() {}, background: func(dark bool) { backgrounds = append(backgrounds, dark) }}
	for _, p := range pieces {
		if _, err := w.WriteString(p); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 256)
		n, err := in.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		reads = append(reads, string(b[:n]))
	}
	return reads, backgrounds
}

// Keys are what was typed, in the order in which they came; the terminal's answer
// about its background is none of them, wherever it comes apart.
func TestInput(t *testing.T) {
	for name, c := range map[string]struct {
		pieces, reads []string
		dark          []bool
	}{
		"letters":             {[]string{"ab", "c"}, []string{"ab", "c"}, nil},
		"esc":                 {[]string{"\x1b", "x"}, []string{"\x1b", "x"}, nil},
		"arrow":               {[]string{"\x1b[A\x1bOB"}, []string{"\x1b[A\x1bOB"}, nil},
		"paste":               {[]string{"\x1b[200~dbo.Orders\x1b[201~"}, []string{"\x1b[200~dbo.Orders\x1b[201~"}, nil},
		"dark":                {[]string{"\x1b]11;rgb:1d1d/2020/2121\x1b\\"}, []string{""}, []bool{true}},
		"light, with a bell":  {[]string{"a\x1b]11;rgb:ff/ff/ff\ab"}, []string{"ab"}, []bool{false}},
		"in two reads":        {[]string{"a\x1b]11;rgb:ffff/", "ffff/ffff\x1b\\b"}, []string{"a", "b"}, []bool{false}},
		"within its end":      {[]string{"\x1b]11;rgb:0/0/0\x1b", "\\b"}, []string{"", "b"}, []bool{true}},
		"an answer of others": {[]string{"\x1b]11;no colour\ab"}, []string{"b"}, nil},
		"two":                 {[]string{"\x1b]11;rgb:0/0/0\ax\x1b]11;rgb:f/f/f\ay"}, []string{"xy"}, []bool{true, false}},
	} {
		reads, dark := readPieces(t, c.pieces...)
		if diff := cmp.Diff(c.reads, reads); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(c.dark, dark); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The pieces of one key are one read.
func TestInputWaitsForTheRestOfAKey(t *testing.T) {
	for _, key := range []string{"\x1b[B", "\x1b[1;5A", "ü", "名", "\x1b[<65;10;10M"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		in := &typedInput{File: r, gone: func() {}, background: func(bool) {}}
		for i := 1; i < len(key); i++ {
			if wholeKeys([]byte(key[:i])) {
				t.Errorf("%q is taken for a whole key", key[:i])
			}
		}
		if !wholeKeys([]byte(key)) {
			t.Errorf("%q is not taken for a whole key", key)
		}
		if _, err := w.WriteString(key[:1]); err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(2 * time.Millisecond)
			_, _ = w.WriteString(key[1:])
		}()
		b := make([]byte, 256)
		got := ""
		for got != key { // on a machine that is too slow for it in several reads
			n, err := in.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			got += string(b[:n])
		}
		_ = r.Close()
	}
}

// However the bytes are cut, nothing is lost and nothing panics.
func FuzzInput(f *testing.F) {
	f.Add([]byte("a\x1b]11;rgb:ff/ff/ff\ab\x1b[B"), 3)
	f.Add([]byte("\x1b]11;"), 5)
	f.Fuzz(func(t *testing.T, typed []byte, at int) {
		in := &typedInput{background: func(bool) {}}
		wholeKeys(typed)
		kept := in.keys(append([]byte{}, typed...))
		if kept > len(typed) {
			t.Errorf("%d bytes of %d", kept, len(typed))
		}
		if len(in.held) >= 64 {
			t.Errorf("%d bytes are held back", len(in.held))
		}
	})
}

func TestDarkAtFirst(t *testing.T) {
	for _, c := range []struct {
		own, colours string
		dark, asked  bool
	}{
		{"", "", true, true},
		{"light", "15;0", false, false},
		{"dark", "0;15", true, false},
		{"", "0;15", false, true},
		{"", "15;default;0", true, true},
		{"", "0;7", false, true},
		{"no", "12;8", true, true},
	} {
		dark, asked := darkAtFirst(func(name string) (string, bool) {
			return map[string]string{"CDCSEED_BACKGROUND": c.own, "COLORFGBG": c.colours}[name], true
		})
		if dark != c.dark || asked != c.asked {
			t.Errorf("%+v: dark %v, asked %v", c, dark, asked)
		}
	}
}
