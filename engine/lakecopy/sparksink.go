package lakecopy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// honourSink keeps, of a folder that Spark's file sink writes, only the files
// that the sink's log commits: a batch that failed leaves others beside them.
// The log names files by absolute URIs, so they are matched by what the key
// ends in; the names hold a UUID.
func (l *listing) honourSink(ctx context.Context, r store.Reader) error {
	if len(l.sink) == 0 {
		return nil
	}
	logs, err := sinkBatches(l.sink)
	if err != nil {
		return sinkRefusal(r.URL(), l.sink[0].Key, err)
	}
	committed := map[string]string{}
	for _, key := range logs {
		if err := readBatch(ctx, r, key, committed); err != nil {
			return err
		}
	}
	var kept []store.Object
	for _, f := range l.data {
		name := path.Base(f.Key)
		uri, ok := committed[name]
		if !ok || !strings.HasSuffix("/"+uri, "/"+f.Key) {
			l.skipped = append(l.skipped, f.Key)
			continue
		}
		delete(committed, name)
		kept = append(kept, f)
	}
	if len(committed) > 0 {
		missing := slices.Sorted(mapKeys(committed))
		return sinkRefusal(r.URL(), l.sink[0].Key, fmt.Errorf("%d committed files are not there, the first %q", len(missing), missing[0]))
	}
	l.data = kept
	slices.Sort(l.skipped)
	return nil
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// sinkBatches are the log's files that count: the newest compacted batch,
// which holds all before it, and every batch after it, without a gap.
func sinkBatches(objects []store.Object) ([]string, error) {
	single, compact := map[int64]string{}, map[int64]string{}
	newest, last := int64(-1), int64(-1)
	for _, o := range objects {
		name := path.Base(o.Key)
		text, compacted := strings.CutSuffix(name, ".compact")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			continue // hidden names and checksums
		}
		last = max(last, n)
		if compacted {
			compact[n] = o.Key
			newest = max(newest, n)
		} else {
			single[n] = o.Key
		}
	}
	if last < 0 {
		return nil, fmt.Errorf("no batch in _spark_metadata")
	}
	var out []string
	if newest >= 0 {
		out = append(out, compact[newest])
	}
	for n := newest + 1; n <= last; n++ {
		if single[n] == "" {
			return nil, fmt.Errorf("batch %d is missing in _spark_metadata", n)
		}
		out = append(out, single[n])
	}
	return out, nil
}

// readBatch adds the files of one log file: a line "v1", then one JSON object a line.
func readBatch(ctx context.Context, r store.Reader, key string, to map[string]string) error {
	data, err := store.ReadAll(ctx, r, key)
	if err != nil {
		return storeError(r, key, err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if lines[0] != "v1" {
		return sinkRefusal(r.URL(), key, fmt.Errorf("the log begins with %.20q, not v1", lines[0]))
	}
	for _, line := range lines[1:] {
		var entry struct {
			Path   string `json:"path"`
			Action string `json:"action"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			return sinkRefusal(r.URL(), key, err)
		}
		uri, err := url.PathUnescape(entry.Path)
		if err != nil {
			return sinkRefusal(r.URL(), key, err)
		}
		if entry.Action == "delete" {
			delete(to, path.Base(uri))
			continue
		}
		to[path.Base(uri)] = uri
	}
	return nil
}

func sinkRefusal(root, key string, err error) error {
	return &verdict.Error{
		Code:  verdict.CopyNotACopy,
		What:  fmt.Sprintf("%q is the output of a Spark stream, and its log does not say which files count", root),
		Facts: verdict.Facts("log", key),
		Why:   "Beside committed files lie those of failed batches; read together, rows would come twice.",
		Hint:  []string{"Read the folder with Spark, write it to a new folder, and seed from that."},
		Err:   err,
	}
}
