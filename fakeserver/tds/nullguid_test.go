package tds_test

import (
	"testing"

	"cdcseed/fakeserver/tds"
)

// TestNullGUID: a NULL uniqueidentifier may come with a type of length 0, and a value may not.
func TestNullGUID(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	if k := c.ask(callNamed("double", []byte{0, 0, byte(tds.GUIDType), 0, 0})); len(find(k, tokError)) != 0 {
		t.Errorf("%x", k)
	}
	if q := r.last(t); len(q.Params) != 1 || q.Params[0].Value != nil || q.Params[0].Type != tds.UniqueID {
		t.Errorf("%+v", q)
	}
	value := append([]byte{0, 0, byte(tds.GUIDType), 0, 16}, make([]byte, 16)...)
	if e := find(c.ask(callNamed("double", value)), tokError); len(e) != 1 || e[0].number() != 4002 {
		t.Errorf("a value of length 0: %x", e)
	}
}
