//go:build !race

package tui

// sizeStep is how far apart the sizes are that are tried: every one is.
const sizeStep = 1
