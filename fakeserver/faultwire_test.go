package fakeserver_test

import (
	"context"
	"errors"
	"testing"
	"time"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver"
)

// A drop at every packet boundary of an answer, until the answer has no more:
// the client has the rows that came, hears of the drop, and the next statement
// is answered in full.
func TestDropAtEveryPacket(t *testing.T) {
	s := named(t, "orders-clock-change")
	const query = "SELECT TOP (300) OrderId, 'some more text in the packets' FROM dbo.Orders"
	var before int
	for packets := 0; ; packets++ {
		if packets > 100 {
			t.Fatal("never enough")
		}
		db := connect(t, s.URL()+"&packet+size=512")
		fault(t, s, fakeserver.Fault{Match: "dbo.Orders", Times: 1, Drop: true, AfterPackets: packets})
		got, err := rows(db, query)
		if err == nil {
			if len(got) != 300 || packets < 20 {
				t.Errorf("%d packets: %d rows", packets, len(got))
			}
			wantRows(t, db, query, 300)
			return
		}
		var e mssql.Error
		if errors.As(err, &e) || len(got) < before || len(got) >= 300 {
			t.Errorf("%d packets: %d rows, then %v", packets, len(got), err)
		}
		before = len(got)
		wantRows(t, db, query, 300)
		db.Close()
	}
}

// Errors in place of an answer, in it and behind it, through the driver: what
// the client gets before it, and that only class 20 and above costs it the connection.
func TestErrorAnywhere(t *testing.T) {
	s := named(t, "orders-clock-change")
	ctx := context.Background()
	for _, number := range []int32{596, 1205, 1222, 3960, 40613, 4060, 942} {
		class := uint8(0)
		if number == 4060 || number == 942 {
			class = 14
		}
		for _, c := range []struct {
			fault fakeserver.Fault
			rows  int
		}{{fakeserver.Fault{}, 0}, {fakeserver.Fault{AfterRows: 1}, 1}, {fakeserver.Fault{AfterRows: 20}, 20}, {fakeserver.Fault{After: true}, 20}} {
			conn := single(t, connect(t, s.URL()))
			want(t, conn, "SELECT 1", "1")
			c.fault.Times, c.fault.Error = 1, &fakeserver.FaultError{Number: number, Class: class, Message: "As asked."}
			fault(t, s, c.fault)
			wantRowsThenError(t, conn, "SELECT TOP (20) OrderId FROM dbo.Orders", c.rows, number)
			_, err := conn.ExecContext(ctx, "SELECT 2;")
			if alive := err == nil; alive != (number != 596) {
				t.Errorf("%d with %+v: afterwards %v", number, c.fault, err)
			}
		}
	}
}

// Logins are refused so many times and then let in, with each number.
func TestLoginStorm(t *testing.T) {
	for _, number := range []int32{18456, 4060, 40613} {
		w := load(t, "catalogue.json")
		for i := range w.Logins {
			if w.Logins[i].Name == "dba" {
				w.Logins[i].LoginError, w.Logins[i].LoginErrorTimes = number, 20
			}
		}
		db := as(t, serve(t, w, fakeserver.Options{}), "dba")
		for n := range 20 {
			var e mssql.Error
			if err := db.PingContext(context.Background()); !errors.As(err, &e) || e.All[0].Number != number {
				t.Errorf("login %d: %v, want %d", n, err, number)
			}
		}
		want(t, db, "SELECT 1", "1")
	}
}

// A delay is waited for, by the real client, and a drop while it waits is heard of.
func TestDelayThenDrop(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{Times: 1, Delay: "20ms", Drop: true})
	begin := time.Now()
	if got, err := rows(db, "SELECT 1"); err == nil || time.Since(begin) < 20*time.Millisecond {
		t.Errorf("%q after %v", got, time.Since(begin))
	}
	fault(t, s, fakeserver.Fault{Match: "long", Times: 1, Delay: "1h"})
	heard := make(chan error, 1)
	go func() {
		_, err := rows(db, "SELECT 2 -- long")
		heard <- err
	}()
	for deadline := time.Now().Add(time.Minute); len(s.Statements()) < 2 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	s.DropConnections()
	if err := <-heard; err == nil {
		t.Error("an answer from a dropped connection")
	}
	want(t, db, "SELECT 3", "3")
}
