package tsql

import (
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"

	"cdcseed/fakeserver/tds"
)

func (p *parser) exprList() []expr {
	list := []expr{p.expr()}
	for p.op(",") {
		list = append(list, p.expr())
	}
	return list
}

func (p *parser) expr() expr { return p.sum(nil) }

// sum reads + - & | ^, which bind alike. A first operand already read past
// its parentheses is handed in.
func (p *parser) sum(first expr) expr {
	l := p.product(first)
	for p.cur().isOneOf("+", "-", "&", "|", "^") {
		op := p.next().text
		l = binaryOp{op, l, p.product(nil)}
	}
	return l
}

func (p *parser) product(first expr) expr {
	var l expr
	if first != nil {
		l = p.postfix(first)
	} else {
		l = p.signed()
	}
	for p.isOp("*") || p.isOp("/") || p.isOp("%") {
		op := p.next().text
		l = binaryOp{op, l, p.signed()}
	}
	return l
}

func (p *parser) signed() expr {
	if p.isOp("-") || p.isOp("+") || p.isOp("~") {
		defer p.enter()()
		return unaryOp{p.next().text, p.signed()}
	}
	return p.postfix(p.primary())
}

func (p *parser) postfix(e expr) expr {
	for {
		switch {
		case p.words("AT", "TIME", "ZONE"):
			e = atTimeZone{e, p.primary()}
		case p.words("COLLATE"):
			e = collate{e, p.ident()}
		case p.isOp("::"):
			p.fail()
		default:
			return e
		}
	}
}

func (p *parser) isConstant() bool {
	switch p.cur().kind {
	case tokString, tokNString, tokInt, tokDecimal, tokFloat, tokMoney, tokHex:
		return true
	}
	return p.isWords("NULL")
}

// untyped is the type of a bare NULL until something else gives it one.
var untyped = tds.Type{ID: tds.NullType}

func (p *parser) constant() expr {
	t := p.next()
	switch t.kind {
	case tokString:
		return literal{Value{withLength(tds.VarChar(1), max(1, unitCount(t.text))), narrow(t.text)}}
	case tokNString:
		return literal{Value{withLength(tds.NVarChar(1), max(1, unitCount(t.text))), t.text}}
	case tokInt:
		if n, err := strconv.ParseInt(t.text, 10, 32); err == nil {
			return literal{Value{tds.Int, n}}
		}
		return p.decimalConstant(t)
	case tokDecimal:
		return p.decimalConstant(t)
	case tokFloat:
		f, err := strconv.ParseFloat(strings.TrimRight(t.text, "eE+-"), 64)
		if err != nil {
			p.throw(Errorf(168, 15, "The floating point value '%s' is out of the range of computer representation (8 bytes).", t.text))
		}
		return literal{Value{tds.Float, f}}
	case tokMoney:
		v, err := Convert(Value{tds.VarChar(len(t.text)), t.text}, tds.Money, 0)
		if err != nil {
			p.at--
			p.fail()
		}
		return literal{v}
	case tokHex:
		s := t.text
		if len(s)%2 == 1 {
			s = "0" + s
		}
		b, err := hex.DecodeString(s)
		if err != nil {
			p.fail()
		}
		return literal{Value{withLength(tds.VarBinary(1), max(1, len(b))), b}}
	}
	return literal{Value{T: untyped}}
}

// decimalConstant has just the precision and scale that are written.
func (p *parser) decimalConstant(t token) expr {
	whole, frac, _ := strings.Cut(t.text, ".")
	whole = strings.TrimLeft(whole, "0")
	n, ok := new(big.Int).SetString("0"+whole+frac, 10)
	if !ok || len(whole)+len(frac) > 38 {
		p.at--
		p.throw(Errorf(1007, 15, "The number '%s' is out of the range for numeric representation (maximum precision 38).", t.text))
	}
	return literal{Value{tds.Decimal(byte(max(1, len(whole)+len(frac))), byte(len(frac))), n}}
}

func (p *parser) primary() expr {
	defer p.enter()()
	if p.isConstant() {
		return p.constant()
	}
	switch t := p.cur(); {
	case t.kind == tokVariable:
		return variable{p.variable()}
	case t.isOp("("):
		return p.parenthesis()
	case t.kind == tokWord:
		if e, ok := p.keywordExpr(t); ok {
			return e
		}
		return p.nameExpr()
	case t.kind == tokQuoted:
		return p.nameExpr()
	case t.text == "{" && listed(" D T TS FN GUID INTERVAL ", p.peek(1).text):
		p.throw(notSimulated("the escape {%s", p.peek(1).text))
	}
	p.fail()
	return nil
}

func (p *parser) parenthesis() expr {
	p.at++
	if p.isWords("SELECT") {
		q := p.query()
		p.needOp(")")
		return subquery{q}
	}
	e := p.expr()
	p.needOp(")")
	return e
}

// keywordExpr reads the expressions that a reserved word (or CAST) starts.
func (p *parser) keywordExpr(t token) (expr, bool) {
	word := strings.ToUpper(t.text)
	switch word {
	case "CASE":
		p.at++
		return p.caseExpr(), true
	case "CAST", "TRY_CAST":
		if !p.peek(1).isOp("(") {
			return nil, false
		}
		p.at += 2
		c := cast{try: word == "TRY_CAST", e: p.expr()}
		p.need("AS")
		c.to = p.typeName(typePlace{})
		p.needOp(")")
		return c, true
	case "CONVERT", "TRY_CONVERT":
		p.at++
		return p.convert(word == "TRY_CONVERT"), true
	case "COALESCE", "NULLIF", "LEFT", "RIGHT":
		p.at++
		p.needOp("(")
		c := &call{name: []string{t.text}, args: p.exprList()}
		p.needOp(")")
		return c, true
	case "CURRENT_TIMESTAMP", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "USER":
		p.at++
		return &call{name: []string{t.text}}, true
	}
	return nil, false
}

func (p *parser) convert(try bool) expr {
	p.needOp("(")
	c := cast{try: try, to: p.typeName(typePlace{})}
	p.needOp(",")
	c.e = p.expr()
	if p.op(",") {
		c.style = p.expr()
	}
	p.needOp(")")
	return c
}

func (p *parser) caseExpr() expr {
	c := caseExpr{}
	if !p.isWords("WHEN") {
		c.operand = p.expr()
	}
	for p.words("WHEN") {
		var a caseArm
		if c.operand != nil {
			a.value = p.expr()
		} else {
			a.when = p.cond()
		}
		p.need("THEN")
		a.then = p.expr()
		c.arms = append(c.arms, a)
	}
	if len(c.arms) == 0 {
		p.fail()
	}
	if p.words("ELSE") {
		c.other = p.expr()
	}
	p.need("END")
	return c
}
