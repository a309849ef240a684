package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Stores are the three places of a seed, each rooted at its URL.
type Stores struct {
	Copy   store.Reader
	Target store.Writer
	Facts  store.Writer // nil where no facts row is wanted

	open lakecopy.Options // which part of Copy's root the copy is
}

// Readers are the same places without a way to write: what planning gets.
type Readers struct {
	Copy, Target, Facts store.Reader

	open lakecopy.Options
}

// Readers gives up writing.
func (s Stores) Readers() Readers {
	r := Readers{Copy: s.Copy, Target: s.Target, open: s.open}
	if s.Facts != nil {
		r.Facts = s.Facts
	}
	return r
}

// OpenStores opens the places that r names. It reads nothing but what kind of
// thing the copy's path is. Refusals: CopyNotFound, TargetPath.
func OpenStores(r Request) (Stores, error) {
	var s Stores
	if err := apart(r); err != nil {
		return s, err
	}
	var err error
	if s.Copy, s.open, err = openCopy(r.Copy); err != nil {
		return s, err
	}
	if s.Target, err = openTarget("target", r.Target); err != nil {
		return s, err
	}
	if r.Facts != "" {
		if s.Facts, err = openTarget("facts table", r.Facts); err != nil {
			return s, err
		}
	}
	return s, nil
}

// apart refuses places that lie in one another: what is written in one would be
// read, listed or cleaned up with the other.
func apart(r Request) error {
	places := []struct{ what, location string }{{"copy", r.Copy}, {"target", r.Target}, {"facts table", r.Facts}}
	for i, a := range places {
		for _, b := range places[i+1:] {
			pa, errA := resolved(a.location)
			pb, errB := resolved(b.location)
			if errA != nil || errB != nil || !within(pa, pb) && !within(pb, pa) {
				continue // another scheme is refused where it is opened
			}
			return &verdict.Error{
				Code: verdict.TargetPath, What: fmt.Sprintf("the %s and the %s lie in one another", a.what, b.what),
				Facts: verdict.Facts(a.what, a.location, b.what, b.location),
				Why:   "Each must be a table or folder of its own: what is written in one would be taken for the other's.",
				Hint:  []string{"Give places that are apart."},
			}
		}
	}
	return nil
}

// Holds tells whether a local path lies inside one of the plan's places, and which.
func (p Plan) Holds(path string) (what string, inside bool) {
	at, err := resolved(path)
	if err != nil {
		return "", false
	}
	places := []struct{ what, location string }{{"copy", p.Copy.URL}, {"target", p.Target.URL}}
	if p.Facts != nil {
		places = append(places, struct{ what, location string }{"facts table", p.Facts.URL})
	}
	for _, place := range places {
		if folder, err := resolved(place.location); err == nil && within(at, folder) {
			return place.what, true
		}
	}
	return "", false
}

// resolved is a location's path with its links followed as far as it exists.
func resolved(location string) (string, error) {
	if location == "" {
		return "", errors.New("no place is given")
	}
	path, err := store.LocalPath(location)
	if err != nil {
		return "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	for at, rest := path, ""; ; at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest), nil
		}
		if at == filepath.Dir(at) {
			return path, nil
		}
	}
}

// within reports whether path is folder or lies below it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func openCopy(location string) (store.Reader, lakecopy.Options, error) {
	var o lakecopy.Options
	path, err := store.LocalPath(location)
	if err != nil {
		return nil, o, elsewhere("copy", location)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // reading it says so; a seed that is done does not need it
	case err != nil:
		return nil, o, &verdict.Error{Code: verdict.StoreDenied, What: fmt.Sprintf("the copy at %q cannot be looked at", location), Err: err}
	case !info.IsDir():
		o.File = filepath.Base(path)
		path = filepath.Dir(path)
	}
	o.Inside, _ = lakecopy.InsideTable(filepath.Join(path, o.File))
	s, err := store.OpenLocal(path)
	if err != nil {
		return nil, o, &verdict.Error{Code: verdict.CopyNotFound, What: fmt.Sprintf("the copy at %q cannot be opened", location), Err: err}
	}
	return s, o, nil
}

func openTarget(what, location string) (store.Writer, error) {
	path, err := store.LocalPath(location)
	if err != nil {
		return nil, elsewhere(what, location)
	}
	if table, inside := lakecopy.InsideTable(path); inside {
		return nil, &verdict.Error{
			Code: verdict.TargetPath, What: fmt.Sprintf("the %s %q lies inside %s", what, location, table), Facts: verdict.Facts("table", table.Root),
			Why:  "What cleans that table up would delete it.",
			Hint: []string{"Give a folder of its own."},
		}
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, &verdict.Error{
			Code: verdict.TargetPath, What: fmt.Sprintf("the %s %q is a file", what, location),
			Hint: []string{"Give the folder of a Delta table, or one that does not exist yet."},
		}
	}
	s, err := store.OpenLocal(path)
	if err != nil {
		return nil, &verdict.Error{Code: verdict.TargetPath, What: fmt.Sprintf("the %s %q cannot be opened", what, location), Err: err}
	}
	return s, nil
}

func elsewhere(what, location string) error {
	return &verdict.Error{
		Code: verdict.TargetPath,
		What: fmt.Sprintf("the %s %q is not on a local disk", what, location),
		Why:  "This version reads and writes local disks only.",
		Hint: []string{"Mount or copy the table to a local path and give that."},
	}
}
