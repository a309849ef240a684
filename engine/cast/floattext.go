package cast

import (
	"math"
	"strconv"
)

// longestFloat is more significant digits than any double has when it is
// written in full.
const longestFloat = 800

// digits is a number's significant digits as text has them, without zeros at
// either end, and the power of ten of the first one. No digits is zero.
type digits struct {
	text  string // may hold the point
	n     int
	power int
}

// digitsOf reads what readDecimal accepts.
func digitsOf(s string) digits {
	s = trim(s)
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	mantissa, exponent, _ := splitExponent(s)
	whole, _, _ := measure(mantissa)
	d := digits{power: whole + exponent - 1}
	for mantissa != "" && (mantissa[0] == '0' || mantissa[0] == '.') {
		if mantissa[0] == '0' {
			d.power--
		}
		mantissa = mantissa[1:]
	}
	for mantissa != "" && (mantissa[len(mantissa)-1] == '0' || mantissa[len(mantissa)-1] == '.') {
		mantissa = mantissa[:len(mantissa)-1]
	}
	d.text = mantissa
	for k := 0; k < len(mantissa); k++ {
		if mantissa[k] != '.' {
			d.n++
		}
	}
	return d
}

// float is the floating-point number of so many bits that is nearest; false
// where it is too large for any. The zeros at both ends are left out because
// strconv miscounts the digits of a whole number that has more than 800.
func (d digits) float(width int) (v float64, ok bool) {
	if d.n == 0 {
		return 0, true
	}
	var room [64]byte
	b := room[:0]
	for k := 0; k < len(d.text); k++ {
		if d.text[k] == '.' {
			continue
		}
		if b = append(b, d.text[k]); len(b) == 1 {
			b = append(b, '.')
		}
	}
	b = strconv.AppendInt(append(b, 'e'), int64(d.power), 10)
	v, err := strconv.ParseFloat(string(b), width)
	return v, err == nil
}

// are reports whether the digits are those of a number in strconv's notation
// 'e', without its sign: d.ddde±dd.
func (d digits) are(written []byte) bool {
	k := 0
	for j := 0; j < len(d.text); j++ {
		if d.text[j] == '.' {
			continue
		}
		if k == 1 {
			k++ // the point
		}
		if k >= len(written) || written[k] != d.text[j] {
			return false
		}
		k++
	}
	if k >= len(written) || written[k] != 'e' {
		return false
	}
	power := 0
	for _, ch := range written[k+2:] {
		power = power*10 + int(ch-'0')
	}
	if written[k+1] == '-' {
		power = -power
	}
	return power == d.power
}

// holds reports whether v, the floating-point number of so many bits that is
// nearest to a decimal, stands for the decimal itself: v written with as many
// significant digits as the decimal has is the decimal, or v's shortest text
// is. So whatever was printed from v passes, shortest, with the usual 17 (9 for
// real) digits or in full; and a decimal that v is merely near to does not.
// Zero stands for zero alone.
func (d digits) holds(v float64, width int) bool {
	v = math.Abs(v)
	certain, normal := 15, 0x1p-1022
	if width == 32 {
		certain, normal = 6, 0x1p-126
	}
	switch {
	case d.n == 0 || v == 0:
		return d.n == 0 && v == 0
	case d.n <= certain && v >= normal:
		return true // so few digits survive the way there and back
	case d.n > longestFloat:
		return false
	}
	var room [32]byte
	return d.are(strconv.AppendFloat(room[:0], v, 'e', d.n-1, 64)) ||
		d.are(strconv.AppendFloat(room[:0], v, 'e', -1, width))
}
