package hosts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressInterval keeps clear of 60 s, after which OpenCode gives a call up that
// shows no progress, and of the 15 s that people take a silence for a hang.
const progressInterval = 10 * time.Second

// stepInterval is how soon a new step of a search is told.
const stepInterval = time.Second

// showProgress tells a host that asked for it what the search is doing. When stop
// returns nothing is sent any more, so that no progress follows the result.
func (s *Server) showProgress(ctx context.Context, request *mcp.CallToolRequest, joined *flight) (stop func()) {
	token := request.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var sender sync.WaitGroup
	sender.Go(func() {
		s.watch(ctx, joined, func(step string, elapsed time.Duration) {
			_ = request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // a host that is gone ends the call anyway
				ProgressToken: token,
				Progress:      elapsed.Seconds(),
				Message:       fmt.Sprintf("%s, %d s", step, int(elapsed.Seconds())),
			})
		})
	})
	return func() {
		cancel()
		sender.Wait()
	}
}

// watch calls show with each new step, and with an old one at every
// [progressInterval], until the context ends.
func (s *Server) watch(ctx context.Context, joined *flight, show func(step string, elapsed time.Duration)) {
	interval := s.interval
	if interval == 0 {
		interval = stepInterval
	}
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	started, shown, at := time.Now(), "", time.Duration(0)
	for {
		step, elapsed := *joined.step.Load(), time.Since(started)
		if step != shown || elapsed-at >= progressInterval {
			show(step, elapsed)
			shown, at = step, elapsed
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
