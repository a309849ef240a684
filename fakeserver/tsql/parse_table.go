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
		if !p.joinWords(j) {
			return l
		}
		p.joinRight(j)
		l = j
	}
}

// joinWords reads the words of a join, if it is one.
func (p *parser) joinWords(j *join) bool {
	switch {
	case p.words("CROSS"):
		j.kind = crossJoin
		if j.apply = p.words("APPLY"); !j.apply {
			p.need("JOIN")
		}
		return true
	case p.words("OUTER"):
		p.need("APPLY")
		j.kind, j.apply = leftJoin, true
		return true
	case p.words("JOIN"):
		j.kind = innerJoin
		return true
	}
	kind, ok := p.oneOf("INNER", "LEFT", "RIGHT", "FULL")
	if !ok {
		return false
	}
	j.kind = map[string]joinKind{"INNER": innerJoin, "LEFT": leftJoin, "RIGHT": rightJoin, "FULL": fullJoin}[kind]
	if kind != "INNER" {
		p.words("OUTER")
	}
	// How to join changes no row.
	if _, hint := p.oneOf("LOOP", "HASH", "MERGE"); !hint {
		p.refuse("the join hint REMOTE", "REMOTE")
	}
	p.need("JOIN")
	return true
}

func (p *parser) joinRight(j *join) {
	j.r = p.tablePrimary()
	if j.apply || j.kind == crossJoin {
		return
	}
	// Joins nest when their ON clauses come later: a JOIN b JOIN c ON .. ON ..
	if p.isWords("JOIN") || p.isWords("INNER") || p.isWords("LEFT") || p.isWords("RIGHT") || p.isWords("FULL") {
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
	for _, word := range []string{"OPENQUERY", "OPENROWSET", "OPENDATASOURCE", "OPENXML", "CONTAINSTABLE", "FREETEXTTABLE"} {
		p.refuse("rowset "+word, word)
	}
	parts := p.multipart()
	if p.isOp("(") && !p.opensHints() {
		p.at++
		return p.functionTable(parts, line)
	}
	if len(parts) > 4 {
		p.fail()
	}
	return p.namedTable(&namedTable{name: parts, line: line})
}

// opensHints tells hints of the old way, t (NOLOCK), from arguments.
func (p *parser) opensHints() bool {
	word := p.peek(1).text
	return (listed(isolationHints, word) || listed(tableHints, word)) && p.peek(2).isOneOf(")", ",")
}

// namedTable reads what may follow a table's name.
func (p *parser) namedTable(t *namedTable) tableExpr {
	p.refuse("FOR SYSTEM_TIME", "FOR", "SYSTEM_TIME")
	t.alias = p.alias(false)
	p.refuse("TABLESAMPLE", "TABLESAMPLE")
	p.refuse("PIVOT", "PIVOT")
	p.refuse("UNPIVOT", "UNPIVOT")
	if p.isWords("WITH") || p.isOp("(") && p.opensHints() {
		p.words("WITH")
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
