package store

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func renameNew(temp, final string) error {
	if err := unix.RenamexNp(temp, final, unix.RENAME_EXCL); err != nil {
		return &os.LinkError{Op: "rename", Old: temp, New: final, Err: err}
	}
	return nil
}

func etag(info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return strconv.FormatUint(st.Ino, 36) + "-" + strconv.FormatInt(info.Size(), 36) + "-" +
		strconv.FormatInt(info.ModTime().UnixNano(), 36) + "-" + strconv.FormatInt(st.Ctimespec.Nano(), 36)
}
