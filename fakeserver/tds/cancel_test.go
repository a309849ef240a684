package tds_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"cdcseed/fakeserver/tds"
)

// TestCancel cancels in the middle of a long result and before any, and uses
// the same connection again each time.
func TestCancel(t *testing.T) {
	for _, options := range []string{plain, "encrypt=true&TrustServerCertificate=true"} {
		t.Run(options, func(t *testing.T) {
			r := start(t, tds.Config{})
			db := r.open(t, options)
			db.SetMaxOpenConns(1)
			if err := db.PingContext(within(t)); err != nil { // a cancel while it logs in would cost the connection
				t.Fatal(err)
			}
			for i := range 10 {
				ctx, cancel := context.WithCancel(within(t))
				began := time.Now()
				if i%2 == 0 { // before the request, with it, or a while after: all is well in any order
					time.AfterFunc(time.Duration(i)*time.Millisecond, cancel)
					_, err := db.ExecContext(ctx, "wait for ever")
					if !errors.Is(err, context.Canceled) {
						t.Fatalf("cancel %d: %v", i, err)
					}
				} else {
					cancelMidway(ctx, t, cancel, db)
				}
				cancel()
				if took := time.Since(began); took > hang {
					t.Fatalf("cancel %d took %v", i, took)
				}
				var n int
				if err := db.QueryRowContext(within(t), "echo @p1", i).Scan(&n); err != nil || n != i {
					t.Fatalf("after cancel %d: %d, %v", i, n, err)
				}
			}
			if r.logins() != 1 {
				t.Errorf("%d logins: a cancelled connection was not kept", r.logins())
			}
		})
	}
}

// TestAbandonedRows closes results before their end, so that the attention
// arrives before, while and after the response is finished.
func TestAbandonedRows(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	db.SetMaxOpenConns(1)
	for i := range 200 {
		sizes := []string{"rows 2", "rows 300", "rows 20000", "slow 1000"}
		if err := firstRow(within(t), db, sizes[i%len(sizes)]); err != nil {
			t.Fatalf("result %d: %v", i, err)
		}
	}
	if err := db.PingContext(within(t)); err != nil {
		t.Error(err)
	}
	if r.logins() != 1 {
		t.Errorf("%d logins: the connection was not kept", r.logins())
	}
}

// TestAttentionOnTheWire looks at the messages that answer an attention.
func TestAttentionOnTheWire(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)

	// Running: the broken-off response and the acknowledgement are two messages.
	c.send(pktBatch, eom, batch("wait for ever"))
	c.send(pktAttention, eom, nil)
	if k := c.tokens(); len(k) != 1 || k[0].id != tokDone || k[0].status() != 0x02 {
		t.Errorf("response: %x", k)
	}
	if k := c.tokens(); len(k) != 1 || k[0].id != tokDone || k[0].status() != 0x20 {
		t.Errorf("acknowledgement: %x", k)
	}

	// Idle, twice: one acknowledgement each.
	for range 2 {
		c.send(pktAttention, eom, nil)
		if k := c.tokens(); len(k) != 1 || k[0].status() != 0x20 {
			t.Errorf("idle: %x", k)
		}
	}

	// A procedure call is broken off with DONEPROC.
	c.send(pktRPC, eom, headers(call(procExecuteSQL, text("wait for ever"))...))
	c.send(pktAttention, eom, nil)
	if k := c.tokens(); len(k) != 1 || k[0].id != tokDoneProc || k[0].status() != 0x02 {
		t.Errorf("call: %x", k)
	}
	c.tokens()

	c.send(pktBatch, eom, batch("go on"))
	if k := c.tokens(); len(k) != 1 || k[0].status() != 0x10 {
		t.Errorf("afterwards: %x", k)
	}
}

// TestAttentionRace sends the attention with the request, in one write, many
// times: it must cancel the request and not wait for its end.
func TestAttentionRace(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	data := batch("wait for ever")
	both := append([]byte{pktBatch, eom, 0, byte(8 + len(data)), 0, 0, 1, 0}, data...)
	both = append(both, pktAttention, eom, 0, 8, 0, 0, 1, 0)
	for i := range 500 {
		if err := c.write(both); err != nil {
			t.Fatal(err)
		}
		c.tokens()
		if k := c.tokens(); k[0].status() != 0x20 {
			t.Fatalf("round %d: %x", i, k)
		}
	}
}

// TestWithdrawnMessage: the client takes a message back with its last packet.
func TestWithdrawnMessage(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	c := loginRaw(t, r.addr, 0x74000004)
	c.packet(pktBatch, 0, 1, batch("error 596 21"))
	c.packet(pktBatch, eom|ignore, 2, nil)
	if k := c.tokens(); len(k) != 1 || k[0].id != tokDone || k[0].status() != 0 {
		t.Errorf("%x", k)
	}
	c.send(pktBatch, eom, batch("go on"))
	if k := c.tokens(); len(k) != 1 || k[0].status() != 0x10 {
		t.Errorf("afterwards: %x", k)
	}
	if q := r.last(t); q.SQL != "go on" {
		t.Errorf("%+v", q)
	}
}

// TestCloseWhileBusy: Close ends requests that wait and replies that nobody reads.
func TestCloseWhileBusy(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	for _, sql := range []string{"wait for ever", "rows 100000000"} {
		c := loginRaw(t, r.addr, 0x74000004)
		c.send(pktBatch, eom, batch(sql))
	}
	half := dialRaw(t, r.addr)
	half.write([]byte{pktPrelogin, 1})
	r.waitFor(t, 2)
	done := make(chan struct{})
	go func() {
		r.Close()
		r.Close()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(hang):
		t.Fatal("Close hangs")
	}
}

// firstRow takes one row of a result and abandons the rest.
func firstRow(ctx context.Context, db *sql.DB, query string) (err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if !rows.Next() {
		return fmt.Errorf("no row: %w", rows.Err())
	}
	return rows.Err()
}

// cancelMidway cancels after the third row.
func cancelMidway(ctx context.Context, t *testing.T, cancel context.CancelFunc, db *sql.DB) {
	t.Helper()
	rows, err := db.QueryContext(ctx, "slow 100000")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		if n++; n == 3 {
			cancel()
		}
	}
	if err := rows.Err(); !errors.Is(err, context.Canceled) || n < 3 || n > 10_000 {
		t.Fatalf("%d rows, %v", n, err)
	}
}
