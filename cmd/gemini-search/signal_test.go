//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestSignalEndsBySignal: a shell sees 130 or 143 only when the command really
// dies of the signal, and not before the child is dead and the home is gone.
func TestSignalEndsBySignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			if ignored(signal) {
				t.Skipf("%v is ignored here, as under nohup, and so it is by the command", signal)
			}
			t.Parallel()
			folder := t.TempDir()
			gemini, ready := stubborn(t, folder)
			command, stdout, stderr := start(t, "what is new?", "HOME="+folder, "XDG_RUNTIME_DIR="+folder, "GEMINI_BINARY="+gemini)
			waitFor(t, ready)
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			diesOf(t, command, signal)
			if stdout.Len() > 0 {
				t.Errorf("stdout %q", stdout)
			}
			if want := "gemini-search: error: the search was cancelled\n"; stderr.String() != want {
				t.Errorf("stderr %q, want %q", stderr, want)
			}
			noHomes(t, folder)
		})
	}
}

// ignored reports whether this process was started with a signal ignored, which
// its children inherit.
func ignored(s os.Signal) bool { return signal.Ignored(s) }

// TestObeySignals: the first signal cancels, the second kills.
func TestObeySignals(t *testing.T) {
	tests := []struct {
		name      string
		signals   []os.Signal
		cancelled os.Signal
		killed    bool
	}{
		{name: "none"},
		{name: "one leaves the grace", signals: []os.Signal{syscall.SIGINT}, cancelled: syscall.SIGINT},
		{name: "the second one ends it", signals: []os.Signal{syscall.SIGINT, syscall.SIGTERM}, cancelled: syscall.SIGINT, killed: true},
		{name: "writes to a closed pipe are one complaint", signals: []os.Signal{syscall.SIGPIPE, syscall.SIGPIPE}, cancelled: syscall.SIGPIPE},
		{name: "and do not stand in for a signal", signals: []os.Signal{syscall.SIGTERM, syscall.SIGPIPE}, cancelled: syscall.SIGTERM},
		{name: "but do not hide one either", signals: []os.Signal{syscall.SIGPIPE, syscall.SIGPIPE, syscall.SIGINT}, cancelled: syscall.SIGPIPE, killed: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			signals := make(chan os.Signal, len(test.signals))
			for _, signal := range test.signals {
				signals <- signal
			}
			close(signals)
			ctx, cancel := context.WithCancelCause(t.Context())
			killed := false
			obey(signals, cancel, func() { killed = true })
			cause, _ := errors.AsType[signalError](context.Cause(ctx))
			if cause.signal != test.cancelled || killed != test.killed {
				t.Errorf("cancelled by %v, killed %v", cause.signal, killed)
			}
		})
	}
}

// TestIgnoredSignalStaysIgnored: a shell starts a background job so, and Ctrl-C
// is not for it.
func TestIgnoredSignalStaysIgnored(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	gemini, ready := stubborn(t, folder)
	program := filepath.Join(t.TempDir(), "gemini-search")
	if err := os.Symlink(executable(t), program); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/bin/sh", "-c", `trap '' INT; exec "$0" query`, program)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "XDG_RUNTIME_DIR=" + folder, "GEMINI_BINARY=" + gemini}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, ready)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		if err := command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
	diesOf(t, command, syscall.SIGTERM)
}

// TestClosedOutputLosesNoCleanUp: as in gemini-search … | head -0.
func TestClosedOutputLosesNoCleanUp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()
	recording := filepath.Join(fixturesFolder(t), "accepted", "english")
	gemini := script(t, folder, `chats="$GEMINI_CLI_HOME/.gemini/tmp/x/chats"; mkdir -p "$chats"; cp '`+recording+`/transcript.jsonl' "$chats/session-1.jsonl"; cat '`+recording+`/envelope.json'`)
	command := commandOf(t, "query", "HOME="+folder, "XDG_RUNTIME_DIR="+folder, "GEMINI_BINARY="+gemini)
	command.Stdout = writer
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	diesOf(t, command, syscall.SIGPIPE)
	noHomes(t, folder)
}

// TestDescriptorsStayWithUs: what the program around us left open is none of the
// CLI's business.
func TestDescriptorsStayWithUs(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	note := filepath.Join(folder, "note")
	gemini := script(t, folder, "for n in 3 4 5 6; do if ( eval \": <&$n\" ) 2>/dev/null; then echo $n; fi; done > '"+note+"'")
	secret, err := os.Create(filepath.Join(folder, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	command := commandOf(t, "query", "HOME="+folder, "XDG_RUNTIME_DIR="+folder, "GEMINI_BINARY="+gemini)
	command.ExtraFiles = []*os.File{secret, nil, secret}
	_ = command.Run() // it gives no answer
	if open, err := os.ReadFile(note); err != nil || len(open) > 0 {
		t.Errorf("gemini has the descriptors %q, error %v", open, err)
	}
}

// stubborn is a gemini that does not end when it is asked, and says that it runs
// by making a file.
func stubborn(t *testing.T, folder string) (gemini, ready string) {
	ready = filepath.Join(folder, "ready")
	return script(t, folder, "trap '' TERM INT HUP\n: > '"+ready+"'\nwhile :; do sleep 0.05; done"), ready
}

func script(t *testing.T, folder, text string) (path string) {
	path = filepath.Join(folder, "gemini")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func diesOf(t *testing.T, command *exec.Cmd, signal syscall.Signal) {
	t.Helper()
	late := time.AfterFunc(30*time.Second, func() { _ = command.Process.Kill() })
	defer late.Stop()
	err := command.Wait()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != signal {
		t.Errorf("ended with %v, want %v", err, signal)
	}
}

func noHomes(t *testing.T, folder string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(folder, "gemini-search", "run-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// start starts the command under test.
func start(t *testing.T, query string, environ ...string) (command *exec.Cmd, stdout, stderr *bytes.Buffer) {
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	command = commandOf(t, query, environ...)
	command.Stdout, command.Stderr = stdout, stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, stdout, stderr
}

// commandOf is the command under test; TestMain plays it under its name.
func commandOf(t *testing.T, argument string, environ ...string) *exec.Cmd {
	command := exec.Command(executable(t))
	command.Args = []string{"gemini-search", argument}
	command.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environ...)
	return command
}

func executable(t *testing.T) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// waitFor waits until the child says that it runs.
func waitFor(t *testing.T, path string) {
	for range 1000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not appear", path)
}
