package tsql

import "strings"

// onOff are the session options that are ON or OFF.
const onOff = ` NOCOUNT XACT_ABORT ANSI_NULLS ANSI_PADDING ANSI_WARNINGS ANSI_NULL_DFLT_ON
 ANSI_NULL_DFLT_OFF ANSI_DEFAULTS ARITHABORT ARITHIGNORE CONCAT_NULL_YIELDS_NULL QUOTED_IDENTIFIER
 NUMERIC_ROUNDABORT CURSOR_CLOSE_ON_COMMIT IMPLICIT_TRANSACTIONS FMTONLY NOEXEC PARSEONLY FORCEPLAN
 REMOTE_PROC_TRANSACTIONS SHOWPLAN_ALL SHOWPLAN_TEXT SHOWPLAN_XML `

func (p *parser) set() any {
	if p.cur().kind == tokVariable {
		return p.setVariable()
	}
	if p.cur().kind != tokWord {
		p.fail()
	}
	switch name := strings.ToUpper(p.cur().text); {
	case p.words("TRANSACTION"):
		p.need("ISOLATION", "LEVEL")
		return &optionStmt{[]string{isolationOption}, []string{p.isolation()}}
	case p.words("STATISTICS"):
		kind, ok := p.oneOf("IO", "TIME", "PROFILE", "XML")
		if !ok {
			p.fail()
		}
		return &optionStmt{[]string{"STATISTICS " + kind}, []string{p.onOrOff()}}
	case listed(` LOCK_TIMEOUT TEXTSIZE ROWCOUNT DATEFIRST DATEFORMAT LANGUAGE DEADLOCK_PRIORITY `, name):
		p.at++
		return &optionStmt{[]string{name}, []string{p.optionValue()}}
	case listed(onOff, name):
		return p.switches()
	case listed(` IDENTITY_INSERT CONTEXT_INFO OFFSETS QUERY_GOVERNOR_COST_LIMIT TIME `, name):
		p.throw(notSimulated("SET %s", name))
	}
	p.throw(Errorf(195, 15, "'%s' is not a recognized SET option.", p.cur().text))
	return nil
}

// setVariable reads SET @x = e and SET @x += e.
func (p *parser) setVariable() any {
	name := p.variable()
	t := p.next()
	if t.isOp("=") {
		return &setStmt{name, p.expr()}
	}
	if !t.isCompound() {
		p.at--
		p.fail()
	}
	return &setStmt{name, binaryOp{strings.TrimSuffix(t.text, "="), variable{name}, p.expr()}}
}

// switches reads SET A, B ON.
func (p *parser) switches() any {
	s := &optionStmt{}
	for {
		name := strings.ToUpper(p.cur().text)
		if p.cur().kind != tokWord || !listed(onOff, name) {
			p.fail()
		}
		p.at++
		s.names = append(s.names, name)
		if !p.op(",") {
			break
		}
	}
	on := p.onOrOff()
	for range s.names {
		s.values = append(s.values, on)
	}
	return s
}

func (p *parser) onOrOff() string {
	w, ok := p.oneOf("ON", "OFF")
	if !ok {
		p.fail()
	}
	return w
}

func (p *parser) isolation() string {
	switch {
	case p.words("READ", "UNCOMMITTED"):
		return "READ UNCOMMITTED"
	case p.words("READ", "COMMITTED"):
		return "READ COMMITTED"
	case p.words("REPEATABLE", "READ"):
		return "REPEATABLE READ"
	case p.words("SNAPSHOT"):
		return "SNAPSHOT"
	case p.words("SERIALIZABLE"):
		return "SERIALIZABLE"
	}
	p.fail()
	return ""
}

// optionValue reads a number, a word or a text.
func (p *parser) optionValue() string {
	sign := ""
	if p.op("-") {
		sign = "-"
	}
	switch t := p.cur(); t.kind {
	case tokInt:
		p.at++
		return sign + t.text
	case tokWord, tokString, tokNString, tokQuoted:
		if sign != "" || t.reserved() {
			p.fail()
		}
		p.at++
		return strings.ToUpper(t.text)
	case tokVariable:
		p.throw(notSimulated("a SET option from a variable"))
	}
	p.fail()
	return ""
}
