package cast

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/float16"
)

// longestText is where a value shown to people is cut, in bytes, and longestKey
// where a value of a key is.
const (
	longestText = 120
	longestKey  = 40
)

// ValueText is the value at i as people read it: times in ISO 8601, bytes and
// text that is no UTF-8 as 0x and hex digits, NULL for none. Long text is cut.
func ValueText(arr arrow.Array, i int) string { return valueText(arr, i, longestText) }

// wholeText is ValueText of a value that is not cut.
func wholeText(arr arrow.Array, i int) string { return valueText(arr, i, math.MaxInt) }

// KeyText is a row's key for people, "OrderId 7, Line 2", with long values cut;
// nothing where no key is known.
func KeyText(key []KeyValue) string {
	parts := make([]string, len(key))
	for i, k := range key {
		parts[i] = k.Column + " " + cutText(k.Value, longestKey)
	}
	return strings.Join(parts, ", ")
}

func valueText(arr arrow.Array, i, most int) string {
	if arr.IsNull(i) {
		return "NULL"
	}
	switch a := arr.(type) {
	case *array.Boolean:
		return strconv.FormatBool(a.Value(i))
	case *array.Float16:
		return strconv.FormatFloat(half16(a.Value(i)), 'g', -1, 32)
	case *array.Float32:
		return strconv.FormatFloat(float64(a.Value(i)), 'g', -1, 32)
	case *array.Float64:
		return strconv.FormatFloat(a.Value(i), 'g', -1, 64)
	case *array.Decimal128:
		return decimalText(a.Value(i).BigInt().String(), scaleOf(a.DataType()))
	case *array.Decimal256:
		return decimalText(a.Value(i).BigInt().String(), scaleOf(a.DataType()))
	case *array.Date32:
		return dayText(int32(a.Value(i)))
	case *array.Timestamp:
		return stampValueText(a, i)
	case *array.Time32, *array.Time64:
		if nanos, ok := daytimeNanos(arr, i); ok {
			return string(appendDaytime(nil, nanos))
		}
		return rawTime(arr, i)
	case *array.FixedSizeBinary:
		return hexText(a.Value(i), most)
	case *array.Binary:
		return hexText(a.Value(i), most)
	}
	if t, ok := textsOf(arr); ok {
		return quoteText(t.Value(i), most)
	}
	return arr.ValueStr(i)
}

// decimalText puts the point into an unscaled integer's digits.
func decimalText(digits string, scale int) string {
	if scale <= 0 {
		return digits + strings.Repeat("0", -scale)
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if short := scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	at := len(digits) - scale
	return sign + digits[:at] + "." + digits[at:]
}

func hexText(b []byte, most int) string {
	if len(b) > most/2 {
		return "0x" + strings.ToUpper(hex.EncodeToString(b[:most/2])) + "…"
	}
	return "0x" + strings.ToUpper(hex.EncodeToString(b))
}

// cutText is the beginning of a text that is longer than most bytes, marked so.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	at := most
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + "…"
}

// quoteText shows text; text with blanks at its ends, or that could be
// mistaken or break a line, in quotes.
func quoteText(s string, most int) string {
	if !utf8.ValidString(s) {
		return hexText([]byte(s), most)
	}
	s = cutText(s, most)
	q := strconv.Quote(s)
	if s == "" || s == "NULL" || strings.TrimSpace(s) != s || q != `"`+s+`"` {
		return q
	}
	return s
}

func stampValueText(a *array.Timestamp, i int) string {
	text := appendStamp(nil, int64(a.Value(i)), unitOf(a.DataType()))
	if t, ok := a.DataType().(*arrow.TimestampType); ok && t.TimeZone != "" {
		text = append(text, 'Z')
	}
	return string(text)
}

// rawTime is the number in place of a time of day that it is none of.
func rawTime(arr arrow.Array, i int) string {
	raw := int64(0)
	switch a := arr.(type) {
	case *array.Time32:
		raw = int64(a.Value(i))
	case *array.Time64:
		raw = int64(a.Value(i))
	}
	return fmt.Sprintf("%d %s", raw, unitOf(arr.DataType()))
}

// half16 is a half-precision value as a double, which holds it exactly. The
// library's own way makes another number of those below the normal range.
func half16(v float16.Num) float64 {
	bits := v.Uint16()
	if bits&0x7c00 != 0 {
		return float64(v.Float32())
	}
	below := float64(bits&0x3ff) * 0x1p-24
	if bits&0x8000 != 0 {
		return -below
	}
	return below
}
