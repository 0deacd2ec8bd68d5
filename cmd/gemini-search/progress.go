package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"gemini-search/runner"
	"gemini-search/sanitize"
)

// progress is one line on a terminal that says where a search is, and for how
// many seconds. It is gone when the search has ended.
type progress struct {
	out   io.Writer
	width int

	mu      sync.Mutex
	step    runner.Step
	started time.Time
	done    chan struct{}
	drawing sync.WaitGroup
}

// eraseLine returns to the start of the line and empties it (ECMA-48 8.3.41 EL).
const eraseLine = "\r\x1b[K"

// startProgress starts the line; nil where nobody would see it: with --quiet, and
// when standard error is no terminal.
func startProgress(out io.Writer, quiet bool) *progress {
	file, ok := out.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	p := &progress{out: out, width: width, started: time.Now(), done: make(chan struct{})}
	p.drawing.Go(p.draw)
	return p
}

// tell is the search's Progress.
func (p *progress) tell(step runner.Step) {
	p.mu.Lock()
	p.step = step
	p.mu.Unlock()
}

// stop erases the line.
func (p *progress) stop() {
	if p == nil {
		return
	}
	close(p.done)
	p.drawing.Wait()
}

func (p *progress) draw() {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-p.done:
			fmt.Fprint(p.out, eraseLine)
			return
		case <-ticker.C:
			fmt.Fprint(p.out, eraseLine+p.line())
		}
	}
}

func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	seconds := int(time.Since(p.started).Seconds())
	return shorten(fmt.Sprintf("gemini-search: %s (%d s)", stepText(p.step), seconds), p.width-1)
}

func stepText(step runner.Step) string {
	switch step.Kind {
	case runner.Searching:
		return fmt.Sprintf("searching %q", strings.Join(strings.Fields(sanitize.String(step.Query)), " "))
	case runner.Writing:
		return "writing the answer"
	case runner.Repairing:
		return "mending the citations"
	case runner.Verifying:
		return "verifying"
	}
	return "starting gemini"
}

// shorten keeps a line on one line. Wide characters take two cells, so it counts
// everything beyond Latin as two.
func shorten(text string, cells int) string {
	for i, r := range text {
		if cells--; r > 0x2000 {
			cells--
		}
		if cells < 1 {
			return text[:i] + "…"
		}
	}
	return text
}
