package tds

import "fmt"

// statement is a prepared statement's text and parameter declaration, or the
// name of a prepared procedure.
type statement struct{ sql, decl, proc string }

// statements are the prepared ones of a connection, by handle.
type statements struct {
	byHandle map[int32]statement
	last     int32
}

// maxStatements bounds what a client can make a connection hold.
const maxStatements = 10_000

func (s *statements) add(st statement) (int32, *Error) {
	if len(s.byHandle) >= maxStatements {
		return 0, notSimulated("more than %d prepared statements", maxStatements)
	}
	if s.byHandle == nil {
		s.byHandle = map[int32]statement{}
	}
	s.last++
	s.byHandle[s.last] = st
	return s.last, nil
}

// call makes the step for one procedure call. The procedures that carry a
// statement are taken apart here, so that a session sees statement,
// declaration and parameters whichever way they came.
func (c *conn) call(q *Request) step {
	args := arguments(q.Params)
	switch q.ProcID {
	case 0:
		return step{req: q}
	case procExecuteSQL: // @stmt, @params, values
		q.SQL, q.Decl, q.Params = args.text(0), args.text(1), args.from(2)
		return step{req: q}
	case procPrepare: // @handle OUTPUT, @params, @stmt, @options
		return c.prepare(args, nil)
	case procPrepExec: // @handle OUTPUT, @params, @stmt, values
		q.SQL, q.Decl, q.Params = args.text(2), args.text(1), args.from(3)
		return c.prepare(args, q)
	case procPrepExecRPC: // @handle OUTPUT, @rpccall, values
		return c.prepareCall(args, q)
	case procExecute: // @handle, values
		handle := args.number(0)
		st, ok := c.stmts.byHandle[handle]
		if !ok {
			return step{fail: unknownHandle(handle)}
		}
		q.SQL, q.Decl, q.Params = st.sql, st.decl, args.from(1)
		if st.proc != "" {
			q.Proc, q.ProcID = st.proc, 0
		}
		return step{req: q}
	case procUnprepare: // @handle
		handle := args.number(0)
		if _, ok := c.stmts.byHandle[handle]; !ok {
			return step{fail: unknownHandle(handle)}
		}
		return step{then: func(*Reply) { delete(c.stmts.byHandle, handle) }}
	}
	return step{fail: notSimulated("procedure %s", q.Proc)}
}

// prepare makes the step that answers with a new handle, and runs q when there
// is one. The text is not looked at: a statement that cannot be run fails when
// it is executed.
func (c *conn) prepare(args arguments, q *Request) step {
	if len(args) < 3 {
		return step{fail: &Error{
			Number: 201, Class: 16, State: 4,
			Message: "Procedure or function expects parameters which were not supplied.",
		}}
	}
	return c.keep(statement{sql: args.text(2), decl: args.text(1)}, args[0].Name, q)
}

// prepareCall makes the step that keeps a procedure's name under a new handle
// and calls it. ODBC's {CALL} comes so.
func (c *conn) prepareCall(args arguments, q *Request) step {
	name := args.text(1)
	if name == "" || procNumber(name) != 0 {
		return step{fail: notSimulated("sp_prepexecrpc of %q", name)}
	}
	q.Proc, q.ProcID, q.Params = name, 0, args.from(2)
	return c.keep(statement{proc: name}, args[0].Name, q)
}

// keep makes the step that runs q, when there is one, and gives st's new
// handle back in the output parameter called name.
func (c *conn) keep(st statement, name string, q *Request) step {
	handle, err := c.stmts.add(st)
	if err != nil {
		return step{fail: err}
	}
	return step{req: q, then: func(w *Reply) {
		w.outs = append([]Param{{Name: name, Type: Int, Value: int64(handle)}}, w.outs...)
	}}
}

func unknownHandle(handle int32) *Error {
	return &Error{
		Number: 8179, Class: 16, State: 2,
		Message: fmt.Sprintf("Could not find prepared statement with handle %d.", handle),
	}
}

// arguments reads the parameters that a numbered procedure takes for itself.
type arguments []Param

func (a arguments) text(i int) string {
	if i >= len(a) {
		return ""
	}
	s, _ := a[i].Value.(string)
	return s
}

func (a arguments) number(i int) int32 {
	if i >= len(a) {
		return 0
	}
	n, _ := a[i].Value.(int64)
	return int32(n)
}

func (a arguments) from(i int) []Param { return a[min(i, len(a)):] }
