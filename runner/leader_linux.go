package runner

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// leaderAttributes make the child die with us even when we are killed. That
// holds for the child alone and not for its children (prctl(2)): with the
// relauncher of the CLI switched off it has none that lasts.
func leaderAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitLeader returns when the child has exited, and leaves it unreaped: as long
// as it is a zombie, its process group keeps its number.
func awaitLeader(command *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, command.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// reapLeader collects the child. How it ended is in its ProcessState.
func reapLeader(command *exec.Cmd) { _ = command.Wait() }
