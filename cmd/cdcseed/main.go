// Command cdcseed makes an existing copy of a table the snapshot that a CDC stream starts from.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// memoryLimit keeps the collector ahead of the buffers of row groups, so that a
// copy of any size is seeded in bounded memory. GOMEMLIMIT says otherwise.
const memoryLimit = 400 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	// A reader that goes away must not kill a seed: the write that meets it fails instead.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(context.Background(), os.Args[1:], os.LookupEnv, standardStreams()))
}
