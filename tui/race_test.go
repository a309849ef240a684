//go:build race

package tui

// sizeStep is how far apart the sizes are that are tried: the race detector makes
// drawing slow, and finds nothing in it that depends on a size.
const sizeStep = 7
