package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Scratch is a private folder for what does not fit in memory. Its name tells
// which process made it, and nobody but its user may read it: it may hold values
// of a copy.
type Scratch struct{ dir string }

// scratchName begins the names of scratch folders.
const scratchName = "cdcseed-scratch-"

// scratchAge is how long nothing may have been written into a scratch folder
// before it is taken for one that a killed run left.
const scratchAge = 24 * time.Hour

// NewScratch makes a scratch folder in dir, or in the system's folder for
// temporary files where dir is empty.
func NewScratch(dir string) (*Scratch, error) {
	made, err := os.MkdirTemp(scratchRoot(dir), fmt.Sprintf("%s%d-*", scratchName, os.Getpid()))
	if err != nil {
		return nil, scratchError("make a folder in", scratchRoot(dir), err)
	}
	return &Scratch{dir: made}, nil
}

// scratchRoot is the folder that scratch folders stand in.
func scratchRoot(dir string) string {
	if dir == "" {
		return os.TempDir()
	}
	return dir
}

// SweepScratch removes the scratch folders in dir that a killed run left: those
// that nothing was written into for a day. It returns the paths of the younger
// ones, which a run may still use. dir is as NewScratch has it. What belongs to
// another user stays and is not told.
func SweepScratch(dir string, now time.Time) (younger []string, err error) {
	root := scratchRoot(dir)
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, scratchError("look into", root, err)
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchName) {
			continue
		}
		path := filepath.Join(root, e.Name())
		last, err := lastWritten(path)
		switch {
		case absent(err), errors.Is(err, fs.ErrPermission): // its run ended just now, or it is another user's
		case err != nil:
			return younger, scratchError("look into", path, err)
		case now.Sub(last) < scratchAge:
			younger = append(younger, path)
		default:
			if err := os.RemoveAll(path); err != nil && !errors.Is(err, fs.ErrPermission) {
				return younger, scratchError("remove", path, err)
			}
		}
	}
	slices.Sort(younger)
	return younger, nil
}

// lastWritten is when a folder or one of its files was last written to.
func lastWritten(dir string) (time.Time, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return time.Time{}, err
	}
	last := info.ModTime()
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last, err
}

// Dir is the folder's path.
func (s *Scratch) Dir() string { return s.dir }

// Free is how many bytes this user may still write there; false where that is not known.
func (s *Scratch) Free() (int64, bool) { return Free(s.dir) }

// Create makes a file that is written once from its start and then read.
func (s *Scratch) Create() (*ScratchFile, error) {
	f, err := os.CreateTemp(s.dir, "*")
	if err != nil {
		return nil, scratchError("make a file in", s.dir, err)
	}
	return &ScratchFile{f: f}, nil
}

// Close removes the folder with all that is in it.
func (s *Scratch) Close() error {
	if err := os.RemoveAll(s.dir); err != nil {
		return scratchError("remove", s.dir, err)
	}
	return nil
}

// ScratchFile is a file of a scratch folder.
type ScratchFile struct{ f *os.File }

// Write appends.
func (f *ScratchFile) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	if err != nil {
		return n, scratchError("write", f.f.Name(), err)
	}
	return n, nil
}

// ReadAt reads what was written.
func (f *ScratchFile) ReadAt(p []byte, off int64) (int, error) { return f.f.ReadAt(p, off) }

// Close removes the file.
func (f *ScratchFile) Close() error {
	err := f.f.Close()
	if gone := os.Remove(f.f.Name()); gone != nil && !absent(gone) {
		err = errors.Join(err, gone)
	}
	if err != nil {
		return scratchError("remove", f.f.Name(), err)
	}
	return nil
}

// scratchError names the operation and the path, and adds the store's own answer
// to the system's, whose path is dropped.
func scratchError(op, path string, err error) error {
	cause := err
	var at *fs.PathError
	if errors.As(err, &at) {
		cause = at.Err
	}
	if answer := answerFor(err); answer != nil {
		return fmt.Errorf("%s %q: %w: %w", op, path, answer, cause)
	}
	return fmt.Errorf("%s %q: %w", op, path, cause)
}
