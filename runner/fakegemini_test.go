package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gemini-search/contract"
	"gemini-search/settings"
)

// fakeWord as the first argument makes the test binary play a gemini that
// behaves as the second one says.
const fakeWord = "fake-gemini"

// searchWord as the first argument makes the test binary search with the
// gemini and the query that follow, in its own environment.
const searchWord = "search-with"

// searchWith prints the answer as JSON.
func searchWith(binary, query string) int {
	found, err := Search(context.Background(), query, Options{
		Binary: binary, Timeout: time.Minute, MaxBuffer: 1 << 20,
		Limits: contract.Limits{QueryChars: 32768, PromptBytes: 98304}, Environ: os.Environ(),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		return 1
	}
	return 0
}

// hookWord as the first argument makes the test binary the hook program.
const hookWord = "hook"

// hookProgram is the Options.Hook that calls this binary back.
func hookProgram(t testing.TB) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "'" + exe + "' " + hookWord
}

func playHook(event, folder, repairs string) int {
	most, err := strconv.Atoi(repairs)
	if err == nil {
		err = Hook(settings.Event(event), folder, most, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == hookWord {
		os.Exit(playHook(os.Args[2], os.Args[3], os.Args[4]))
	}
	if len(os.Args) > 3 && os.Args[1] == searchWord {
		os.Exit(searchWith(os.Args[2], os.Args[3]))
	}
	if len(os.Args) > 2 && os.Args[1] == fakeWord {
		// os.Exit would wait: with the race detector for a second, without a reason.
		syscall.Exit(play(os.Args[2]))
	}
	os.Exit(m.Run())
}

// fake is the GEMINI_BINARY of a fake that behaves in one way.
func fake(t testing.TB, behaviour string) string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("'%s' %s '%s'", exe, fakeWord, behaviour)
}

const goodAnswer = "Go 1.26 is out [Source](https://go.dev/doc/go1.26).\n\n## Sources\n\n1. https://go.dev/doc/go1.26\n"

// play behaves like a gemini that does one thing right or wrong.
func play(behaviour string) int {
	behaviour, argument, _ := strings.Cut(behaviour, "=")
	switch behaviour {
	case "answer": // as the real one: from a search, with a transcript
		settle()
		fmt.Print(envelope(argument+goodAnswer, 1))
	case "unseen": // as one that keeps no transcript
		settle()
		os.RemoveAll(filepath.Join(os.Getenv("GEMINI_CLI_HOME"), ".gemini", "tmp", "workspace", "chats"))
		fmt.Print(envelope(goodAnswer, 1))
	case "noise": // and with notes around its envelope
		settle()
		fmt.Printf("Created execution plan for SessionEnd\n{\"stray\":true}\n%s\nExport retry time 5000ms\n", envelope(goodAnswer, 1))
	case "homeless": // keeps its transcript in the user's own folder
		os.Setenv("GEMINI_CLI_HOME", os.Getenv("HOME"))
		settle()
		fmt.Print(envelope(goodAnswer, 1))
	case "plain": // writes nothing but its envelope
		fmt.Print(envelope(goodAnswer, 1))
	case "nothing": // what a terminated CLI does
	case "half":
		settle()
		fmt.Print(envelope(goodAnswer, 1)[:40])
	case "exit41":
		fmt.Fprintln(os.Stderr, "\x1b[31mPlease set an Auth method in your settings.json\x1b[0m")
		return 41
	case "error": // a failed call: the error object is on stderr, after noise
		var e struct {
			Code    int
			Message string
		}
		json.Unmarshal([]byte(argument), &e)
		body, _ := json.MarshalIndent(map[string]any{"session_id": "x", "error": map[string]any{"type": "Error", "message": e.Message, "code": e.Code}}, "", "  ")
		fmt.Fprintf(os.Stderr, "[STARTUP] noise\nError when talking to Gemini API\n%s\n", body)
		return e.Code & 255
	case "stubborn": // swallows SIGTERM, as the launcher of the real one does
		signal.Ignore(syscall.SIGTERM)
		os.WriteFile(argument, nil, 0o600)
		time.Sleep(time.Minute)
	case "polite": // says that it was asked to end
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM)
		os.WriteFile(filepath.Join(argument, "ready"), nil, 0o600)
		<-signals
		os.WriteFile(filepath.Join(argument, "asked"), nil, 0o600)
	case "retry": // notes its failed attempts, and goes on
		for attempt := 1; ; attempt++ {
			fmt.Fprintf(os.Stderr, "Attempt %d failed with status %s. Retrying with backoff... _ApiError: {}\n", attempt, argument)
			time.Sleep(50 * time.Millisecond)
		}
	case "flood":
		for {
			os.Stdout.WriteString(strings.Repeat("x", 1<<16))
		}
	case "tell": // says what it sees
		prompt, _ := io.ReadAll(os.Stdin)
		folder, _ := os.Getwd()
		entries := []string{}
		filepath.WalkDir(folder, func(path string, _ os.DirEntry, _ error) error {
			entries = append(entries, strings.TrimPrefix(path, folder))
			return nil
		})
		seen, _ := json.Marshal(sight{Args: os.Args[3:], Environ: os.Environ(), Prompt: string(prompt), Folder: folder, Entries: entries})
		os.WriteFile(argument, seen, 0o600)
		settle()
		fmt.Print(envelope(goodAnswer, 1))
	case "child": // leaves a process behind that holds its outputs
		child, _ := os.StartProcess("/bin/sleep", []string{"sleep", "60"}, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
		os.WriteFile(argument, fmt.Appendf(nil, "%d", child.Pid), 0o600)
		settle()
		fmt.Print(envelope(goodAnswer, 1))
	default:
		return playHostile(behaviour, argument)
	}
	return 0
}

// sight is what a child can see of the machine.
type sight struct {
	Args, Environ []string
	Prompt        string
	Folder        string
	Entries       []string
}

// settle writes a transcript into the home, as the CLI does.
func settle() {
	chats := filepath.Join(os.Getenv("GEMINI_CLI_HOME"), ".gemini", "tmp", "workspace", "chats")
	os.MkdirAll(chats, 0o700)
	os.WriteFile(filepath.Join(chats, "session-1.jsonl"), []byte(transcript()), 0o600)
}

// transcript is the record of one successful search.
func transcript() string {
	output := "Web search results\n\nSources:\n[1] go.dev (https://go.dev/doc/go1.26)"
	line, _ := json.Marshal(map[string]any{"id": "m", "toolCalls": []any{map[string]any{
		"id": "c", "name": contract.SearchTool, "status": "success", "args": map[string]any{"query": "latest go"},
		"result": []any{map[string]any{"functionResponse": map[string]any{"response": map[string]any{"output": output}}}},
	}}})
	return string(line)
}

func envelope(response string, success int) string {
	body, _ := json.MarshalIndent(map[string]any{
		"response": response,
		"stats": map[string]any{
			"models": map[string]any{"gemini-2.5-flash": map[string]any{"tokens": map[string]any{"total": 42}}},
			"tools":  map[string]any{"byName": map[string]any{contract.SearchTool: map[string]any{"success": success}}},
		},
	}, "", "  ")
	return string(body)
}
