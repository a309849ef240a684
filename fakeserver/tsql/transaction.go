package tsql

import (
	"errors"
	"strings"

	"cdcseed/fakeserver/tds"
)

// transaction is what a session knows of its open transaction. Nothing is ever
// undone: statements only read.
type transaction struct {
	depth int
	name  string
	saves map[string]bool
}

func (t *transaction) begin(name string) {
	if t.depth++; t.depth == 1 {
		t.name = name
	}
}

func (t *transaction) save(name string) {
	if t.saves == nil {
		t.saves = map[string]bool{}
	}
	t.saves[strings.ToLower(name)] = true
}

// rollback says whether the whole transaction ended, and not only what came
// after a savepoint.
func (t *transaction) rollback(name string) (ended bool, err error) {
	switch {
	case t.depth == 0:
		return false, Errorf(3903, 16, "The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.")
	case name != "" && t.saves[strings.ToLower(name)]:
		return false, nil
	case name != "" && !strings.EqualFold(name, t.name):
		return false, Errorf(6401, 16, "Cannot roll back %s. No transaction or savepoint of that name was found.", name)
	}
	*t = transaction{}
	return true, nil
}

func (t *transaction) commit() error {
	if t.depth == 0 {
		return Errorf(3902, 16, "The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.")
	}
	if t.depth--; t.depth == 0 {
		*t = transaction{}
	}
	return nil
}

// request follows a transaction request, which the wire answers itself.
func (t *transaction) request(q *tds.Request) error {
	switch q.Kind {
	case tds.KindBegin:
		t.begin(q.Name)
	case tds.KindCommit:
		return t.commit()
	case tds.KindRollback:
		_, err := t.rollback(q.Name)
		return err
	case tds.KindSave:
		t.save(q.Name)
	}
	return nil
}

// transact is BEGIN, COMMIT, ROLLBACK or SAVE TRANSACTION in a batch, of which
// the wire has to be told.
func (s *Session) transact(x *tranStmt, w Reply) error {
	name := x.name
	if v := s.vars[strings.ToLower(name)]; v != nil {
		name = textIn(v.V)
	}
	switch x.op {
	case "begin":
		if s.tran.depth == 0 && s.implicitTransactions() {
			s.tran.begin(name) // the unseen one, around the one that is asked for
		}
		s.tran.begin(name)
		w.TranBegun(name)
	case "commit":
		if err := s.tran.commit(); err != nil {
			return err
		}
		w.TranCommitted()
	case "rollback":
		ended, err := s.tran.rollback(name)
		if err != nil {
			return err
		}
		if ended {
			w.TranRolledBack()
		}
	case "save":
		if s.tran.depth == 0 {
			return Errorf(628, 16, "Cannot issue SAVE TRANSACTION when there is no active transaction.")
		}
		s.tran.save(name)
	}
	w.Affected(0, false)
	return nil
}

// Failed ends the transaction where an error takes it with it: always for a
// deadlock, and with XACT_ABORT for every error that ended the batch. Run does
// it for its own errors; a caller that fails a request in its place calls it.
func (s *Session) Failed(err error, w Reply) {
	var e *tds.Error
	if !errors.As(err, &e) || s.tran.depth == 0 {
		return
	}
	if e.Number == 1205 || s.options["XACT_ABORT"] == "ON" {
		s.tran = transaction{}
		w.TranRolledBack()
	}
}

// isolationLevel is the name of the level that a begin request may carry.
func isolationLevel(iso byte) string {
	switch iso {
	case 1:
		return "READ UNCOMMITTED"
	case 2:
		return "READ COMMITTED"
	case 3:
		return "REPEATABLE READ"
	case 4:
		return "SERIALIZABLE"
	case 5:
		return "SNAPSHOT"
	}
	return ""
}
