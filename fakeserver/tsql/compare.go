package tsql

import (
	"bytes"
	"cmp"
	"math/big"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// Compare is -1, 0 or 1 for two values that are not NULL, after both are
// converted to the type of higher precedence. Text compares without regard to
// case and to spaces at its end, as SQL_Latin1_General_CP1_CI_AS has it.
func Compare(a, b Value) (int, error) { return compareIn(a, b, false) }

// compareIn compares text by code point where exact is set.
func compareIn(a, b Value, exact bool) (int, error) {
	if a.T.ID == tds.VariantType {
		a.T = baseType(a.V)
	}
	if b.T.ID == tds.VariantType {
		b.T = baseType(b.V)
	}
	t := common(a.T, b.T)
	var err error
	if a.T != t {
		if a, err = Convert(a, t, 0); err != nil {
			return 0, err
		}
	}
	if b.T != t {
		if b, err = Convert(b, t, 0); err != nil {
			return 0, err
		}
	}
	if s, ok := a.V.(string); ok && t.ID != tds.XMLType && !isLegacyLOB(t) {
		return compareText(s, b.V, exact), nil
	}
	if c, ok := compareSame(t, a.V, b.V); ok {
		return c, nil
	}
	return 0, Errorf(402, 16, "The data types %s and %s are incompatible in the comparison operator.",
		TypeName(a.T), TypeName(b.T))
}

func compareText(a string, other any, exact bool) int {
	b, _ := other.(string)
	if exact {
		return strings.Compare(strings.TrimRight(a, " "), strings.TrimRight(b, " "))
	}
	return strings.Compare(fold(a), fold(b))
}

// fold is equal for texts that the server's collation calls equal.
func fold(s string) string { return strings.ToLower(strings.TrimRight(s, " ")) }

// compareSame compares two Go values of the one type t.
func compareSame(t tds.Type, a, b any) (int, bool) {
	switch x := a.(type) {
	case int64:
		y, ok := b.(int64)
		return cmp.Compare(x, y), ok
	case bool:
		y, ok := b.(bool)
		return compareBool(x, y), ok
	case float64:
		y, ok := b.(float64)
		return cmp.Compare(x, y), ok
	case tds.MoneyVal:
		y, ok := b.(tds.MoneyVal)
		return cmp.Compare(x, y), ok
	case *big.Int:
		y, ok := b.(*big.Int)
		return x.Cmp(orZero(y)), ok
	case []byte:
		y, ok := b.([]byte)
		return compareBytes(x, y), ok
	case time.Time:
		y, ok := b.(time.Time)
		return compareTime(t, x, y), ok
	case tds.GUID:
		y, ok := b.(tds.GUID)
		return compareGUID(x, y), ok
	}
	return 0, false
}

func orZero(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

// compareBytes takes missing bytes at the end as zeros.
func compareBytes(x, y []byte) int {
	n := min(len(x), len(y))
	if c := bytes.Compare(x[:n], y[:n]); c != 0 {
		return c
	}
	switch {
	case bytes.ContainsFunc(x[n:], notZero):
		return 1
	case bytes.ContainsFunc(y[n:], notZero):
		return -1
	}
	return 0
}

func notZero(r rune) bool { return r != 0 }

// compareTime compares datetimes as ticks, so that a value that a catalogue
// gives in milliseconds equals the tick it stands for.
func compareTime(t tds.Type, x, y time.Time) int {
	if t.ID != tds.DateTimNType || t.Size != 8 {
		return x.Compare(y)
	}
	d1, n1 := tds.Ticks(x)
	d2, n2 := tds.Ticks(y)
	return cmp.Or(cmp.Compare(d1, d2), cmp.Compare(n1, n2))
}

// compareGUID starts with the last group, as SQL Server orders them.
func compareGUID(x, y tds.GUID) int {
	for _, i := range []int{10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3} {
		if x[i] != y[i] {
			return cmp.Compare(x[i], y[i])
		}
	}
	return 0
}
