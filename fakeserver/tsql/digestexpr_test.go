package tsql

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"cdcseed/fakeserver/tds"
)

func (d *digester) exprs(list []expr) {
	for _, e := range list {
		d.expr(e)
	}
}

func (d *digester) expr(e expr) {
	switch x := e.(type) {
	case nil:
	case literal:
		d.add("literal", literalText(x.v))
	case variable:
		d.add("variable", x.name)
	case column:
		d.name("column", x.parts)
	case star:
		d.out = append(d.out, strings.ToLower(strings.Join(append([]string{"star"}, x.qualifier...), ":")))
	case *call:
		d.call(x)
	case cast:
		d.cast(x)
	case atTimeZone:
		d.add("operator", "at time zone")
		d.exprs([]expr{x.e, x.zone})
	case collate:
		d.add("operator", "collate "+x.name)
		d.expr(x.e)
	case binaryOp:
		d.add("operator", x.op)
		d.exprs([]expr{x.l, x.r})
	case unaryOp:
		d.add("operator", "unary "+x.op)
		d.expr(x.e)
	case caseExpr:
		d.caseExpr(x)
	case subquery:
		d.add("clause", "subquery")
		d.query(x.q)
	}
}

// literalText is a constant as written, where its way of writing is settled.
func literalText(v Value) string {
	switch x := v.V.(type) {
	case nil:
		return "null"
	case string:
		return x + "'"
	case int64:
		return strconv.FormatInt(x, 10)
	case *big.Int:
		return new(big.Rat).SetFrac(x, pow10(int(v.T.Scale))).FloatString(int(v.T.Scale))
	case []byte:
		return "0x" + hex.EncodeToString(x)
	case float64:
		return strconv.FormatFloat(x, 'e', -1, 64)
	case tds.MoneyVal:
		return fmt.Sprintf("$%d.%04d", x/10000, x%10000)
	}
	return fmt.Sprintf("%T", v.V)
}

func (d *digester) call(x *call) {
	d.name("function", x.name)
	d.add("datepart", x.part)
	if x.star {
		d.out = append(d.out, "star")
	}
	if x.distinct {
		d.add("clause", "distinct")
	}
	d.exprs(x.args)
	if x.order != nil {
		d.add("clause", "within group")
		d.order(x.order)
	}
	if x.over != nil {
		d.add("clause", "over")
		d.exprs(x.over.partition)
		d.order(x.over.order)
	}
}

// cast: CAST and CONVERT are one here; the type's length is left out, for one
// parser keeps what is written and the other what it means.
func (d *digester) cast(x cast) {
	name := "cast"
	if x.try {
		name = "try_cast"
	}
	d.add("function", name)
	d.typeName(x.to)
	d.exprs([]expr{x.e, x.style})
}

// typeName: numeric is decimal by another name.
func (d *digester) typeName(t tds.Type) {
	d.add("type", strings.Replace(TypeName(t), "numeric", "decimal", 1))
}

func (d *digester) caseExpr(x caseExpr) {
	d.add("clause", "case")
	d.exprs([]expr{x.operand, x.other})
	for _, a := range x.arms {
		d.add("clause", "when")
		if a.when != nil {
			d.cond(a.when)
		}
		d.exprs([]expr{a.value, a.then})
	}
}

func (d *digester) cond(c cond) {
	switch x := c.(type) {
	case logic:
		d.add("operator", x.op)
		d.cond(x.l)
		d.cond(x.r)
	case not:
		d.add("operator", "not")
		d.cond(x.c)
	case comparison:
		d.add("operator", x.op)
		d.exprs([]expr{x.l, x.r})
	case inList:
		d.predicate("in", x.negated, x.e)
		d.exprs(x.list)
		if x.sub != nil {
			d.add("clause", "subquery")
			d.query(x.sub)
		}
	case between:
		d.predicate("between", x.negated, x.e, x.lo, x.hi)
	case like:
		d.predicate("like", x.negated, x.e, x.pattern, x.escape)
	case isNull:
		d.predicate("is null", x.negated, x.e)
	case exists:
		d.add("operator", "exists")
		d.query(x.q)
	}
}

func (d *digester) predicate(word string, negated bool, operands ...expr) {
	if negated {
		word = "not " + word
	}
	d.add("operator", word)
	d.exprs(operands)
}
