package tds_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"cdcseed/fakeserver/tds"
)

// TestJunkBesideACrowd: fifty connections work, each with its own values and
// transactions, while others send junk. Not one of them is disturbed.
func TestJunkBesideACrowd(t *testing.T) {
	const crowd, junk = 50, 60
	r := start(t, tds.Config{MaxMessage: 1 << 20})
	db := r.open(t, "encrypt=disable&packet+size=512")
	db.SetMaxIdleConns(crowd)
	ctx := within(t)
	var all sync.WaitGroup
	stop := make(chan struct{})
	for n := range crowd {
		c, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer c.Close()
			for round := 0; ; round++ {
				if err := work(ctx, c, n, round); err != nil {
					t.Errorf("connection %d, round %d: %v", n, round, err)
					return
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	rnd := rand.New(rand.NewPCG(50, 0))
	for i := range junk {
		junkConnection(t, r.addr, rnd, i)
	}
	close(stop)
	all.Wait()
	if n := r.logins(); n < crowd {
		t.Errorf("%d logins", n)
	}
}

// work is one round of a connection: a value there and back, a transaction,
// an error, and rows of which the rest is abandoned.
func work(ctx context.Context, c *sql.Conn, n, round int) error {
	var got string
	want := strings.Repeat(fmt.Sprint(n, "/", round, " "), 1+round%300)
	if err := c.QueryRowContext(ctx, "echo @p1", want).Scan(&got); err != nil || got != want {
		return fmt.Errorf("echo: %d characters, %w", len(got), err)
	}
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "go on"); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, "error 208 16"); err == nil {
		return fmt.Errorf("no error")
	}
	rows, err := c.QueryContext(ctx, fmt.Sprint("rows ", 10+n))
	if err != nil {
		return err
	}
	for i := int64(0); i < 5 && rows.Next(); i++ {
		var at int64
		var text string
		if err := rows.Scan(&at, &text); err != nil || at != i {
			return fmt.Errorf("row %d of %d: %w", at, i, err)
		}
	}
	return rows.Close()
}
