package tsql

import (
	"strings"

	"cdcseed/fakeserver/tds"
)

// parser reads tokens by recursive descent. A mistake is thrown as a
// syntaxError and caught by parseWith, so that the grammar reads as one.
type parser struct {
	tokens []token
	at     int
	depth  int
	vars   []variableUse
	// declared is how many variables the batch has declared so far.
	declared int
}

type syntaxError struct{ err *tds.Error }

// deepest is how far expressions, queries and blocks may nest.
const deepest = 250

// Parse checks the syntax of a batch. Names and variables are not looked up.
func Parse(text string) error {
	_, err := parseBatch(text)
	return err
}

func parseBatch(text string) (*batch, error) {
	b := &batch{}
	err := parseWith(text, func(p *parser) {
		for {
			p.semicolons()
			if p.cur().kind == tokEnd {
				b.vars = p.vars
				return
			}
			b.list = append(b.list, p.statement())
		}
	})
	return b, err
}

func parseWith(text string, read func(*parser)) (err error) {
	tokens, err := lex(text)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			thrown, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			err = thrown.err
		}
	}()
	read(&parser{tokens: tokens})
	return nil
}

// parseName reads an object name of one to four parts, quoted or not.
func parseName(text string) (Name, error) {
	var n Name
	err := parseWith(text, func(p *parser) {
		n = p.multipart()
		if p.cur().kind != tokEnd {
			p.fail()
		}
	})
	if err != nil {
		return nil, err
	}
	return n, nil
}

func (p *parser) throw(e *tds.Error) {
	e.Line = p.cur().line
	panic(syntaxError{e})
}

// fail reports the token that does not fit; at the end of the text SQL Server
// names the last one that did.
func (p *parser) fail() {
	t := p.cur()
	switch {
	case t.kind == tokEnd && p.at > 0:
		p.throw(Errorf(102, 15, "Incorrect syntax near '%s'.", p.tokens[p.at-1].text))
	case t.reserved():
		p.throw(Errorf(156, 15, "Incorrect syntax near the keyword '%s'.", t.text))
	}
	p.throw(Errorf(102, 15, "Incorrect syntax near '%s'.", t.text))
}

// unexpected is fail where a statement is missing: the END of a block is then
// not called a keyword.
func (p *parser) unexpected() {
	p.throw(Errorf(102, 15, "Incorrect syntax near '%s'.", p.cur().text))
}

// enter guards against a text that nests without end; call the result to leave.
func (p *parser) enter() func() {
	if p.depth++; p.depth > deepest {
		p.throw(Errorf(191, 15, "Some part of your SQL statement is nested too deeply. "+
			"Rewrite the query or break it up into smaller queries."))
	}
	return func() { p.depth-- }
}

func (p *parser) cur() token { return p.tokens[p.at] }

func (p *parser) peek(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.cur()
	if t.kind != tokEnd {
		p.at++
	}
	return t
}

// isWords says whether the words come next.
func (p *parser) isWords(words ...string) bool {
	for i, w := range words {
		if !p.peek(i).is(w) {
			return false
		}
	}
	return true
}

// words takes the words if they come next.
func (p *parser) words(words ...string) bool {
	if p.isWords(words...) {
		p.at += len(words)
		return true
	}
	return false
}

// oneOf takes the next token if it is one of the words, in upper case.
func (p *parser) oneOf(words ...string) (string, bool) {
	for _, w := range words {
		if p.words(w) {
			return w, true
		}
	}
	return "", false
}

func (p *parser) need(words ...string) {
	for _, w := range words {
		if !p.words(w) {
			p.fail()
		}
	}
}

func (p *parser) isOp(op string) bool { return p.cur().isOp(op) }

func (p *parser) op(op string) bool {
	if p.isOp(op) {
		p.at++
		return true
	}
	return false
}

func (p *parser) needOp(op string) {
	if !p.op(op) {
		p.fail()
	}
}

func (p *parser) semicolons() {
	for p.op(";") {
	}
}

func (p *parser) isIdent() bool {
	t := p.cur()
	return t.kind == tokQuoted || t.kind == tokWord && !t.reserved()
}

func (p *parser) ident() string {
	if !p.isIdent() {
		p.fail()
	}
	return p.next().text
}

func (p *parser) identList() []string {
	list := []string{p.ident()}
	for p.op(",") {
		list = append(list, p.ident())
	}
	return list
}

// multipart reads a.b.c; db..name has an empty part.
func (p *parser) multipart() []string {
	parts := []string{p.ident()}
	for p.isOp(".") && !p.peek(1).isOp("*") {
		p.at++
		if p.isOp(".") {
			parts = append(parts, "")
			continue
		}
		parts = append(parts, p.ident())
	}
	if len(parts) > 5 {
		p.throw(Errorf(117, 15, "The object name '%s' contains more than the maximum number of prefixes. "+
			"The maximum is 3.", strings.Join(parts, ".")))
	}
	return parts
}

// variable reads @x and notes that it was mentioned.
func (p *parser) variable() string {
	if p.cur().kind != tokVariable {
		p.fail()
	}
	t := p.next()
	if !strings.HasPrefix(t.text, "@@") {
		p.vars = append(p.vars, variableUse{name: t.text, line: t.line})
	}
	return t.text
}

func (p *parser) isAssignment() bool {
	return p.cur().kind == tokVariable && p.peek(1).isOp("=")
}
