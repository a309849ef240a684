package tds_test

import (
	"database/sql"
	"encoding/binary"
	"slices"
	"testing"

	"cdcseed/fakeserver/tds"
)

func TestDriverTransactions(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	for i, iso := range []sql.IsolationLevel{
		sql.LevelDefault, sql.LevelReadUncommitted, sql.LevelReadCommitted,
		sql.LevelRepeatableRead, sql.LevelSerializable, sql.LevelSnapshot,
	} {
		tx, err := db.BeginTx(within(t), &sql.TxOptions{Isolation: iso})
		if err != nil {
			t.Fatal(err)
		}
		if q := r.last(t); q.Kind != tds.KindBegin || int(q.Iso) != i {
			t.Errorf("%v: %+v", iso, q)
		}
		if _, err := tx.ExecContext(within(t), "go on"); err != nil {
			t.Fatal(err)
		}
		end, want := tx.Commit, tds.KindCommit
		if i%2 == 1 {
			end, want = tx.Rollback, tds.KindRollback
		}
		if err := end(); err != nil || r.last(t).Kind != want {
			t.Errorf("%v: %v, %+v", iso, err, r.last(t))
		}
	}
}

// name is a B_VARBYTE of UTF-16: its length counts bytes.
func name(s string) []byte { return append([]byte{byte(2 * len(s))}, ucs2(s)...) }

func tm(kind byte, data ...[]byte) []byte {
	return headers(append([]byte{kind, 0}, slices.Concat(data...)...)...)
}

const (
	tmBegin, tmCommit, tmRollback, tmSave = 5, 7, 8, 9
	envBegin, envCommit, envRollback      = 8, 9, 10
	inXact                                = 0x04
)

// envs lists the transaction changes a reply tells.
func envs(k []tok) (out []byte) {
	for _, e := range find(k, tokEnvChange) {
		out = append(out, e.body[0])
	}
	return out
}

func TestTransactionsOnTheWire(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	for i, x := range []struct {
		data   []byte
		env    []byte
		inside bool // the reply's DONE says that a transaction is open
		kind   string
		name   string
	}{
		{tm(tmBegin, []byte{5}, name("outer")), []byte{envBegin}, true, tds.KindBegin, "outer"},
		{tm(tmSave, name("spot")), nil, true, tds.KindSave, "spot"},
		{tm(tmRollback, name("spot"), []byte{0}), nil, true, tds.KindRollback, "spot"},
		{tm(tmBegin, []byte{0}, name("inner")), nil, true, tds.KindBegin, "inner"},
		{tm(tmCommit, name("inner"), []byte{0}), nil, true, tds.KindCommit, "inner"},
		{tm(tmCommit, name(""), []byte{1}, []byte{2}, name("next")), []byte{envCommit, envBegin}, true, tds.KindBegin, "next"},
		{tm(tmRollback, name("NEXT"), []byte{0}), []byte{envRollback}, false, tds.KindRollback, "NEXT"},
		{tm(tmBegin, []byte{0}, name("")), []byte{envBegin}, true, tds.KindBegin, ""},
		{tm(tmRollback, name(""), []byte{0}), []byte{envRollback}, false, tds.KindRollback, ""},
	} {
		c.send(pktTransMgr, eom, x.data)
		k := c.tokens()
		last := k[len(k)-1]
		if !slices.Equal(envs(k), x.env) || (last.status()&inXact != 0) != x.inside || last.status()&0x03 != 0 {
			t.Errorf("step %d: %x", i, k)
		}
		if q := r.last(t); q.Kind != x.kind || q.Name != x.name {
			t.Errorf("step %d: %+v", i, q)
		}
	}

	// A session tells of transactions in T-SQL.
	c.send(pktBatch, eom, batch("begin tran"))
	k := c.tokens()
	descriptor := k[0].body[2:10]
	if !slices.Equal(envs(k), []byte{envBegin}) || binary.LittleEndian.Uint64(descriptor) == 0 {
		t.Errorf("%x", k)
	}
	c.send(pktBatch, eom, batch("end tran"))
	if k = c.tokens(); !slices.Equal(envs(k), []byte{envRollback}) || k[len(k)-1].status() != 0x10 {
		t.Errorf("%x", k)
	}
}

// TestReset: RESETCONNECTION ends a transaction, the other kind keeps it; a
// session hears of a reset even when it came with a message of the wire's own.
func TestReset(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	for _, x := range []struct {
		status byte
		inside bool
	}{{resetKeep, true}, {reset, false}} {
		c.send(pktTransMgr, eom, tm(tmBegin, []byte{0}, name("")))
		c.tokens()
		c.send(pktBatch, eom|x.status, batch("go on"))
		k := c.tokens()
		if !slices.Equal(envs(k), []byte{18}) || (k[1].status()&inXact != 0) != x.inside {
			t.Errorf("%x", k)
		}
		if q := r.last(t); !q.Reset || q.KeepTran != x.inside {
			t.Errorf("%+v", q)
		}
		c.send(pktTransMgr, eom, tm(tmRollback, name(""), []byte{0}))
		c.tokens()
	}
	h := handle(t, c.ask(call(procPrepare, number(0, true), text(""), text("x"))))
	c.send(pktRPC, eom|reset, headers(call(procUnprepare, number(h, false))...))
	c.tokens()
	for _, want := range []bool{true, false} {
		c.send(pktBatch, eom, batch("go on"))
		c.tokens()
		if q := r.last(t); q.Reset != want {
			t.Errorf("%+v", q)
		}
	}
}
