//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mark is what no output may hold: a title sequence, a C1 control, a bidi
// override, an invisible character and a tag, in every string of the child.
const mark = "\x1b]0;owned\x07\u009b31m\u202eM\u200b\U000e0041"

// hostileRun is a gemini whose every string is marked, and that answers well,
// badly, or not at all.
func hostileRun(t *testing.T, kind string) (folder, gemini string) {
	folder = t.TempDir()
	const page = "https://go.dev/doc"
	body := "Go " + mark + " is out [Source](" + page + ").\n\n## Sources\n\n1. [title " + mark + "](" + page + ")\n"
	if kind == "refused" {
		body = "Go " + mark + " [Source](https://evil.io/" + mark + ").\n"
	}
	envelope := map[string]any{
		"session_id" + mark: mark, "response": body, "warnings": []string{mark},
		"stats": map[string]any{
			"models": map[string]any{"model" + mark: map[string]any{"tokens": map[string]any{"total": 3}}},
			"tools":  map[string]any{"byName": map[string]any{"google_web_search": map[string]any{"success": 1, "note": mark}}},
		},
	}
	if kind == "failed" {
		inner, _ := json.Marshal(map[string]any{"error": map[string]any{"message": "inner " + mark}})
		envelope = map[string]any{"error": map[string]any{"type": mark, "code": 400, "message": string(inner)}}
	}
	transcript := map[string]any{"id": "m", "type": "gemini", "toolCalls": []any{map[string]any{
		"id": "c", "name": "google_web_search", "status": "success", "args": map[string]any{"query": "query " + mark},
		"result": []any{map[string]any{"functionResponse": map[string]any{"response": map[string]any{
			"output": "text " + mark + "\n\nSources:\n[1] title " + mark + " (" + page + ")\n",
		}}}},
	}}}
	for name, value := range map[string]any{"envelope.json": envelope, "transcript.jsonl": transcript} {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "noise"), []byte(mark+"\n\x1b[31m"+mark+"\x1b[0m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	gemini = filepath.Join(folder, "gemini")
	script := "#!/bin/sh\ncase $1 in --version) echo '0.61.0" + mark + "'; exit 0;; esac\ncat >/dev/null\nmkdir -p ../.gemini/tmp/x/chats\ncp '" + folder + "'/transcript.jsonl ../.gemini/tmp/x/chats/session-1.jsonl\ncat '" + folder + "'/noise >&2\ncat '" + folder + "'/envelope.json\n"
	if kind == "silent" {
		script = "#!/bin/sh\ncat '" + folder + "'/noise >&2\nexit 3\n"
	}
	if err := os.WriteFile(gemini, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return folder, gemini
}

// TestNothingHostileGetsOut walks every way out of the program with a child that
// marks every string, and with marks in what the user typed.
func TestNothingHostileGetsOut(t *testing.T) {
	if _, gemini := hostileRun(t, "answered"); !bytes.Contains(runIn(t, filepath.Dir(gemini), gemini, []string{"q"}), []byte("## Sources")) {
		t.Fatal("the answered run gives no answer, so that it would prove nothing")
	}
	lines := [][]string{
		{"q"}, {"q", "--evidence"}, {"q", "--format", "json"}, {"q", "--format", "sections"}, {"q", "--format", "raw"},
		{"query " + mark}, {"query " + mark, "--format", "json"}, {"query " + mark, "--format", "sections"},
		{"q", "--save-evidence", "evidence.json"}, {"q", "--strict", "--format", "json"},
		{"doctor"}, {"doctor", "--format", "json"}, {"doctor", "--live"}, {"doctor", "--live", "--format", "json"},
		{"verify", "envelope.json"}, {"verify", "envelope.json", "--format", "json"}, {"verify", "evidence.json", "--format", "json"},
		{"verify", "no" + mark}, {"--no" + mark}, {"q", "--format", "no" + mark}, {"q", "--timeout", mark, "--format", "json"},
		{"q", "--gemini-binary", "no" + mark}, {"q", "--gemini-binary", "no" + mark, "--format", "json"},
		{"q", "--format", "json", "--provenance", mark}, {"version", mark}, {"completion", mark},
	}
	for _, kind := range []string{"answered", "refused", "failed", "silent"} {
		t.Run(kind, func(t *testing.T) {
			folder, gemini := hostileRun(t, kind)
			for _, line := range lines {
				out := runIn(t, folder, gemini, line)
				// what the user typed is quoted, with its controls as visible escapes
				typed := strings.Contains(strings.Join(line, " "), mark)
				if at := hostileByte(out, !typed); at != "" {
					t.Errorf("%q: %s in %q", line, at, out)
				}
			}
			if data, err := os.ReadFile(filepath.Join(folder, "evidence.json")); err == nil && hostileByte(data, true) != "" {
				t.Errorf("the evidence holds %s", hostileByte(data, true))
			}
		})
	}
}

// runIn runs a command line in a folder and returns all that it prints.
func runIn(t *testing.T, folder, gemini string, line []string) []byte {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(exe)
	command.Args = append([]string{"gemini-search"}, line...)
	command.Dir = folder
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "XDG_RUNTIME_DIR=" + folder, "GEMINI_API_KEY=k", "GEMINI_BINARY=" + gemini, "GEMINI_SEARCH_RETRIES=0"}
	out, err := command.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return out
}

// hostileByte names the part of the mark that a text holds, with escapes also one
// that JSON spells out; "" when it holds none.
func hostileByte(text []byte, escapes bool) string {
	for name, forms := range map[string][]string{
		"ESC": {"\x1b", `\u001b`, `\x1b`}, "BEL": {"\x07", `\u0007`, `\a`}, "C1": {"\u009b", `\u009b`}, "a bidi control": {"\u202e", `\u202e`},
		"an invisible character": {"\u200b", `\u200b`}, "a tag": {"\U000e0041", `\udb40\udc41`}, "the title": {"\a", "owned"},
	} {
		for i, form := range forms {
			if i > 0 && !escapes {
				break
			}
			if bytes.Contains(text, []byte(form)) {
				return name + " as " + strings.ToUpper(form)
			}
		}
	}
	return ""
}
