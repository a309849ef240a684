package lsn_test

import (
	"strings"
	"testing"

	"cdcseed/engine/lsn"
)

func TestParse(t *testing.T) {
	got, err := lsn.Parse("0x0000002a00000100004f")
	if err != nil || got.String() != "0x0000002A00000100004F" {
		t.Fatalf("got %v, %v", got, err)
	}
	for _, bad := range []string{"", "0x", "0x2A", "0000002A000001000041", "0x0000002A00000100004G", "0x0000002A0000010000411", "0x0000002A:00000100:0041"} {
		if l, err := lsn.Parse(bad); err == nil {
			t.Errorf("%q was taken for %v", bad, l)
		}
	}
}

func TestNextIsOneMoreWithNothingBetween(t *testing.T) {
	for _, c := range [][2]string{
		{"00000000000000000000", "00000000000000000001"},
		{"0000002A0000010000FF", "0000002A000001000100"},
		{"0000002AFFFFFFFFFFFF", "0000002B000000000000"},
		{"FFFFFFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFFFFFF"},
	} {
		l, err := lsn.Parse("0x" + c[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Next().String(); got != "0x"+c[1] {
			t.Errorf("next of %s is %s, want 0x%s", c[0], got, c[1])
		}
	}
}

func FuzzOrderIsTextOrder(f *testing.F) {
	f.Add([]byte("0123456789"), []byte("0123456780"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, errX := lsn.FromBytes(a)
		y, errY := lsn.FromBytes(b)
		if errX != nil || errY != nil {
			return
		}
		if got, want := x.Compare(y), strings.Compare(x.String(), y.String()); got != want {
			t.Errorf("%v against %v: %d by bytes, %d by text", x, y, got, want)
		}
		if back, err := lsn.Parse(x.String()); err != nil || back != x {
			t.Errorf("%v read back as %v, %v", x, back, err)
		}
	})
}
