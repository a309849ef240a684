package tsql

import (
	"slices"
	"strings"
)

type tokenKind int

const (
	tokEnd      tokenKind = iota
	tokWord               // a bare word, reserved or not
	tokQuoted             // [x] or "x"
	tokVariable           // @x, @@x
	tokString             // 'x'
	tokNString            // N'x'
	tokInt                // 12
	tokDecimal            // 1.2
	tokFloat              // 1e2
	tokMoney              // $1.2
	tokHex                // 0x1F
	tokOp                 // an operator or punctuation
	tokBad                // a character that starts nothing
)

type token struct {
	kind tokenKind
	text string // without quotes, prefixes and the sign of money
	line int32
}

func (t token) is(word string) bool { return t.kind == tokWord && strings.EqualFold(t.text, word) }

func (t token) isOp(op string) bool { return t.kind == tokOp && t.text == op }

func (t token) isOneOf(ops ...string) bool { return t.kind == tokOp && slices.Contains(ops, t.text) }

// isCompound says whether t is += or one of its kin.
func (t token) isCompound() bool { return t.isOneOf("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=") }

func (t token) reserved() bool { return t.kind == tokWord && reserved(t.text) }
