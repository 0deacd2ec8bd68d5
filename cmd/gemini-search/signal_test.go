//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
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
			t.Parallel()
			folder := t.TempDir()
			ready := filepath.Join(folder, "ready")
			gemini := filepath.Join(folder, "gemini")
			script := "#!/bin/sh\ntrap '' TERM INT HUP\n: > '" + ready + "'\nwhile :; do sleep 0.05; done\n"
			if err := os.WriteFile(gemini, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			command, stdout, stderr := start(t, "what is new?", "HOME="+folder, "XDG_RUNTIME_DIR="+folder, "GEMINI_BINARY="+gemini)
			waitFor(t, ready)
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			err := command.Wait()
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok || exit.Sys().(syscall.WaitStatus).Signal() != signal {
				t.Errorf("ended with %v, want %v", err, signal)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout %q", stdout)
			}
			if want := "gemini-search: error: the search was cancelled\n"; stderr.String() != want {
				t.Errorf("stderr %q, want %q", stderr, want)
			}
			if left, _ := filepath.Glob(filepath.Join(folder, "gemini-search", "*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// start starts the command under test; TestMain plays it under its name.
func start(t *testing.T, query string, environ ...string) (command *exec.Cmd, stdout, stderr *bytes.Buffer) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	command = exec.Command(exe)
	command.Args = []string{"gemini-search", query}
	command.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environ...)
	command.Stdout, command.Stderr = stdout, stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, stdout, stderr
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
