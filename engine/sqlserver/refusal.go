package sqlserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cdcseed/engine/verdict"
)

// refusal says in the engine's words what stopped a read. op is what was being
// done: "connect to sqlprod07", "read max_lsn".
func (s *Source) refusal(ctx context.Context, op string, err error) error {
	var done *verdict.Error
	if errors.As(err, &done) {
		return err
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return &verdict.Error{Code: verdict.Stopped, What: op + ": stopped", Err: ctx.Err(), Hint: []string{"Run it again."}}
	}
	if s.signInFailed(err) {
		return s.noToken(op, err)
	}
	for _, n := range numbers(err) {
		if e := s.byNumber(n); e != nil {
			e.What, e.Err = op+": "+e.What, err
			return e
		}
	}
	if len(numbers(err)) > 0 && !s.transient(err) {
		return fmt.Errorf("%s: %w", op, err) // an answer that nothing here expects
	}
	return s.unreachable(op, err)
}

func (s *Source) unreachable(op string, err error) error {
	e := &verdict.Error{
		Code:  verdict.SourceUnreachable,
		What:  op + ": no answer from the server",
		Facts: verdict.Facts("server", s.options.Server),
		Hint:  []string{"Check the server's name and port, and whether a firewall lies between."},
		Err:   err,
	}
	if silent := silenceIn(err); silent != nil {
		e.What = op + ": " + silent.Error()
		e.Hint = []string{"Ask the server's administrator what the session of cdcseed waits for, then run it again."}
		return e
	}
	switch {
	// The driver keeps only the text of what went wrong in a TLS handshake.
	case strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), "x509"):
		e.What = op + ": the server's certificate is not trusted"
		e.Why = "Whoever answers there could be another server."
		e.Hint = []string{
			"Connect by the name that the certificate carries.",
			"Or pin the server's certificate: --encrypt pin:server.pem with its PEM file.",
			"Or trust any server that answers there, which is unsafe: --encrypt trust.",
		}
	case strings.Contains(err.Error(), "does not support encryption"):
		e.What = op + ": the server does not encrypt"
		e.Hint = []string{"Let its administrator turn encryption on."}
	case !s.opened && strings.Contains(s.options.Server, `\`):
		e.Hint = append(e.Hint, "A named instance is looked up by SQL Server Browser on UDP port 1434; host,port needs no look-up.")
	}
	return e
}

// byNumber is the refusal for a number that the server's error carries, or nil.
func (s *Source) byNumber(n int32) *verdict.Error {
	switch n {
	case 18456, 18452, 18486, 18487, 18488:
		return s.loginRefused()
	case 4060, 916, 911, 942, 4064:
		return &verdict.Error{
			Code:  verdict.LoginFailed,
			What:  fmt.Sprintf("the login cannot open database %q", s.options.Database),
			Facts: verdict.Facts("server", s.options.Server, "user", s.options.User),
			Hint:  []string{"Check the database's name, that it is on line, and that the login is a user in it."},
		}
	case 22901:
		return cdcOff(s.options.Database)
	case 208:
		return cdcGone(s.options.Database)
	case 229, 230, 297, 300, 22902, 22904, 22981:
		return &verdict.Error{
			Code:  verdict.SourceDenied,
			What:  "the login may not read this",
			Facts: verdict.Facts("user", s.options.User, "error", n),
			Hint: []string{
				"Grant the login SELECT on the table's captured columns, and membership in the capture instance's gating role if it has one.",
				"cdcseed doctor tells right by right what the login may read.",
			},
		}
	case 9820:
		return &verdict.Error{
			Code: verdict.ZoneUnknown,
			What: "the server does not know the time zone",
			Hint: []string{"SELECT name FROM sys.time_zone_info lists the names that it knows; give one with --time-zone."},
		}
	}
	return nil
}

// cdcGone is for a read that met no table of CDC. Whether CDC is on is asked
// before any of them is read, so it went away between two reads.
func cdcGone(database string) *verdict.Error {
	return &verdict.Error{
		Code: verdict.CDCOff,
		What: fmt.Sprintf("a table of change data capture is gone from database %q", database),
		Why:  "CDC was turned off there, or a capture instance was dropped, since the read before this one.",
		Hint: []string{"Run it again: it tells which of the two.", "cdcseed tables lists the capture instances that are there.", "If CDC is off, its owner turns it on: EXEC sys.sp_cdc_enable_db, then sys.sp_cdc_enable_table."},
	}
}

func cdcOff(database string) *verdict.Error {
	return &verdict.Error{
		Code: verdict.CDCOff,
		What: fmt.Sprintf("change data capture is not on in database %q", database),
		Why:  "Without it there are no changes for the stream to replay on top of a copy.",
		Hint: []string{"Connect to the database that the stream reads.", "Or let its owner turn CDC on: EXEC sys.sp_cdc_enable_db, then sys.sp_cdc_enable_table."},
	}
}
