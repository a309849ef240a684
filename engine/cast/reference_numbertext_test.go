package cast_test

import (
	"math/big"
	"regexp"
	"strings"

	"cdcseed/engine/cast"
)

// asciiBlanks are what text may have around it.
const asciiBlanks = " \t\n\v\f\r"

var numberForm = regexp.MustCompile(`^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$`)

// numberIn reads a number's text: digits with at most one point, perhaps an
// exponent. A number too large or too small for every type is taken for
// another such one, so that an exponent cannot fill the memory.
func numberIn(s string) (number, bool) {
	m := numberForm.FindStringSubmatch(strings.Trim(s, asciiBlanks))
	if m == nil || m[2]+m[3] == "" {
		return number{}, false
	}
	n := number{minus: m[1] == "-", digits: significant(m[2] + m[3]), exact: new(big.Rat)}
	mantissa, _ := new(big.Int).SetString("0"+m[2]+m[3], 10)
	if mantissa.Sign() == 0 {
		return n, true
	}
	exponent := new(big.Int)
	if m[4] != "" {
		exponent.SetString(strings.TrimPrefix(m[4], "+"), 10)
	}
	exponent.Sub(exponent, big.NewInt(int64(len(m[3]))))
	first := new(big.Int).Add(exponent, big.NewInt(int64(len(mantissa.String())-1)))
	switch {
	case first.Cmp(big.NewInt(500)) > 0:
		n.exact.SetInt(bigPow(10, 500))
	case first.Cmp(big.NewInt(-1000)) < 0:
		n.exact.Set(powerOfTen(-1000))
	default:
		n.exact.Mul(new(big.Rat).SetInt(mantissa), powerOfTen(int(exponent.Int64())))
	}
	if n.minus {
		n.exact.Neg(n.exact)
	}
	return n, true
}

// bit is what a bit column makes of a value.
func (j *judge) bit(v any) outcome {
	switch v := v.(type) {
	case bool:
		return wrote(v)
	case *big.Int:
		if v.Sign() == 0 || v.Cmp(big.NewInt(1)) == 0 {
			return wrote(v.Sign() != 0)
		}
		return unwritten(cast.OutOfRange)
	case string:
		if j.isText() {
			return bitText(v)
		}
		switch {
		case len(v) != 1:
			return unwritten(cast.WrongLength)
		case v[0] > 1:
			return unwritten(cast.OutOfRange)
		}
		return wrote(v == "\x01")
	}
	panic(v)
}

var (
	yes = regexp.MustCompile("^(1|\x01|[tT][rR][uU][eE])$")
	no  = regexp.MustCompile("^(0|\x00|[fF][aA][lL][sS][eE])$")
)

func bitText(s string) outcome {
	switch s = strings.Trim(s, asciiBlanks); {
	case yes.MatchString(s):
		return wrote(true)
	case no.MatchString(s):
		return wrote(false)
	}
	return unwritten(cast.Unparseable)
}

func numberTexts() copyKind {
	edges := []string{
		"", " ", "0", "-0", "+0", "1", "-1", "0E-18", "1e3", " 7.50 ", "-.5", ".5", "1.", "+1e-2", ".", "e", "1e", "1e+", "-", "+", "--1", "1-", "0x10", "1_0", "١", "1,5", "1 2", "NaN", "inf", "Infinity", "-inf", "null",
		"\t12\n", "\u00a012", "12\u00a0", "12\x00", "\ufeff1", "1.5.2", "1e5e2", "1e1.5", "00000000000000000000000000000000000000000000001.50", "0.00000000000000000000000000000000000000000000000000000015e55",
		"32767", "32768", "-32768", "-32769", "32767.5", "-32768.5", "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "255", "256", "255.4", "255.5", "-0.4", "-0.5", "0.5", "1.5", "2.5",
		"99999999.99", "99999999.994", "99999999.995", "-99999999.995", "1.005", "1.0050000000000000000000000000000000000000000000000000000000001", "1.00499999999999999999999999999999999999999999999999999999",
		"99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "100000000000000000000000000000000000000", "99999999999999999999999999999999999999.5", "99999999999999999999999999999999999999.49",
		"170141183460469231731687303715884105727", "170141183460469231731687303715884105728", "1701411834604692317316873037158841057275e-1", "170141183460469231731687303715884105727.5", "0.99999999999999999999999999999999999999", "0.999999999999999999999999999999999999995",
		"922337203685477.5807", "922337203685477.5808", "-922337203685477.5808", "214748.3647", "214748.3648", "-214748.3648", "214748.36475",
		"1e38", "1e37", "1e-38", "5e-39", "4e-39", "1e400", "-1e400", "1e-400", "1e308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "2e308", "4.9e-324", "5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2e-324",
		"1e100000000", "1e-100000000", "1e999999999999999999999", "-1e-999999999999999999999", "0e999999999999999999999", "3.4028234663852886e38", "3.4028235e38", "3.4028236e38", "3.4028235677973366e38", "1.1754944e-38", "1e-45", "7e-46", "1.4e-45",
		"0.1", "0.30000000000000004", "0.3", "0.1000000000000000055511151231257827021181583404541015625", "0.1000000000000000055511151231257827021181583404541015626", "0.100000001490116119384765625", "0.1000000015", "9007199254740993", "9007199254740992", "9007199254740994", "16777217", "16777216", "123456789012345", "1234567890123456", "12345678901234567", "1e23", "9.999999999999999e22", "8.41e21", "5.684341886080801e-14", "5.684341886080802e-14", "2.2250738585072014e-308", "2.2250738585072011e-308",
		"1\x00", "true", "True", "TRUE", "tRuE", "false", "FALSE", "\x01", "\x00", " true ", "yes", "t", "2", "01", "1 ", " 0", "0.0", "TRUE\u00a0", "\xff", "tru\xe9",
	}
	edges = append(edges, "fal\u017fe", "170141183460469231731687303715884105728.5")
	edges = append(edges, strings.Repeat("9", 60), strings.Repeat("0", 60)+"7", "0."+strings.Repeat("0", 60)+"7", "1"+strings.Repeat("0", 900)+"e-900", "1."+strings.Repeat("0", 900)+"1", strings.Repeat("1", 850)+"e-840")
	return texts(edges, numberText)
}

// numberText makes a number's text from bytes.
func numberText(t *tape) string {
	var b strings.Builder
	b.WriteString([]string{"", "-", "+", " ", " -"}[t.pick(5)])
	for range t.pick(25) {
		b.WriteByte('0' + byte(t.pick(10)))
	}
	if t.pick(3) > 0 {
		b.WriteByte('.')
	}
	for range t.pick(25) {
		b.WriteByte('0' + byte(t.pick(10)))
	}
	if t.pick(3) == 0 {
		b.WriteString([]string{"e", "E", "e-", "e+", "E-"}[t.pick(5)])
		for range t.pick(4) {
			b.WriteByte('0' + byte(t.pick(10)))
		}
	}
	if t.pick(8) == 0 {
		b.WriteString([]string{" ", "\n", "x", ".", "e"}[t.pick(5)])
	}
	return b.String()
}
