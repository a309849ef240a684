package tds_test

import (
	"encoding/binary"
	"testing"

	"cdcseed/fakeserver/tds"
)

// TestFailedSelect: the DONE with the error bit is the only one of a SELECT
// that fails after its columns were sent. One that counts rows before the error
// hides the error from Microsoft's ODBC driver.
func TestFailedSelect(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	for text, want := range map[string][]uint16{
		"misfit": {0x02},       // ends the batch
		"failed": {0x03, 0x10}, // another statement follows, which counts its rows
	} {
		c.send(pktBatch, eom, batch(text))
		b := c.message()
		// One column: user type, flags, type and size, name of one letter.
		if b[0] != tokColMetadata || b[1] != 1 {
			t.Fatalf("%s: % x", text, b)
		}
		b = b[3+4+2+2+1+2:]
		if b[0] != tokError {
			t.Fatalf("%s: token 0x%02x comes before the error", text, b[0])
		}
		b = b[3+binary.LittleEndian.Uint16(b[1:]):]
		for _, status := range want {
			if len(b) < 13 || b[0] != tokDone || binary.LittleEndian.Uint16(b[1:]) != status {
				t.Fatalf("%s: want a DONE of status %#x: % x", text, status, b)
			}
			b = b[13:]
		}
		if len(b) > 0 {
			t.Errorf("%s: more than its statements: % x", text, b)
		}
	}
}
