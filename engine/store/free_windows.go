package store

import "golang.org/x/sys/windows"

// freeAt is what the volume of an existing folder has left for this user.
func freeAt(dir string) (int64, bool) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var mine, total, all uint64
	if err := windows.GetDiskFreeSpaceEx(path, &mine, &total, &all); err != nil {
		return 0, false
	}
	return int64(mine), true
}

// writableAt is not known: only an attempt tells what the access lists allow.
func writableAt(string) (may, known bool) { return false, false }
