package lakecopy

import (
	"context"
	"path"
	"strings"

	"cdcseed/engine/store"
)

// listing is everything below the copy's root, sorted into what it is.
type listing struct {
	delta   bool           // a Delta log at the root
	data    []store.Object // Parquet files
	skipped []string       // hidden names and other suffixes

	foreign   []foreign      // signs of another table format
	strangers []store.Object // files without a suffix, which some engines write data to
	sink      []store.Object // the log of a Spark streaming sink
	commits   []store.Object // commit marks of Databricks
	empty     []store.Object // names of files or folders of data, with no bytes
}

// foreign is a key by which a table of another format is known.
type foreign struct {
	format, root, key string
}

func list(ctx context.Context, r store.Reader) (*listing, error) {
	l := &listing{}
	for obj, err := range r.List(ctx, "", "") {
		if err != nil {
			return nil, storeError(r, "", err)
		}
		l.take(obj)
		if l.delta {
			return l, nil // the log says which files count; the rest need not be listed
		}
	}
	return l, nil
}

func (l *listing) take(obj store.Object) {
	dir, name := path.Split(obj.Key)
	if strings.HasPrefix(obj.Key, "_delta_log/") && !strings.HasPrefix(name, ".") {
		l.delta = true
		return
	}
	if f, is := foreignTable(obj.Key); is {
		l.foreign = append(l.foreign, f)
	}
	switch {
	case strings.HasPrefix(obj.Key, "_spark_metadata/"):
		l.sink = append(l.sink, obj)
		l.skipped = append(l.skipped, obj.Key)
	case hiddenDir(dir):
		l.skipped = append(l.skipped, obj.Key)
	case strings.HasPrefix(name, "_committed_"), strings.HasPrefix(name, "_started_"):
		l.commits = append(l.commits, obj)
		l.skipped = append(l.skipped, obj.Key)
	case hidden(name):
		l.skipped = append(l.skipped, obj.Key)
	case isParquet(name):
		l.data = append(l.data, obj)
		if obj.Size == 0 {
			l.empty = append(l.empty, obj)
		}
	default:
		if obj.Size == 0 && (!strings.Contains(name, ".") || strings.Contains(name, "=")) {
			l.empty = append(l.empty, obj)
		}
		if !strings.Contains(name, ".") && obj.Size > 0 {
			l.strangers = append(l.strangers, obj)
		}
		l.skipped = append(l.skipped, obj.Key)
	}
}

// hidden tells names that every engine passes over. A partition folder may
// begin with an underscore, because its column may.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") && !strings.Contains(name, "=")
}

func hiddenDir(dir string) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if hidden(part) {
			return true
		}
	}
	return false
}

func isParquet(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".parquet", ".parq", ".pq":
		return true
	}
	return false
}

// foreignTable recognises, anywhere below the root, the mark of a table whose
// files do not all count.
func foreignTable(key string) (foreign, bool) {
	parts := strings.Split(key, "/")
	for i, part := range parts[:len(parts)-1] {
		f := foreign{root: strings.Join(parts[:i], "/"), key: key}
		next := parts[i+1]
		switch {
		case part == "_delta_log" && i > 0:
			f.format = deltaLake
		case part == ".hoodie":
			f.format = hudi
		case part == "metadata" && icebergMetadata(next):
			f.format = iceberg
		default:
			continue
		}
		return f, true
	}
	return foreign{}, false
}
