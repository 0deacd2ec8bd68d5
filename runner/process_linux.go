package runner

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// awaitExit returns when the child has exited, and leaves it unreaped: as long
// as it is a zombie, its process group keeps its number.
func awaitExit(command *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, command.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// reap collects the child. How it ended is in its ProcessState.
func reap(command *exec.Cmd) { _ = command.Wait() }
