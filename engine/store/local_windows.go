package store

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/windows"
)

func renameNew(temp, final string) error {
	from, err := windows.UTF16PtrFromString(temp)
	if err != nil {
		return err
	}
	to, err := windows.UTF16PtrFromString(final)
	if err != nil {
		return err
	}
	if err := windows.MoveFileEx(from, to, windows.MOVEFILE_WRITE_THROUGH); err != nil {
		return &os.LinkError{Op: "rename", Old: temp, New: final, Err: err}
	}
	return nil
}

// etag has the time of creation where others have the inode: a plain stat
// tells no file index here.
func etag(info fs.FileInfo) string {
	var created int64
	if st, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		created = st.CreationTime.Nanoseconds()
	}
	return strconv.FormatInt(created, 36) + "-" + strconv.FormatInt(info.Size(), 36) + "-" +
		strconv.FormatInt(info.ModTime().UnixNano(), 36)
}

func full(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}

// twoDisks tells that two names are on volumes of their own.
func twoDisks(err error) bool { return errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) }

// endless tells links that lead to one another.
func endless(err error) bool { return errors.Is(err, windows.ERROR_CANT_RESOLVE_FILENAME) }

// lacking lists the errors of file systems without a way of naming (FAT) that
// errors.ErrUnsupported leaves out.
func lacking(err error) bool {
	return errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_TOO_MANY_LINKS)
}

// syncDir has nothing to do: NTFS keeps names in its journal, and a folder
// cannot be flushed.
func syncDir(string) error { return nil }
