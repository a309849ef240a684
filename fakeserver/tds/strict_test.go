package tds_test

import (
	"crypto/tls"
	"testing"

	"cdcseed/fakeserver/tds"
)

// TestStrictPrelogin: inside TLS a client says what it likes about encryption, and is told the same.
// Microsoft's ODBC driver says that it has none, and hangs up when told "strict".
func TestStrictPrelogin(t *testing.T) {
	r := start(t, tds.Config{})
	for _, said := range []byte{tds.EncryptOff, tds.EncryptOn, tds.EncryptNotSup, tds.EncryptStrict} {
		c := dialRaw(t, r.addr)
		c.nc = tls.Client(c.nc, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"tds/8.0"}})
		c.send(pktPrelogin, eom, []byte{1, 0, 6, 0, 1, 0xff, said})
		answer := c.message()
		if answer[5] != 1 {
			t.Fatalf("the second option is not the encryption: % x", answer)
		}
		if at := int(answer[6])<<8 | int(answer[7]); answer[at] != said {
			t.Errorf("said %d, told %d", said, answer[at])
		}
	}
}
