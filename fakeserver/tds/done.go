package tds

import "encoding/binary"

// Affected ends a statement that returned no rows. With count the client is
// told n as the number of rows it changed.
func (w *Reply) Affected(n uint64, count bool) {
	w.endResult()
	st := uint16(0)
	if count {
		st = doneCount
	}
	w.hold(st, 0, n)
}

// StatementError ends a statement that failed while the batch goes on. It is
// the only DONE of the statement, also where rows were sent before the error:
// Microsoft's ODBC driver takes one that counts rows for the end of a result
// set that went well, and never tells of the error.
func (w *Reply) StatementError() {
	cmd := uint16(0)
	if w.open {
		w.open, cmd = false, cmdSelect
	}
	w.hold(doneError, cmd, 0)
}

// endResult ends the open result set, if there is one.
func (w *Reply) endResult() {
	if w.open {
		w.open = false
		w.hold(doneCount, cmdSelect, w.rows)
	}
}

// hold keeps a DONE back until it is known whether another follows.
func (w *Reply) hold(status, cmd uint16, n uint64) {
	w.flushDone(doneMore)
	w.last = u64(u16(u16(nil, status), cmd), n)
}

func (w *Reply) flushDone(or uint16) {
	if w.last == nil {
		return
	}
	b := w.last
	w.last = nil
	binary.LittleEndian.PutUint16(b, binary.LittleEndian.Uint16(b)|or|w.inXact())
	tok := byte(tokDone)
	if w.rpc {
		tok = tokDoneInProc
	}
	w.c.w.add(append([]byte{tok}, b...))
}

func (w *Reply) inXact() uint16 {
	if w.c.tran.id != 0 {
		return doneInXact
	}
	return 0
}

// lastToken is the kind of DONE that ends the response.
func (w *Reply) lastToken() byte {
	if w.rpc {
		return tokDoneProc
	}
	return tokDone
}

// finishBatch makes the DONE held back the final one, or writes one.
func (w *Reply) finishBatch() {
	if w.last == nil || w.more {
		w.done(tokDone, 0)
		return
	}
	w.flushDone(0)
	w.final = true
}

// done writes the DONE that ends a step; it counts no rows.
func (w *Reply) done(tok byte, status uint16) {
	w.flushDone(doneMore)
	if w.more {
		status |= doneMore
	}
	w.final = !w.more
	w.c.w.add(append([]byte{tok}, u64(u16(u16(nil, status|w.inXact()), 0), 0)...))
}
