//go:build unix && !linux

package runner

import (
	"os/exec"
	"syscall"
)

func leaderAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// awaitLeader waits for the child and reaps it: elsewhere than on Linux, waiting
// without reaping is missing or unreliable (go.dev/issue/19314).
func awaitLeader(command *exec.Cmd) { _ = command.Wait() }

// reapLeader has nothing left to do. How the child ended is in its ProcessState.
func reapLeader(*exec.Cmd) {}
