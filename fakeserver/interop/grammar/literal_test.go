package grammar

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

// literal writes constants as the fake's digest does.
func (d *digester) literal(n any) bool {
	switch x := n.(type) {
	case *ast.StringLiteral:
		d.add("literal", x.Value+"'")
	case *ast.IdentifierLiteral:
		d.add("literal", x.Value+"'")
	case *ast.IntegerLiteral:
		d.add("literal", wholeNumber(x.Value))
	case *ast.NumericLiteral:
		d.add("literal", decimalNumber(x.Value))
	case *ast.RealLiteral:
		d.add("literal", realNumber(x.Value))
	case *ast.MoneyLiteral:
		d.add("literal", moneyNumber(x.Value))
	case *ast.BinaryLiteral:
		d.add("literal", evenHex(x.Value))
	case *ast.NullLiteral:
		d.add("literal", "null")
	case *ast.DefaultLiteral: // of EXEC: as if it were not there
	default:
		return false
	}
	return true
}

func wholeNumber(s string) string {
	if n, ok := new(big.Int).SetString(s, 10); ok {
		return n.String()
	}
	return s
}

func decimalNumber(s string) string {
	whole, frac, _ := strings.Cut(s, ".")
	if whole == "" {
		whole = "0"
	}
	if frac == "" {
		return wholeNumber(whole)
	}
	return wholeNumber(whole) + "." + frac
}

func realNumber(s string) string {
	f, err := strconv.ParseFloat(strings.TrimRight(s, "eE+-"), 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

func moneyNumber(s string) string {
	r, ok := new(big.Rat).SetString(strings.TrimPrefix(s, "$"))
	if !ok {
		return s
	}
	return "$" + r.FloatString(4)
}

func evenHex(s string) string {
	digits := s[min(2, len(s)):]
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	return fmt.Sprint("0x", digits)
}
