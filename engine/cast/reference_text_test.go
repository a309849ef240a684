package cast_test

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cdcseed/engine/cast"
)

// text is what a text column makes of a value.
func (j *judge) text(v any) outcome {
	switch j.to.SQL.Name {
	case "time":
		return j.daytime(v)
	case "uniqueidentifier":
		return j.guid(v.(string))
	}
	s := v.(string)
	limit := j.to.SQL.Length
	if strings.HasPrefix(j.to.SQL.Name, "n") {
		limit /= 2
	}
	j.endless = limit <= 0
	if !utf8.ValidString(s) {
		return outcome{reason: cast.NotUTF8, foul: true}
	}
	if j.endless {
		return outcome{out: fmt.Sprintf("%q", s), length: units16(s)}
	}
	return j.fit(s, limit, j.size, " ")
}

// binary is what a binary column makes of a value.
func (j *judge) binary(v any) outcome {
	if n, is := v.(*big.Int); is { // the top half of the unsigned range may have been read as negative
		b := wrap(n, 64, true).FillBytes(make([]byte, 8))
		return wrote(fmt.Sprintf("%q", b))
	}
	s := v.(string)
	switch j.to.SQL.Name {
	case "timestamp", "rowversion":
		return j.rowversion(s)
	}
	if limit := j.to.SQL.Length; limit > 0 {
		return j.fit(s, limit, func(s string) int { return len(s) }, "\x00")
	}
	j.endless = true
	return outcome{out: fmt.Sprintf("%q", s), length: len(s)}
}

// fit writes a value of at most limit units; of char, nchar and binary, filled
// up to it, unless the source itself may have stored it short.
func (j *judge) fit(s string, limit int, size func(string) int, fill string) outcome {
	fixed := map[string]bool{"char": true, "nchar": true, "binary": true}[j.to.SQL.Name]
	asked := fixed && !j.to.SQL.AnsiPad && j.to.Nullable && j.to.SQL.Name != "nchar"
	pads := fixed && !asked || asked && j.rule.Answer == cast.Pad
	n := size(s)
	var notes []cast.Effect
	switch {
	case n > limit && j.rule.Answer != cast.Cut:
		return unwritten(cast.TooLong)
	case n > limit:
		s, notes = beginning(s, limit, size, fill == " "), []cast.Effect{cast.CutOff}
	case n < limit && pads:
		notes = []cast.Effect{cast.Padded}
	case n < limit && asked && j.rule.Answer == cast.Keep:
		notes = []cast.Effect{cast.LeftShort}
	}
	if pads {
		s += strings.Repeat(fill, limit-size(s))
	}
	return wrote(fmt.Sprintf("%q", s), notes...)
}

// beginning is the longest beginning within a limit, of text in whole characters.
func beginning(s string, limit int, size func(string) int, characters bool) string {
	for k := len(s); ; k-- {
		if characters && k < len(s) && !utf8.RuneStart(s[k]) {
			continue
		}
		if size(s[:k]) <= limit {
			return s[:k]
		}
	}
}

// size is a text's length in the units of the column's declared length.
func (j *judge) size(s string) int {
	if strings.HasPrefix(j.to.SQL.Name, "n") {
		return units16(s)
	}
	n := 0
	for _, r := range s {
		n += j.bytesOf(r)
	}
	return n
}

func units16(s string) int { return len(utf16.Encode([]rune(s))) }

// bytesOf is how many bytes a character has in the column's code page.
func (j *judge) bytesOf(r rune) int {
	switch page := j.to.SQL.CodePage; page {
	case 65001:
		return len(string(r))
	case 932, 936, 949, 950:
		halfWidth := page == 932 && r >= '｡' && r <= 'ﾟ'
		if r <= '\x7f' || halfWidth || page == 936 && r == '€' {
			return 1
		}
		return 2
	}
	return 1
}

const hex16 = "[0-9A-Fa-f]"

var (
	guidForm = regexp.MustCompile(`^(?:\{(` + hex16 + `{8}-` + hex16 + `{4}-` + hex16 + `{4}-` + hex16 + `{4}-` + hex16 + `{12})\}|(` + hex16 + `{8}-` + hex16 + `{4}-` + hex16 + `{4}-` + hex16 + `{4}-` + hex16 + `{12})|(` + hex16 + `{32}))$`)
	hexForm  = regexp.MustCompile(`^(?:0[xX])?(` + hex16 + `{16})$`)
)

// guid is what a uniqueidentifier column makes of a value: the stream's upper case.
func (j *judge) guid(s string) outcome {
	if j.isText() || len(s) != 16 && guidForm.MatchString(strings.Trim(s, asciiBlanks)) {
		m := guidForm.FindStringSubmatch(strings.Trim(s, asciiBlanks))
		if m == nil {
			return unwritten(cast.Unparseable)
		}
		digits := strings.ToUpper(strings.ReplaceAll(m[1]+m[2]+m[3], "-", ""))
		out := joinGUID(digits)
		if out == s {
			return wrote(fmt.Sprintf("%q", out))
		}
		return wrote(fmt.Sprintf("%q", out), cast.Normalised)
	}
	if len(s) != 16 {
		return unwritten(cast.WrongLength)
	}
	if j.rule.Answer == cast.SQLOrder {
		s = reversed(s[:4]) + reversed(s[4:6]) + reversed(s[6:8]) + s[8:]
	}
	return wrote(fmt.Sprintf("%q", joinGUID(fmt.Sprintf("%X", s))))
}

func reversed(s string) string {
	out := ""
	for i := len(s) - 1; i >= 0; i-- {
		out += s[i : i+1]
	}
	return out
}

func joinGUID(digits string) string {
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}

// rowversion is eight bytes, or text that stands for them: hexadecimal or base64.
func (j *judge) rowversion(s string) outcome {
	if !j.isText() {
		if len(s) != 8 {
			return unwritten(cast.WrongLength)
		}
		return wrote(fmt.Sprintf("%q", s))
	}
	s = strings.Trim(s, asciiBlanks)
	if m := hexForm.FindStringSubmatch(s); m != nil {
		n, _ := new(big.Int).SetString(m[1], 16)
		return wrote(fmt.Sprintf("%q", n.FillBytes(make([]byte, 8))), cast.Normalised)
	}
	// What encodes back to the text: no other spelling of the same bytes.
	if b, err := base64.StdEncoding.DecodeString(s); err == nil && len(b) == 8 && base64.StdEncoding.EncodeToString(b) == s {
		return wrote(fmt.Sprintf("%q", b), cast.Normalised)
	}
	return unwritten(cast.Unparseable)
}

func plainTexts() []string {
	return append(strings.Split("|a|ab|abc|abcdef|abcdefg|abcdefghijklmnop|DVT1|DVT1  | x |\x00|\x00\x00|é|éé|ééééé|caf\u00e9|€|€€€€|ｱ|ｱｱｱｱｱｱ|日|日本語|日本語日本語|ab日|abc日本|😀|ab😀|a😀b|😀😀😀|abcde😀|𝄞x|\u0301e|e\u0301|\ufeff|\ud7ff|\ue000|\uffff|\u00a0|\u3000|\u0131\u0130", "|"),
		"caf\xe9", "#\x81", "\xff", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "ab\xf0\x9f\x98", "\xe6\x97", "\x80", strings.Repeat("a", 256), strings.Repeat("a", 256), strings.Repeat("é", 256), strings.Repeat("x", 600))
}

func guidTexts() []string {
	id := "6f9619ff-8b86-d011-b42d-00c04fc964ff"
	upper := strings.ToUpper(id)
	bare := strings.ReplaceAll(upper, "-", "")
	return []string{
		"\u00a0" + upper, upper + "\u0085", "", id, upper, "{" + upper + "}", "{" + id + "}", bare, strings.ToLower(bare), "{" + bare + "}", " " + upper + " ", upper + "\n", "\t" + id, "(" + upper + ")", upper[:35], upper + "0", strings.Replace(upper, "-", "_", 1),
		strings.Replace(upper, "F", "G", 1), "{" + upper, upper + "}", "6F9619FF8B86-D011-B42D-00C04FC964FF-", "6F9619FF8-B86-D011-B42D-00C04FC964FF", "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", strings.Replace(upper, "0", "０", 1), "\xff", "NULL",
	}
}

func rowversionTexts() []string {
	return []string{
		"0x00000000000007D1", "0X00000000000007d1", "00000000000007D1", "AAAAAAAAB9E=", "0xFFFFFFFFFFFFFFFF", "//////////8=", "//////////9=", "AAAAAAAAB9F=", "AAAAAAAAB9E", "AAAAAAAAB9==", "AAAAAAAAAAAA", "____________", "__________8=", " 0x00000000000007D1 ", "0x7D1", "7D1", "2001", "0x00000000000007G1", "0x000000000000007D1", "x000000000000007D1",
		"", "0x", "0000000000000000", "AAAA\nAAAB9E=", "AAAAAAAAB9E=\n", "AAAAAAAA B9E=", "\x00\x00\x00\x00\x00\x00\x07\xd1", "\xff", "00000000000007D１",
	}
}

func bytesEdges() []string {
	return append(plainTexts(), "\x00\x00\x00\x00\x00\x00\x07\xd1", "\x00\x00\x00\x00\x00\x00\x07", "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\x19\x96\x6f\x86\x8b\x11\xd0\xb4\x2d\x00\xc0\x4f\xc9\x64\xff", "\xff\x19\x96\x6f\x86\x8b\x11\xd0\xb4\x2d\x00\xc0\x4f\xc9\x64", "\x01", "\x02", strings.Repeat("\xff", 20), strings.Repeat("\x00", 21), strings.Repeat("\x00", 256))
}

// wordTexts are texts of any kind, with their bytes as they come.
func wordTexts(edges []string) copyKind {
	alphabet := []string{"a", "Z", " ", "é", "€", "ｱ", "日", "😀", "\x00", "-", "0", "f", "{", "}", "=", "\u0301"}
	return texts(edges, func(t *tape) string {
		var b strings.Builder
		for range t.pick(24) {
			b.WriteString(alphabet[t.pick(len(alphabet))])
		}
		return b.String()
	})
}
