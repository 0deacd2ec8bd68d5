//go:build race

package runner

// raceDetector is on: memory is several times what it is without.
const raceDetector = true
