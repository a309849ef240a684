package tsql

import (
	"strings"
	"unicode"
)

// lexer cuts a batch into tokens. A character that starts nothing becomes a
// token of its own, so that an earlier mistake is reported first.
type lexer struct {
	src  []rune
	at   int
	line int32
	out  []token
}

func lex(text string) ([]token, error) {
	l := &lexer{src: []rune(text), line: 1}
	for {
		if err := l.skip(); err != nil {
			return nil, err
		}
		if l.at >= len(l.src) {
			return append(l.out, token{tokEnd, "", l.line}), nil
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
}

// peek is the rune n places on, 0 past the end.
func (l *lexer) peek(n int) rune {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

func (l *lexer) add(kind tokenKind, text string, line int32) {
	l.out = append(l.out, token{kind, text, line})
}

// skip passes over spaces and comments; block comments nest.
func (l *lexer) skip() error {
	for l.at < len(l.src) {
		switch c := l.peek(0); {
		case c == '\n':
			l.line++
			l.at++
		case unicode.IsSpace(c), c == 0xfeff:
			l.at++
		case c == '-' && l.peek(1) == '-':
			for l.at < len(l.src) && l.src[l.at] != '\n' {
				l.at++
			}
		case c == '/' && l.peek(1) == '*':
			if err := l.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

func (l *lexer) comment() error {
	start := l.line
	depth := 0
	for l.at < len(l.src) {
		switch {
		case l.peek(0) == '\n':
			l.line++
		case l.peek(0) == '/' && l.peek(1) == '*':
			depth++
			l.at++
		case l.peek(0) == '*' && l.peek(1) == '/':
			depth--
			l.at++
		}
		l.at++
		if depth == 0 {
			return nil
		}
	}
	return atLine(Errorf(113, 15, "Missing end comment mark '*/'."), start)
}

func startsWord(c rune) bool { return c == '_' || c == '#' || unicode.IsLetter(c) }

func partOfWord(c rune) bool {
	return startsWord(c) || c == '$' || c == '@' || unicode.IsDigit(c)
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func (l *lexer) next() error {
	c, line := l.peek(0), l.line
	switch {
	case (c == 'N' || c == 'n') && l.peek(1) == '\'':
		l.at++
		return l.quoted(tokNString, '\'')
	case c == '\'':
		return l.quoted(tokString, '\'')
	case c == '[':
		return l.quoted(tokQuoted, ']')
	case c == '"':
		return l.quoted(tokQuoted, '"')
	case c == '@':
		l.add(tokVariable, l.word(), line)
	case startsWord(c):
		l.add(tokWord, l.word(), line)
	case c == '0' && (l.peek(1) == 'x' || l.peek(1) == 'X'):
		l.at += 2
		l.add(tokHex, l.run(func(c rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", c) }), line)
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		l.number()
	case c == '$' && (isDigit(l.peek(1)) || l.peek(1) == '.' && isDigit(l.peek(2))):
		l.at++
		l.number()
		l.out[len(l.out)-1].kind = tokMoney
	default:
		l.operator()
	}
	return nil
}

func (l *lexer) run(part func(rune) bool) string {
	start := l.at
	for l.at < len(l.src) && part(l.src[l.at]) {
		l.at++
	}
	return string(l.src[start:l.at])
}

func (l *lexer) word() string {
	start := l.at
	l.at++
	l.run(partOfWord)
	return string(l.src[start:l.at])
}

// quoted reads to the closing quote; a doubled one stands for itself.
func (l *lexer) quoted(kind tokenKind, end rune) error {
	var b strings.Builder
	start := l.line
	for l.at++; l.at < len(l.src); l.at++ {
		c := l.src[l.at]
		if c == '\n' {
			l.line++
		}
		if c == end {
			if l.peek(1) != end {
				l.at++
				l.add(kind, b.String(), start)
				return nil
			}
			l.at++
		}
		b.WriteRune(c)
	}
	return atLine(Errorf(105, 15, "Unclosed quotation mark after the character string '%s'.", b.String()), start)
}

func (l *lexer) number() {
	start, kind := l.at, tokInt
	l.run(isDigit)
	if l.peek(0) == '.' {
		kind = tokDecimal
		l.at++
		l.run(isDigit)
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		kind = tokFloat
		l.at++
		if c := l.peek(0); c == '+' || c == '-' {
			l.at++
		}
		l.run(isDigit)
	}
	l.add(kind, string(l.src[start:l.at]), l.line)
}

func (l *lexer) operator() {
	if l.at+1 < len(l.src) {
		switch two := string(l.src[l.at : l.at+2]); two {
		case "<=", ">=", "<>", "!=", "!<", "!>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::":
			l.at += 2
			l.add(tokOp, two, l.line)
			return
		}
	}
	kind, c := tokOp, l.src[l.at]
	if !strings.ContainsRune("()+-*/%,.;=<>&|^~", c) {
		kind = tokBad
	}
	l.at++
	l.add(kind, string(c), l.line)
}
