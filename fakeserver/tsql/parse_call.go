package tsql

import "strings"

// partFunctions take the bare word of a datepart first.
const partFunctions = ` DATEADD DATEDIFF DATEDIFF_BIG DATEPART DATENAME DATETRUNC `

// nameExpr reads a column or the call of a function.
func (p *parser) nameExpr() expr {
	p.refuse("NEXT VALUE FOR", "NEXT", "VALUE", "FOR")
	parts := p.multipart()
	if !p.op("(") {
		return column{parts}
	}
	if len(parts) == 1 && strings.EqualFold(parts[0], "IIF") {
		return p.iif()
	}
	if len(parts) == 1 && listed(" PARSE TRY_PARSE ", parts[0]) {
		p.throw(notSimulated("function %s", parts[0]))
	}
	c := &call{name: parts}
	if p.op("*") {
		c.star = true
	} else if !p.isOp(")") {
		p.callArgs(c)
	}
	p.needOp(")")
	if p.words("WITHIN", "GROUP") {
		p.needOp("(")
		p.need("ORDER", "BY")
		c.order = p.orderList()
		p.needOp(")")
	}
	if p.words("OVER") {
		c.over = p.over()
	}
	return c
}

func (p *parser) callArgs(c *call) {
	if p.words("DISTINCT") {
		c.distinct = true
	}
	if len(c.name) == 1 && listed(partFunctions, c.name[0]) {
		if p.cur().kind != tokWord || !p.peek(1).isOp(",") {
			p.throw(Errorf(1023, 15, "Invalid parameter 1 specified for %s.", strings.ToLower(c.name[0])))
		}
		c.part = strings.ToLower(p.next().text)
		p.at++
	}
	c.args = p.exprList()
}

// iif is a CASE by another name.
func (p *parser) iif() expr {
	arm := caseArm{when: p.cond()}
	p.needOp(",")
	arm.then = p.expr()
	p.needOp(",")
	c := caseExpr{arms: []caseArm{arm}, other: p.expr()}
	p.needOp(")")
	return c
}

func (p *parser) over() *window {
	w := &window{}
	p.needOp("(")
	if p.words("PARTITION", "BY") {
		w.partition = p.exprList()
	}
	if p.words("ORDER", "BY") {
		w.order = p.orderList()
	}
	if p.isWords("ROWS") || p.isWords("RANGE") {
		p.throw(notSimulated("a window's frame"))
	}
	p.needOp(")")
	return w
}
