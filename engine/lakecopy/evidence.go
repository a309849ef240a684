package lakecopy

import (
	"context"
	"fmt"
	"strings"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
)

// fullLoad finds since when data has been in a Delta table: the first commit of
// the last load that replaced everything, and not after the oldest file that is
// still part of the table, whose time a restore keeps. Where cleanup has taken
// that commit, the oldest one that is left stands for it. Each of these can only
// be earlier than the truth allows, never later.
func fullLoad(ctx context.Context, r store.Reader, snap *delta.Snapshot) (Evidence, error) {
	var e Evidence
	found := false
	for c, err := range delta.Commits(ctx, r) {
		if err != nil {
			return Evidence{}, storeError(r, "_delta_log", err)
		}
		if c.Version > snap.Version {
			continue
		}
		found = true
		if replaces(c) {
			e = Evidence{Earliest: committed(c), What: fmt.Sprintf("version %d, %s", c.Version, operation(c))}
			break
		}
		e = Evidence{
			Earliest: committed(c),
			What:     fmt.Sprintf("version %d, the oldest that the log still has; the data was there before", c.Version),
		}
	}
	for _, a := range snap.Files {
		at := clock.Instant(a.ModificationTime * clock.Millisecond)
		if !found || at < e.Earliest {
			found = true
			e = Evidence{Earliest: at, What: fmt.Sprintf("data file %q, the oldest in the table", a.Path)}
		}
	}
	return e, nil
}

// committed is the commit's time. Copying a table renews its files' times, so
// what the commit says of itself counts where it is earlier.
func committed(c delta.Commit) clock.Instant {
	at := c.At()
	if c.Info.Timestamp != nil {
		at = min(at, *c.Info.Timestamp)
	}
	return at
}

func operation(c delta.Commit) string {
	if c.Info.Operation == "" {
		return "without a named operation"
	}
	return c.Info.Operation
}

// replaces reports whether the commit begins a load of the whole table. One
// that only moves rows between files does not, whatever it calls itself, and one
// that replaces a part does not either.
func replaces(c delta.Commit) bool {
	if c.Version == 0 {
		return true
	}
	if len(c.Adds) > 0 && !anyDataChange(c.Adds) {
		return false
	}
	switch op := strings.ToUpper(c.Info.Operation); op {
	case "WRITE":
		return overwritesAll(c.Info.OperationParameters)
	case "RESTORE", "CLONE", "TRUNCATE":
		return true
	default: // CREATE TABLE AS SELECT, REPLACE TABLE, CREATE OR REPLACE TABLE AS SELECT ...
		return strings.Contains(op, "TABLE") && (strings.HasPrefix(op, "REPLACE") || strings.Contains(op, "OR REPLACE") || strings.Contains(op, "AS SELECT"))
	}
}

func anyDataChange(adds []delta.Add) bool {
	for _, a := range adds {
		if a.DataChange {
			return true
		}
	}
	return false
}

// overwritesAll is false for an overwrite of the rows of a predicate or of the
// partitions that the new data touches.
func overwritesAll(parameters delta.Object) bool {
	mode, _ := parameters.Text("mode")
	if !strings.EqualFold(mode, "Overwrite") {
		return false
	}
	for _, key := range []string{"predicate", "replaceWhere"} {
		if p, ok := parameters.Text(key); ok && p != "" && p != "[]" {
			return false
		}
	}
	dynamic, ok := parameters.Get("isDynamicPartitionOverwrite")
	if ok && strings.Trim(string(dynamic), `"`) == "true" {
		return false
	}
	how, _ := parameters.Text("partitionOverwriteMode")
	return !strings.EqualFold(how, "dynamic")
}
