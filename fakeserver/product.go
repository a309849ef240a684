package fakeserver

import (
	"fmt"
	"math/big"
	"regexp"

	"cdcseed/fakeserver/tds"
)

// product is a computed column's expression: two columns of the row and the
// operator between them. That is all the arithmetic a world file has.
type product struct {
	text        string
	left, right int
	op          string
}

var productText = regexp.MustCompile(`^\s*\[?([^\[\]*+-]+?)\]?\s*([*+-])\s*\[?([^\[\]*+-]+?)\]?\s*$`)

// parseProduct binds an expression such as "[Quantity] * [UnitPrice]".
func parseProduct(text string, t *table) (*product, error) {
	m := productText.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("%q is not two columns with *, + or - between them", text)
	}
	p := &product{text: text, left: t.column(m[1]), right: t.column(m[3]), op: m[2]}
	for i, at := range []int{p.left, p.right} {
		if at < 0 {
			return nil, fmt.Errorf("%q names no column %q", text, m[1+2*i])
		}
		switch t.columns[at].typ.name {
		case "tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney":
		default:
			return nil, fmt.Errorf("%q computes with %s, which is no exact number", text, t.columns[at].name)
		}
	}
	return p, nil
}

// value computes the expression over row, in c's type.
func (p *product) value(t *table, c *column, row []any) (any, error) {
	a, b := ratio(row[p.left], t.columns[p.left].typ), ratio(row[p.right], t.columns[p.right].typ)
	if a == nil || b == nil {
		return nil, nil
	}
	r := new(big.Rat)
	switch p.op {
	case "*":
		r.Mul(a, b)
	case "+":
		r.Add(a, b)
	default:
		r.Sub(a, b)
	}
	return exactValue(r, c.typ)
}

// ratio is an exact number as a fraction, nil for NULL.
func ratio(v any, t dataType) *big.Rat {
	switch x := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(x)
	case tds.MoneyVal:
		return big.NewRat(int64(x), 10_000)
	case *big.Int:
		return new(big.Rat).SetFrac(x, tenTo(t.scale))
	}
	return nil
}

// exactValue rounds r half away from zero to t's scale.
func exactValue(r *big.Rat, t dataType) (any, error) {
	scale := t.scale
	if t.name == "money" || t.name == "smallmoney" {
		scale = 4
	}
	return t.read([]byte(r.FloatString(scale)))
}

func tenTo(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}
