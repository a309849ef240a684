// Package delta reads the transaction log of a Delta table and writes commits
// that only add: the snapshot, what a reader and an appender must honour, how data
// files name the columns and which of their rows are deleted, the bytes of the next
// commit, and its put-if-absent. It opens no data file.
package delta

import (
	"errors"
	"fmt"

	"cdcseed/engine/verdict"
)

var (
	// ErrNoTable says that there is no Delta log: no commit, no checkpoint, no hint of one.
	ErrNoTable = errors.New("no Delta table")
	// ErrNoVersion says that the log does not reach the version that was asked for.
	ErrNoVersion = errors.New("version is not in the Delta log")
)

const logDir = "_delta_log/"

// corrupt refuses a log that contradicts itself. The code is the target's; who
// reads a copy sets its own.
func corrupt(url, what string, facts []verdict.Fact, err error) *verdict.Error {
	return &verdict.Error{
		Code:  verdict.TargetCorrupt,
		What:  fmt.Sprintf("the Delta log of %q %s", url, what),
		Facts: facts,
		Why:   "What the table holds cannot be told from such a log.",
		Hint: []string{
			"Look at the folder _delta_log: a file may have been removed, cut off, or not yet copied.",
			"If Spark reads the table, compare DESCRIBE HISTORY with the files in _delta_log.",
		},
		Err: err,
	}
}
