package lakecopy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// checkEmpty refuses a name that stands for data and holds no file: its rows, or
// those of the folder that it leads to, would be missing without a word.
func (l *listing) checkEmpty(ctx context.Context, r store.Reader) error {
	for _, obj := range l.empty {
		_, err := r.Stat(ctx, obj.Key)
		switch {
		case err == nil:
			continue
		case !errors.Is(err, store.ErrNotExist):
			return storeError(r, obj.Key, err)
		}
		return &verdict.Error{
			Code: verdict.CopyUnreadable,
			What: fmt.Sprintf("%q of the copy %q leads to no file", obj.Key, r.URL()),
			Why:  "A link whose file or folder is gone, or a pipe in a file's place, would leave rows out of the seed.",
			Hint: []string{"Restore what the link leads to, or remove the link if it is no part of the copy."},
			Err:  err,
		}
	}
	return nil
}

// follower is a store that may have links.
type follower interface {
	// Follow is the system's path of a key's file, and whether links lead there.
	Follow(ctx context.Context, key string) (path string, linked bool, err error)
}

// checkLinks refuses links by which rows would come twice, or by which rows would
// come that a Delta table no longer has.
func checkLinks(ctx context.Context, r store.Reader, files []File) error {
	f, ok := r.(follower)
	if !ok {
		return nil
	}
	first := map[string]string{} // key by path
	tables := map[string]Table{}
	for _, file := range files {
		path, linked, err := f.Follow(ctx, file.Key)
		if err != nil {
			return storeError(r, file.Key, err)
		}
		if key, seen := first[path]; seen {
			return &verdict.Error{
				Code:  verdict.CopyNotACopy,
				What:  fmt.Sprintf("the copy %q has one file under two names", r.URL()),
				Facts: verdict.Facts("one name", key, "the other", file.Key, "the file", path),
				Why:   "Its rows would be seeded twice.",
				Hint:  []string{"Remove the link, or move it out of the copy's folder."},
			}
		}
		first[path] = file.Key
		if !linked {
			continue
		}
		dir := filepath.Dir(path)
		if _, known := tables[dir]; !known {
			tables[dir], _ = InsideTable(path)
		}
		if tables[dir].Root != "" {
			e := insideTable(file.Key, tables[dir])
			e.What = fmt.Sprintf("data file %q of the copy %q is a link into %s", file.Key, r.URL(), tables[dir])
			return e
		}
	}
	return nil
}
