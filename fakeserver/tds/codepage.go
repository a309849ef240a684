package tds

// cp1252High are the characters of 0x80 to 0x9f in Windows code page 1252. The
// five places without a character keep their number, as Windows does.
var cp1252High = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// appendCP1252 appends s in code page 1252; what it lacks becomes a question mark.
func appendCP1252(b []byte, s string) []byte {
	for _, r := range s {
		b = append(b, toCP1252(r))
	}
	return b
}

func toCP1252(r rune) byte {
	if r < 0x80 || r >= 0xa0 && r <= 0xff {
		return byte(r)
	}
	for i, c := range cp1252High {
		if c == r {
			return byte(0x80 + i)
		}
	}
	return '?'
}

func fromCP1252(p []byte) string {
	r := make([]rune, len(p))
	for i, c := range p {
		if c >= 0x80 && c < 0xa0 {
			r[i] = cp1252High[c-0x80]
		} else {
			r[i] = rune(c)
		}
	}
	return string(r)
}
