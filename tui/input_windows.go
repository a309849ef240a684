package tui

import (
	"os"
	"time"
)

// follows has nothing to wait for: a console gives out whole keys.
func follows(*os.File, time.Duration) bool { return false }
