package tsql

// cond reads a search condition.
func (p *parser) cond() cond { return p.mustCond(p.orCond(false)) }

// mustCond refuses a scalar expression where a condition is expected.
func (p *parser) mustCond(n node) cond {
	c, ok := n.(cond)
	if !ok {
		p.notCondition()
	}
	return c
}

func (p *parser) notCondition() {
	near := p.cur().text
	if p.cur().kind == tokEnd && p.at > 0 {
		near = p.tokens[p.at-1].text
	}
	p.throw(Errorf(4145, 15, "An expression of non-boolean type specified in a context where a condition is expected, "+
		"near '%s'.", near))
}

// orCond reads conditions joined by OR. Where scalar is set it may find an
// expression instead: only past a parenthesis can one tell which it encloses.
func (p *parser) orCond(scalar bool) node {
	l := p.andCond(scalar)
	for p.isWords("OR") {
		left := p.mustCond(l)
		p.at++
		l = logic{"OR", left, p.mustCond(p.andCond(false))}
	}
	return l
}

func (p *parser) andCond(scalar bool) node {
	l := p.notCond(scalar)
	for p.isWords("AND") {
		left := p.mustCond(l)
		p.at++
		l = logic{"AND", left, p.mustCond(p.notCond(false))}
	}
	return l
}

func (p *parser) notCond(scalar bool) node {
	defer p.enter()()
	if p.words("NOT") {
		return not{p.mustCond(p.notCond(false))}
	}
	if p.words("EXISTS") {
		p.needOp("(")
		q := p.query()
		p.needOp(")")
		return exists{q}
	}
	p.refuse("full-text search", "CONTAINS")
	p.refuse("full-text search", "FREETEXT")
	var l expr
	if p.isOp("(") && !p.opensQuery() {
		p.at++
		n := p.orCond(true)
		p.needOp(")")
		e, ok := n.(expr)
		if !ok {
			return n
		}
		l = p.sum(e)
	} else {
		l = p.expr()
	}
	if c, ok := p.predicate(l); ok {
		return c
	}
	if !scalar {
		p.notCondition()
	}
	return l
}

// opensQuery says whether the parenthesis here starts a subquery.
func (p *parser) opensQuery() bool { return p.peek(1).is("SELECT") }

// predicate reads what makes a condition of l, if anything does.
func (p *parser) predicate(l expr) (cond, bool) {
	negated := p.words("NOT")
	switch {
	case p.words("IN"):
		return p.in(l, negated), true
	case p.words("BETWEEN"):
		b := between{e: l, negated: negated, lo: p.expr()}
		p.need("AND")
		b.hi = p.expr()
		return b, true
	case p.words("LIKE"):
		k := like{e: l, negated: negated, pattern: p.expr()}
		if p.words("ESCAPE") {
			k.escape = p.expr()
		}
		return k, true
	case negated:
		p.fail()
	case p.words("IS"):
		n := p.words("NOT")
		p.refuse("IS DISTINCT FROM", "DISTINCT", "FROM")
		p.need("NULL")
		return isNull{l, n}, true
	}
	op, ok := comparisonOp(p.cur())
	if !ok {
		return nil, false
	}
	p.at++
	if p.isWords("ALL") || p.isWords("ANY") || p.isWords("SOME") {
		p.throw(notSimulated("comparison with %s", p.cur().text))
	}
	return comparison{op, l, p.expr()}, true
}

func comparisonOp(t token) (string, bool) {
	if t.kind != tokOp {
		return "", false
	}
	switch t.text {
	case "=", "<>", "<", "<=", ">", ">=":
		return t.text, true
	case "!=":
		return "<>", true
	case "!<":
		return ">=", true
	case "!>":
		return "<=", true
	}
	return "", false
}

func (p *parser) in(l expr, negated bool) cond {
	p.needOp("(")
	c := inList{e: l, negated: negated}
	if p.isWords("SELECT") {
		c.sub = p.query()
	} else {
		c.list = p.exprList()
	}
	p.needOp(")")
	return c
}
