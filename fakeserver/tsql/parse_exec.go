package tsql

import (
	"strings"

	"cdcseed/fakeserver/tds"
)

// exec reads a procedure's name and arguments, or a text in parentheses.
func (p *parser) exec() any {
	s := &execStmt{}
	p.refuse("EXECUTE AS", "AS")
	if p.op("(") {
		s.text = p.expr()
		if p.isOp(",") {
			p.throw(notSimulated("EXEC of a text with arguments"))
		}
		p.needOp(")")
		p.refuse("EXEC at a linked server", "AT")
		return s
	}
	if p.isAssignment() {
		s.status = p.variable()
		p.at++
	}
	if p.cur().kind == tokVariable {
		p.throw(notSimulated("a procedure named by a variable"))
	}
	s.name = p.multipart()
	for !p.endsExec() {
		s.args = append(s.args, p.execArg())
		if !p.op(",") {
			break
		}
		if p.endsExec() {
			p.fail()
		}
	}
	p.refuse("EXEC WITH RESULT SETS", "WITH", "RESULT", "SETS")
	p.words("WITH", "RECOMPILE") // changes plans, not answers
	return s
}

func (p *parser) endsExec() bool {
	t := p.cur()
	if t.kind == tokEnd || t.isOp(";") || t.isOp(")") {
		return true
	}
	return t.reserved() && !t.is("NULL") && !t.is("DEFAULT")
}

// execArg takes constants and variables only; a bare word is a text.
func (p *parser) execArg() execArg {
	var a execArg
	if p.isAssignment() {
		a.name = p.next().text // the procedure's parameter, not a variable of the batch
		p.at++
	}
	switch t := p.cur(); {
	case t.kind == tokVariable:
		a.e = p.primary()
		_, a.output = p.oneOf("OUTPUT", "OUT")
	case p.words("DEFAULT"):
	case t.isOp("-"), t.isOp("+"):
		p.at++
		if k := p.cur().kind; k < tokInt || k > tokMoney {
			p.fail()
		}
		a.e = unaryOp{t.text, p.constant()}
	case t.kind == tokWord && !t.reserved(), t.kind == tokQuoted:
		p.at++
		a.e = literal{Value{tds.NVarChar(max(1, unitCount(t.text))), t.text}}
	case p.isConstant():
		a.e = p.constant()
	default:
		p.fail()
	}
	if constant := a.target() == "" || strings.HasPrefix(a.target(), "@@"); constant && (a.output || p.isWords("OUTPUT") || p.isWords("OUT")) {
		p.throw(Errorf(179, 15, "Cannot use the OUTPUT option when passing a constant to a stored procedure."))
	}
	return a
}
