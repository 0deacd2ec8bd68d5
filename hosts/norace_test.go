//go:build !race

package hosts

const raceDetector = false
