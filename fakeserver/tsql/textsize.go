package tsql

import (
	"unicode/utf16"

	"cdcseed/fakeserver/tds"
)

// unlimitedText is what SET TEXTSIZE -1 and 2147483647 mean, and what drivers
// ask for at login; SET TEXTSIZE 0 is the server's default of four kilobytes.
const (
	unlimitedText = 1<<31 - 1
	defaultText   = 4096
)

// textSize is how many bytes of a large value a SELECT sends.
func (s *Session) textSize() int64 {
	switch n := s.number("TEXTSIZE", unlimitedText); n {
	case 0:
		return defaultText
	case -1:
		return unlimitedText
	default:
		return n
	}
}

// cutter cuts the large values of a row to the session's text size.
func (s *Session) cutter(cols []tds.Column) func(row []any) []any {
	limit := s.textSize()
	if limit == unlimitedText {
		return func(row []any) []any { return row }
	}
	return func(row []any) []any {
		out := row
		for i, v := range row {
			t := cols[i].Type
			if t.Size != maxLength && !isLegacyLOB(t) || t.ID == tds.XMLType {
				continue
			}
			if cut, ok := cutTo(v, t, limit); ok {
				if &out[0] == &row[0] {
					out = append([]any{}, row...)
				}
				out[i] = cut
			}
		}
		return out
	}
}

// cutTo is v without what is beyond limit bytes, and whether that is less.
func cutTo(v any, t tds.Type, limit int64) (any, bool) {
	switch x := v.(type) {
	case []byte:
		if int64(len(x)) > limit {
			return x[:limit], true
		}
	case string:
		if isWide(t) || t.ID == tds.NTextType {
			limit /= 2
		}
		if int64(unitCount(x)) > limit {
			return string(utf16.Decode(units(x)[:limit])), true
		}
	}
	return v, false
}
