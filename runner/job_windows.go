package runner

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object that holds the child and everything it starts. Nobody
// can leave it, and Windows ends all of them when its last handle is closed, so
// also when we are killed.
type group struct {
	command *exec.Cmd
	job     windows.Handle
}

func newGroup(command *exec.Cmd, _ int64) *group { return &group{command: command} }

// start starts the child and puts it into the job. What it starts in the moment
// between the two is outside.
func (g *group) start() (err error) {
	if g.job, err = newJob(); err != nil {
		return err
	}
	if err := g.command.Start(); err != nil {
		windows.CloseHandle(g.job)
		return err
	}
	if err := g.join(); err != nil {
		_ = g.command.Process.Kill()
		_ = g.command.Wait()
		windows.CloseHandle(g.job)
		return err
	}
	return nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func (g *group) join() (err error) {
	if handling := g.command.Process.WithHandle(func(handle uintptr) {
		err = windows.AssignProcessToJobObject(g.job, windows.Handle(handle))
	}); handling != nil {
		return handling
	}
	return err
}

// await waits for the child. How it ended is in its ProcessState.
func (g *group) await() { _ = g.command.Wait() }

// terminate ends the job: Windows has no signal that asks.
func (g *group) terminate() { g.kill() }

func (g *group) kill() { _ = windows.TerminateJobObject(g.job, 1) }

func (g *group) end() error { return windows.CloseHandle(g.job) }
