package fakeserver

import (
	"encoding/binary"
	"fmt"
	"time"

	"cdcseed/fakeserver/tsql"
)

// scanView is a view of what the capture job has done, by its lower-case name.
// Both need VIEW DATABASE STATE.
func scanView(name string) *view {
	v := &view{denied: func(s *session, d *database) error {
		if s.mayCountPages(d) {
			return nil
		}
		return errNoState()
	}}
	switch name {
	case "dm_cdc_log_scan_sessions":
		v.columns = "session_id int!, start_time datetime, end_time datetime, duration int, scan_phase nvarchar(200)!, error_count int, " +
			"start_lsn nvarchar(23)!, current_lsn nvarchar(23)!, end_lsn nvarchar(23)!, tran_count int, last_commit_lsn nvarchar(23)!, last_commit_time datetime, " +
			"log_record_count int, schema_change_count int, command_count bigint, first_begin_cdc_lsn nvarchar(23)!, last_commit_cdc_lsn nvarchar(23)!, " +
			"last_commit_cdc_time datetime, latency int, empty_scan_count int, failed_sessions_count int"
		v.rows = scanSessions
	case "dm_cdc_errors":
		v.columns = "session_id int, phase_number int, entry_time datetime, error_number int, error_severity int, error_state int, " +
			"error_message nvarchar(1024), start_lsn nvarchar(23), begin_lsn nvarchar(23), sequence_value nvarchar(23)"
		v.rows = scanErrors
	default:
		return nil
	}
	return v
}

func errNoState() error {
	return tsql.Errorf(297, 16, "The user does not have permission to perform this action.")
}

// scanSessions are the sum of all sessions, with the id 0, and the one session
// that a database has here: it began with the newest entry of the mapping, and a
// running job goes on in it while nothing is to be captured. A job that has
// captured nothing yet and does not run has none.
func scanSessions(s *session, d *database) [][]any {
	now := toDateTime(s.local())
	if !d.cdc || d.captureStopped && len(d.mapping) == 0 {
		return nil
	}
	last := entry{begin: now, end: now}
	if n := len(d.mapping); n > 0 {
		last = d.mapping[n-1]
	}
	end, idle := last.end, int64(0)
	if !d.captureStopped {
		if now.After(end) { // else the clock was set back
			end = now
		}
		idle = int64(end.Sub(last.end) / (5 * time.Second))
	}
	errors := int64(len(d.scanErrors))
	row := func(id, transactions, commands int64) []any {
		at := scanLSN(last.lsn)
		return []any{
			id, last.end, end, int64(end.Sub(last.end) / time.Second), "Done", errors, at, at, at, transactions, at, last.end,
			commands, int64(len(d.ddl)), commands, at, at, last.end, int64(0), idle, min(errors, 1),
		}
	}
	var all, newest int64
	for _, in := range d.instances {
		all += int64(len(in.changes))
		for _, c := range in.changes {
			if c.lsn == last.lsn {
				newest++
			}
		}
	}
	return [][]any{row(0, int64(len(d.mapping)), all), row(1, int64(min(1, len(d.mapping))), newest)}
}

// scanLSN is an LSN as these views write it: three hexadecimal numbers.
func scanLSN(l LSN) string {
	return fmt.Sprintf("%08x:%08x:%04x", binary.BigEndian.Uint32(l[:4]), binary.BigEndian.Uint32(l[4:8]), binary.BigEndian.Uint16(l[8:]))
}

// scanError is a row of sys.dm_cdc_errors.
type scanError struct {
	CaptureError
	at time.Time
}

func scanErrors(_ *session, d *database) [][]any {
	zero := scanLSN(LSN{})
	var out [][]any
	for _, e := range d.scanErrors {
		out = append(out, []any{int64(1), int64(e.Phase), e.at, int64(e.Number), int64(16), int64(1), e.Message, zero, zero, zero})
	}
	return out
}

func (d *database) addScanErrors(list []CaptureError, path string) error {
	for i, w := range list {
		p := fmt.Sprintf("%s[%d]", path, i)
		t, err := localTime(w.LocalTime)
		switch {
		case err != nil:
			return at(p+".local_time", "%v", err)
		case w.Number <= 0 || w.Message == "":
			return at(p, "a number and a message are needed")
		case w.Phase < 0 || w.Phase > 8:
			return at(p+".phase", "%d is not 0 to 8", w.Phase)
		}
		d.scanErrors = append(d.scanErrors, scanError{w, t})
	}
	return nil
}

// serverMessages are the texts in which sys.messages has them, with places for
// values, of errors that stop a capture job.
func serverMessages(*session, *database) [][]any {
	english := func(number, severity int64, logged bool, text string) []any {
		return []any{number, int64(1033), severity, logged, text}
	}
	return [][]any{
		english(1205, 13, false, "Transaction (Process ID %d) was deadlocked on %.*ls resources with another process and has been chosen as the deadlock victim. Rerun the transaction."),
		english(2627, 14, false, "Violation of %ls constraint '%.*ls'. Cannot insert duplicate key in object '%.*ls'. The duplicate key value is %ls."),
		english(9002, 17, true, "The transaction log for database '%.*ls' is full due to '%ls'."),
		english(22863, 16, false, "Failed to insert rows into Change Data Capture change tables. Refer to previous errors in the current session to identify the cause and correct any associated problems."),
	}
}
