package cast_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

func TestText(t *testing.T) {
	for _, r := range []rule{
		{from: textCol, to: sized("varchar", 6), in: []any{"DVT1", " x ", "", nil}, want: `DVT1 " x " "" NULL`},
		{from: textCol, to: sized("varchar", 4), in: []any{"abcd", "café", "abcde"}, want: "abcd café NULL", refused: 1, effects: "too_long:1"},
		{from: textCol, to: sized("varchar", 4), answer: cast.Cut, in: []any{"cafés"}, want: "café", effects: "cut:1"},
		{from: textCol, to: sized("varchar", 4), answer: cast.Null, in: []any{"cafés"}, want: "NULL", effects: "too_long:1"},
		{from: textCol, to: sized("nvarchar", 8), in: []any{"caf€", "😀😀", "😀😀x"}, want: "caf€ 😀😀 NULL", refused: 1, effects: "too_long:1"},
		{from: textCol, to: sized("nvarchar", -1), in: []any{strings.Repeat("x", 50)}, want: strings.Repeat("x", 50)},
		{from: textCol, to: sized("text", 16), in: []any{strings.Repeat("x", 50)}, want: strings.Repeat("x", 50)},
		// case 36: bytes of code page 1252
		{from: textCol, to: sized("varchar", 50), in: []any{"caf\xe9", "#\x81", "ok"}, want: "NULL NULL ok", refused: 2, effects: "not_utf8:2"},
		{from: bytesCol, to: sized("varchar", 50), in: []any{"caf\xe9", "ok"}, want: "NULL ok", refused: 1, effects: "not_utf8:1"},
		{from: bytesCol, to: sized("varchar", 50), in: []any{"ok"}, want: "ok"},
		// case 10
		{from: textCol, to: sized("char", 6), in: []any{"DVT1", "DVT1  ", "", nil, "1234567"}, want: `"DVT1  " "DVT1  " "      " NULL NULL`, refused: 1, effects: "padded:2 too_long:1"},
		{from: textCol, to: sized("char", 6), in: []any{"café"}, want: `"café  "`, effects: "padded:1"},
		{from: textCol, to: sized("nchar", 12), in: []any{"DVT1", "😀"}, want: `"DVT1  " "😀    "`, effects: "padded:2"},
		{from: textCol, to: schema.SQLType{Name: "char", Length: 6, CodePage: 65001, AnsiPad: true}, in: []any{"café"}, want: `"café "`, effects: "padded:1"},
		{from: textCol, to: schema.SQLType{Name: "char", Length: 6, CodePage: 932, AnsiPad: true}, in: []any{"日本", "ｱｲ"}, want: `"日本  " "ｱｲ    "`, effects: "padded:2"},
		{from: partCol, to: sized("char", 2), in: []any{"01", "10", "2A"}, want: "01 10 2A"}, // case 18
		{from: textCol, to: schema.SQLType{Name: "char", Length: 6}, answer: cast.Pad, in: []any{"DVT1"}, want: `"DVT1  "`, effects: "padded:1"},
		{from: textCol, to: schema.SQLType{Name: "char", Length: 6}, answer: cast.Keep, in: []any{"DVT1"}, want: `DVT1`, effects: "left_short:1"},
	} {
		r.check(t)
	}
}

func TestBinary(t *testing.T) {
	eight := "\x00\x00\x00\x00\x00\x00\x07\xd1"
	for _, r := range []rule{
		{from: bytesCol, to: sized("binary", 4), in: []any{"\x01", "\x01\x02\x03\x04", "\x01\x02\x03\x04\x05", nil}, want: "0x01000000 0x01020304 NULL NULL", refused: 1, effects: "padded:1 too_long:1"},
		{from: bytesCol, to: sized("varbinary", 4), in: []any{"\x01", ""}, want: "0x01 0x"},
		{from: bytesCol, to: sized("varbinary", 2), answer: cast.Cut, in: []any{"\x01\x02\x03"}, want: "0x0102", effects: "cut:1"},
		{from: fixed16Col, to: sized("varbinary", 16), in: []any{strings.Repeat("\xAB", 16)}, want: "0x" + strings.Repeat("AB", 16)},
		{from: bytesCol, to: schema.SQLType{Name: "binary", Length: 4}, answer: cast.Keep, in: []any{"\x01"}, want: "0x01", effects: "left_short:1"},
		// case 39: rowversion
		{from: bytesCol, to: sqlType("timestamp"), in: []any{eight, "\x01"}, want: "0x00000000000007D1 NULL", refused: 1, effects: "wrong_length:1"},
		{from: int64Col, to: sqlType("rowversion"), in: []any{2001, -1}, want: "0x00000000000007D1 0xFFFFFFFFFFFFFFFF"},
		{from: textCol, to: sqlType("timestamp"), in: []any{"0x00000000000007D1", "AAAAAAAAB9E=", "00000000000007d1"}, want: "0x00000000000007D1 0x00000000000007D1 0x00000000000007D1", effects: "normalised:3"},
		{from: textCol, to: sqlType("timestamp"), in: []any{"2001", "0x7D1", "AAAAAAAAB9EA", "", "0xZZ000000000007D1"}, want: "NULL NULL NULL NULL NULL", refused: 5, effects: "unparseable:5"},
	} {
		r.check(t)
	}
}

func TestUniqueidentifier(t *testing.T) {
	const id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
	straight := "\x6F\x96\x19\xFF\x8B\x86\xD0\x11\xB4\x2D\x00\xC0\x4F\xC9\x64\xFF"
	swapped := "\xFF\x19\x96\x6F\x86\x8B\x11\xD0\xB4\x2D\x00\xC0\x4F\xC9\x64\xFF"
	for _, r := range []rule{ // case 9
		{from: textCol, to: sqlType("uniqueidentifier"), in: []any{strings.ToLower(id), "{" + strings.ToLower(id) + "}", id, strings.ReplaceAll(id, "-", ""), nil}, want: strings.Repeat(id+" ", 4) + "NULL", effects: "normalised:3"},
		{from: textCol, to: sqlType("uniqueidentifier"), in: []any{"", id[1:], "{" + id, strings.Replace(id, "-", "_", 1), strings.Replace(id, "F", "G", 1)}, want: "NULL NULL NULL NULL NULL", refused: 5, effects: "unparseable:5"},
		{from: uuidCol, to: sqlType("uniqueidentifier"), in: []any{straight, nil}, want: id + " NULL"},
		{from: fixed16Col, to: sqlType("uniqueidentifier"), answer: cast.SQLOrder, in: []any{swapped}, want: id},
		{from: fixed16Col, to: sqlType("uniqueidentifier"), answer: cast.TextOrder, in: []any{straight}, want: id},
		{
			from: bytesCol, to: sqlType("uniqueidentifier"), answer: cast.SQLOrder, in: []any{id, strings.ToLower(id), "{" + id + "}", strings.ReplaceAll(id, "-", ""), id[1:]},
			want: id + " " + id + " " + id + " " + id + " NULL", refused: 1, effects: "normalised:3 wrong_length:1",
		},
		{from: bytesCol, to: sqlType("uniqueidentifier"), answer: cast.TextOrder, in: []any{straight, "\x01"}, want: id + " NULL", refused: 1, effects: "wrong_length:1"},
	} {
		r.check(t)
	}
}

func TestTextMeasures(t *testing.T) {
	for _, s := range []string{"", "abc", "café", "€", "日本", "😀", "a😀é", "\u0000\uffff"} {
		if got, want := cast.UTF16Units(s), len(utf16.Encode([]rune(s))); got != want {
			t.Errorf("%q has %d units, want %d", s, got, want)
		}
	}
	for _, c := range []struct {
		s          string
		page, want int
	}{
		{"café", 1252, 4}, {"café", 65001, 5}, {"café", 0, 4}, {"日本a", 932, 5}, {"ｱ", 932, 1}, {"€", 936, 1}, {"€", 949, 2}, {"한", 949, 2}, {"é", 950, 2},
	} {
		if got := cast.CodePageBytes(c.s, c.page); got != c.want {
			t.Errorf("%q in code page %d has %d bytes, want %d", c.s, c.page, got, c.want)
		}
	}
}

// case 22: values that end at exactly one power of two
func TestLongestShowsTextThatACopyingToolCut(t *testing.T) {
	long := strings.Repeat("x", 32768)
	_, r := castColumn(t, textCol, target(t, sized("nvarchar", -1)), schema.FileClass{}, cast.Answers{}, []any{"short", long, nil, long, long})
	if r.Longest != (cast.Longest{Length: 32768, Count: 3}) || !r.Longest.Suspicious() || r.Refused != 0 {
		t.Errorf("longest %+v, refused %d", r.Longest, r.Refused)
	}
	_, r = castColumn(t, textCol, target(t, sized("nvarchar", -1)), schema.FileClass{}, cast.Answers{}, []any{long, long, long + "y"})
	if r.Longest.Suspicious() {
		t.Errorf("one longer value must clear the suspicion, got %+v", r.Longest)
	}
}
