package tds_test

import (
	"context"
	"testing"

	"cdcseed/fakeserver/tds"
)

// BenchmarkRoundTrip is a batch without rows, there and back over loopback
// through the driver.
func BenchmarkRoundTrip(b *testing.B) {
	r := start(b, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(b, plain)
	db.SetMaxOpenConns(1)
	c, err := db.Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		if _, err := c.ExecContext(context.Background(), "go on"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "trips/s")
}

// BenchmarkRows is rows of a number and a short text through the driver.
func BenchmarkRows(b *testing.B) {
	const each = 100_000
	r := start(b, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(b, plain)
	for b.Loop() {
		n, err := countRows(context.Background(), db, "rows 100000")
		if err != nil || n != each {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(b.N)*each/b.Elapsed().Seconds(), "rows/s")
}
