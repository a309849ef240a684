package tsql

import "cdcseed/fakeserver/tds"

// statement is one of a batch, with the line it starts on.
type statement struct {
	line int32
	body any // one of the types below
}

type (
	declareStmt struct {
		name string
		typ  tds.Type
		init expr
	}
	setStmt struct {
		name string
		e    expr
	}
	optionStmt struct{ names, values []string }
	selectStmt struct{ q *query }
	ifStmt     struct {
		when         cond
		then, orElse *statement
	}
	blockStmt struct{ list []statement }
	tryStmt   struct{ try, catch []statement }
	execStmt  struct {
		status string // the variable of EXEC @r = p
		name   []string
		args   []execArg
		text   expr // of EXEC ('...')
	}
	tranStmt struct {
		op   string // begin, commit, rollback, save
		name string
	}
	useStmt  struct{ database string }
	waitStmt struct {
		until bool
		e     expr
	}
	printStmt  struct{ e expr }
	throwStmt  struct{ args []expr }
	raiseStmt  struct{ args []expr }
	returnStmt struct{ e expr }
)

type execArg struct {
	name   string
	e      expr // nil for DEFAULT
	output bool
}

// batch is a parsed text with what it says about variables, in its order.
type batch struct {
	list []statement
	vars []variableUse
}

// variableUse is a declaration or a mention; a mention before the declaration
// is an error of the whole batch, found before anything runs.
type variableUse struct {
	name     string
	line     int32
	declared *tds.Type
}
