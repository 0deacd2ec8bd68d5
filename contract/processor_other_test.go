//go:build !unix

package contract

import "time"

var started = time.Now()

// processorTime is wall time where there is no better clock.
func processorTime() time.Duration { return time.Since(started) }
