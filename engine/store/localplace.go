package store

import (
	"errors"
	"io/fs"
	"os"
)

// placer gives a finished file its final name, unless that is taken
// (fs.ErrExist), or answers that the file system cannot do it this way.
type placer func(temp, final string) error

// placers are the ways to claim a name, best first. A rename that replaces is
// none of them: it would overwrite another writer's log entry.
func placers() []placer { return []placer{os.Link, renameNew, claimThenRename} }

// place goes on to the next way only where the file system lacks one.
func place(ways []placer, temp, final string) error {
	var err error
	for _, way := range ways {
		if err = way(temp, final); err == nil || same(temp, final) {
			return nil
		}
		if errors.Is(err, fs.ErrExist) || !unsupported(err) {
			return err
		}
	}
	return err
}

func unsupported(err error) bool { return errors.Is(err, errors.ErrUnsupported) || lacking(err) }

// same recognises a link that worked though its answer was lost or repeated,
// as NFS does.
func same(temp, final string) bool {
	a, errA := os.Lstat(temp)
	b, errB := os.Lstat(final)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// claimThenRename is the last resort: an empty file holds the name for the
// moment until the whole one replaces it. Nobody loses anything, but a reader
// may see the empty file.
func claimThenRename(temp, final string) error {
	f, err := os.OpenFile(final, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp, final); err != nil {
		if _, left := os.Lstat(temp); left == nil {
			err = errors.Join(err, os.Remove(final)) // only the claim, which is ours
		}
		return err
	}
	return nil
}
