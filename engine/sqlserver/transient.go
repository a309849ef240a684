package sqlserver

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
)

// retry runs a read again after an error that passes, a few times, each after
// twice the wait. A read may always be repeated; nothing here writes.
func (s *Source) retry(ctx context.Context, run func() error) error {
	delay := s.options.RetryDelay
	for left := s.options.Retries; ; left-- {
		err := run()
		if err == nil || left <= 0 || ctx.Err() != nil || !s.transient(err) {
			return err
		}
		t := time.NewTimer(delay)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return err
		}
		delay *= 2
	}
}

// transient reports whether err may be gone on a new try. A connection that
// the server closed while it was idle fails the next statement, and the driver
// does not try again by itself.
func (s *Source) transient(err error) bool { return !s.signInFailed(err) && s.passes(err) }

func (s *Source) passes(err error) bool {
	var broken mssql.StreamError
	var fatal mssql.ServerError
	var network net.Error
	if silenceIn(err) != nil {
		return false // it has been waited for long enough
	}
	for _, n := range numbers(err) {
		switch n {
		case 1205, 1222, 3960, 4221, 10928, 10929, 40197, 40501, 40613, 49918, 49919, 49920:
			return true
		case 4060: // in Azure a database that wakes up; elsewhere a misspelt name
			return s.azure
		}
	}
	if len(numbers(err)) > 0 && !errors.As(err, &fatal) {
		return false
	}
	var dial *net.OpError
	if !s.opened && errors.As(err, &dial) && dial.Op == "dial" {
		return false // a server that was never reached: more likely a misspelt name
	}
	return errors.As(err, &broken) || errors.As(err, &fatal) || errors.As(err, &network) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn)
}

// numbers lists the server's error numbers in err, the first one first.
func numbers(err error) []int32 {
	var e mssql.Error
	if !errors.As(err, &e) {
		return nil
	}
	if len(e.All) == 0 {
		return []int32{e.Number}
	}
	var out []int32
	for _, x := range e.All {
		out = append(out, x.Number)
	}
	return out
}
