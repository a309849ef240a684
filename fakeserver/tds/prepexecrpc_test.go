package tds_test

import (
	"testing"

	"cdcseed/fakeserver/tds"
)

// TestPreparedCall: ODBC calls a procedure with parameters by sp_prepexecrpc, and again by its handle.
func TestPreparedCall(t *testing.T) {
	const prepExecRPC = 14
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)

	k := c.ask(call(prepExecRPC, number(0, true), text("double"), number(5, false)))
	kept := handle(t, k)
	if s := find(k, tokReturnStatus); len(s) != 1 || s[0].number() != 7 {
		t.Errorf("%x", k)
	}
	for _, value := range []int32{6, 7} {
		q := r.last(t)
		if q.Proc != "double" || q.ProcID != 0 || q.SQL != "" || len(q.Params) != 1 || q.Params[0].Value != int64(value-1) {
			t.Errorf("%+v", q)
		}
		c.ask(call(procExecute, number(kept, false), number(value, false)))
	}
	c.ask(call(procUnprepare, number(kept, false)))
	if e := find(c.ask(call(procExecute, number(kept, false))), tokError); len(e) != 1 || e[0].number() != 8179 {
		t.Errorf("the handle lives on: %x", e)
	}
	for _, name := range []string{"", "sp_executesql", "sys.sp_prepare"} {
		if e := find(c.ask(call(prepExecRPC, number(0, true), text(name))), tokError); len(e) != 1 || e[0].number() != 40000 {
			t.Errorf("%q: %x", name, e)
		}
	}
}
