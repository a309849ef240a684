package tds

import "strings"

// Transaction manager requests (MS-TDS 2.2.6.9).
const (
	tmBegin    = 5
	tmCommit   = 7
	tmRollback = 8
	tmSave     = 9

	tmBeginNext = 1 // flag of commit and rollback: begin another transaction
)

// transaction is what the client has been told about its transaction.
type transaction struct {
	id    uint64 // descriptor, 0 outside of a transaction
	name  string // of the outermost begin
	depth int    // begins not yet committed
}

// transactionRequest decodes a transaction manager request.
func (c *conn) transactionRequest(r *reader) ([]step, error) {
	kind := r.u16()
	switch kind {
	case tmBegin:
		return c.beginSteps(nil, r)
	case tmCommit, tmRollback:
		q := &Request{Kind: KindCommit, Name: r.bVarbyte()}
		if kind == tmRollback {
			q.Kind = KindRollback
		}
		next := r.u8()&tmBeginNext != 0
		if r.err != nil {
			return nil, r.err
		}
		steps := []step{{req: q, then: func(w *Reply) { c.tranStepDone(q, w) }}}
		if next {
			return c.beginSteps(steps, r)
		}
		return steps, nil
	case tmSave:
		q := &Request{Kind: KindSave, Name: r.bVarbyte()}
		return []step{{req: q}}, r.err
	}
	if r.err != nil {
		return nil, r.err
	}
	return nil, notSimulated("transaction manager request %d", kind)
}

func (c *conn) beginSteps(before []step, r *reader) ([]step, error) {
	q := &Request{Kind: KindBegin, Iso: r.u8(), Name: r.bVarbyte()}
	return append(before, step{req: q, then: func(w *Reply) { w.TranBegun(q.Name) }}), r.err
}

// tranStepDone tells the client what a commit or rollback did. Rolling back to
// a savepoint leaves the transaction open.
func (c *conn) tranStepDone(q *Request, w *Reply) {
	switch {
	case q.Kind == KindCommit:
		w.TranCommitted()
	case q.Name == "" || strings.EqualFold(q.Name, c.tran.name):
		w.TranRolledBack()
	}
}

// TranBegun tells the client that a transaction has begun. The wire calls it
// for a transaction manager request; a Session calls it for BEGIN TRANSACTION
// in a batch. A nested begin only counts.
func (w *Reply) TranBegun(name string) {
	t := &w.c.tran
	if t.depth++; t.depth > 1 {
		return
	}
	t.id, t.name = w.c.srv.tranSeq.Add(1), name
	w.envBytes(envBeginTran, u64(nil, t.id), nil)
}

// TranCommitted is the same for COMMIT; only the outermost one ends the transaction.
func (w *Reply) TranCommitted() {
	t := &w.c.tran
	if t.depth > 1 {
		t.depth--
		return
	}
	w.tranEnded(envCommitTran)
}

// TranRolledBack is the same for ROLLBACK of the whole transaction, and for an
// error that takes the transaction with it, such as 1205.
func (w *Reply) TranRolledBack() { w.tranEnded(envRollbackTran) }

func (w *Reply) tranEnded(env byte) {
	if w.c.tran.id != 0 {
		w.envBytes(env, nil, u64(nil, w.c.tran.id))
	}
	w.c.tran = transaction{}
}
