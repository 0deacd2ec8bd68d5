//go:build unix

package main

import (
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// tool starts one call of a host, whose lifeline is open until in is closed.
func tool(t *testing.T, arguments string, environ ...string) (command *exec.Cmd, in io.WriteCloser, stdout, stderr *strings.Builder) {
	t.Helper()
	command = commandOf(t, "tool", environ...)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	stdout, stderr = new(strings.Builder), new(strings.Builder)
	command.Stdout, command.Stderr = stdout, stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(in, arguments) // a command that refuses it early has gone
	return command, in, stdout, stderr
}

func TestToolTellsFailureOnce(t *testing.T) {
	for _, row := range []struct {
		reason, arguments, want string
		status                  int
	}{
		{"what no search takes", `{"query":"q","depth":2}` + "\n", "error: unknown argument \"depth\"\nkind: INVALID_TOOL_ARGUMENTS\nhint: ", 2},
		{"a line that never ends", strings.Repeat("x", 1<<20), "error: the first line of standard input is missing or too long\nkind: INVALID_TOOL_ARGUMENTS\nhint: ", 2},
		{"a gemini that is not there", `{"query":"q"}` + "\n", "kind: GEMINI_NOT_FOUND\n", 4},
	} {
		t.Run(row.reason, func(t *testing.T) {
			command, _, stdout, stderr := tool(t, row.arguments, "HOME="+t.TempDir(), "GEMINI_BINARY=/missing/gemini")
			exit, ok := errors.AsType[*exec.ExitError](command.Wait())
			if !ok || exit.ExitCode() != row.status || !strings.Contains(stdout.String(), row.want) || stderr.Len() > 0 {
				t.Errorf("%v, stdout %q, stderr %q", exit, stdout, stderr)
			}
		})
	}
}

// TestToolEndsWithItsLifeline: a host that was killed can say nothing more.
func TestToolEndsWithItsLifeline(t *testing.T) {
	folder := t.TempDir()
	gemini, ready := stubborn(t, folder)
	command, in, stdout, _ := tool(t, `{"query":"q"}`+"\n", "HOME="+folder, "XDG_RUNTIME_DIR="+folder, "GEMINI_BINARY="+gemini)
	waitFor(t, ready)
	in.Close()
	exit, ok := errors.AsType[*exec.ExitError](command.Wait())
	if !ok || exit.ExitCode() != 130 || stdout.String() != "error: the search was cancelled\nkind: CANCELLED\n" {
		t.Errorf("%v, stdout %q", exit, stdout)
	}
	noHomes(t, folder)
	isNotRunning(t, gemini)
}
