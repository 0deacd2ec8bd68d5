package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"gemini-search/answer"
)

// slow is longer than anything here may take. How long it took is in the log.
const slow = 10 * time.Second

// TestKillEndsTheGrace: a child that does not end when it is asked has as long
// as the options say, and no longer than until kill is called.
func TestKillEndsTheGrace(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	o := options(t, fake(t, "stubborn="+filepath.Join(folder, "ready")))
	o.Grace = time.Hour
	ctx, kill := WithKill(t.Context())
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := Search(ctx, "q", o)
		ended <- err
	}()
	waitForFile(t, filepath.Join(folder, "ready"))
	cancel()
	select {
	case err := <-ended:
		t.Errorf("the grace ended by itself: %v", err)
	case <-time.After(2 * defaultGrace):
	}
	kill()
	kill() // for a third signal
	select {
	case err := <-ended:
		mustBeCancelled(t, err)
	case <-time.After(slow):
		t.Fatal("killed, and not ended")
	}
}

// TestStopAsksFirst: the CLI takes the signal to end its own children.
func TestStopAsksFirst(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signal that asks")
	}
	t.Parallel()
	folder := t.TempDir()
	o := options(t, fake(t, "polite="+folder))
	o.Grace = slow
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := Search(ctx, "q", o)
		ended <- err
	}()
	waitForFile(t, filepath.Join(folder, "ready"))
	cancel()
	mustBeCancelled(t, <-ended)
	if _, err := os.Stat(filepath.Join(folder, "asked")); err != nil {
		t.Errorf("it was not asked: %v", err)
	}
}

// TestCauseComesFirst: a child that ends as we are stopped, perhaps by the same
// signal, does not turn a stop into an end. That it is a stop, and why, both show.
func TestCauseComesFirst(t *testing.T) {
	cause := errors.New("the host went away")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	p := &process{exited: make(chan struct{})}
	close(p.exited)
	for range 100 { // whichever of the two is looked at
		if err := p.watch(ctx); !errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
			t.Fatalf("reason %v", err)
		}
	}
}

func mustBeCancelled(t *testing.T, err error) {
	t.Helper()
	if failure, ok := errors.AsType[*answer.Failure](err); !ok || failure.Kind != answer.Cancelled {
		t.Errorf("ended with %v", err)
	}
}

// waitForFile waits until a process says something by making a file.
func waitForFile(t *testing.T, path string) {
	t.Helper()
	for start := time.Now(); time.Since(start) < slow; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	t.Fatalf("%s did not appear", path)
}
