package main

import (
	"bytes"
	"testing"
	"time"
	"unicode/utf8"

	"gemini-search/runner"
)

func TestProgressLine(t *testing.T) {
	tests := []struct {
		name  string
		step  runner.Step
		width int
		want  string
	}{
		{"before anything", runner.Step{}, 80, "gemini-search: starting gemini (3 s)"},
		{"a search", runner.Step{Kind: runner.Searching, Query: "go\nrelease"}, 80, `gemini-search: searching "go release" (3 s)`},
		{"what a terminal would obey is gone", runner.Step{Kind: runner.Searching, Query: "a\x1b[2Jb"}, 80, `gemini-search: searching "ab" (3 s)`},
		{"it stays on one line", runner.Step{Kind: runner.Searching, Query: "go release"}, 24, "gemini-search: searchi…"},
		{"wide characters take two cells", runner.Step{Kind: runner.Searching, Query: "최신 릴리스 소식"}, 36, `gemini-search: searching "최신 릴…`},
		{"a repair", runner.Step{Kind: runner.Repairing}, 80, "gemini-search: mending the citations (3 s)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := &progress{width: test.width, started: time.Now().Add(-3 * time.Second)}
			p.tell(test.step)
			if got := p.line(); got != test.want || !utf8.ValidString(got) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestProgressIsForTerminals: a file and a pipe get no line, and neither does a
// person who asked for quiet.
func TestProgressIsForTerminals(t *testing.T) {
	if p := startProgress(new(bytes.Buffer), false); p != nil {
		p.stop()
		t.Error("a buffer is no terminal")
	}
}
