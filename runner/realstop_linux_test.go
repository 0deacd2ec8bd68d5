package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gemini-search/fixtures/realcli"
)

// TestRealCLIStopsAtAnyMoment: whatever the CLI is at, such as the first half
// second in which it has no signal handlers yet.
func TestRealCLIStopsAtAnyMoment(t *testing.T) {
	cli := realcli.Require(t)
	api := scripted(t)
	seed := rand.Uint64()
	t.Logf("seed %#x", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 10 {
		moment := time.Duration(random.Int64N(int64(1200 * time.Millisecond)))
		t.Run(fmt.Sprint(moment.Milliseconds(), "ms"), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			o := options(t, cli.Binary)
			o.Environ = append(o.Environ, "GOOGLE_GEMINI_BASE_URL="+api.URL, "USER="+folder)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(moment, cancel)
			started := time.Now()
			_, err := Search(ctx, "q", o)
			took := time.Since(started)
			t.Logf("%d ms after the stop: %v", (took - moment).Milliseconds(), err)
			if err != nil { // the latest moments may be after its end
				mustBeCancelled(t, err)
			}
			if took > moment+slow {
				t.Errorf("it took %s", took)
			}
			if left := survivors(folder); len(left) > 0 {
				t.Errorf("left alive: %v", left)
			}
			if left := leftBehind(t, o); len(left) > 0 {
				t.Errorf("homes left: %v", left)
			}
		})
	}
}
