package tds_test

import (
	"encoding/binary"
	"testing"

	"cdcseed/fakeserver/tds"
)

const (
	procExecuteSQL = 10
	procPrepare    = 11
	procExecute    = 12
	procPrepExec   = 13
	procUnprepare  = 15
)

// call encodes a call by number.
func call(proc uint16, params ...[]byte) []byte {
	b := []byte{0xff, 0xff, byte(proc), byte(proc >> 8), 0, 0}
	for _, p := range params {
		b = append(b, p...)
	}
	return b
}

// callNamed encodes a call by name.
func callNamed(name string, params ...[]byte) []byte {
	b := append(binary.LittleEndian.AppendUint16(nil, uint16(len(name))), ucs2(name)...)
	b = append(b, 0, 0)
	for _, p := range params {
		b = append(b, p...)
	}
	return b
}

// text is an nvarchar parameter without a name.
func text(s string) []byte {
	u := ucs2(s)
	b := []byte{0, 0, byte(tds.NVarCharType), 0x40, 0x1f, 9, 4, 0xd0, 0, 0x34}
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(u))), u...)
}

// number is an int parameter; an output one carries NULL.
func number(n int32, output bool) []byte {
	if output {
		return []byte{0, 1, byte(tds.IntNType), 4, 0}
	}
	return binary.LittleEndian.AppendUint32([]byte{0, 0, byte(tds.IntNType), 4, 4}, uint32(n))
}

// ask sends one RPC message and returns its tokens.
func (c *raw) ask(calls ...[]byte) []tok {
	c.t.Helper()
	data := headers()
	for i, b := range calls {
		if i > 0 {
			data = append(data, 0xff)
		}
		data = append(data, b...)
	}
	c.send(pktRPC, eom, data)
	return c.tokens()
}

// find returns the tokens of one kind.
func find(k []tok, id byte) (out []tok) {
	for _, x := range k {
		if x.id == id {
			out = append(out, x)
		}
	}
	return out
}

// handle reads the prepared handle that comes as the first output.
func handle(t *testing.T, k []tok) int32 {
	t.Helper()
	v := find(k, tokReturnValue)
	if len(v) != 1 {
		t.Fatalf("%x", k)
	}
	return int32(binary.LittleEndian.Uint32(v[0].body[len(v[0].body)-4:]))
}

func TestPreparedStatements(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)

	first := handle(t, c.ask(call(procPrepare, number(0, true), text("@a int"), text("first one"), number(1, false))))
	second := handle(t, c.ask(callNamed("sp_prepexec", number(0, true), text("@a int"), text("second one"), number(5, false))))
	if q := r.last(t); q.SQL != "second one" || q.Decl != "@a int" || len(q.Params) != 1 || q.Params[0].Value != int64(5) {
		t.Errorf("%+v", q)
	}
	if first == second {
		t.Errorf("one handle, %d, for two statements", first)
	}
	k := c.ask(callNamed("SYS.SP_EXECUTE", number(first, false), number(6, false)))
	if q := r.last(t); q.SQL != "first one" || q.ProcID != procExecute || q.Params[0].Value != int64(6) {
		t.Errorf("%+v", q)
	}
	if s := find(k, tokReturnStatus); len(s) != 1 || s[0].number() != 0 || k[len(k)-1].id != tokDoneProc {
		t.Errorf("%x", k)
	}
	c.ask(call(procUnprepare, number(first, false)))
	for _, proc := range []uint16{procExecute, procUnprepare} {
		k = c.ask(call(proc, number(first, false)))
		if e := find(k, tokError); len(e) != 1 || e[0].number() != 8179 {
			t.Errorf("procedure %d of a handle given back: %x", proc, k)
		}
	}
	c.ask(call(procExecute, number(second, false), number(7, false)))
	if q := r.last(t); q.SQL != "second one" {
		t.Errorf("%+v", q)
	}

	// A reset forgets them.
	c.send(pktRPC, eom|reset, headers(call(procExecute, number(second, false))...))
	k = c.tokens()
	if k[0].id != tokEnvChange || k[0].body[0] != 18 || len(find(k, tokError)) != 1 {
		t.Errorf("%x", k)
	}
}

// TestBatchedCalls: three calls in one message, the second fails.
func TestBatchedCalls(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	k := c.ask(call(procExecuteSQL, text("go on")), call(procExecuteSQL, text("error 208 16")), callNamed("double"))
	done := find(k, tokDoneProc)
	if len(done) != 3 || done[0].status() != 0x01 || done[1].status() != 0x03 || done[2].status() != 0 {
		t.Errorf("%x", done)
	}
	s := find(k, tokReturnStatus)
	if len(s) != 3 || s[0].number() != 0 || s[1].number() != 208 || s[2].number() != 7 {
		t.Errorf("%x", s)
	}
}

// TestUnsupported: what the wire cannot play has an error number of its own,
// and a malformed message another; both leave the connection usable.
func TestUnsupported(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	const bulkLoad = 7
	for _, x := range []struct {
		typ    byte
		data   []byte
		number int32
	}{
		{bulkLoad, []byte{1, 2, 3}, 40000},
		{pktRPC, headers(call(2)...), 40000},
		{pktRPC, headers(call(99)...), 40000},
		{pktRPC, headers(call(procExecuteSQL, []byte{0, 0, byte(tds.TVPType)})...), 40000},
		{pktTransMgr, headers(0, 0), 40000},
		{pktRPC, headers(call(procExecuteSQL, []byte{0, 0, byte(tds.GUIDType), 9, 9})...), 4002},
		{pktBatch, []byte{200, 0, 0, 0}, 4002},
		{pktBatch, nil, 4002},
	} {
		c.send(x.typ, eom, x.data)
		k := c.tokens()
		if e := find(k, tokError); len(e) != 1 || e[0].number() != x.number {
			t.Errorf("type %d, % x: %x", x.typ, x.data, k)
		}
	}
	c.send(pktBatch, eom, batch("go on"))
	if k := c.tokens(); k[0].status() != 0x10 {
		t.Errorf("%x", k)
	}
}
