package tds_test

import (
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"
	"unicode/utf16"
)

const (
	pktBatch     = 1
	pktRPC       = 3
	pktAttention = 6
	pktTransMgr  = 14
	pktLogin7    = 16
	pktPrelogin  = 18

	eom       = 0x01
	ignore    = 0x02
	reset     = 0x08
	resetKeep = 0x10

	tokReturnStatus = 0x79
	tokError        = 0xAA
	tokInfo         = 0xAB
	tokReturnValue  = 0xAC
	tokLoginAck     = 0xAD
	tokFeatureAck   = 0xAE
	tokEnvChange    = 0xE3
	tokColMetadata  = 0x81
	tokDone         = 0xFD
	tokDoneProc     = 0xFE
	tokDoneInProc   = 0xFF
)

// raw is a client that sends what no well-behaved driver would.
type raw struct {
	t  testing.TB
	nc net.Conn
}

func dialRaw(t testing.TB, addr string) *raw {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(hang))
	return &raw{t, nc}
}

// loginRaw is a client that is logged in.
func loginRaw(t testing.TB, addr string, version uint32) *raw {
	t.Helper()
	c := dialRaw(t, addr)
	c.prelogin()
	c.send(pktLogin7, eom, login7(version, 4096, 0))
	for _, tok := range c.tokens() {
		if tok.id == tokError {
			t.Fatalf("login refused: %x", tok.body)
		}
	}
	return c
}

func (c *raw) write(b []byte) error {
	_, err := c.nc.Write(b)
	return err
}

func (c *raw) packet(typ, status, seq byte, data []byte) error {
	h := []byte{typ, status, 0, 0, 0, 0, seq, 0}
	binary.BigEndian.PutUint16(h[2:], uint16(8+len(data)))
	return c.write(append(h, data...))
}

// send sends a message of one packet.
func (c *raw) send(typ, status byte, data []byte) {
	c.t.Helper()
	if err := c.packet(typ, status, 1, data); err != nil {
		c.t.Fatal(err)
	}
}

// message reads one message of the server.
func (c *raw) message() []byte {
	c.t.Helper()
	var out []byte
	for {
		var h [8]byte
		if _, err := io.ReadFull(c.nc, h[:]); err != nil {
			c.t.Fatalf("after % x: %v", out, err)
		}
		b := make([]byte, int(binary.BigEndian.Uint16(h[2:]))-8)
		if _, err := io.ReadFull(c.nc, b); err != nil {
			c.t.Fatal(err)
		}
		if out = append(out, b...); h[1]&eom != 0 {
			return out
		}
	}
}

// prelogin says that the client cannot encrypt.
func (c *raw) prelogin() {
	c.t.Helper()
	c.send(pktPrelogin, eom, []byte{0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 1, 2, 3, 4, 0, 0, 2})
	c.message()
}

// tok is a token of a reply that holds no rows.
type tok struct {
	id   byte
	body []byte
}

// status of a DONE token.
func (k tok) status() uint16 { return binary.LittleEndian.Uint16(k.body) }

// number of an ERROR or INFO token, or the value of a RETURNSTATUS.
func (k tok) number() int32 { return int32(binary.LittleEndian.Uint32(k.body)) }

func (c *raw) tokens() []tok {
	c.t.Helper()
	b := c.message()
	var out []tok
	for len(b) > 0 {
		id, n, skip := b[0], 0, 1
		switch id {
		case tokDone, tokDoneProc, tokDoneInProc:
			n = 12
		case tokReturnStatus:
			n = 4
		case tokReturnValue: // an int: ordinal, name, status, user type, flags, INTN of 4
			n = 2 + 1 + 2*int(b[3]) + 1 + 4 + 2 + 2 + 5
		case tokFeatureAck:
			n = len(b) - 1 - 13
		case tokError, tokInfo, tokEnvChange, tokLoginAck:
			n, skip = int(binary.LittleEndian.Uint16(b[1:])), 3
		default:
			c.t.Fatalf("token 0x%02x in % x", id, b)
		}
		out = append(out, tok{id, b[skip : skip+n]})
		b = b[skip+n:]
	}
	return out
}

func ucs2(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// login7 logs the test's user in; typeFlags is LOGIN7's byte of that name.
func login7(version, packetSize uint32, typeFlags byte) []byte {
	b := make([]byte, 94)
	binary.LittleEndian.PutUint32(b[4:], version)
	binary.LittleEndian.PutUint32(b[8:], packetSize)
	b[26] = typeFlags
	secret := ucs2(password)
	for i, c := range secret {
		secret[i] = (c<<4 | c>>4) ^ 0xA5
	}
	for _, f := range []struct {
		at    int
		value []byte
	}{{40, ucs2(user)}, {44, secret}} {
		binary.LittleEndian.PutUint16(b[f.at:], uint16(len(b)))
		binary.LittleEndian.PutUint16(b[f.at+2:], uint16(len(f.value)/2))
		b = append(b, f.value...)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	return b
}

// headers is ALL_HEADERS with a transaction descriptor.
func headers(data ...byte) []byte {
	h := binary.LittleEndian.AppendUint32(nil, 22)
	h = binary.LittleEndian.AppendUint32(h, 18)
	h = binary.LittleEndian.AppendUint16(h, 2)
	h = append(h, make([]byte, 8)...)
	h = binary.LittleEndian.AppendUint32(h, 1)
	return append(h, data...)
}

func batch(sql string) []byte { return headers(ucs2(sql)...) }

// byteConn writes one byte at a time.
type byteConn struct{ net.Conn }

func (c *byteConn) Write(b []byte) (int, error) {
	for i := range b {
		if _, err := c.Conn.Write(b[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(b), nil
}
