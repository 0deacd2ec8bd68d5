//go:build race

package hosts

// raceDetector is on: it watches this process, and not the hosts that it starts.
const raceDetector = true
