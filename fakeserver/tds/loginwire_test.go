package tds_test

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"cdcseed/fakeserver/tds"
)

// welcomed logs in and returns the reply's tokens.
func (c *raw) welcomed(version, packetSize uint32) []tok {
	c.t.Helper()
	c.send(pktLogin7, eom, login7(version, packetSize, 0))
	return c.tokens()
}

// env finds the new value of a textual ENVCHANGE.
func env(k []tok, typ byte) string {
	for _, e := range find(k, tokEnvChange) {
		if e.body[0] == typ {
			return strings.ReplaceAll(string(e.body[2:2+2*int(e.body[1])]), "\x00", "")
		}
	}
	return ""
}

// TestWelcome: what a login reply says, byte by byte.
func TestWelcome(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup, Version: tds.Version{Major: 15, Minor: 2, Build: 4198}})
	for _, version := range []uint32{0x72090002, 0x730A0003, 0x730B0003, 0x74000004} {
		c := dialRaw(t, r.addr)
		c.prelogin()
		k := c.welcomed(version, 8000)
		ack := find(k, tokLoginAck)
		if len(ack) != 1 {
			t.Fatalf("%x", k)
		}
		name := ucs2("Microsoft SQL Server")
		want := binary.BigEndian.AppendUint32([]byte{1}, version)
		want = append(append(append(want, byte(len(name)/2)), name...), 15, 2, 0x10, 0x66)
		if !bytes.Equal(ack[0].body, want) {
			t.Errorf("%08x: LOGINACK % x, want % x", version, ack[0].body, want)
		}
		if env(k, 1) != "master" || env(k, 2) != "us_english" || env(k, 4) != "8000" {
			t.Errorf("database %q, language %q, packet size %q", env(k, 1), env(k, 2), env(k, 4))
		}
		info := find(k, tokInfo)
		if len(info) != 2 || info[0].number() != 5701 || info[1].number() != 5703 {
			t.Errorf("%x", info)
		}
		if last := k[len(k)-1]; last.id != tokDone || last.status() != 0 {
			t.Errorf("%x", last)
		}
	}
}

// TestPacketSizeGranted: between 512 and the largest that TLS leaves.
func TestPacketSizeGranted(t *testing.T) {
	r := start(t, tds.Config{})
	for _, c := range []struct {
		asked          uint32
		plain, covered string
	}{{0, "4096", "4096"}, {100, "512", "512"}, {8192, "8192", "8192"}, {16384, "16384", "16383"}, {99999, "32767", "16383"}} {
		open := dialRaw(t, r.addr)
		open.preloginAsking(2)
		inside := dialRaw(t, r.addr)
		inside.preloginAsking(1)
		inside, _ = inside.secure()
		strict, _ := strictRaw(t, r.addr)
		strict.preloginAsking(0)
		for name, x := range map[string]struct {
			c       *raw
			version uint32
			want    string
		}{"plain": {open, 0x74000004, c.plain}, "encrypted": {inside, 0x74000004, c.covered}, "strict": {strict, 0x08000000, c.covered}} {
			if got := env(x.c.welcomed(x.version, c.asked), 4); got != x.want {
				t.Errorf("%s: asked %d, granted %q, want %s", name, c.asked, got, x.want)
			}
			x.c.largestPacket(t, x.want)
		}
	}
}

// largestPacket asks for a long answer and checks that the packets granted are used.
func (c *raw) largestPacket(t *testing.T, want string) {
	t.Helper()
	c.send(pktBatch, eom, batch("rows 3000"))
	largest := 0
	for last := false; !last; {
		var h [8]byte
		if _, err := io.ReadFull(c.nc, h[:]); err != nil {
			t.Fatal(err)
		}
		n := int(binary.BigEndian.Uint16(h[2:]))
		if _, err := io.CopyN(io.Discard, c.nc, int64(n-8)); err != nil {
			t.Fatal(err)
		}
		largest, last = max(largest, n), h[1]&eom != 0
	}
	if fmt.Sprint(largest) != want {
		t.Errorf("the largest packet has %d bytes, want %s", largest, want)
	}
}

// TestTLSVersions: 1.2 inside PRELOGIN whatever the client offers, 1.3 before it.
func TestTLSVersions(t *testing.T) {
	r := start(t, tds.Config{})
	for _, encryption := range []byte{0, 1, 3} {
		c := dialRaw(t, r.addr)
		c.preloginAsking(encryption)
		if _, state := c.secure(); state.Version != tls.VersionTLS12 {
			t.Errorf("ENCRYPTION %d: TLS %04x", encryption, state.Version)
		}
	}
	if _, state := strictRaw(t, r.addr); state.Version != tls.VersionTLS13 || state.NegotiatedProtocol != "tds/8.0" {
		t.Errorf("strict: TLS %04x, %q", state.Version, state.NegotiatedProtocol)
	}
}

// TestLoginOnlyEncryption: with ENCRYPT_OFF on both sides LOGIN7 is inside TLS
// and everything after it is not.
func TestLoginOnlyEncryption(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptOff})
	c := dialRaw(t, r.addr)
	if got := c.preloginAsking(0); got != 0 {
		t.Fatalf("ENCRYPTION %d", got)
	}
	inside, _ := c.secure()
	inside.send(pktLogin7, eom, login7(0x74000004, 4096, 0))
	if k := c.tokens(); len(find(k, tokLoginAck)) != 1 {
		t.Errorf("%x", k)
	}
	c.send(pktBatch, eom, batch("go on"))
	if k := c.tokens(); len(k) != 1 || k[0].status() != 0x10 {
		t.Errorf("%x", k)
	}
	r.checkLogin(t, false, false)
}

// TestEncryptionAnswers is the table of MS-TDS 2.2.6.5, for clients that can
// encrypt and some that cannot.
func TestEncryptionAnswers(t *testing.T) {
	for _, c := range []struct{ server, client, answer byte }{
		{tds.EncryptOff, 0, 0},
		{tds.EncryptOff, 1, 1},
		{tds.EncryptOff, 2, 2},
		{tds.EncryptOff, 3, 1},
		{tds.EncryptOn, 0, 3},
		{tds.EncryptOn, 1, 1},
		{tds.EncryptOn, 2, 3},
		{tds.EncryptOn, 3, 1},
		{tds.EncryptReq, 0, 3},
		{tds.EncryptReq, 1, 1},
		{tds.EncryptReq, 2, 3},
		{tds.EncryptReq, 3, 1},
		{tds.EncryptNotSup, 0, 2},
		{tds.EncryptNotSup, 1, 2},
		{tds.EncryptNotSup, 2, 2},
		{tds.EncryptNotSup, 3, 2},
		{tds.EncryptOff, 0x80, 0}, // with a client certificate on offer
	} {
		t.Run(fmt.Sprintf("server %d, client %d", c.server, c.client), func(t *testing.T) {
			r := start(t, tds.Config{Encryption: c.server})
			if got := dialRaw(t, r.addr).preloginAsking(c.client); got != c.answer {
				t.Errorf("answered %d, want %d", got, c.answer)
			}
		})
	}
}

// TestOldVersions: whoever speaks a TDS before 7.2 is told, where it can read
// the message, and let go.
func TestOldVersions(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	for version, told := range map[uint32]bool{0x70000000: true, 0x71000000: true, 0x71000001: true, 0x72080000: true, 0x04020000: false, 0x05000000: false, 0: false} {
		c := dialRaw(t, r.addr)
		c.prelogin()
		c.send(pktLogin7, eom, login7(version, 4096, 0))
		got, err := io.ReadAll(c.nc)
		if err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("%08x: %v", version, err)
		}
		if (len(got) > 8) != told {
			t.Errorf("%08x: % x", version, got)
		}
		if told && (got[8] != tokError || binary.LittleEndian.Uint32(got[11:]) != 40000) {
			t.Errorf("%08x: % x", version, got)
		}
	}
	if r.logins() != 0 {
		t.Error("a session was opened")
	}
}
