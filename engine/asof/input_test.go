package asof_test

import (
	"errors"
	"strings"
	"testing"

	"cdcseed/engine/asof"
	"cdcseed/engine/verdict"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ in, want, notation string }{
		{"2026-10-25T00:40:00Z", "2026-10-25T00:40:00Z", ""},
		{" 2026-10-25 00:40Z ", "2026-10-25T00:40:00Z", ""},
		{"2026-10-04T10:00:00+08:00", "2026-10-04T02:00:00Z", ""},
		{"2026-10-04 10:00:00 -03:00", "2026-10-04T13:00:00Z", ""},
		{"2026-10-04t10:00:00.9999999z", "2026-10-04T10:00:00.999999Z", ""},
		{"2026-10-04T10:00:00,5Z", "2026-10-04T10:00:00.5Z", ""},
		{"0x0000002a000001000041", "0x0000002A000001000041", asof.NotationNormal},
		{"0X0000002A000001000041", "0x0000002A000001000041", asof.NotationNormal},
		{"0000002A00000100004f", "0x0000002A00000100004F", asof.NotationBareHex},
		{"00000042000001000041", "0x00000042000001000041", asof.NotationBareHex}, // as a decimal its file would be 0
		{"0000002a:00000100:0041", "0x0000002A000001000041", asof.NotationColonHex},
		{"00000042:00000100:0041", "0x00000042000001000041", asof.NotationColonHex},
		{"2a:100:41", "0x0000002A000001000041", asof.NotationColonHex},
		{"0x42:100:41", "0x00000042000001000041", asof.NotationColonHex},
		{"(1:2:3)", "0x00000001000000020003", asof.NotationColonDecimal}, // both readings are the same
		{"42:256:65535", "0x0000002A00000100FFFF", asof.NotationColonDecimal},
		{"42:4294967295:65", "0x0000002AFFFFFFFF0041", asof.NotationColonDecimal},
		{"42000000025600065", "0x0000002A000001000041", asof.NotationBackup},
		{"4294967295429496729565535", "0xFFFFFFFFFFFFFFFFFFFF", asof.NotationBackup},
		{"20000000000000000001", "", ""}, // two readings
	} {
		got, err := asof.Parse(c.in)
		if c.want == "" {
			if !errors.Is(err, verdict.AsOfInvalid) {
				t.Errorf("%q: %v, %v", c.in, got, err)
			}
			continue
		}
		if err != nil || got.String() != c.want || got.Notation != c.notation {
			t.Errorf("%q: got %v %q, %v; want %s %q", c.in, got, got.Notation, err, c.want, c.notation)
		}
		if got.IsTime() == (got.LSN != nil) || got.Exclusive != (c.notation == asof.NotationBackup) {
			t.Errorf("%q: %+v", c.in, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for code, list := range map[verdict.Code][]string{
		verdict.AsOfNoZone: {"2026-10-04 10:00", "2026-10-04T10:00:00", "2026-10-04T10:00:00.5"},
		verdict.AsOfInvalid: {
			"", "now", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-10-04T24:00:00Z", "2026-10-04T10:00:60Z",
			"2026-10-04", "2026-10-04T10:00:00+25:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "10:00Z",
			"0x", "0x2A", "0x0000002A00000100004", "0x0000002A0000010000411", "0x0000002A00000100004G",
			"2A", "0000002A00000100004", "12345", "1", "42:256:65", "34:168:10", "123456789a:1:1", "1:2", "1:2:3:4", "::",
			"0x00000000000000000000", "0:0:0", "00000000:00000000:0000", "99999999999999999999999999",
			"42000000025665536", // no slot is above 65535
		},
	} {
		for _, in := range list {
			got, err := asof.Parse(in)
			if !errors.Is(err, code) || got.LSN != nil || got.Instant != nil {
				t.Errorf("%q: got %+v, %v; want %s", in, got, err, code)
				continue
			}
			if e := verdict.As(err); len(e.Hint) == 0 || e.Why == "" {
				t.Errorf("%q: no hint or reason in %+v", in, e)
			}
		}
	}
}

func TestTwoReadingsAreBothShown(t *testing.T) {
	_, err := asof.Parse("42:256:65")
	for _, want := range []string{"0x00000042000002560065", "0x0000002A000001000041"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %s", err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2026-10-25T00:40:00Z", "42:256:65535", "0x0000002A000001000041", "42000000025600065", "2026-10-04 10:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in, err := asof.Parse(s)
		if err != nil {
			if e := verdict.As(err); e.Code != verdict.AsOfInvalid && e.Code != verdict.AsOfNoZone {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		back, err := asof.Parse(in.String())
		if err != nil || back.String() != in.String() || back.IsTime() != in.IsTime() {
			t.Fatalf("%q is %v, which reads back as %v, %v", s, in, back, err)
		}
	})
}
