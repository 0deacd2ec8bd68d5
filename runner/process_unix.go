//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// leadGroup makes the child the leader of a process group of its own. The
// terminal's Ctrl-C then no longer reaches it, and is ours to pass on.
func leadGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// terminateGroup asks every process of the group to end. From 0.41 the CLI's
// launcher swallows the signal, so that asking it alone does nothing.
func terminateGroup(command *exec.Cmd) { signalGroup(command, syscall.SIGTERM) }

func killGroup(command *exec.Cmd) { signalGroup(command, syscall.SIGKILL) }

// signalGroup sends a signal. An error says that nobody is left to get it.
func signalGroup(command *exec.Cmd, signal syscall.Signal) {
	_ = syscall.Kill(-command.Process.Pid, signal)
}
