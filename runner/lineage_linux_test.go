package runner

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestLineage: each of the marks alone tells that a process is of the run.
func TestLineage(t *testing.T) {
	const run = runVariable + "/home/of/this/run"
	tests := []struct {
		name    string
		environ []string
		mark    func(*lineage, int)
		want    bool
	}{
		{name: "a child of the program around us", want: false},
		{name: "in the leader's session", mark: func(l *lineage, pid int) { l.leader = pid }, want: true},
		{name: "started with the run's variable", environ: []string{"A=b", run, "C=d"}, want: true},
		{name: "started with another run's", environ: []string{run + "2", "X" + run}, want: false},
		{name: "under the run's limit", mark: func(l *lineage, pid int) { l.limit = limitFiles(pid, 1<<20) }, want: true},
		{name: "under another run's limit", mark: func(l *lineage, pid int) { l.limit = limitFiles(pid, 1<<20) + 1 }, want: false},
		{name: "without a limit, as the run", mark: func(l *lineage, _ int) { l.limit = 0 }, want: false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pid := startMarked(t, test.environ)
			l := &lineage{leader: 1 << 30, run: []byte(run), limit: 1}
			if test.mark != nil {
				test.mark(l, pid)
			}
			if got := l.owns(pid); got != test.want {
				t.Errorf("owns it alive: %v, want %v", got, test.want)
			}
			becomeZombie(t, pid)
			if want := test.want && test.environ == nil; l.owns(pid) != want { // with the memory the environment is gone
				t.Errorf("owns the zombie: %v, want %v", !want, want)
			}
		})
	}
}

// TestLimitLeavesAStricterOne: it is the user's.
func TestLimitLeavesAStricterOne(t *testing.T) {
	pid := startMarked(t, nil)
	strict := unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &strict, nil); err != nil {
		t.Fatal(err)
	}
	if limit := limitFiles(pid, 1<<20); limit != 0 {
		t.Errorf("limit %d", limit)
	}
	var got unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &got); err != nil || got != strict {
		t.Errorf("limit %v, error %v", got, err)
	}
}

// startMarked starts a process in a session of its own.
func startMarked(t *testing.T, environ []string) (pid int) {
	command := exec.Command("/bin/sleep", "60")
	command.Env = append([]string{"Z=z"}, environ...)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	for start := time.Now(); time.Since(start) < slow; time.Sleep(time.Millisecond) {
		if environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", command.Process.Pid)); len(environ) > 0 {
			break // Start returns in the midst of the exec
		}
	}
	return command.Process.Pid
}

// becomeZombie kills a process and leaves it unreaped.
func becomeZombie(t *testing.T, pid int) {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
}
