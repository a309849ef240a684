package fakeserver_test

import (
	"context"
	"testing"
)

// BenchmarkRoundTrip is a statement that is parsed, compiled, run and answered,
// over loopback through the driver.
func BenchmarkRoundTrip(b *testing.B) {
	c, err := as(b, catalogue(b), "dba").Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		var n int
		if err := c.QueryRowContext(context.Background(), "SELECT 1;").Scan(&n); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "trips/s")
}

// BenchmarkTableRows is the rows of a table and two of its columns.
func BenchmarkTableRows(b *testing.B) {
	s := named(b, "orders-clock-change")
	db := connect(b, s.URL())
	sent := 0
	for b.Loop() {
		r, err := db.QueryContext(context.Background(), "SELECT o.OrderId, o.StatusCode FROM dbo.Orders AS o CROSS JOIN (VALUES (1), (2), (3), (4), (5)) AS v (n)")
		if err != nil {
			b.Fatal(err)
		}
		for r.Next() {
			sent++
		}
		if err := r.Err(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(sent)/b.Elapsed().Seconds(), "rows/s")
}
