package runner

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestStopSparesOthers: several runs, and the program around them, have children
// at once; and whoever lost its parents is our child, whatever run it is of.
func TestStopSparesOthers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	own := startSleep(t)
	end, ended := searchInBackground(t, "daemon-stay", filepath.Join(folder, "one"))
	endBare, endedBare := searchInBackground(t, "daemon-bare-stay", filepath.Join(folder, "two"))
	adopted := startOrphan(t)
	first, second := survivors(filepath.Join(folder, "one")), survivors(filepath.Join(folder, "two"))
	if len(first) != 2 || len(second) != 2 {
		t.Errorf("not the fake and its daemon each: %q and %q", first, second)
	}

	end()
	mustBeCancelled(t, <-ended)
	if left := survivors(filepath.Join(folder, "one")); len(left) > 0 {
		t.Errorf("left alive: %q", left)
	}
	if got := survivors(filepath.Join(folder, "two")); !slices.Equal(got, second) {
		t.Errorf("the other run has %q, and had %q", got, second)
	}
	endBare()
	mustBeCancelled(t, <-endedBare)
	if left := survivors(folder); len(left) > 0 {
		t.Errorf("left alive: %q", left)
	}
	if !alive(own.Process.Pid) || !alive(adopted) {
		t.Errorf("alive: our own child %v, the orphan of no run %v", alive(own.Process.Pid), alive(adopted))
	}
}

// searchInBackground returns once the fake has done what it does.
func searchInBackground(t *testing.T, behaviour, folder string) (stop func(), ended <-chan error) {
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	o := options(t, fake(t, behaviour+"="+folder))
	go func() {
		_, err := Search(ctx, "q", o)
		done <- err
	}()
	waitForFile(t, filepath.Join(folder, "ready"))
	return cancel, done
}

// startSleep starts a child of the test itself, which must be there to be reaped
// in the end.
func startSleep(t *testing.T) *exec.Cmd {
	command := exec.Command("sleep", "60")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		if err := command.Wait(); err == nil || command.ProcessState == nil {
			t.Errorf("our own child was taken: %v", err)
		}
	})
	return command
}

// startOrphan leaves a process without its parent.
func startOrphan(t *testing.T) (pid int) {
	output, err := exec.Command("sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!").Output()
	if err != nil {
		t.Fatal(err)
	}
	if pid, err = strconv.Atoi(strings.TrimSpace(string(output))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(pid, syscall.SIGKILL)
		syscall.Wait4(pid, nil, 0, nil)
	})
	return pid
}
