package runner

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"gemini-search/contract"
	"gemini-search/fixtures/fakeapi"
)

// lifetime is how long a fake stays that nobody ends.
const lifetime = time.Minute

// hostileBehaviours are what a gemini does wrong before it either ends or, as
// the same word with "-stay", hangs.
func hostileBehaviours(folder string) map[string]func() {
	return map[string]func(){
		"silent":      func() {},
		"deaf":        func() { os.Stdin.Close() },
		"stubborn":    func() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) },
		"half":        func() { settle(); fmt.Print(envelope(goodAnswer, 1)[:40]) },
		"warnings":    func() { settle(); fmt.Printf("a warning\n{\"stray\":1}\n%s", envelope(goodAnswer, 1)) },
		"relaunch":    func() { signal.Ignore(syscall.SIGTERM); spawn(folder, "stubborn-stay", nil, nil) },
		"holder":      func() { spawn(folder, "stubborn-stay", nil, nil); settle(); fmt.Print(envelope(goodAnswer, 1)) },
		"daemon":      func() { daemonize(folder, os.Environ()); settle(); fmt.Print(envelope(goodAnswer, 1)) },
		"daemon-bare": func() { awaitLimit(); daemonize(folder, []string{}); settle(); fmt.Print(envelope(goodAnswer, 1)) },
		"nested": func() {
			awaitLimit()
			spawn(folder, "shed-stay", []string{}, &syscall.SysProcAttr{Setsid: true})
			settle()
		},
		"shed":         func() { signal.Ignore(syscall.SIGTERM); limitFiles(os.Getpid(), 1<<20) },
		"flood-stdout": func() { flood(os.Stdout, "x") },
		"flood-stderr": func() { flood(os.Stderr, "x\n") },
		"long-answer":  func() { settle(); fmt.Print(envelope(fakeapi.Prose(50<<20)+"\n\n"+goodAnswer, 1)) },
		"long-line":    func() { io.WriteString(os.Stdout, strings.Repeat("x", 60<<20)) },
	}
}

// playHostile plays one of them, or the program that searches.
func playHostile(behaviour, argument string) int {
	switch behaviour {
	case "wrapper":
		return wrap(argument)
	case "daemon-middle": // ends at once, and leaves its child to whoever adopts it
		spawn(argument, "stubborn-stay", os.Environ(), &syscall.SysProcAttr{Setsid: true})
		return 0
	}
	word, stays := strings.CutSuffix(behaviour, "-stay")
	act := hostileBehaviours(argument)[word]
	if act == nil {
		fmt.Fprintln(os.Stderr, "no such behaviour:", behaviour)
		return 70
	}
	act()
	if stays {
		os.WriteFile(filepath.Join(argument, "ready"), nil, 0o600)
		time.Sleep(lifetime)
	}
	return 0
}

// flood writes more than any limit, and not for ever: the disk is ours.
func flood(file *os.File, text string) {
	chunk := strings.Repeat(text, 1<<16)
	for range (1 << 30) / len(chunk) {
		if _, err := io.WriteString(file, chunk); err != nil {
			return
		}
	}
}

// spawn starts the test binary as another fake that holds our outputs.
func spawn(folder, behaviour string, environ []string, attributes *syscall.SysProcAttr) *exec.Cmd {
	if strings.HasSuffix(behaviour, "-stay") {
		folder += "/child" // is not there: that the run is ready is for its first process to say
	}
	command := exec.Command("/proc/self/exe", fakeWord, behaviour+"="+folder)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	command.Env = environ
	command.SysProcAttr = attributes
	if err := command.Start(); err != nil {
		panic(err)
	}
	return command
}

// daemonize leaves the group and the family: a new session for the middle one,
// another one for its child, and the middle one ends.
func daemonize(folder string, environ []string) {
	spawn(folder, "daemon-middle", environ, &syscall.SysProcAttr{Setsid: true}).Wait()
}

// awaitLimit waits until the run's limit is set, which happens in the first
// moments of the first process. The real CLI takes longer to its first line.
func awaitLimit() {
	var limit syscall.Rlimit
	for start := time.Now(); time.Since(start) < slow; time.Sleep(time.Millisecond) {
		if syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit) == nil && limit.Max < 1<<62 {
			return
		}
	}
}

// order is what the wrapper is to do.
type order struct {
	Binary    string
	Environ   []string
	Timeout   time.Duration
	MaxBuffer int
	// Stop is what ends the run, as soon as the file ready is in Folder: cancel,
	// or a SIGTERM that somebody sends; or nothing.
	Stop   string
	Folder string
	Runs   int
}

// account is what the wrapper says about its runs.
type account struct {
	Kind, Message string
	Took          time.Duration
	// AfterStop is how long it took from the stop; 0 when it ended without.
	AfterStop time.Duration
	// Children are those that the wrapper still has, zombies too.
	Children []int
	// Descriptors and Goroutines are before and after the runs.
	Descriptors, Goroutines [2]int
	// Peak is the most memory it had; Grown is that above what it had before the
	// runs, in bytes.
	Peak, Grown int64
}

func orderOf(o Options) order {
	return order{Binary: o.Binary, Environ: o.Environ, Timeout: o.Timeout, MaxBuffer: o.MaxBuffer}
}

func (o order) options() Options {
	return Options{
		Binary: o.Binary, Environ: o.Environ, Timeout: o.Timeout, MaxBuffer: o.MaxBuffer,
		Limits: contract.Limits{QueryChars: 1 << 10, PromptBytes: 1 << 16},
	}
}

func parseOrder(text string) (o order) {
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	return o
}
