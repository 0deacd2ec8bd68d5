package runner

import (
	"context"
	"math/rand/v2"
	"time"

	"gemini-search/answer"
)

const (
	// firstWait is the wait before the first retry; each further one doubles it.
	firstWait = time.Second
	// longestWait is how long a quota may take to refill for a retry to be worth
	// the caller's time.
	longestWait = 30 * time.Second
)

// waitToRetry waits for as long as a failure may take to mend. It reports false
// at once when that is in vain: the failure will not mend, or not within the
// context's time.
func waitToRetry(ctx context.Context, err error, retries int) bool {
	wait, ok := retryWait(err, retries)
	if deadline, bounded := ctx.Deadline(); !ok || bounded && time.Until(deadline) < wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryWait returns the wait before a failure is tried again. It is spread by up
// to a half, so that callers who failed together do not come back together.
func retryWait(err error, retries int) (time.Duration, bool) {
	failure, ok := err.(*answer.Failure)
	if !ok {
		return 0, false
	}
	wait := firstWait << min(retries, 8)
	switch failure.Kind {
	case answer.Overloaded, answer.Network:
	case answer.QuotaExceeded:
		if failure.RetryAfter == 0 {
			return 0, false // nothing says that it refills soon
		}
		wait = time.Duration(failure.RetryAfter) * time.Second
	default:
		return 0, false
	}
	return wait + rand.N(wait/2), wait <= longestWait
}
