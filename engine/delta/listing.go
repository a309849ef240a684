package delta

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"cdcseed/engine/store"
)

// logFiles is what one listing of the log shows.
type logFiles struct {
	commits     map[int64]store.Object
	checkpoints map[int64][]checkpoint
	newest      int64 // -1 where there is neither
}

// checkpoint is a set of files that together hold a table's state.
type checkpoint struct {
	version int64
	parts   int // files it should have
	files   []string
}

func (c checkpoint) whole() bool { return len(c.files) == c.parts }

// logName matches the names that matter: a version and what kind of file it is.
// Everything else in the log (checksums, compacted commits, sidecars, staged
// commits, left-overs) is not listed here on purpose.
var logName = regexp.MustCompile(`^(\d{20})\.(json|checkpoint\.parquet|checkpoint\.(\d{10})\.(\d{10})\.parquet|checkpoint\.([0-9A-Za-z-]+)\.(?:json|parquet))$`)

// listLog lists commits and checkpoints of version from and later.
func listLog(ctx context.Context, r store.Reader, from int64) (logFiles, error) {
	out := logFiles{commits: map[int64]store.Object{}, checkpoints: map[int64][]checkpoint{}, newest: -1}
	after := ""
	if from > 0 {
		after = fmt.Sprintf("%s%020d", logDir, from)
	}
	for o, err := range r.List(ctx, logDir, after) {
		if err != nil {
			return logFiles{}, fmt.Errorf("list the Delta log: %w", err)
		}
		name := strings.TrimPrefix(o.Key, logDir)
		if name > ":" {
			break // past the digits: _sidecars and the like may be long
		}
		out.take(name, o)
	}
	return out, nil
}

func (f *logFiles) take(name string, o store.Object) {
	m := logName.FindStringSubmatch(name)
	if m == nil {
		return
	}
	v, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return // a number that no version has
	}
	switch {
	case m[2] == "json":
		f.commits[v] = o
		f.newest = max(f.newest, v)
	case m[3] != "":
		f.addPart(v, m[4], o.Key)
	default:
		f.checkpoints[v] = append(f.checkpoints[v], checkpoint{v, 1, []string{o.Key}})
		f.newest = max(f.newest, v)
	}
}

// addPart collects the parts of a checkpoint by the number of parts that their
// names tell. Only a whole one counts as a version.
func (f *logFiles) addPart(v int64, of, key string) {
	parts, err := strconv.Atoi(of)
	if err != nil || parts < 1 {
		return
	}
	for i, c := range f.checkpoints[v] {
		if c.parts == parts && strings.HasSuffix(c.files[0], "."+of+".parquet") {
			c.files = append(c.files, key)
			f.checkpoints[v][i] = c
			f.settle(c)
			return
		}
	}
	c := checkpoint{v, parts, []string{key}}
	f.checkpoints[v] = append(f.checkpoints[v], c)
	f.settle(c)
}

func (f *logFiles) settle(c checkpoint) {
	if c.whole() {
		f.newest = max(f.newest, c.version)
	}
}

// base is the newest whole checkpoint at or below version.
func (f *logFiles) base(version int64) (checkpoint, bool) {
	best, found := checkpoint{version: -1}, false
	for v, all := range f.checkpoints {
		if v > version || v <= best.version {
			continue
		}
		for _, c := range all {
			if c.whole() {
				best, found = c, true
				break
			}
		}
	}
	return best, found
}

// missing is the first version after base and up to version that has no commit.
func (f *logFiles) missing(base, version int64) (int64, bool) {
	for v := base + 1; v <= version; v++ {
		if _, ok := f.commits[v]; !ok {
			return v, true
		}
	}
	return 0, false
}

func commitKey(version int64) string { return fmt.Sprintf("%s%020d.json", logDir, version) }
