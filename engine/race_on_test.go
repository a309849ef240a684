//go:build race

package engine_test

// raceDetector is on in this build.
const raceDetector = true
