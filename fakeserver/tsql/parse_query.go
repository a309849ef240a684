package tsql

import "strings"

// statementQuery may start with WITH; a query inside another may not.
func (p *parser) statementQuery() *query {
	if !p.isWords("WITH") {
		return p.query()
	}
	if p.at > 0 && !p.startsStatement(p.tokens[p.at-1]) {
		p.throw(Errorf(319, 15, "Incorrect syntax near the keyword 'with'. If this statement is a common table expression, "+
			"an xmlnamespaces clause or a change tracking context clause, the previous statement must be terminated with a semicolon."))
	}
	p.at++
	with := p.ctes()
	for _, word := range []string{"INSERT", "UPDATE", "DELETE", "MERGE"} {
		p.refuse("the statement "+word, word)
	}
	q := p.query()
	q.with = with
	return q
}

// startsStatement says whether a statement that begins with WITH may come
// after the token: a WITH that follows another statement needs a semicolon.
func (p *parser) startsStatement(before token) bool {
	return before.isOp(";") || before.is("BEGIN") || before.is("TRY") || before.is("CATCH") || before.is("ELSE")
}

func (p *parser) query() *query {
	defer p.enter()()
	q := &query{}
	q.body = p.setOperations()
	if p.words("ORDER") {
		p.need("BY")
		q.order = p.orderList()
		if p.words("OFFSET") {
			q.offset = p.expr()
			p.rows()
			if p.words("FETCH") {
				p.fetch(q)
			}
		}
	}
	if p.isWords("FOR") {
		p.forClause(q)
	}
	if p.words("OPTION") {
		p.queryHints()
	}
	return q
}

func (p *parser) rows() {
	if _, ok := p.oneOf("ROWS", "ROW"); !ok {
		p.fail()
	}
}

func (p *parser) fetch(q *query) {
	if _, ok := p.oneOf("NEXT", "FIRST"); !ok {
		p.fail()
	}
	q.fetch = p.expr()
	p.rows()
	p.need("ONLY")
}

func (p *parser) ctes() []cte {
	var list []cte
	for {
		c := cte{name: p.ident()}
		for _, other := range list {
			if strings.EqualFold(other.name, c.name) {
				p.throw(Errorf(239, 16, "Duplicate common table expression name '%s' was specified.", c.name))
			}
		}
		if p.op("(") {
			c.columns = p.identList()
			p.needOp(")")
		}
		p.need("AS")
		p.needOp("(")
		c.q = p.query()
		p.needOp(")")
		list = append(list, c)
		if !p.op(",") {
			return list
		}
	}
}

func (p *parser) orderList() []orderItem {
	var list []orderItem
	for {
		o := orderItem{e: p.expr()}
		if p.words("DESC") {
			o.desc = true
		} else {
			p.words("ASC")
		}
		list = append(list, o)
		if !p.op(",") {
			return list
		}
	}
}

// forClause reads FOR JSON and FOR XML, which are refused when they are compiled.
func (p *parser) forClause(q *query) {
	p.at++
	p.refuse("FOR BROWSE", "BROWSE")
	if _, ok := p.oneOf("JSON", "XML"); !ok {
		p.fail()
	}
	if _, ok := p.oneOf("PATH", "AUTO", "RAW"); !ok {
		p.fail()
	}
	p.optionalText()
	for p.op(",") {
		if _, ok := p.oneOf("TYPE", "ROOT", "ELEMENTS", "WITHOUT_ARRAY_WRAPPER", "INCLUDE_NULL_VALUES"); !ok {
			p.fail()
		}
		p.optionalText()
	}
	q.forXML = true
}

// optionalText reads a text in parentheses, if there is one.
func (p *parser) optionalText() {
	if !p.op("(") {
		return
	}
	if k := p.next().kind; k != tokString && k != tokNString {
		p.at--
		p.fail()
	}
	p.needOp(")")
}

// unplayedQueryHints begin hints that SQL Server knows.
const unplayedQueryHints = ` USE QUERYTRACEON CONCAT ORDER HASH MERGE LOOP OPTIMIZE PARAMETERIZATION ROBUST EXPAND TABLE LABEL
 IGNORE_NONCLUSTERED_COLUMNSTORE_INDEX MAX_GRANT_PERCENT MIN_GRANT_PERCENT NO_PERFORMANCE_SPOOL DISABLE_OPTIMIZED_PLAN_FORCING `

func (p *parser) queryHints() {
	p.needOp("(")
	for {
		switch {
		case p.words("RECOMPILE"), p.words("FORCE", "ORDER"), p.words("KEEP", "PLAN"), p.words("KEEPFIXED", "PLAN"),
			p.words("LOOP", "JOIN"), p.words("HASH", "JOIN"), p.words("MERGE", "JOIN"),
			p.words("OPTIMIZE", "FOR", "UNKNOWN"):
		case p.words("MAXDOP"), p.words("MAXRECURSION"), p.words("FAST"):
			if p.cur().kind != tokInt {
				p.fail()
			}
			p.at++
		case listed(unplayedQueryHints, p.cur().text):
			p.throw(notSimulated("the query hint %s", p.cur().text))
		default:
			p.fail()
		}
		if !p.op(",") {
			break
		}
	}
	p.needOp(")")
}

// setOperations: INTERSECT binds more tightly than UNION and EXCEPT.
func (p *parser) setOperations() queryBody {
	l := p.intersections()
	for {
		op := ""
		switch {
		case p.words("UNION", "ALL"):
			op = "UNION ALL"
		case p.words("UNION"):
			op = "UNION"
		case p.words("EXCEPT"):
			op = "EXCEPT"
		default:
			return l
		}
		l = &setOperation{op, l, p.intersections()}
	}
}

func (p *parser) intersections() queryBody {
	l := p.selectBody()
	for p.words("INTERSECT") {
		l = &setOperation{"INTERSECT", l, p.selectBody()}
	}
	return l
}

func (p *parser) selectBody() queryBody {
	defer p.enter()()
	if p.op("(") {
		b := p.setOperations()
		p.needOp(")")
		return b
	}
	p.need("SELECT")
	s := &selectCore{}
	if !p.words("ALL") {
		s.distinct = p.words("DISTINCT")
	}
	if p.words("TOP") {
		s.top = p.top()
	}
	s.items = append(s.items, p.selectItem())
	for p.op(",") {
		s.items = append(s.items, p.selectItem())
	}
	if p.isWords("INTO") {
		p.throw(notSimulated("SELECT INTO"))
	}
	if p.words("FROM") {
		s.from = p.fromList()
	}
	if p.words("WHERE") {
		s.where = p.cond()
	}
	if p.words("GROUP") {
		p.need("BY")
		s.group = p.groupList()
	}
	if p.words("HAVING") {
		s.having = p.cond()
	}
	return s
}

// groupList is the list of GROUP BY; groups of more than one kind are not played.
func (p *parser) groupList() []expr {
	if p.isOp("(") && p.peek(1).isOp(")") || p.isWords("GROUPING", "SETS") || p.isWords("ALL") ||
		(p.isWords("ROLLUP") || p.isWords("CUBE")) && p.peek(1).isOp("(") {
		p.throw(notSimulated("GROUP BY with more than one grouping"))
	}
	list := p.exprList()
	p.refuse("GROUP BY with more than one grouping", "WITH", "ROLLUP")
	p.refuse("GROUP BY with more than one grouping", "WITH", "CUBE")
	return list
}

func (p *parser) top() *top {
	t := &top{}
	switch {
	case p.op("("):
		t.n = p.expr()
		p.needOp(")")
	case p.cur().kind == tokInt:
		t.n = p.constant()
	default:
		p.fail()
	}
	t.percent = p.words("PERCENT")
	t.ties = p.words("WITH", "TIES")
	return t
}

func (p *parser) selectItem() selectItem {
	if p.op("*") {
		return selectItem{e: star{}}
	}
	if p.isAssignment() {
		v := p.variable()
		p.at++
		return selectItem{variable: v, e: p.expr()}
	}
	if p.cur().kind == tokVariable && p.peek(1).isCompound() {
		v := p.variable()
		op := strings.TrimSuffix(p.next().text, "=")
		return selectItem{variable: v, e: binaryOp{op, variable{v}, p.expr()}}
	}
	if p.isIdent() {
		if q, ok := p.qualifiedStar(); ok {
			return selectItem{e: star{q}}
		}
		if p.peek(1).isOp("=") {
			alias := p.ident()
			p.at++
			return selectItem{alias: alias, e: p.expr()}
		}
	}
	it := selectItem{e: p.expr()}
	it.alias = p.alias(true)
	return it
}

// qualifiedStar reads t.* or leaves everything as it was.
func (p *parser) qualifiedStar() ([]string, bool) {
	var parts []string
	for i := 0; ; i += 2 {
		t := p.peek(i)
		if t.kind != tokQuoted && (t.kind != tokWord || t.reserved()) {
			return nil, false
		}
		parts = append(parts, t.text)
		if !p.peek(i + 1).isOp(".") {
			return nil, false
		}
		if p.peek(i + 2).isOp("*") {
			p.at += i + 3
			return parts, true
		}
	}
}

// alias reads AS x or x; only a column's may be a text.
func (p *parser) alias(text bool) string {
	as := p.words("AS")
	if k := p.cur().kind; text && (k == tokString || k == tokNString) {
		return p.next().text
	}
	if as || p.isIdent() {
		return p.ident()
	}
	return ""
}
