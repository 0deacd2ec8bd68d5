package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// quickGemini is a gemini that answers at once. It is a shell script, because
// the test binary takes longer to start than a run may cost.
func quickGemini(t testing.TB) string {
	folder := t.TempDir()
	path := filepath.Join(folder, "gemini")
	script := strings.Join([]string{
		"#!/bin/sh",
		`mkdir -p "$GEMINI_CLI_HOME/.gemini/tmp/workspace/chats"`,
		`cat > "$GEMINI_CLI_HOME/.gemini/tmp/workspace/chats/session-1.jsonl" <<'END'`, transcript(), "END",
		"cat <<'END'", envelope(goodAnswer, 1), "END",
	}, "\n")
	if err := os.WriteFile(path, []byte(script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
