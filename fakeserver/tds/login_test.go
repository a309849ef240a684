package tds_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver/tds"
)

func TestLoginRefused(t *testing.T) {
	r := start(t, tds.Config{})
	for _, options := range []string{plain, "", "encrypt=true&TrustServerCertificate=true"} {
		db := openDSN(t, strings.Replace(r.dsn(options), "Passw0rd", "wrong", 1))
		err := db.PingContext(within(t))
		var m mssql.Error
		if !errors.As(err, &m) || m.Number != 18456 || m.Class != 14 || m.State != 1 {
			t.Errorf("%q: %T %v", options, err, err)
		}
	}
	if r.logins() != 0 {
		t.Error("a session was opened")
	}
}

func TestLoginFields(t *testing.T) {
	var got tds.Login
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	r.seen = func(l *tds.Login) { got = *l }
	db := r.open(t, plain+"&database=S%C3%A4les&app+name=appl&workstation+id=host%C3%A9&ApplicationIntent=ReadOnly&packet+size=8192")
	if err := db.PingContext(within(t)); err != nil {
		t.Fatal(err)
	}
	want := []any{"Säles", "appl", "hosté", "sa", password, true, uint32(8192), uint32(0x74000004), false}
	have := []any{got.Database, got.AppName, got.HostName, got.UserName, got.Password, got.ReadOnlyIntent(), got.PacketSize, got.TDSVersion, got.Integrated()}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", have, want)
	}
}

// TestPacketSize checks on the socket that no packet is larger than granted,
// and that the size granted is used.
func TestPacketSize(t *testing.T) {
	for _, c := range []struct {
		options string
		largest int
	}{
		{plain + "&packet+size=512", 512},
		{plain, 4096},
		{plain + "&packet+size=32767", 32767},
	} {
		t.Run(c.options, func(t *testing.T) {
			sizes := &packetSizes{}
			r := start(t, tds.Config{Encryption: tds.EncryptNotSup, Accept: sizes.watch})
			long := strings.Repeat("0123456789", 10_000)
			var got string
			err := r.open(t, c.options).QueryRowContext(within(t), "echo @p1", long).Scan(&got)
			if err != nil || got != long {
				t.Errorf("%v, %d characters", err, len(got))
			}
			r.Close()
			if sizes.largest != c.largest {
				t.Errorf("the largest packet has %d bytes, want %d", sizes.largest, c.largest)
			}
		})
	}
}

// TestPacketSizeEncrypted: a packet and TLS's record limit.
func TestPacketSizeEncrypted(t *testing.T) {
	r := start(t, tds.Config{})
	long := strings.Repeat("0123456789", 10_000)
	var got string
	db := r.open(t, "encrypt=true&TrustServerCertificate=true&packet+size=16383")
	if err := db.QueryRowContext(within(t), "echo @p1", long).Scan(&got); err != nil || got != long {
		t.Errorf("%v, %d characters", err, len(got))
	}
}

// packetSizes watches the packets a server writes.
type packetSizes struct{ largest int }

func (p *packetSizes) watch(nc net.Conn) net.Conn { return &watchedConn{nc, p} }

type watchedConn struct {
	net.Conn
	sizes *packetSizes
}

func (c *watchedConn) Write(b []byte) (int, error) {
	c.sizes.largest = max(c.sizes.largest, len(b))
	return c.Conn.Write(b)
}

func TestLoginTimeout(t *testing.T) {
	r := start(t, tds.Config{LoginTimeout: 30 * time.Millisecond})
	for _, hello := range [][]byte{nil, {18}, {18, 1, 0, 100}, {0x16, 3, 1}} {
		c := dialRaw(t, r.addr)
		c.write(hello)
		// Where the server was faster than the greeting, the end is a reset.
		var ne net.Error
		if n, err := io.Copy(io.Discard, c.nc); errors.As(err, &ne) && ne.Timeout() || n != 0 {
			t.Errorf("% x: %d bytes, %v", hello, n, err)
		}
	}
}

// TestOldTDS: a client of TDS 7.1 gets an error in the form it can read.
func TestOldTDS(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := dialRaw(t, r.addr)
	c.send(pktLogin7, eom, login7(0x71000001, 4096, 0))
	b := c.message()
	// ERROR with a two-byte line number, then DONE with a four-byte count.
	n := int(b[1]) | int(b[2])<<8
	if b[0] != tokError || len(b) != 3+n+9 || b[3+n] != tokDone {
		t.Errorf("% x", b)
	}
	if number := int(b[3]) | int(b[4])<<8; number != 40000 {
		t.Errorf("error %d", number)
	}
	if _, err := c.nc.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection stays open: %v", err)
	}
	if r.logins() != 0 {
		t.Error("a session was opened")
	}
}

// TestPreloginLimit: strangers cannot make the server hold much.
func TestPreloginLimit(t *testing.T) {
	for _, typ := range []byte{pktPrelogin, pktLogin7} {
		taken := &takenBytes{}
		r := start(t, tds.Config{Encryption: tds.EncryptNotSup, Accept: taken.watch})
		c := dialRaw(t, r.addr)
		if typ == pktLogin7 {
			c.prelogin()
		}
		for sent := 0; sent < 1<<20; sent += 32_000 {
			if c.packet(typ, 0, 1, make([]byte, 32_000)) != nil {
				break
			}
		}
		var ne net.Error
		if _, err := io.Copy(io.Discard, c.nc); errors.As(err, &ne) && ne.Timeout() {
			t.Errorf("type %d: the server does not hang up", typ)
		}
		r.Close()
		if n := taken.n.Load(); n >= 1<<19 {
			t.Errorf("type %d: %d bytes were taken from a stranger", typ, n)
		}
	}
}

// takenBytes counts what a server reads.
type takenBytes struct{ n atomic.Int64 }

func (b *takenBytes) watch(nc net.Conn) net.Conn { return &readConn{nc, b} }

type readConn struct {
	net.Conn
	taken *takenBytes
}

func (c *readConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.taken.n.Add(int64(n))
	return n, err
}
