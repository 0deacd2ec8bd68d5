package answer

import (
	"errors"
	"io/fs"
	"testing"
)

// TestExitCodes: scripts depend on them, so a change must be made twice.
func TestExitCodes(t *testing.T) {
	want := map[Kind]int{
		"INVALID_QUERY": 2, "INVALID_TOOL_ARGUMENTS": 2,
		"CITATION_CONTRACT_VIOLATED": 3, "SEARCH_NOT_RUN": 3,
		"GEMINI_NOT_FOUND": 4, "AUTH_REQUIRED": 4, "GEMINI_TOO_OLD": 4, "PRIVACY_NOT_ENFORCED": 4,
		"UNTRUSTED_FOLDER": 4, "MODEL_UNAVAILABLE": 4,
		"TIMEOUT": 5, "QUOTA_EXCEEDED": 6, "OVERLOADED": 7, "NETWORK": 7,
		"BLOCKED": 1, "INCOMPLETE": 1, "GEMINI_CRASHED": 1,
		"OUTPUT_TOO_LARGE": 1, "GEMINI_WEB_SEARCH_FAILED": 1,
		"CANCELLED": 130,
	}
	if len(Kinds()) != len(want) {
		t.Errorf("%d kinds, want %d", len(Kinds()), len(want))
	}
	for kind, code := range want {
		if got := kind.ExitCode(); got != code {
			t.Errorf("%s exits with %d, want %d", kind, got, code)
		}
	}
	if got := Kind("NEW").ExitCode(); got != 1 {
		t.Errorf("an unknown kind exits with %d, want 1", got)
	}
}

func TestFailureIsItsCause(t *testing.T) {
	var err error = &Failure{Kind: GeminiNotFound, Message: "there is no gemini", Err: fs.ErrNotExist}
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != "there is no gemini" {
		t.Errorf("%v", err)
	}
}
