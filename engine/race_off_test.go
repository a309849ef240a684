//go:build !race

package engine_test

// raceDetector is off in this build.
const raceDetector = false
