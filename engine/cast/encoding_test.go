package cast_test

import (
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// encoded casts texts of one column under an encoding, as its target holds them.
func encoded(t *testing.T, from schema.CopyColumn, sql schema.SQLType, encoding string, values ...any) ([]string, cast.ColumnReport) {
	t.Helper()
	m, err := cast.Match([]schema.TargetColumn{target(t, sql)}, []schema.FileClass{class("c1", named(from, "c"))}, cast.Answers{Encoding: map[string]string{"C": encoding}})
	if err != nil {
		t.Fatal(err)
	}
	out, report := runCast(t, m, arrowOf(from), values, 0)
	return out, report
}

func TestTextIsDecodedAsNamed(t *testing.T) {
	for _, c := range []struct{ encoding, bytes, want string }{
		{"windows-1252", "caf\xe9", "café"},
		{"Windows-1252", "\x80", "€"},
		{"cp1252", "caf\xe9", "café"},
		{"1252", "caf\xe9", "café"},
		{"ISO-8859-1", "caf\xe9", "café"},
		{"latin1", "\xfc", "ü"},
		{"ISO-8859-15", "\xa4", "€"},
		{"windows-1250", "\xb9", "ą"},
		{"windows-1251", "\xcf\xf0", "Пр"},
		{"cp437", "\x81", "ü"},
		{"cp850", "\x81", "ü"},
		{"IBM850", "\x81", "ü"},
		{"932", "\x93\xfa\x96\x7b", "日本"},
		{"Shift_JIS", "\x93\xfa", "日"},
		{"936", "\xc4\xe3", "你"},
		{"949", "\xb0\xa1", "가"},
		{"950", "\xa4\xa4", "中"},
		{"UTF-16LE", "a\x00\xe9\x00", "aé"},
		{"UTF-16BE", "\x00a\x00\xe9", "aé"},
		{"windows-1252", "plain", "plain"},
		{"windows-1252", "", `""`},
	} {
		for _, from := range []schema.CopyColumn{textCol, bytesCol} {
			out, report := encoded(t, from, sized("nvarchar", 100), c.encoding, c.bytes)
			if out[0] != c.want || report.Refused != 0 {
				t.Errorf("%s %q: %q %+v, want %q", c.encoding, c.bytes, out[0], report, c.want)
			}
		}
	}
}

// What an encoding has no letter for is refused, and never written.
func TestBytesThatAnEncodingLacks(t *testing.T) {
	for encoding, bytes := range map[string]string{
		"windows-1252": "#\x81", "windows-1253": "\xd2", "932": "\x81", "UTF-16LE": "abc", "ISO-8859-7": "\xff", "cp874": "\xfc",
	} {
		out, report := encoded(t, textCol, sized("varchar", 100), encoding, "ok", bytes)
		if out[1] != "NULL" || report.Of(cast.Unparseable) == 0 {
			t.Errorf("%s %x: %v %v", encoding, bytes, out[1], report.Effects)
		}
		for _, s := range report.Samples[cast.Unparseable] {
			if !strings.HasPrefix(s.Before, "0x") && encoding != "UTF-16LE" {
				t.Errorf("%s: the sample %q does not show the bytes", encoding, s.Before)
			}
		}
	}
}

// Counted is what was decoded, and what may have been UTF-8 all along; the rules
// of the column's type hold for the decoded text.
func TestDecodedTextIsCountedAndChecked(t *testing.T) {
	out, report := encoded(t, textCol, sized("nvarchar", 10), "windows-1252", "caf\xe9", "café", "abc", nil, "123456")
	if out[0] != "café" || out[1] != "cafÃ©" || out[2] != "abc" || out[3] != "NULL" || out[4] != "NULL" {
		t.Errorf("%q", out)
	}
	if report.Of(cast.Decoded) != 2 || report.Of(cast.UTF8Too) != 1 || report.Changed != 2 || report.Nulls != 1 || report.Of(cast.TooLong) != 1 {
		t.Errorf("%+v", report)
	}
	char := sized("char", 6)
	char.AnsiPad = true
	out, report = encoded(t, textCol, char, "windows-1252", "caf\xe9")
	if out[0] != `"café  "` || report.Of(cast.Padded) != 1 || report.Of(cast.Decoded) != 1 {
		t.Errorf("%q %+v", out, report)
	}
}

// A value that is decoded and then padded, cut or refused is one value all the
// same, in a batch of many as in one of its own.
func TestDecodedValueCountsOnce(t *testing.T) {
	char := sized("char", 6)
	char.AnsiPad = true
	many := func(s string, n int) []any { return slices.Repeat([]any{s}, n) }
	for _, c := range []struct {
		name       string
		sql        schema.SQLType
		encoding   string
		values     []any
		unchanged  int64
		changed    int64
		refused    int64
		decoded    int64
		alsoCounts map[cast.Effect]int64
	}{
		{"padded", char, "windows-1252", []any{"caf\xe9", "th\xe9", "x"}, 0, 3, 0, 2, map[cast.Effect]int64{cast.Padded: 3}},
		{"too long", sized("nvarchar", 6), "windows-1252", []any{"caf\xe9", "th\xe9s", "x\xe9", "abc"}, 1, 1, 2, 1, map[cast.Effect]int64{cast.TooLong: 2}},
		{"no text", sized("nvarchar", 6), "windows-1252", []any{"\x81", "caf\xe9", "\xe9", "\x8d"}, 0, 1, 3, 1, map[cast.Effect]int64{cast.TooLong: 1, cast.Unparseable: 2}},
		{"UTF-8 as well", sized("nvarchar", 10), "windows-1252", []any{"\xc3\xa9", "abc", "\xc3\xa9", "123\xc3\xa9\xe9"}, 1, 2, 1, 2, map[cast.Effect]int64{cast.UTF8Too: 2, cast.TooLong: 1}},
		{"blocks of padded", char, "UTF-16LE", many("a\x00b\x00", 3000), 0, 3000, 0, 3000, map[cast.Effect]int64{cast.Padded: 3000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r := encoded(t, textCol, c.sql, c.encoding, c.values...)
			if r.Values != int64(len(c.values)) || r.Unchanged != c.unchanged || r.Changed != c.changed || r.Refused != c.refused || r.Of(cast.Decoded) != c.decoded {
				t.Errorf("%+v", r)
			}
			for e, n := range c.alsoCounts {
				if r.Of(e) != n {
					t.Errorf("%d %s, want %d", r.Of(e), e, n)
				}
			}
			for _, s := range r.Samples[cast.Decoded] {
				if s.After == "NULL" {
					t.Errorf("a sample of what was written is NULL: %+v", s)
				}
			}
		})
	}
}

func TestEncodingRefusals(t *testing.T) {
	guid := target(t, sqlType("uniqueidentifier"))
	guid.Name = "g"
	cols := []schema.TargetColumn{col(t, "c", sized("varchar", 10)), col(t, "n", sqlType("int")), guid, col(t, "m", sized("varchar", 10))}
	classes := []schema.FileClass{class("c1", named(textCol, "c"), named(textCol, "n"), named(textCol, "g"))}
	for given, says := range map[string]string{
		"c=klingon": "no encoding that is known", "c=UTF-7": "no encoding that is known", "c=ISO-2022-JP": "no encoding that is known", "c=utf-16": "no encoding that is known",
		"n=cp437": "takes no answer", "g=cp437": "takes no answer", "m=cp437": "takes no answer", "x=cp437": "no captured column",
	} {
		name, encoding, _ := strings.Cut(given, "=")
		_, err := cast.Match(cols, classes, cast.Answers{Encoding: map[string]string{name: encoding}})
		if e := verdict.As(err); e == nil || e.Code != verdict.AnswerUnknown || !strings.Contains(e.What, says) || len(e.Hint) == 0 {
			t.Errorf("%s: %v, want %q", given, err, says)
		}
	}
}

// Bytes of another encoding are none to be copied as they are.
func TestEncodedTextIsNeverPassedAsBytes(t *testing.T) {
	to := target(t, sized("nvarchar", 10))
	m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{class("c1", named(textCol, "c"))}, cast.Answers{Encoding: map[string]string{"c": "windows-1252"}})
	if err != nil {
		t.Fatal(err)
	}
	r := m.Columns[0].Rules[0]
	if got := r.Passage(to); got != cast.CanFail {
		t.Errorf("%s", got)
	}
	if r.Encoding = ""; r.Passage(to) == cast.CanFail {
		t.Error("text in UTF-8 is copied")
	}
	if cast.EncodingOfPage(1252) != "windows-1252" || cast.EncodingOfPage(437) != "cp437" || cast.EncodingOfPage(65001) != "" || cast.EncodingOfPage(0) != "" {
		t.Error("names of code pages")
	}
}

// Whatever the bytes are, what is written is UTF-8 text, or nothing is.
func FuzzDecodedTextIsUTF8(f *testing.F) {
	encodings := []string{"windows-1252", "windows-1251", "cp437", "932", "936", "949", "950", "ISO-8859-15", "UTF-16LE", "UTF-16BE", "GB18030"}
	for i, seed := range []string{"caf\xe9", "#\x81", "\x93\xfa", "\xc4\xe3", "\xb0\xa1", "\xa4\xa4", "\xff\xfe", "a\x00\x00\xd8", "\xd8\x00", "\x84\x31\xa4\x37", "\x00"} {
		f.Add(seed, uint8(i))
	}
	f.Fuzz(func(t *testing.T, s string, which uint8) {
		name := encodings[int(which)%len(encodings)]
		out, report := encoded(t, textCol, sized("nvarchar", -1), name, s)
		if out[0] == "NULL" && report.Refused == 1 {
			return
		}
		// Text that is no UTF-8 is shown as 0x and hex digits; text that begins so has an x.
		if report.Refused != 0 || strings.HasPrefix(out[0], "0x") && !strings.Contains(s, "x") {
			t.Errorf("%s %x: %q %+v", name, s, out[0], report)
		}
	})
}
