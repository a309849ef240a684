package tds_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"cdcseed/fakeserver/tds"
)

// TestGarbage sends random and damaged bytes on many connections while a good
// client works on another.
func TestGarbage(t *testing.T) {
	for _, seed := range seeds(t, 1, 2, 3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := start(t, tds.Config{MaxMessage: 1 << 20})
			rnd := rand.New(rand.NewPCG(seed, 0))
			ctx, stop := context.WithCancel(context.Background())
			good := make(chan int)
			db := r.open(t, plain)
			db.SetMaxOpenConns(1)
			go func() {
				n := 0
				for ; n == 0 || ctx.Err() == nil; n++ {
					var got string
					want := strings.Repeat("x", n%9000)
					if err := db.QueryRow("echo @p1", want).Scan(&got); err != nil || got != want {
						t.Errorf("query %d of the good client: %v", n, err)
						break
					}
				}
				good <- n
			}()
			for i := range 200 {
				junkConnection(t, r.addr, rnd, i)
			}
			stop()
			t.Logf("%d good queries meanwhile", <-good)
		})
	}
}

// seeds are the fixed ones; CDCSEED_TEST_SEED explores from another.
func seeds(t *testing.T, fixed ...uint64) []uint64 {
	t.Helper()
	text := os.Getenv("CDCSEED_TEST_SEED")
	if text == "" {
		return fixed
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("CDCSEED_TEST_SEED: %v", err)
	}
	return []uint64{seed}
}

// junkConnection makes one connection misbehave, and expects the server to
// hang up once the client has stopped sending.
func junkConnection(t *testing.T, addr string, rnd *rand.Rand, i int) {
	t.Helper()
	c := dialRaw(t, addr)
	defer c.nc.Close()
	junk := make([]byte, rnd.IntN(300)+1)
	for k := range junk {
		junk[k] = byte(rnd.Uint32())
	}
	types := []byte{pktBatch, pktRPC, pktTransMgr, pktLogin7, pktPrelogin, pktAttention}
	typ := types[rnd.IntN(len(types))]
	switch i % 6 {
	case 0:
		c.write(junk)
	case 1:
		c.packet(typ, byte(rnd.Uint32()), 1, junk)
	case 2: // TLS, or what looks like it
		c.write(append([]byte{0x16, 3, 1}, junk...))
	case 3:
		c.prelogin()
		c.packet(pktLogin7, eom, 1, damaged(rnd, login7(0x74000004, 4096, 0)))
	default:
		c = loginRaw(t, addr, 0x74000004)
		defer c.nc.Close()
		for range 5 {
			data := junk
			if i%6 == 5 {
				typ, data = pktRPC, damaged(rnd, headers(call(procExecuteSQL, text("echo"), text(""), number(1, false), text("abc"))...))
			}
			if c.packet(typ, eom, 1, data) != nil {
				break
			}
		}
	}
	c.nc.(*net.TCPConn).CloseWrite()
	_, err := io.Copy(io.Discard, c.nc)
	var ne net.Error
	if errors.As(err, &ne) && ne.Timeout() {
		t.Errorf("connection %d: the server does not hang up", i)
	}
}

// damaged changes a few bytes of a good message.
func damaged(rnd *rand.Rand, b []byte) []byte {
	for range 1 + rnd.IntN(4) {
		b[rnd.IntN(len(b))] = byte(rnd.Uint32())
	}
	return b
}

func TestMessageLimit(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup, MaxMessage: 100_000})
	db := r.open(t, plain)
	other := r.open(t, plain)
	if err := other.PingContext(within(t)); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{40_000, 60_000} { // characters, of two bytes each
		var got string
		err := db.QueryRowContext(within(t), "echo @p1", strings.Repeat("z", n)).Scan(&got)
		if fits := 2*n < 100_000; (err == nil) != fits {
			t.Errorf("%d characters: %v", n, err)
		}
	}
	if err := other.PingContext(within(t)); err != nil {
		t.Errorf("another connection suffered: %v", err)
	}
	if err := retryPing(t, db); err != nil {
		t.Error(err)
	}
}

// TestCutAnywhere breaks the connection after every number of writes of the
// server that a short conversation needs: the client always hears of it.
func TestCutAnywhere(t *testing.T) {
	var allowed atomic.Int64
	r := start(t, tds.Config{Accept: func(nc net.Conn) net.Conn {
		return &cutConn{Conn: nc, left: allowed.Load()}
	}})
	for n := int64(0); ; n++ {
		if n > 100 {
			t.Fatal("never long enough")
		}
		allowed.Store(n)
		db := r.open(t, plain+"&packet+size=512")
		got, err := countRows(within(t), db, "rows 100")
		db.Close()
		if errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("cut after %d writes: the client never heard of it", n)
		}
		if err == nil && got != 100 {
			t.Errorf("cut after %d writes: %d rows and no error", n, got)
		}
		if err == nil {
			if n < 5 {
				t.Errorf("%d writes were enough", n)
			}
			return
		}
	}
}

// cutConn closes after a number of writes.
type cutConn struct {
	net.Conn
	left int64
}

func (c *cutConn) Write(b []byte) (int, error) {
	if c.left--; c.left < 0 {
		c.Close()
		return 0, net.ErrClosed
	}
	return c.Conn.Write(b)
}

// TestAcceptRefuses: a hook that takes the connection away.
func TestAcceptRefuses(t *testing.T) {
	var refuse atomic.Bool
	refuse.Store(true)
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup, Accept: func(nc net.Conn) net.Conn {
		if refuse.Load() {
			nc.Close()
			return nil
		}
		return nc
	}})
	db := r.open(t, plain)
	if err := db.PingContext(within(t)); err == nil {
		t.Error("let in")
	}
	refuse.Store(false)
	if err := db.PingContext(within(t)); err != nil {
		t.Error(err)
	}
}
