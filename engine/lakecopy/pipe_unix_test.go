//go:build unix

package lakecopy_test

import "syscall"

func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }
