package tsql

import "strings"

// isolationHints replace the session's isolation level for one table;
// tableHints change nothing that a reader of the fake could see.
const (
	isolationHints = ` NOLOCK READUNCOMMITTED READCOMMITTED READCOMMITTEDLOCK REPEATABLEREAD SERIALIZABLE HOLDLOCK `
	tableHints     = ` TABLOCK TABLOCKX ROWLOCK PAGLOCK UPDLOCK XLOCK READPAST NOWAIT SNAPSHOT FORCESEEK FORCESCAN `
)

// fromList reads the tables of FROM; a comma is a cross join.
func (p *parser) fromList() tableExpr {
	l := p.joined()
	for p.op(",") {
		l = &join{kind: crossJoin, l: l, r: p.joined()}
	}
	return l
}

func (p *parser) joined() tableExpr {
	l := p.tablePrimary()
	for {
		j := &join{l: l}
		switch {
		case p.words("CROSS", "JOIN"):
			j.kind = crossJoin
		case p.words("CROSS", "APPLY"):
			j.kind, j.apply = crossJoin, true
		case p.words("OUTER", "APPLY"):
			j.kind, j.apply = leftJoin, true
		case p.words("INNER", "JOIN"), p.words("JOIN"):
			j.kind = innerJoin
		case p.words("LEFT", "JOIN"), p.words("LEFT", "OUTER", "JOIN"):
			j.kind = leftJoin
		case p.words("RIGHT", "JOIN"), p.words("RIGHT", "OUTER", "JOIN"):
			j.kind = rightJoin
		case p.words("FULL", "JOIN"), p.words("FULL", "OUTER", "JOIN"):
			j.kind = fullJoin
		default:
			return l
		}
		p.joinRight(j)
		l = j
	}
}

func (p *parser) joinRight(j *join) {
	j.r = p.tablePrimary()
	if j.apply || j.kind == crossJoin {
		return
	}
	// Joins nest when their ON clauses come later: a JOIN b JOIN c ON .. ON ..
	if p.isWords("JOIN") || p.isWords("INNER", "JOIN") || p.isWords("LEFT") || p.isWords("RIGHT") || p.isWords("FULL") {
		p.throw(notSimulated("joins nested without parentheses"))
	}
	p.need("ON")
	j.on = p.cond()
}

func (p *parser) tablePrimary() tableExpr {
	defer p.enter()()
	if p.op("(") {
		if p.isWords("VALUES") || p.isWords("SELECT") || p.startsNestedQuery() {
			return p.derived()
		}
		t := p.fromList()
		p.needOp(")")
		return t
	}
	if p.cur().kind == tokVariable {
		p.throw(Errorf(1087, 15, "Must declare the table variable \"%s\".", p.cur().text))
	}
	line := p.cur().line
	parts := p.multipart()
	if p.op("(") {
		return p.functionTable(parts, line)
	}
	if len(parts) > 4 {
		p.fail()
	}
	t := &namedTable{name: parts, alias: p.alias(false), line: line}
	if p.words("WITH") {
		p.needOp("(")
		t.isolated = p.hints()
	}
	return t
}

// startsNestedQuery looks past opening parentheses for SELECT or VALUES.
func (p *parser) startsNestedQuery() bool {
	i := 0
	for p.peek(i).isOp("(") {
		i++
	}
	return i > 0 && p.peek(i).is("SELECT")
}

func (p *parser) functionTable(parts []string, line int32) tableExpr {
	f := &functionTable{name: parts, line: line}
	if !p.isOp(")") {
		f.args = p.exprList()
	}
	p.needOp(")")
	f.alias = p.alias(false)
	if f.alias != "" && p.op("(") {
		f.columns = p.identList()
		p.needOp(")")
	}
	return f
}

func (p *parser) derived() tableExpr {
	d := &derivedTable{}
	if p.words("VALUES") {
		d.values = p.valueRows()
	} else {
		d.q = p.query()
	}
	p.needOp(")")
	if d.alias = p.alias(false); d.alias == "" {
		p.fail()
	}
	if p.op("(") {
		d.columns = p.identList()
		p.needOp(")")
	} else if d.values != nil {
		p.throw(Errorf(8155, 16, "No column name was specified for column 1 of '%s'.", d.alias))
	}
	return d
}

func (p *parser) valueRows() [][]expr {
	var rows [][]expr
	for {
		p.needOp("(")
		row := p.exprList()
		p.needOp(")")
		if len(rows) > 0 && len(row) != len(rows[0]) {
			p.throw(Errorf(10709, 16, "The number of columns for each row in a table value constructor must be the same."))
		}
		rows = append(rows, row)
		if !p.op(",") {
			return rows
		}
	}
}

// hints reads the list of table hints and tells whether one is of isolation.
func (p *parser) hints() (isolated bool) {
	for {
		t := p.cur()
		switch {
		case t.kind != tokWord:
			p.fail()
		case listed(isolationHints, t.text):
			isolated = true
		case strings.EqualFold(t.text, "INDEX"):
			p.throw(notSimulated("the table hint INDEX"))
		case !listed(tableHints, t.text):
			p.throw(Errorf(321, 15, "\"%s\" is not a recognized table hints option. If it is intended as a parameter to a "+
				"table-valued function or to the CHANGETABLE function, ensure that your database compatibility mode "+
				"is set to 90.", t.text))
		}
		p.at++
		if !p.op(",") {
			p.needOp(")")
			return isolated
		}
	}
}
