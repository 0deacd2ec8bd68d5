//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestLifeline: when the host's end of standard input is closed, the search ends
// and nothing of it is left.
func TestLifeline(t *testing.T) {
	folder := t.TempDir()
	gemini, ready := stubborn(t, folder)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	input, host, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(exe)
	command.Args = []string{"gemini-search", "what is new?", "--stdin-lifeline"}
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "XDG_RUNTIME_DIR=" + folder, "GEMINI_BINARY=" + gemini}
	command.Stdin = input
	var said strings.Builder
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	input.Close()
	if _, err := io.WriteString(host, "this is no query\n"); err != nil {
		t.Fatal(err)
	}
	waitFor(t, ready)
	host.Close()
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != 130 || said.String() != "gemini-search: error: the search was cancelled\n" {
		t.Errorf("exit status %d, said %q", code, said.String())
	}
	noHomes(t, folder)
}
