//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// group is the session and process group that the child leads, and whoever left
// them.
type group struct {
	command *exec.Cmd
	lineage lineage
	// largest is the limit of every file that the child writes, in bytes.
	largest int64
}

// newGroup makes the child the leader of a session of its own. It then has no
// terminal: Ctrl-C is ours to pass on, and a program that would ask there, such
// as git for a password, fails instead of being stopped as a background job.
func newGroup(command *exec.Cmd, largest int64) *group {
	command.SysProcAttr = leaderAttributes()
	return &group{command: command, largest: largest}
}

func (g *group) start() error {
	adoptOrphans()
	if err := g.command.Start(); err != nil {
		return err
	}
	g.lineage = newLineage(g.command, limitFiles(g.command.Process.Pid, g.largest))
	return nil
}

// await returns when the child has exited.
func (g *group) await() { awaitLeader(g.command) }

// terminate asks every process of the group to end. From 0.41 the CLI's
// launcher swallows the signal, so that asking it alone does nothing.
func (g *group) terminate() { g.signal(syscall.SIGTERM) }

// kill kills the group. No fork slips through: the kernel restarts one that a
// signal interrupts, and the killed process does not come to it.
func (g *group) kill() { g.signal(syscall.SIGKILL) }

// end returns when everybody is gone. The leader is reaped last: until then its
// number cannot be another group's.
func (g *group) end() error {
	err := g.lineage.end()
	reapLeader(g.command)
	return err
}

// signal sends a signal to the group, after which its leader may be gone and
// with it what shows who left the group. An error says that nobody is left to
// get it.
func (g *group) signal(signal syscall.Signal) {
	g.lineage.killEscaped(g.command.Process.Pid)
	_ = syscall.Kill(-g.command.Process.Pid, signal)
}
