package tsql

import "cdcseed/fakeserver/tds"

// node is what stands between parentheses: an expression or a condition.
type node interface{}

// expr is a scalar expression, cond a condition: the grammar keeps them apart,
// so a column is never a condition and a comparison never a value.
type (
	expr interface{ expr() }
	cond interface{ cond() }
)

type (
	literal  struct{ v Value }
	variable struct{ name string }
	column   struct{ parts []string }
	star     struct{ qualifier []string }
	call     struct {
		name     []string
		args     []expr
		part     string // the datepart word of DATEADD and its kin
		star     bool   // f(*)
		distinct bool
		order    []orderItem // WITHIN GROUP
		over     *window
	}
	cast struct {
		e     expr
		to    tds.Type
		style expr
		try   bool
	}
	atTimeZone struct{ e, zone expr }
	collate    struct {
		e    expr
		name string
	}
	binaryOp struct {
		op   string
		l, r expr
	}
	unaryOp struct {
		op string
		e  expr
	}
	caseExpr struct {
		operand expr
		arms    []caseArm
		other   expr
	}
	subquery struct{ q *query }
)

type caseArm struct {
	when  cond // of a searched CASE
	value expr // of a simple CASE
	then  expr
}

type window struct {
	partition []expr
	order     []orderItem
}

type (
	comparison struct {
		op   string
		l, r expr
	}
	logic struct {
		op   string
		l, r cond
	}
	not    struct{ c cond }
	inList struct {
		e       expr
		list    []expr
		sub     *query
		negated bool
	}
	between struct {
		e, lo, hi expr
		negated   bool
	}
	like struct {
		e, pattern, escape expr
		negated            bool
	}
	isNull struct {
		e       expr
		negated bool
	}
	exists struct{ q *query }
)

func (literal) expr()    {}
func (variable) expr()   {}
func (column) expr()     {}
func (star) expr()       {}
func (*call) expr()      {}
func (cast) expr()       {}
func (atTimeZone) expr() {}
func (collate) expr()    {}
func (binaryOp) expr()   {}
func (unaryOp) expr()    {}
func (caseExpr) expr()   {}
func (subquery) expr()   {}

func (comparison) cond() {}
func (logic) cond()      {}
func (not) cond()        {}
func (inList) cond()     {}
func (between) cond()    {}
func (like) cond()       {}
func (isNull) cond()     {}
func (exists) cond()     {}
