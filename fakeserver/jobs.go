package fakeserver

import (
	"encoding/binary"
	"time"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// job is a CDC job of a database.
type job struct {
	kind                 string
	id                   tds.GUID
	maxTrans, maxScans   int64
	continuous           bool
	polling              int64
	retention, threshold int64
}

// jobs lists the capture job and, where there is one, the cleanup job.
func (d *database) jobs() []job {
	if !d.cdc {
		return nil
	}
	polling := int64(5)
	if d.polling > 0 {
		polling = int64(d.polling / time.Second)
	}
	out := []job{{kind: "capture", id: jobID(d.id, 1), maxTrans: 500, maxScans: 10, continuous: true, polling: polling}}
	if d.cleanup != nil {
		out = append(out, job{kind: "cleanup", id: jobID(d.id, 2), retention: d.cleanup.RetentionMinutes, threshold: d.cleanup.Threshold})
	}
	return out
}

func jobID(database int64, n byte) tds.GUID {
	g := tds.GUID{0x5c, 0xdc, 15: n}
	binary.BigEndian.PutUint32(g[8:], uint32(database))
	return g
}

// helpJobs is for owners only, as the procedure is.
func helpJobs(s *session, _ arguments) ([][]any, error) {
	if !s.owner(s.db) {
		return nil, tsql.Errorf(22902, 16, "Caller is not authorized to initiate the requested action. %s privileges are required.", "DBO")
	}
	var rows [][]any
	for _, j := range s.db.jobs() {
		rows = append(rows, []any{j.id, j.kind, jobName(s.db, j), j.maxTrans, j.maxScans, j.continuous, j.polling, j.retention, j.threshold})
	}
	return rows, nil
}
