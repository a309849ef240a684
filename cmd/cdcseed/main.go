// Command cdcseed makes an existing copy of a table the snapshot that a CDC stream starts from.
package main

import (
	"context"
	"os"
	"runtime/debug"
)

// memoryLimit keeps the collector ahead of the buffers of row groups, so that a
// copy of any size is seeded in bounded memory. GOMEMLIMIT says otherwise.
const memoryLimit = 400 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	os.Exit(run(context.Background(), os.Args[1:], os.LookupEnv, standardStreams()))
}
