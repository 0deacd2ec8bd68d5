package runner

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gemini-search/answer"
)

// deadline is long enough for most fakes to do their worst before it.
const deadline = 500 * time.Millisecond

// TestStopLeavesNobody crosses what a gemini does wrong before it hangs with
// every reason to stop it.
func TestStopLeavesNobody(t *testing.T) {
	stops := []struct {
		name string
		kind answer.Kind
	}{{"deadline", answer.Timeout}, {"cancel", answer.Cancelled}, {"signal", answer.Cancelled}}
	behaviours := []struct {
		name string
		kind answer.Kind // where the reason to stop is its own
	}{
		{name: "silent-stay"},
		{name: "deaf-stay"},
		{name: "stubborn-stay"},
		{name: "half-stay"},
		{name: "warnings-stay"}, // a whole answer that came in time is not used: the run was stopped
		{name: "relaunch-stay"},
		{name: "holder-stay"},
		{name: "daemon-stay"},
		{name: "daemon-bare-stay"},
		{name: "nested-stay"}, // its child bears no mark of the run: only its parent tells
		{name: "flood-stdout", kind: answer.OutputTooLarge},
		{name: "flood-stderr", kind: answer.OutputTooLarge},
		{name: "long-line-stay", kind: answer.OutputTooLarge},
	}
	for _, behaviour := range behaviours {
		for _, stop := range stops {
			t.Run(behaviour.name+"/"+stop.name, func(t *testing.T) {
				t.Parallel()
				kind := stop.kind
				if behaviour.kind != "" {
					kind = behaviour.kind
				}
				stopOnce(t, behaviour.name, stop.name, kind)
			})
		}
	}
}

// TestEndLeavesNobody: of the same ones, those that end by themselves.
func TestEndLeavesNobody(t *testing.T) {
	tests := []struct {
		behaviour string
		kind      answer.Kind
	}{
		{"silent", answer.GeminiCrashed},
		{"half", answer.GeminiCrashed},
		{"warnings", ""},
		{"relaunch", answer.GeminiCrashed}, // the launcher ends, its child does not
		{"holder", ""},
		{"daemon", ""},
		{"daemon-bare", ""},
		{"long-line", answer.OutputTooLarge}, // also when it ends between two looks at the size
	}
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			t.Parallel()
			stopOnce(t, test.behaviour, "", test.kind)
		})
	}
}

// stopOnce makes one search in a process of its own.
func stopOnce(t *testing.T, behaviour, stop string, kind answer.Kind) {
	folder := t.TempDir()
	o := orderOf(options(t, fake(t, behaviour+"="+folder)))
	o.Stop, o.Folder = stop, folder
	if stop == "deadline" {
		o.Timeout = slow / 2 // for those that are stopped before it
		if kind == answer.Timeout {
			o.Timeout = deadline
		}
	}
	command, read := startWrapper(t, o)
	if stop == "signal" {
		waitForFile(t, filepath.Join(folder, "listening"))
		if kind == answer.Cancelled {
			waitForFile(t, filepath.Join(folder, "ready"))
			if err := command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		}
	}
	a := read()
	t.Logf("%-22s %4d ms, %4d ms after the stop, peak +%.1f MiB", a.Kind, a.Took.Milliseconds(), a.AfterStop.Milliseconds(), float64(a.Grown)/(1<<20))
	if a.Kind != string(kind) {
		t.Errorf("%s: %s, want %s", a.Kind, a.Message, kind)
	}
	a.check(t, o.options())
	if left := survivors(folder); len(left) > 0 {
		t.Errorf("left alive: %v", left)
	}
}

// check looks at what a run must not leave, however it ended.
func (a *account) check(t *testing.T, o Options) {
	if a.Took > slow {
		t.Errorf("it took %s", a.Took)
	}
	if len(a.Children) > 0 {
		t.Errorf("children left: %v", a.Children)
	}
	if a.Descriptors[0] != a.Descriptors[1] || a.Goroutines[0] != a.Goroutines[1] {
		t.Errorf("descriptors %v, goroutines %v", a.Descriptors, a.Goroutines)
	}
	if limit := int64(o.MaxBuffer + 16<<20); a.Grown > limit && !raceDetector {
		t.Errorf("memory grew by %d bytes, more than %d", a.Grown, limit)
	}
	if left := leftBehind(t, o); len(left) > 0 {
		t.Errorf("homes left: %v", left)
	}
}

// TestRunsLeaveNothing: what one run leaves is too little to see.
func TestRunsLeaveNothing(t *testing.T) {
	o := orderOf(options(t, quickGemini(t)))
	o.Runs = 200
	_, read := startWrapper(t, o)
	a := read()
	if a.Kind != "" {
		t.Errorf("%s: %s", a.Kind, a.Message)
	}
	t.Logf("descriptors %v, goroutines %v, peak +%.1f MiB", a.Descriptors, a.Goroutines, float64(a.Grown)/(1<<20))
	a.check(t, o.options())
}

// TestSigkilledWrapperTakesTheCLIWithIt: nothing of ours runs any more, so the
// kernel has to.
func TestSigkilledWrapperTakesTheCLIWithIt(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	command, _ := startWrapper(t, orderOf(options(t, fake(t, "stubborn-stay="+folder))))
	waitForFile(t, filepath.Join(folder, "ready"))
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	var exit interface{ ExitCode() int }
	if err := command.Wait(); !errors.As(err, &exit) {
		t.Errorf("wrapper ended with %v", err)
	}
	for start := time.Now(); len(survivors(folder)) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > slow {
			t.Fatalf("left alive: %v", survivors(folder))
		}
	}
}
