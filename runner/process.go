package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"gemini-search/settings"
)

// process is one child, everything that it starts, and what they write.
type process struct {
	command *exec.Cmd
	group   *group
	// exited is closed when the child has exited.
	exited         chan struct{}
	stdin          *os.File
	stdout, stderr *output
	alarm          alarm
	fallback       fallback
	grace          time.Duration
}

// runVariable tells whoever is started in a run which one it is.
const runVariable = "GEMINI_SEARCH_RUN="

// ended is what a child left behind.
type ended struct {
	stdout, stderr []byte
	// code is the exit status; -1 when a signal ended the child.
	code int
}

// checkInterval is how often the outputs are looked at.
const checkInterval = 25 * time.Millisecond

// patience bounds the wait for processes that were killed. Only one that hangs
// in the kernel, or that belongs to another user, takes more than a few
// milliseconds.
const patience = 5 * time.Second

// errAlive is the end of patience.
var errAlive = errors.New("a process of gemini does not die")

// run starts the command in the home and waits until nobody of the run is left.
// The error is the reason why the run was stopped: the context's cause or a
// limit; it is never guessed from how the child ended.
func run(ctx context.Context, args []string, home *settings.Home, limits bounds) (ended, error) {
	p, err := prepare(args, home, limits)
	if err != nil {
		return ended{}, err
	}
	defer p.close()
	if err := reasonOf(ctx); err != nil {
		return ended{}, err
	}
	if err := p.start(); err != nil {
		return ended{}, err
	}
	if err := p.wait(ctx); err != nil {
		return ended{}, err
	}
	return p.result()
}

func prepare(args []string, home *settings.Home, limits bounds) (p *process, err error) {
	p = &process{command: exec.Command(args[0], args[1:]...), exited: make(chan struct{}), grace: limits.grace}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.stdin, err = home.OpenPrompt(); err != nil {
		return nil, err
	}
	if p.stdout, err = createOutput(home, "stdout", limits.stdout); err != nil {
		return nil, err
	}
	if p.stderr, err = createOutput(home, "stderr", limits.stderr); err != nil {
		return nil, err
	}
	p.alarm.file = p.stderr.file
	p.fallback.path = home.DebugLog()
	p.command.Stdin, p.command.Stdout, p.command.Stderr = p.stdin, p.stdout.file, p.stderr.file
	p.command.Dir = home.Workspace()
	p.command.Env = append(slices.Clip(home.Environ()), runVariable+home.Workspace())
	p.group = newGroup(p.command, limits.largestFile())
	return p, nil
}

func (p *process) close() {
	if p.stdin != nil {
		p.stdin.Close()
	}
	for _, output := range []*output{p.stdout, p.stderr} {
		if output != nil {
			output.file.Close()
		}
	}
}

// start starts the child from a thread that does nothing else until the child
// has exited. To Linux the parent whose death kills the child is the thread that
// started it, and Go ends threads while the program runs.
func (p *process) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.group.start()
		started <- err
		if err == nil {
			p.group.await()
			close(p.exited)
		}
	}()
	return <-started
}

// wait goes down one ladder for every reason to stop: ask the group to end, give
// it time, kill the group, end whoever left it. A child that ends by itself
// comes in at the kill: what it left running goes with it.
func (p *process) wait(ctx context.Context) error {
	reason := p.watch(ctx)
	if reason != nil {
		p.group.terminate()
		select {
		case <-p.exited:
		case <-time.After(p.grace):
		case <-killed(ctx):
		}
	}
	p.group.kill()
	return errors.Join(reason, p.end())
}

// watch returns nil when the child exits by itself, or the reason to stop it.
func (p *process) watch(ctx context.Context) error {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	for {
		select {
		case <-p.exited:
			return reasonOf(ctx) // whatever ended us may have ended the child first
		case <-ctx.Done():
			return reasonOf(ctx)
		case <-ticker.C:
			if err := errors.Join(p.checkSizes(), p.alarm.look(), p.fallback.look()); err != nil {
				return err
			}
		}
	}
}

// reasonOf returns why a context is done, nil while it is not: whether somebody
// cancelled it or its time is over, and the cause.
func reasonOf(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ctx.Err(), context.Cause(ctx))
}

func (p *process) checkSizes() error {
	_, stdout := p.stdout.size()
	_, stderr := p.stderr.size()
	return errors.Join(stdout, stderr)
}

// end waits until everybody who was killed is dead, and reaps them.
func (p *process) end() error {
	select {
	case <-p.exited:
		return p.group.end()
	case <-time.After(patience):
		return errAlive
	}
}

func (p *process) result() (ended, error) {
	stdout, err := p.stdout.read()
	if err != nil {
		return ended{}, err
	}
	stderr, err := p.stderr.read()
	if err != nil {
		return ended{}, err
	}
	return ended{stdout: stdout, stderr: stderr, code: p.command.ProcessState.ExitCode()}, nil
}
