package engine

import (
	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// Result is what a seed came to.
type Result struct {
	State     State          `json:"state"` // Ready: this run wrote the rows; AlreadySeeded: they were there
	L         lsn.LSN        `json:"lsn"`   // the stream goes on right after it
	CommitTS  *clock.Instant `json:"commit_ts"`
	Rows      int64          `json:"rows"`     // written by this run
	Excluded  int64          `json:"excluded"` // rows of the copy left out as flagged by another tool
	Files     int            `json:"files"`
	Bytes     int64          `json:"bytes"`
	Adopted   int            `json:"adopted,omitempty"` // staged files of an earlier try that were used
	Version   int64          `json:"version"`           // of the target, with the seed in it
	Created   bool           `json:"created"`           // this run made the target
	Follows   *lsn.LSN       `json:"follows,omitempty"` // of a reseed: the snapshot that was the newest before it
	Target    string         `json:"target"`
	FactsURL  string         `json:"facts,omitempty"`
	FactsRow  string         `json:"facts_row,omitempty"` // written; present: it was there; of another: the app id has recorded another snapshot
	Plan      string         `json:"plan"`                // digest
	Follow    []string       `json:"follow"`              // what to do next, in order
	Retention *clock.Instant `json:"kept_until,omitempty"`
	Report    *cast.Report   `json:"report,omitempty"` // what the casts did to the values that were written; nil where this run wrote none
}
