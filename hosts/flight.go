package hosts

import (
	"context"
	"sync"
	"sync/atomic"

	"gemini-search/answer"
)

// flights are the searches under way. Calls with the same query share one, as
// long as it runs: models ask the same thing twice in one turn, and a host that
// loses patience asks again.
type flights struct {
	base  context.Context // of every search: none outlives the server
	run   Searcher
	slots chan struct{}

	mu     sync.Mutex
	open   map[string]*flight
	flying sync.WaitGroup
}

// flight is one search and the callers that wait for it.
type flight struct {
	callers int // guarded by flights.mu
	cancel  context.CancelFunc
	landed  chan struct{}

	step atomic.Pointer[string]

	found *answer.Answer // from here on valid once landed is closed
	err   error
}

func newFlights(base context.Context, parallel int, search Searcher) *flights {
	return &flights{base: base, run: search, slots: make(chan struct{}, max(1, parallel)), open: map[string]*flight{}}
}

// await returns what a search gave, or a cancellation as soon as the caller's
// context ends. Each caller who joined leaves by it, and a search that nobody
// waits for is cancelled.
func (f *flights) await(ctx context.Context, query string, joined *flight) (*answer.Answer, error) {
	defer f.leave(query, joined)
	select {
	case <-joined.landed:
		return joined.found, joined.err
	case <-ctx.Done():
		return nil, &answer.Failure{Kind: answer.Cancelled, Message: "the search was cancelled", Err: context.Cause(ctx)}
	}
}

// join returns the search under way for a query, or starts one.
func (f *flights) join(query string) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	joined, ok := f.open[query]
	if !ok {
		ctx, cancel := context.WithCancel(f.base)
		joined = &flight{cancel: cancel, landed: make(chan struct{})}
		joined.tell("waiting for other searches")
		f.open[query] = joined
		f.flying.Go(func() { f.fly(ctx, query, joined) })
	}
	joined.callers++
	return joined
}

// leave lets the last caller end the search. Whoever asks after that gets a new
// one, and not the failure of one that was cancelled.
func (f *flights) leave(query string, left *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	left.callers--
	if left.callers == 0 {
		left.cancel()
		f.forget(query, left)
	}
}

// forget is called with the lock held.
func (f *flights) forget(query string, gone *flight) {
	if f.open[query] == gone {
		delete(f.open, query)
	}
}

// fly holds a slot until the search has returned, and with it everything that it
// started: also a cancelled one counts against the bound.
func (f *flights) fly(ctx context.Context, query string, flown *flight) {
	defer close(flown.landed)
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.forget(query, flown) // an answer is shared only by those who waited for it
	}()
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
		flown.found, flown.err = f.run(ctx, query, flown.tell)
	case <-ctx.Done():
		flown.err = &answer.Failure{Kind: answer.Cancelled, Message: "the search was cancelled", Err: context.Cause(ctx)}
	}
}

// tell notes the step that a search has come to.
func (f *flight) tell(step string) { f.step.Store(&step) }

// wait returns when no search runs.
func (f *flights) wait() { f.flying.Wait() }
