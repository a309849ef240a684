package tsql

import (
	"fmt"
	"strings"
)

// fingerprint is equal for expressions that GROUP BY and DISTINCT take for the
// same: columns count by what they refer to, not by how they are written.
func (sc *scope) fingerprint(n node) string {
	switch x := n.(type) {
	case nil:
		return "-"
	case literal:
		return fmt.Sprintf("%v:%T:%v", x.v.T, x.v.V, x.v.V)
	case variable:
		return strings.ToLower(x.name)
	case column:
		at, err := sc.find(x.parts)
		if err != nil {
			return "?" + strings.Join(x.parts, ".")
		}
		return strings.Repeat("^", at.depth) + at.key()
	case cast:
		return sc.prints("cast", fmt.Sprint(x.to, x.try), x.e, x.style)
	case atTimeZone:
		return sc.prints("zone", "", x.e, x.zone)
	case collate:
		return sc.prints("collate", strings.ToLower(x.name), x.e)
	case unaryOp:
		return sc.prints("unary", x.op, x.e)
	case binaryOp:
		return sc.prints("binary", x.op, x.l, x.r)
	case *call:
		return sc.callPrint(x)
	case caseExpr:
		parts := []node{x.operand, x.other}
		for _, a := range x.arms {
			parts = append(parts, a.when, a.value, a.then)
		}
		return sc.prints("case", "", parts...)
	case subquery:
		return fmt.Sprintf("query %p", x.q) // never the same as another
	}
	return sc.condPrint(n)
}

func (sc *scope) callPrint(x *call) string {
	if x.over != nil || x.order != nil {
		return fmt.Sprintf("call %p", x)
	}
	parts := make([]node, len(x.args))
	for i, a := range x.args {
		parts[i] = a
	}
	name := strings.ToLower(strings.Join(x.name, "."))
	return sc.prints(name, fmt.Sprint(x.part, x.star, x.distinct), parts...)
}

func (sc *scope) condPrint(n node) string {
	switch x := n.(type) {
	case comparison:
		return sc.prints("compare", x.op, x.l, x.r)
	case logic:
		return sc.prints("logic", x.op, x.l, x.r)
	case not:
		return sc.prints("not", "", x.c)
	case between:
		return sc.prints("between", fmt.Sprint(x.negated), x.e, x.lo, x.hi)
	case like:
		return sc.prints("like", fmt.Sprint(x.negated), x.e, x.pattern, x.escape)
	case isNull:
		return sc.prints("null", fmt.Sprint(x.negated), x.e)
	case inList:
		parts := []node{x.e}
		for _, e := range x.list {
			parts = append(parts, e)
		}
		return sc.prints("in", fmt.Sprintf("%v %p", x.negated, x.sub), parts...)
	case exists:
		return fmt.Sprintf("exists %p", x.q)
	}
	return fmt.Sprintf("%T", n)
}

func (sc *scope) prints(kind, detail string, parts ...node) string {
	out := []string{kind, detail}
	for _, p := range parts {
		out = append(out, sc.fingerprint(p))
	}
	return "(" + strings.Join(out, "|") + ")"
}
