//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gemini-search/answer"
)

// TestMCPEndsWithItsHost: of a host that has gone, a server sees the end of its
// input or a signal. Claude Code sends SIGKILL soon after SIGTERM, so by then
// nothing may be left, also of a gemini that ignores every signal.
func TestMCPEndsWithItsHost(t *testing.T) {
	for _, row := range []struct {
		reason string
		leave  func(*exec.Cmd, io.Closer) error
		signal syscall.Signal
	}{
		{"the host closes our input, or was killed", func(_ *exec.Cmd, in io.Closer) error { return in.Close() }, 0},
		{"Ctrl-C reaches the whole group", func(c *exec.Cmd, _ io.Closer) error { return c.Process.Signal(syscall.SIGINT) }, syscall.SIGINT},
		{"Codex and Gemini CLI terminate their servers", func(c *exec.Cmd, _ io.Closer) error { return c.Process.Signal(syscall.SIGTERM) }, syscall.SIGTERM},
	} {
		t.Run(row.reason, func(t *testing.T) {
			folder := t.TempDir()
			gemini, ready := stubborn(t, folder)
			command := commandOf(t, "mcp", "HOME="+folder, "XDG_RUNTIME_DIR="+folder, "GEMINI_BINARY="+gemini)
			in, out := speak(t, command)
			say(t, in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"web_search","arguments":{"query":"q"}}}`)
			waitFor(t, ready)
			started := time.Now()
			if err := row.leave(command, in); err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, out)
			if row.signal == 0 {
				if err := command.Wait(); err != nil {
					t.Errorf("ended with %v", err)
				}
			} else {
				diesOf(t, command, row.signal)
			}
			t.Logf("ended after %v", time.Since(started).Round(time.Millisecond))
			noHomes(t, folder)
			isNotRunning(t, gemini)
		})
	}
}

// TestMCPRefusesWhatItCannotServe: a host shows the words of a server that does
// not start, and standard output is the protocol's.
func TestMCPRefusesWhatItCannotServe(t *testing.T) {
	for _, row := range []struct{ reason, flag, want string }{
		{"none at a time", "--parallel=0", "--parallel is \"0\""},
		{"no number", "--parallel=many", "--parallel is \"many\""},
		{"one file for many searches", "--save-evidence=run.json", "unknown flag -save-evidence"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			command := commandOf(t, "mcp", "HOME="+t.TempDir())
			command.Args = append(command.Args, row.flag)
			var stderr strings.Builder
			command.Stderr = &stderr
			stdout, err := command.Output()
			if err == nil || len(stdout) > 0 || !strings.Contains(stderr.String(), row.want) {
				t.Errorf("%v, stdout %q, stderr %q", err, stdout, &stderr)
			}
		})
	}
}

// TestMCPFailureHasItsKind: what keeps every search from running is told to the
// one who searches, and not by a server that does not start.
func TestMCPFailureHasItsKind(t *testing.T) {
	folder := t.TempDir()
	command := commandOf(t, "mcp", "HOME="+folder, "XDG_RUNTIME_DIR="+folder, "GEMINI_BINARY="+filepath.Join(folder, "missing"))
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "web_search", Arguments: map[string]any{"query": "q"}})
	if err != nil {
		t.Fatal(err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if !result.IsError || !strings.Contains(text, "\nkind: "+string(answer.GeminiNotFound)+"\n") || !strings.Contains(text, "\nhint: ") {
		t.Errorf("isError %v and %q", result.IsError, text)
	}
}

// isNotRunning fails if a process has the text in its command line.
func isNotRunning(t *testing.T, text string) {
	t.Helper()
	all, err := exec.Command("ps", "-A", "-o", "pid,args").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(all)) {
		if strings.Contains(line, text) {
			t.Errorf("left running: %s", line)
		}
	}
}

// speak starts a server and opens the protocol.
func speak(t testing.TB, command *exec.Cmd) (in io.WriteCloser, out *bufio.Reader) {
	t.Helper()
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	out = bufio.NewReader(stdout)
	say(t, in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}`)
	if _, err := out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	say(t, in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return in, out
}

func say(t testing.TB, in io.Writer, message string) {
	t.Helper()
	if _, err := fmt.Fprintln(in, message); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkMCPStart is the time from the start of a server to its list of tools.
func BenchmarkMCPStart(b *testing.B) {
	program := filepath.Join(b.TempDir(), "gemini-search")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, output)
	}
	for b.Loop() {
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		command := exec.CommandContext(ctx, program, "mcp")
		in, out := speak(b, command)
		say(b, in, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if _, err := out.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		in.Close()
		_ = command.Wait()
		cancel()
		b.StartTimer()
	}
}
