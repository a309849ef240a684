package thrift_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"cdcseed/engine/splice/footer/thrift"
)

var roomy = thrift.Limits{Depth: 16, Values: 3000}

// spellings are structs as writers may spell them, each in a way of its own.
var spellings = map[string]string{
	"nothing":                  "\x00",
	"short ids":                "\x15\x02\x16\x04\x00",
	"a long id, though short":  "\x05\x02\x02\x00",
	"a long id, spelled long":  "\x05\x82\x80\x00\x02\x00",
	"ids that fall":            "\x05\x06\x02\x05\x02\x02\x00",
	"a number spelled long":    "\x16\x84\x80\x80\x00\x00",
	"a length spelled long":    "\x18\x83\x00abc\x00",
	"true and false":           "\x11\x12\x00",
	"booleans in a list":       "\x19\x31\x01\x02\x00\x00",
	"booleans, listed as 2":    "\x19\x22\x01\x00\x00",
	"a short list, told long":  "\x19\xf5\x02\x02\x04\x00",
	"a count spelled long":     "\x19\xf5\x82\x00\x02\x04\x00",
	"an empty list of nothing": "\x19\x00\x00",
	"a set":                    "\x1a\x13\xff\x00",
	"a map":                    "\x1b\x02\x85\x01a\x02\x01b\x04\x00",
	"an empty map":             "\x1b\x00\x00",
	"an empty map, told long":  "\x1b\x80\x00\x00",
	"a double and a uuid":      "\x1712345678\x1d0123456789abcdef\x00",
	"a byte below zero":        "\x13\x80\x00",
	"a struct in a struct":     "\x1c\x15\x02\x00\x15\x01\x00",
	"an unknown field":         "\x15\x02\x06\xa0\x1f\x04\x00",
	"ids below zero":           "\x05\x03\x02\x15\x02\x00",
	"many ids that fall":       falling(900),
}

func TestEachSpellingComesOutAsItWas(t *testing.T) {
	for name, text := range spellings {
		s, n, err := thrift.Parse([]byte(text+"behind"), roomy)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n != len(text) {
			t.Errorf("%s: %d bytes of %d were read", name, n, len(text))
		}
		if got := s.Append(nil); string(got) != text {
			t.Errorf("%s: %x came out as %x", name, text, got)
		}
		if got := s.Clone().Append(nil); string(got) != text {
			t.Errorf("%s: the clone of %x came out as %x", name, text, got)
		}
	}
}

func TestWhatIsNoStructIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		bytes, says string
		short       bool
	}{
		"no byte":                {"", "end inside", true},
		"cut off in a field":     {"\x15", "end inside", true},
		"cut off before the end": {"\x15\x02", "end inside", true},
		"cut off in a text":      {"\x18\x05abc", "end inside", true},
		"cut off in a double":    {"\x171234567", "end inside", true},
		"more items than bytes":  {"\x19\xf3\xff\xff\xff\xff\x0f", "4294967295 items in 0 bytes", true},
		"a length without end":   {"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "end inside", true},
		"a number of 65 bits":    {"\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00", "64 bits", false},
		"an i32 of 33 bits":      {"\x15\x80\x80\x80\x80\x20\x00", "is no i32", false},
		"an i16 of 17 bits":      {"\x14\x80\x80\x04\x00", "is no i16", false},
		"a kind of its own":      {"\x1e\x00", "kind 14", false},
		"a step and no kind":     {"\x10\x00", "kind 0", false},
		"a field twice":          {"\x15\x02\x05\x02\x02\x00", "twice", false},
		"ids that fall for ever": {falling(2000), "out of order", false},
		"an id of 17 bits":       {"\x05\x80\x80\x04\x02\x00", "numbered", false},
		"a boolean spelled 3":    {"\x19\x11\x03\x00", "spelled 3", false},
		"too deep":               {strings.Repeat("\x1c", 40), "deeper", false},
		"lists too deep":         {"\x19" + strings.Repeat("\x19", 40), "deeper", false},
		"too many values":        {"\x19\xf3\x88\x27" + strings.Repeat("a", 5000), "more values", false},
	} {
		_, _, err := thrift.Parse([]byte(c.bytes), roomy)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v does not say %q", name, err, c.says)
		}
		if errors.Is(err, thrift.ErrShort) != c.short {
			t.Errorf("%s: more bytes help: %v, want %v", name, !c.short, c.short)
		}
	}
}

// falling is a struct of n booleans whose ids fall.
func falling(n int) string {
	var b []byte
	for id := n; id > 0; id-- {
		b = binary.AppendVarint(append(b, byte(thrift.True)), int64(id))
	}
	return string(append(b, byte(thrift.Stop)))
}

func TestEditsChangeWhatTheyName(t *testing.T) {
	// Field 1 has its length spelled long, field 40 is one that nobody knows.
	in := "\x18\x83\x00abc\x25\x02\x05\x50\x84\x00\x00"
	s, _, err := thrift.Parse([]byte(in), roomy)
	if err != nil {
		t.Fatal(err)
	}
	before := s.Clone()
	s.Set(3, thrift.Int32(7))
	if got := string(s.Append(nil)); got != strings.Replace(in, "\x25\x02", "\x25\x0e", 1) {
		t.Errorf("one number changed, and %x became %x", in, got)
	}
	s.Set(2, thrift.Bool(false))
	s.Delete(3)
	if got, want := string(s.Append(nil)), "\x18\x83\x00abc\x12\x05\x50\x84\x00\x00"; got != want {
		t.Errorf("a field came and one went: %x, want %x", got, want)
	}
	if got := before.Append(nil); string(got) != in {
		t.Errorf("edits reached the clone: %x", got)
	}
}

func TestEditsInsideAListStayInTheirStruct(t *testing.T) {
	in := "\x19\x2c\x15\x02\x00\x15\x04\x00\x00"
	s, _, err := thrift.Parse([]byte(in), roomy)
	if err != nil {
		t.Fatal(err)
	}
	other := s.Clone()
	other.Items(1)[1].Struct().Set(1, thrift.Int32(3))
	if got := string(other.Append(nil)); got != "\x19\x2c\x15\x02\x00\x15\x06\x00\x00" {
		t.Errorf("the second struct's number became 3: %x", got)
	}
	if got := string(s.Append(nil)); got != in {
		t.Errorf("editing the clone's list changed the original: %x", got)
	}
}

func TestNewListsOfAnyLength(t *testing.T) {
	for _, n := range []int{0, 1, 14, 15, 300} {
		s := &thrift.Struct{}
		items := make([]thrift.Value, n)
		for i := range items {
			items[i] = thrift.Int64(int64(i - 5))
		}
		s.Set(9, thrift.ListOf(thrift.I64, items...))
		s.Set(30, thrift.String("behind"))
		got, _, err := thrift.Parse(s.Append(nil), roomy)
		if err != nil {
			t.Fatalf("%d items: %v", n, err)
		}
		back := got.Items(9)
		if len(back) != n || n > 0 && back[n-1].Int() != int64(n-6) || got.Text(30) != "behind" {
			t.Errorf("%d items came back as %d", n, len(back))
		}
	}
}

// FuzzParse holds that bytes are refused or come out as they were, and that
// the limit on values bounds what is read.
func FuzzParse(f *testing.F) {
	for _, text := range spellings {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, n, err := thrift.Parse(b, roomy)
		if err != nil {
			return
		}
		if got := s.Clone().Append(nil); !bytes.Equal(got, b[:n]) {
			t.Fatalf("%x came out as %x", b[:n], got)
		}
	})
}
