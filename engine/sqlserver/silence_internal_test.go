package sqlserver

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// A server that sends slowly is heard for longer than the limit; one that
// stops is not, nor one that takes nothing.
func TestHeardConn(t *testing.T) {
	const limit = 3 * time.Second
	near, far := net.Pipe()
	c := &heardConn{Conn: near, limit: limit}
	go func() {
		for range 35 {
			time.Sleep(limit / 30)
			if _, err := far.Write([]byte{1}); err != nil {
				return
			}
		}
	}()
	begun := time.Now()
	if n, err := io.ReadFull(c, make([]byte, 35)); err != nil || time.Since(begun) < limit {
		t.Fatalf("%d bytes in %v: %v", n, time.Since(begun), err)
	}
	for name, move := range map[string]func(*heardConn, []byte) (int, error){"read": (*heardConn).Read, "write": (*heardConn).Write} {
		near, _ := net.Pipe()
		_, err := move(&heardConn{Conn: near, limit: time.Millisecond}, make([]byte, 1))
		var timeout net.Error
		if silenceIn(err) == nil || !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
