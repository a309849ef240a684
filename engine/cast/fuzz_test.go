package cast_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/cast"
)

var plainNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?$`)

func FuzzDecimalText(f *testing.F) {
	for _, s := range []string{"0E-18", "1e3", " 7.50 ", "-.5", "1.", "+1e-2", "", ".", "e", "1e", "99999999999999999999999999999999999999.995", "0x10", "1_0", "١"} {
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, s string, scale int) {
		if scale < 0 || scale > 38 || len(s) > 200 {
			return
		}
		plain := strings.Trim(s, " \t\r\n\v\f")
		if plainNumber.MatchString(plain) {
			checkDecimal(t, plain, scale)
			return
		}
		if _, _, _, _, _, ok := cast.ReadDecimal(s, scale); ok && !strings.ContainsAny(plain, "eE") {
			t.Errorf("%q was read as a number", s)
		}
	})
}

func FuzzStampText(f *testing.F) {
	for _, s := range []string{"2026-06-23 00:01:05.0900948 -07:00", "2026-07-01", "20260701", "2026-07-01T12:00:00.5Z", "0001-01-01T00:00:00", "2026-02-30", "2026-07-01  12:00", "2026-07-01T12:00:60", "2026-07-01T12:00:00.+01", "2026-07-01T", "1:2", "2026-07-01  0:00:00 +00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		micros, below, zoned, offset, ok := cast.ReadStamp(s)
		for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -07:00", "2006-01-02T15:04:05.999999999", "2006-01-02"} {
			want, err := time.Parse(layout, s)
			if err != nil || strings.Contains(s, ",") || len(s) > 40 {
				continue
			}
			_, east := want.Zone()
			if hours := east / 3600; hours > 14 || hours < -14 || hours == 14 && east%3600 != 0 || hours == -14 && east%3600 != 0 {
				continue // no SQL Server offset
			}
			if strings.HasSuffix(s, ":60") {
				continue // the library reads an offset of sixty minutes
			}
			if hour, _, timed := strings.Cut(strings.TrimLeft(s[len("2006-01-02"):], "T "), ":"); timed && len(hour) < 2 {
				continue // the library reads one-digit hours
			}
			if !ok {
				t.Errorf("%q is a time by layout %s and was not read", s, layout)
				return
			}
			if got := micros - offset; got != want.UnixMicro() || int64(offset) != int64(east)*1_000_000 || zoned && strings.HasSuffix(layout, "9") {
				t.Errorf("%q: %d below %v zoned %v offset %d, want %s", s, micros, below, zoned, offset, want)
			}
			return
		}
		if ok && (micros < cast.DaysOf(0, 1, 1)*86_400_000_000 || micros >= cast.DaysOf(10_000, 1, 1)*86_400_000_000) {
			t.Errorf("%q is %d, outside of four-digit years", s, micros)
		}
	})
}

func FuzzDaytimeText(f *testing.F) {
	for _, s := range []string{"12:34:56", "12:34", "12:34:56.1234567", "23:59:59.9999999999", "24:00:00", "1:00", ":", "12:34:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		nanos, rest, ok := cast.ReadDaytime(s)
		if !ok {
			return
		}
		if nanos < 0 || nanos >= 86_400_000_000_000 || len(s)-len(rest) < 5 {
			t.Errorf("%q is %d ns, rest %q", s, nanos, rest)
		}
	})
}

func FuzzGUIDText(f *testing.F) {
	for _, s := range []string{"6f9619ff-8b86-d011-b42d-00c04fc964ff", "{6F9619FF-8B86-D011-B42D-00C04FC964FF}", "6F9619FF8B86D011B42D00C04FC964FF", ""} {
		f.Add(s)
	}
	form := regexp.MustCompile(`^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$`)
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := cast.ReadGUID(s)
		if !ok {
			return
		}
		plain := func(s string) string {
			return strings.ToUpper(strings.NewReplacer("-", "", "{", "", "}", "").Replace(s))
		}
		if !form.MatchString(got) || plain(got) != plain(s) {
			t.Errorf("%q became %q", s, got)
		}
	})
}
