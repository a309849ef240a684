package tsql

// implicitTransactions is the mode in which statements begin a transaction when
// none is open. It is how Microsoft's JDBC driver turns autocommit off.
func (s *Session) implicitTransactions() bool { return s.options["IMPLICIT_TRANSACTIONS"] == "ON" }

// beginUnseen begins a transaction before a SELECT from a table, where the mode
// asks for it.
func (s *Session) beginUnseen(q *query, w Reply) {
	if s.tran.depth > 0 || !s.implicitTransactions() || !readsTable(q.body) {
		return
	}
	s.tran.begin("")
	w.TranBegun("")
}

func readsTable(b queryBody) bool {
	switch x := b.(type) {
	case *query:
		return readsTable(x.body)
	case *setOperation:
		return readsTable(x.l) || readsTable(x.r)
	case *selectCore:
		return isTable(x.from)
	}
	return false
}

func isTable(t tableExpr) bool {
	switch x := t.(type) {
	case *namedTable, *functionTable:
		return true
	case *derivedTable:
		return x.q != nil && readsTable(x.q)
	case *join:
		return isTable(x.l) || isTable(x.r)
	}
	return false
}
