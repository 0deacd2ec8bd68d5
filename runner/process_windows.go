package runner

import "os/exec"

// leadGroup does nothing: Windows has no process groups in this sense, and only
// the child itself is ended there.
func leadGroup(*exec.Cmd) {}

// terminateGroup ends the child: Windows has no signal that asks.
func terminateGroup(command *exec.Cmd) { killGroup(command) }

func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
