package tds

import "context"

// What a Request asks for.
const (
	KindBatch    = "batch"
	KindRPC      = "rpc"
	KindBegin    = "begin"
	KindCommit   = "commit"
	KindRollback = "rollback"
	KindSave     = "save"
)

// Column is one result column.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
	Identity bool
	Computed bool
}

// Param is one parameter of a procedure call, or one output of it.
type Param struct {
	Name    string // with its @; empty for a parameter given by position
	Type    Type
	Value   any  // as Reply.Row takes it; nil for NULL
	Output  bool // the client wants the value back
	Default bool // the client asks for the procedure's default
}

// Request is one client request.
type Request struct {
	Kind   string // one of the Kind constants
	SQL    string // batch text, or the statement of sp_executesql and its like
	Proc   string // procedure name of an RPC
	ProcID uint16 // number of a procedure that has one, else 0
	Params []Param
	Decl   string // the parameter declaration of sp_executesql
	Name   string // transaction or savepoint name
	// Iso is the isolation level of a begin: 0 as it was, 1 read uncommitted,
	// 2 read committed, 3 repeatable read, 4 serializable, 5 snapshot.
	Iso byte
	// Reset asks for a session as new before the request runs.
	Reset bool
	// KeepTran, with Reset, leaves an open transaction open.
	KeepTran bool
}

// Session is one logged-in connection's side of the work. Run is called for
// one request at a time; ctx ends when the client cancels the request or goes
// away. An *Error returned is sent to the client, ErrDrop closes the socket,
// any other error becomes message 50000. Close is called once, at the end.
type Session interface {
	Run(ctx context.Context, q *Request, w *Reply) error
	Close()
}
