// Command cdcseed makes an existing copy of a table the snapshot that a CDC stream starts from.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.LookupEnv, standardStreams()))
}
