package tsql

import "strings"

// children are the expressions and conditions directly inside n; a subquery's
// are its own affair.
func children(n node) []node {
	var out []node
	exprs := func(list ...expr) {
		for _, e := range list {
			if e != nil {
				out = append(out, e)
			}
		}
	}
	switch x := n.(type) {
	case cast:
		exprs(x.e, x.style)
	case atTimeZone:
		exprs(x.e, x.zone)
	case collate:
		exprs(x.e)
	case unaryOp:
		exprs(x.e)
	case binaryOp:
		exprs(x.l, x.r)
	case *call:
		exprs(x.args...)
		if x.over != nil {
			exprs(x.over.partition...)
			exprs(itemExprs(x.over.order)...)
		}
	case caseExpr:
		exprs(x.operand, x.other)
		for _, a := range x.arms {
			exprs(a.value, a.then)
			if a.when != nil {
				out = append(out, a.when)
			}
		}
	case comparison:
		exprs(x.l, x.r)
	case logic:
		out = append(out, x.l, x.r)
	case not:
		out = append(out, x.c)
	case between:
		exprs(x.e, x.lo, x.hi)
	case like:
		exprs(x.e, x.pattern, x.escape)
	case isNull:
		exprs(x.e)
	case inList:
		exprs(append([]expr{x.e}, x.list...)...)
	}
	return out
}

func itemExprs(items []orderItem) []expr {
	var out []expr
	for _, o := range items {
		out = append(out, o.e)
	}
	return out
}

// hasCall says whether a call of one of the listed functions stands in n;
// those with OVER are window functions, whatever their name.
func hasCall(n node, names string, over bool) bool {
	if c, ok := n.(*call); ok && len(c.name) == 1 && listed(names, strings.ToUpper(c.name[0])) && (c.over != nil) == over {
		return true
	}
	for _, child := range children(n) {
		if hasCall(child, names, over) {
			return true
		}
	}
	return false
}

func hasAggregate(n node) bool { return hasCall(n, aggregateFunctions, false) }

func hasSubquery(n node) bool {
	switch x := n.(type) {
	case subquery, exists:
		return true
	case inList:
		if x.sub != nil {
			return true
		}
	}
	for _, child := range children(n) {
		if hasSubquery(child) {
			return true
		}
	}
	return false
}
