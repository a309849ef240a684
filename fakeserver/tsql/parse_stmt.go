package tsql

import "strings"

// statement reads one statement; the words that can start one end any other,
// so that no semicolon is needed between them.
func (p *parser) statement() statement {
	defer p.enter()()
	line := p.cur().line
	return statement{line, p.statementBody()}
}

func (p *parser) statementBody() any {
	if p.isWords("SELECT") || p.isWords("WITH") || p.isOp("(") {
		return &selectStmt{p.statementQuery()}
	}
	t := p.cur()
	if t.text == "{" && t.kind == tokBad && (p.peek(1).is("CALL") || p.peek(1).text == "?") {
		p.throw(notSimulated("the escape {call"))
	}
	if p.isIdent() && p.peek(1).kind == tokBad && p.peek(1).text == ":" {
		p.throw(notSimulated("the label %s", t.text))
	}
	if t.kind != tokWord {
		p.fail()
	}
	if t.is("END") {
		p.unexpected()
	}
	switch strings.ToUpper(t.text) {
	case "DECLARE":
		p.at++
		return p.declare()
	case "SET":
		p.at++
		return p.set()
	case "IF":
		p.at++
		return p.ifElse()
	case "BEGIN":
		p.at++
		return p.begin()
	case "COMMIT", "ROLLBACK":
		p.at++
		return p.endTransaction(strings.ToLower(t.text))
	case "EXEC", "EXECUTE":
		p.at++
		return p.exec()
	}
	return p.smallStatement(t)
}

func (p *parser) smallStatement(t token) any {
	switch strings.ToUpper(t.text) {
	case "USE":
		p.at++
		return &useStmt{p.ident()}
	case "PRINT":
		p.at++
		return &printStmt{p.expr()}
	case "WAITFOR":
		p.at++
		kind, ok := p.oneOf("DELAY", "TIME")
		if !ok {
			p.fail()
		}
		return &waitStmt{kind == "TIME", p.primary()}
	case "THROW":
		p.at++
		return p.throwArgs()
	case "RETURN":
		p.at++
		if p.startsExpr() {
			return &returnStmt{p.expr()}
		}
		return &returnStmt{}
	case "RAISERROR":
		p.at++
		return p.raise()
	}
	if listed(unplayedStatements, t.text) && (t.reserved() || p.peek(1).is("TRIGGER")) {
		return p.unplayed(t)
	}
	if !t.reserved() && p.at == 0 {
		return p.exec() // a procedure's bare name may open a batch
	}
	p.fail()
	return nil
}

// unplayed refuses a statement that SQL Server would run.
func (p *parser) unplayed(t token) any {
	if t.is("SAVE") && (p.peek(1).is("TRAN") || p.peek(1).is("TRANSACTION")) {
		p.at += 2
		return &tranStmt{"save", p.ident()}
	}
	if t.is("FETCH") && (p.peek(1).is("NEXT") || p.peek(1).is("FIRST")) && !p.peek(2).is("FROM") {
		p.throw(Errorf(153, 15, "Invalid usage of the option %s in the FETCH statement.", p.peek(1).text))
	}
	p.throw(notSimulated("the statement %s", strings.ToUpper(t.text)))
	return nil
}

func (p *parser) startsExpr() bool {
	switch t := p.cur(); t.kind {
	case tokInt, tokVariable, tokDecimal, tokString, tokNString:
		return true
	default:
		return t.isOp("(") || t.isOp("-")
	}
}

// declare reads DECLARE @a int = 1, @b ...
func (p *parser) declare() any {
	block := &blockStmt{}
	for {
		line := p.cur().line
		if p.isIdent() && p.peek(1).kind == tokWord {
			name := p.ident()
			if p.words("CURSOR") {
				p.throw(notSimulated("the cursor %s", name))
			}
			p.throw(Errorf(155, 15, "'%s' is not a recognized CURSOR option.", p.cur().text))
		}
		if p.cur().kind != tokVariable || strings.HasPrefix(p.cur().text, "@@") {
			p.fail()
		}
		d := &declareStmt{name: p.next().text}
		p.words("AS")
		if p.words("TABLE") {
			p.throw(notSimulated("the table variable %s", d.name))
		}
		p.declared++
		d.typ = p.typeName(typePlace{d.name, p.declared})
		declared := variableUse{d.name, line, &d.typ}
		if p.op("=") {
			d.init = p.expr()
		}
		p.vars = append(p.vars, declared)
		block.list = append(block.list, statement{line, d})
		if !p.op(",") {
			return block
		}
	}
}

func (p *parser) ifElse() any {
	s := &ifStmt{when: p.cond()}
	then := p.statement()
	s.then = &then
	mark := p.at
	p.semicolons()
	if !p.words("ELSE") {
		p.at = mark
		return s
	}
	orElse := p.statement()
	s.orElse = &orElse
	return s
}

// begin reads what BEGIN may open: a transaction, TRY with CATCH, or a block.
func (p *parser) begin() any {
	if p.words("DISTRIBUTED") {
		p.throw(notSimulated("distributed transactions"))
	}
	if _, ok := p.oneOf("TRAN", "TRANSACTION"); ok {
		return &tranStmt{"begin", p.transactionName()}
	}
	if p.words("TRY") {
		s := &tryStmt{try: p.until("END", "TRY")}
		if len(s.try) == 0 {
			p.at--
			p.unexpected()
		}
		p.semicolons()
		p.need("BEGIN", "CATCH")
		s.catch = p.until("END", "CATCH")
		return s
	}
	s := &blockStmt{p.until("END")}
	if len(s.list) == 0 {
		p.at--
		p.unexpected()
	}
	return s
}

func (p *parser) until(words ...string) []statement {
	var list []statement
	for {
		p.semicolons()
		if p.words(words...) {
			return list
		}
		list = append(list, p.statement())
	}
}

func (p *parser) transactionName() string {
	switch {
	case p.cur().kind == tokVariable:
		return p.variable()
	case p.isIdent():
		return p.ident()
	}
	return ""
}

func (p *parser) endTransaction(op string) any {
	if _, ok := p.oneOf("TRAN", "TRANSACTION"); ok {
		return &tranStmt{op, p.transactionName()}
	}
	p.words("WORK")
	return &tranStmt{op, ""}
}

func (p *parser) throwArgs() any {
	s := &throwStmt{}
	if !p.startsExpr() {
		return s
	}
	s.args = append(s.args, p.primary())
	for len(s.args) < 3 {
		p.needOp(",")
		s.args = append(s.args, p.primary())
	}
	return s
}

func (p *parser) raise() any {
	p.needOp("(")
	s := &raiseStmt{p.exprList()}
	p.needOp(")")
	if len(s.args) < 3 {
		p.fail()
	}
	if p.words("WITH") {
		for {
			if _, ok := p.oneOf("NOWAIT", "LOG", "SETERROR"); !ok {
				p.fail()
			}
			if !p.op(",") {
				break
			}
		}
	}
	return s
}
