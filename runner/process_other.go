//go:build !linux

package runner

import "os/exec"

// awaitExit waits for the child and reaps it: elsewhere than on Linux, waiting
// without reaping is missing or unreliable (go.dev/issue/19314).
func awaitExit(command *exec.Cmd) { _ = command.Wait() }

// reap has nothing left to do. How the child ended is in its ProcessState.
func reap(*exec.Cmd) {}
