//go:build unix

package hosts

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// toolCall is what testdata/call.mjs tells of one call.
type toolCall struct {
	Result *struct{ Title, Output string }
	Error  string
	Asked  []struct {
		Permission       string
		Patterns, Always []string
	}
	Declared struct {
		Description string
		Args        map[string]struct{ Type, Description string }
	}
}

// callOpenCodeTool calls the tool file by node, with a shell script as the command.
func callOpenCodeTool(t *testing.T, command, args string, more ...string) toolCall {
	t.Helper()
	run := nodeCommand(t, command, append([]string{filepath.Join("testdata", "call.mjs"), moduleOf(t, "opencode/gemini_web_search.js"), args}, more...)...)
	var told toolCall
	readJSON(t, run, &told)
	return told
}

// nodeCommand is a node that finds a shell script as gemini-search.
func nodeCommand(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("node must be there in CI")
		}
		t.Skip("NOT TESTED: there is no node")
	}
	bin := t.TempDir()
	if script != "" {
		if err := os.WriteFile(filepath.Join(bin, "gemini-search"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(node, args...)
	command.Env = append(os.Environ(), "PATH="+bin+":/usr/bin:/bin")
	return command
}

// moduleOf copies a file to where node takes it for a module; OpenCode always does.
func moduleOf(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "module.mjs")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readJSON(t *testing.T, command *exec.Cmd, value any) {
	t.Helper()
	output, err := command.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		t.Fatalf("%v: %s", err, failed.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, value); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

func TestOpenCodeTool(t *testing.T) {
	// answers with its own command line and the line of its input
	const echo = `read -r line; printf 'args: %s\nline: %s\n' "$*" "$line"`
	for _, row := range []struct {
		reason, command, args string
		result, failure       string
		asked                 bool
	}{
		{"the query goes to standard input alone", echo, `{"query":"what is 'new'\n?"}`, "args: tool\nline: {\"query\":\"what is 'new'\\n?\"}\n", "", true},
		{"a failure arrives as the command tells it", `read -r line; printf 'error: no\nkind: CITATION_CONTRACT_VIOLATED\nhint: ask again\n'; exit 3`, `{"query":"q"}`, "", "error: no\nkind: CITATION_CONTRACT_VIOLATED\nhint: ask again\n", true},
		{"another failure gets a kind", `echo 'unknown command tool' >&2; exit 2`, `{"query":"q"}`, "", "error: unknown command tool\nkind: GEMINI_WEB_SEARCH_FAILED\n", true},
		{"a silent end too", `exit 9`, `{"query":"q"}`, "", "error: gemini-search ended with 9 and said nothing\nkind: GEMINI_WEB_SEARCH_FAILED\n", true},
		{"no such command", "", `{"query":"q"}`, "", "error: gemini-search could not be run: spawn gemini-search ENOENT\nkind: GEMINI_WEB_SEARCH_FAILED\nhint: install gemini-search and put it into PATH\n", true},
		{"OpenCode does not check arguments: unknown ones", echo, `{"query":"q","max_sources":99}`, "", "error: unknown argument \"max_sources\"\nkind: INVALID_TOOL_ARGUMENTS\nhint: call the tool with exactly {\"query\": \"what to search for\"}\n", false},
		{"none at all", echo, `{}`, "", "error: the argument query is missing or no string\nkind: INVALID_TOOL_ARGUMENTS\nhint: call the tool with exactly {\"query\": \"what to search for\"}\n", false},
		{"another type", echo, `{"query":7}`, "", "error: the argument query is missing or no string\nkind: INVALID_TOOL_ARGUMENTS\nhint: call the tool with exactly {\"query\": \"what to search for\"}\n", false},
		{"a blank one", echo, `{"query":" \n"}`, "", "error: the query is blank\nkind: INVALID_QUERY\nhint: call the tool with exactly {\"query\": \"what to search for\"}\n", false},
	} {
		t.Run(row.reason, func(t *testing.T) {
			told := callOpenCodeTool(t, row.command, row.args)
			if told.Error != row.failure || (told.Result == nil) != (row.failure != "") || told.Result != nil && told.Result.Output != row.result {
				t.Errorf("got %+v and %q\nwant %q and %q", told.Result, told.Error, row.result, row.failure)
			}
			if asked := len(told.Asked) == 1; asked != row.asked {
				t.Errorf("asked %v: permission is for what will run", told.Asked)
			}
		})
	}
}

func TestOpenCodeToolAsksFirst(t *testing.T) {
	t.Setenv("REFUSE", "1")
	told := callOpenCodeTool(t, "touch "+filepath.Join(t.TempDir(), "spawned"), `{"query":"q"}`)
	if told.Error != "the user said no" || len(told.Asked) != 1 {
		t.Fatalf("%+v", told)
	}
	asked := told.Asked[0]
	if asked.Permission != "gemini_web_search" || !slices.Equal(asked.Patterns, []string{"q"}) || !slices.Equal(asked.Always, []string{"*"}) {
		t.Errorf("asked %+v", asked)
	}
}

// TestOpenCodeToolDeclaresOneArgument: everything that stands in args is required.
func TestOpenCodeToolDeclaresOneArgument(t *testing.T) {
	declared := callOpenCodeTool(t, "", `{}`).Declared
	if len(declared.Args) != 1 || declared.Args["query"].Type != "string" || declared.Args["query"].Description != queryDescription {
		t.Errorf("arguments %+v", declared.Args)
	}
	if begin, _, _ := strings.Cut(ToolDescription, " One call may"); !strings.HasPrefix(declared.Description, begin) {
		t.Errorf("the description differs from the server's: %s", declared.Description)
	}
}

func TestOpenCodeToolBoundsOutput(t *testing.T) {
	for _, row := range []struct{ reason, command string }{
		{"one line that never ends, of which OpenCode would show nothing", `head -c 5000000 /dev/zero | tr '\0' x`},
		{"more lines than OpenCode shows", `yes line | head -n 5000`},
	} {
		t.Run(row.reason, func(t *testing.T) {
			told := callOpenCodeTool(t, row.command, `{"query":"q"}`)
			if told.Result == nil {
				t.Fatal(told.Error)
			}
			output := told.Result.Output
			if len(output) >= 51_200 || strings.Count(output, "\n") >= 2_000 || !strings.HasSuffix(output, "\nnote: this is the beginning; the rest was cut\n") {
				t.Errorf("%d bytes in %d lines, and at the end %q", len(output), strings.Count(output, "\n"), output[max(0, len(output)-60):])
			}
		})
	}
}

func TestOpenCodeToolStopsCommand(t *testing.T) {
	for _, row := range []struct{ reason, command string }{
		{"it ends when it is asked", "echo $$ > FOLDER/pid.new; mv FOLDER/pid.new FOLDER/pid; exec sleep 60"},
		{"it does not, and is killed", "trap '' TERM; echo $$ > FOLDER/pid.new; mv FOLDER/pid.new FOLDER/pid; while :; do sleep 0.1; done"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			folder := t.TempDir()
			pid := filepath.Join(folder, "pid")
			told := callOpenCodeTool(t, strings.ReplaceAll(row.command, "FOLDER", folder), `{"query":"q"}`, pid)
			if want := "error: the search was cancelled\nkind: CANCELLED\n"; told.Error != want {
				t.Errorf("got %q, want %q", told.Error, want)
			}
			isGone(t, pid, time.Second)
		})
	}
}

// TestOpenCodeToolLifeline: nobody can tell a child that its host was killed but
// the end of its input.
func TestOpenCodeToolLifeline(t *testing.T) {
	folder := t.TempDir()
	pid := filepath.Join(folder, "pid")
	command := "read -r line; echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; read -r more; exit 0"
	node := nodeCommand(t, command, filepath.Join("testdata", "call.mjs"), moduleOf(t, "opencode/gemini_web_search.js"), `{"query":"q"}`)
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if _, err := os.Stat(pid); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := node.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = node.Wait()
	isGone(t, pid, time.Second)
}

// isGone fails if the process that a file names outlives the limit.
func isGone(t *testing.T, pidFile string, limit time.Duration) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(string(text))
	for deadline := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		state, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		if len(state) == 0 || state[0] == 'Z' { // an orphan that nobody has reaped yet
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("process %s is left", pid)
			return
		}
	}
}

func TestOpenCodeHint(t *testing.T) {
	messages := []string{
		"rename the variable", "acknowledge the newsletter", // no word of theirs is "now" or "news"
		"What's the LATEST Node.js release?", "오늘 비트코인 시세 알려줘", "今日の天気は？", "今天的新闻", "latest, latest!",
	}
	given, _ := json.Marshal(messages)
	for _, row := range []struct {
		reason, debug string
		want          []string
	}{
		{"asked to log", "1", []string{
			"recency words: latest, release", "recency words: 오늘, 시세", "recency words: 今日, 天気", "recency words: 今天, 新闻", "recency words: latest",
		}},
		{"a message is nobody's business otherwise", "", nil},
	} {
		t.Run(row.reason, func(t *testing.T) {
			command := nodeCommand(t, "", filepath.Join("testdata", "hint.mjs"), moduleOf(t, "opencode/plugin.js"), string(given))
			command.Env = append(command.Env, "OPENCODE_GEMINI_SEARCH_DEBUG="+row.debug)
			var told struct {
				System      []string
				Definitions map[string]map[string]any
				Logged      []string
			}
			readJSON(t, command, &told)
			if !slices.Equal(told.Logged, row.want) {
				t.Errorf("logged %q, want %q", told.Logged, row.want)
			}
			if len(told.System) != 2 || !strings.Contains(told.System[1], "gemini_web_search") {
				t.Errorf("system prompt %q", told.System)
			}
			if told.Definitions["gemini_web_search"]["jsonSchema"] == nil || told.Definitions["bash"]["jsonSchema"] != nil {
				t.Errorf("definitions %v", told.Definitions)
			}
		})
	}
}
