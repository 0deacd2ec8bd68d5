package runner

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"gemini-search/settings"
)

// process is one child and the process group it leads. Its standard streams are
// files of the home, so that nothing of ours waits for whoever holds a pipe.
type process struct {
	command *exec.Cmd
	stdout  *os.File
	stderr  *os.File
	// limit is how many bytes each output may have.
	limit int64
	// grace is the time between asking the group to end and killing it.
	grace time.Duration
}

// ended is what a child left behind.
type ended struct {
	stdout, stderr []byte
	// code is the exit status; -1 when a signal ended the child.
	code int
}

// checkInterval is how often the size of the outputs is looked at.
const checkInterval = 25 * time.Millisecond

// errTooLarge stops a run whose output passes its limit.
var errTooLarge = errors.New("the output is too large")

// run starts the command in the home and waits until it and its group are gone.
// The error is the reason why the run was stopped: the context's cause or
// errTooLarge; it is never guessed from how the child ended.
func run(ctx context.Context, args []string, home *settings.Home, limit int, grace time.Duration) (ended, error) {
	p, err := prepare(args, home, int64(limit), grace)
	if err != nil {
		return ended{}, err
	}
	defer p.close()
	if err := context.Cause(ctx); err != nil {
		return ended{}, err
	}
	if err := p.command.Start(); err != nil {
		return ended{}, err
	}
	if err := p.wait(ctx); err != nil {
		return ended{}, err
	}
	return p.result()
}

func prepare(args []string, home *settings.Home, limit int64, grace time.Duration) (p *process, err error) {
	p = &process{command: exec.Command(args[0], args[1:]...), limit: limit, grace: grace}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	stdin, err := home.OpenPrompt()
	if err != nil {
		return nil, err
	}
	p.command.Stdin = stdin
	if p.stdout, err = home.CreateOutput("stdout"); err != nil {
		return nil, err
	}
	if p.stderr, err = home.CreateOutput("stderr"); err != nil {
		return nil, err
	}
	p.command.Stdout, p.command.Stderr = p.stdout, p.stderr
	p.command.Dir = home.Workspace()
	p.command.Env = home.Environ()
	leadGroup(p.command)
	return p, nil
}

func (p *process) close() {
	if stdin, ok := p.command.Stdin.(*os.File); ok {
		stdin.Close()
	}
	for _, file := range []*os.File{p.stdout, p.stderr} {
		if file != nil {
			file.Close()
		}
	}
}

// wait returns when the child and its group are dead and reaped. It goes down
// one ladder for every reason to stop: ask the group, wait, kill the group.
func (p *process) wait(ctx context.Context) error {
	exited := make(chan struct{})
	go func() {
		awaitExit(p.command)
		close(exited)
	}()
	reason := p.watch(ctx, exited)
	if reason != nil {
		terminateGroup(p.command)
		select {
		case <-exited:
		case <-time.After(p.grace):
		}
	}
	// What the child left running goes with it. The group is killed before its
	// leader is reaped: until then its number cannot be another group's.
	killGroup(p.command)
	<-exited
	reap(p.command)
	return reason
}

// watch returns nil when the child exits by itself, or the reason to stop it.
func (p *process) watch(ctx context.Context, exited <-chan struct{}) error {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	for {
		select {
		case <-exited:
			return p.checkSize()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
			if err := p.checkSize(); err != nil {
				return err
			}
		}
	}
}

func (p *process) checkSize() error {
	for _, file := range []*os.File{p.stdout, p.stderr} {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		if info.Size() > p.limit {
			return errTooLarge
		}
	}
	return nil
}

func (p *process) result() (ended, error) {
	stdout, err := readWhole(p.stdout)
	if err != nil {
		return ended{}, err
	}
	stderr, err := readWhole(p.stderr)
	if err != nil {
		return ended{}, err
	}
	return ended{stdout: stdout, stderr: stderr, code: p.command.ProcessState.ExitCode()}, nil
}

// readWhole reads a file from its start, whatever its offset is: the child
// shares the description and moved it.
func readWhole(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	content := make([]byte, info.Size())
	_, err = file.ReadAt(content, 0)
	return content, err
}
