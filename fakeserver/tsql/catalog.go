// Package tsql reads and runs a strict subset of T-SQL: lex, parse, compile
// against a catalogue, run. Whatever it cannot run is an error with the number
// that SQL Server gives, or, where SQL Server could run it and this package
// does not play it, with NotSimulated.
package tsql

import (
	"context"
	"time"

	"cdcseed/fakeserver/tds"
)

// NotSimulated is the error number for what SQL Server has and the fake does
// not play, so that a test tells a gap in the fake from a wrong statement.
const NotSimulated = 40000

// Name is an object name of one to four parts, outermost first, as written.
type Name []string

// Value is a typed scalar; V is nil for NULL, else what tds encodes for T.
type Value struct {
	T tds.Type
	V any
}

// Relation is a table, a view or the result of a function: its columns are
// known when a statement is compiled, its rows are read when it runs.
type Relation struct {
	Columns []tds.Column
	Rows    func(ctx context.Context) ([][]any, error)
	// Unversioned is what reading it under snapshot isolation ends with, where no
	// row versions are kept: error 3952. A table hint of another isolation level
	// reads it all the same.
	Unversioned error
}

// Catalog is what names mean to one session. Every lookup answers with a
// *tds.Error carrying SQL Server's number where the name means nothing (208,
// 207, 195, 2812, 313 ...) or the login may not have it (229, 230). It is asked when a
// statement is compiled, so binding errors come before the first row.
type Catalog interface {
	// Table binds a table or view. The columns it returns are those the login
	// may see; a column it may not read is in the list and bound to fail with
	// 230 through Denied.
	Table(n Name) (*Relation, error)
	// Denied is the error for reading the named column of table n, or nil.
	Denied(n Name, column string) error
	// TableFunction binds a table-valued function to the types of its
	// arguments and returns its columns, and a function of the argument values.
	TableFunction(n Name, args []tds.Type) ([]tds.Column, func(ctx context.Context, args []Value) ([][]any, error), error)
	// ScalarFunction binds a function the evaluator does not have itself:
	// CDC's, OBJECT_ID and other metadata functions, SERVERPROPERTY, clocks.
	// CURRENT_TIMESTAMP, USER and their like come here too. A bare NULL among
	// the arguments is an int. It is bound anew for each statement, within which
	// it may give the answer to the same arguments that it gave before.
	ScalarFunction(n Name, args []tds.Type) (tds.Type, func(ctx context.Context, args []Value) (any, error), error)
	// Procedure runs a system procedure with its bound arguments (positional
	// ones have an empty name) and returns its one result set.
	Procedure(ctx context.Context, n Name, args []Argument) (*Relation, error)
	// Global is the value of a @@ variable, named without the signs in upper
	// case. The session keeps ROWCOUNT, ERROR, TRANCOUNT, NESTLEVEL,
	// LOCK_TIMEOUT, TEXTSIZE and DATEFIRST itself.
	Global(name string) (Value, error)
	// Zone is the time zone of a Windows name, or error 9820.
	Zone(name string) (*time.Location, error)
	// Use changes the session's database, or answers 911, 916 or 942. The
	// client is told the names that DB_NAME() has before and after.
	Use(database string) error
}

// Argument is one argument of an EXEC; Name is "@x" or empty.
type Argument struct {
	Name  string
	Value Value
}
