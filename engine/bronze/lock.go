package bronze

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// Events of the facts table that open a snapshot or complete one.
const (
	EventOpen       = "snapshot_open"
	EventBootstrap  = "bootstrap"
	EventResnapshot = "resnapshot"
)

// Modes of an open snapshot.
const (
	ModeFull    = "full"
	ModeChunked = "chunked"
)

// Event is a row of the facts table that opens or completes a snapshot.
type Event struct {
	AppID  string
	Event  string
	Target string
	LSN    lsn.LSN // its max_lsn
	Detail string  // JSON, or empty where NULL
}

// OpenSnapshot is a snapshot that a stream began and has not completed.
type OpenSnapshot struct {
	AppID      string
	LSN        lsn.LSN
	Mode       string // ModeFull or ModeChunked
	Generation *int   // the stream's generation, where the row tells it
}

// Unfinished looks for an open snapshot that a seed must not be written over, by
// the stream's own rule, and returns the one with the largest LSN, or nil. Only
// rows for target (compared as text) count, and only those of the stream appID in
// any generation; an empty appID asks about every stream of the target. purged
// answers whether CDC no longer keeps the changes right after an LSN: a snapshot
// in one piece that began there can never complete. It is asked only where the
// answer decides.
func Unfinished(rows []Event, target, appID string, purged func(lsn.LSN) (bool, error)) (*OpenSnapshot, error) {
	streams := map[string][]Event{}
	for _, r := range rows {
		if r.Target != target {
			continue
		}
		switch base := stream(r.AppID); {
		case appID == "":
			streams[base] = append(streams[base], r)
		case r.AppID == appID || (base == appID && r.AppID != base):
			streams[appID] = append(streams[appID], r)
		}
	}
	var worst *OpenSnapshot
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		open, err := unfinished(streams[name], purged)
		if err != nil {
			return nil, err
		}
		if open != nil && (worst == nil || open.LSN.Compare(worst.LSN) > 0) {
			worst = open
		}
	}
	return worst, nil
}

// stream is the app id without the ".g<digits>" that a later generation of the
// same stream appends to it.
func stream(appID string) string {
	i := strings.LastIndex(appID, ".g")
	if i < 0 || i+2 == len(appID) || strings.Trim(appID[i+2:], "0123456789") != "" {
		return appID
	}
	return appID[:i]
}

func unfinished(events []Event, purged func(lsn.LSN) (bool, error)) (*OpenSnapshot, error) {
	var done lsn.LSN // zero: nothing completed, and no snapshot begins at the zero LSN
	chunked := map[string]bool{}
	for _, e := range events {
		switch {
		case e.Event == EventBootstrap || e.Event == EventResnapshot:
			if e.LSN.Compare(done) > 0 {
				done = e.LSN
			}
		case e.Event == EventOpen && mode(e.Detail) == ModeChunked:
			chunked[e.AppID] = true
		}
	}
	var worst *OpenSnapshot
	for _, e := range events {
		if e.Event != EventOpen || e.LSN.Compare(done) <= 0 || (worst != nil && e.LSN.Compare(worst.LSN) <= 0) {
			continue
		}
		if mode(e.Detail) == ModeFull {
			if chunked[e.AppID] {
				continue
			}
			dead, err := purged(e.LSN)
			if err != nil {
				return nil, err
			}
			if dead {
				continue
			}
		}
		worst = &OpenSnapshot{AppID: e.AppID, LSN: e.LSN, Mode: mode(e.Detail), Generation: generation(e.Detail)}
	}
	return worst, nil
}

// mode is full only where the row says so: anything else is taken for chunked,
// which blocks for longer.
func mode(detail string) string {
	var d struct {
		Mode string `json:"mode"`
	}
	if json.Unmarshal([]byte(detail), &d) == nil && d.Mode == ModeFull {
		return ModeFull
	}
	return ModeChunked
}

func generation(detail string) *int {
	var d struct {
		Generation *int `json:"generation"`
	}
	if json.Unmarshal([]byte(detail), &d) != nil {
		return nil
	}
	return d.Generation
}

// Refusal is the error that keeps a seed away from an open snapshot of target.
func (o OpenSnapshot) Refusal(target string) error {
	facts := verdict.Facts("target", target, "opened at", o.LSN, "app id", o.AppID)
	if o.Generation != nil {
		facts = append(facts, verdict.Facts("generation", *o.Generation)...)
	}
	hint := "Call the stream's backfill() until it is done, then seed."
	if o.Mode == ModeFull {
		hint = "Let the stream finish it: run to_delta again with snapshot='full'. It also stops counting once CDC cleanup has passed " + o.LSN.String() + "."
	}
	return &verdict.Error{
		Code:  verdict.SnapshotOpen,
		What:  fmt.Sprintf("the stream has a %s snapshot of this target open", o.Mode),
		Facts: facts,
		Why:   "A seed written over it would stand beside that snapshot's rows, every key twice.",
		Hint:  []string{hint},
	}
}
