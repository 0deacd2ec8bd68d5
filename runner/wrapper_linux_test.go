package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gemini-search/answer"
)

// wrap is a program that searches as an order says, and prints its account. Its
// memory, descriptors and children are its own, which those of a test are not.
func wrap(text string) int {
	o := parseOrder(text)
	var a account
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR1) // the first call starts a goroutine that stays
	settleDown(&a, 0)
	before := peakMemory()
	for range max(o.Runs, 1) {
		a.search(o)
	}
	a.Peak = peakMemory()
	a.Grown = a.Peak - before
	a.Children = childrenOf(os.Getpid())
	settleDown(&a, 1)
	if err := json.NewEncoder(os.Stdout).Encode(a); err != nil {
		return 1
	}
	return 0
}

// search makes one search and keeps what became of it.
func (a *account) search(o order) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stopped := make(chan time.Time, 1)
	go func() {
		if awaitStop(ctx, o) {
			stopped <- time.Now()
			cancel(context.Canceled)
		}
	}()
	started := time.Now()
	_, err := Search(ctx, "q", o.options())
	a.Took = time.Since(started)
	select {
	case at := <-stopped:
		a.AfterStop = time.Since(at)
	default:
		if o.Stop == "deadline" && a.Took > o.Timeout {
			a.AfterStop = a.Took - o.Timeout
		}
	}
	a.Kind, a.Message = "", ""
	if failure, ok := errors.AsType[*answer.Failure](err); ok {
		a.Kind, a.Message = string(failure.Kind), failure.Message
	}
}

// awaitStop reports whether the run is to be stopped now.
func awaitStop(ctx context.Context, o order) bool {
	switch o.Stop {
	case "cancel":
		return awaitFile(ctx, filepath.Join(o.Folder, "ready"))
	case "signal":
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM)
		defer signal.Stop(signals)
		os.WriteFile(filepath.Join(o.Folder, "listening"), nil, 0o600)
		select {
		case <-signals:
			return true
		case <-ctx.Done():
		}
	}
	return false
}

func awaitFile(ctx context.Context, path string) bool {
	for ctx.Err() == nil {
		if _, err := os.Stat(path); err == nil {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// settleDown counts descriptors and goroutines, once those on their way out are.
func settleDown(a *account, at int) {
	time.Sleep(20 * time.Millisecond)
	entries, _ := os.ReadDir("/proc/self/fd")
	a.Descriptors[at] = len(entries)
	a.Goroutines[at] = runtime.NumGoroutine()
}

// peakMemory is the most that this process had of physical memory. getrusage(2)
// would tell its parent's where that was more.
func peakMemory() (bytes int64) {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(rest, &bytes)
	return bytes << 10
}

// startWrapper starts the wrapper; account waits for what it says.
func startWrapper(t testing.TB, o order) (command *exec.Cmd, read func() account) {
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	command = exec.Command("/proc/self/exe", fakeWord, "wrapper="+string(text))
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, func() (a account) {
		if err := command.Wait(); err != nil {
			t.Fatalf("wrapper: %v: %s", err, &stderr)
		}
		if err := json.Unmarshal([]byte(stdout.String()), &a); err != nil {
			t.Fatalf("wrapper: %v: %s", err, &stdout)
		}
		return a
	}
}

// survivors lists the processes that name a folder in their command line or
// environment, except this one.
func survivors(folder string) (found []string) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		var pid int
		fmt.Sscanf(path, "/proc/%d/", &pid)
		if pid == os.Getpid() {
			continue
		}
		line, _ := os.ReadFile(path)
		environ, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "environ"))
		if strings.Contains(string(line)+string(environ), folder) {
			found = append(found, fmt.Sprintf("%d %q", pid, line))
		}
	}
	return found
}
