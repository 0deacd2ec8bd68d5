package runner

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gemini-search/answer"
	"gemini-search/contract"
)

// options are those of a person whose home is an empty folder.
func options(t testing.TB, binary string) Options {
	home := t.TempDir()
	return Options{
		Binary:    binary,
		Timeout:   time.Minute,
		MaxBuffer: 1 << 20,
		Limits:    contract.Limits{QueryChars: 32768, PromptBytes: 98304},
		Environ:   []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + home, "GEMINI_API_KEY=secret"},
	}
}

// leftBehind lists the homes that are still there.
func leftBehind(t *testing.T, o Options) []string {
	for _, variable := range o.Environ {
		if folder, ok := strings.CutPrefix(variable, "XDG_RUNTIME_DIR="); ok {
			left, err := filepath.Glob(filepath.Join(folder, "gemini-search", "run-*"))
			if err != nil {
				t.Fatal(err)
			}
			return left
		}
	}
	t.Fatal("no XDG_RUNTIME_DIR")
	return nil
}

func TestSearchAnswers(t *testing.T) {
	o := options(t, fake(t, "answer"))
	found, err := Search(t.Context(), "latest go", o)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSpace(goodAnswer); found.Text != want {
		t.Errorf("text %q, want %q", found.Text, want)
	}
	if want := []answer.Source{{URI: "https://go.dev/doc/go1.26", Title: "go.dev"}}; !reflect.DeepEqual(found.Sources, want) {
		t.Errorf("sources %v, want %v", found.Sources, want)
	}
	evidence := found.Evidence
	if evidence.Milliseconds <= 0 {
		t.Errorf("%d ms", evidence.Milliseconds)
	}
	evidence.Milliseconds = 0
	want := answer.Evidence{
		Searches: 1, Queries: []string{"latest go"}, Grounding: answer.Grounded,
		Results:  []answer.Result{{Source: answer.Source{URI: "https://go.dev/doc/go1.26", Title: "go.dev"}, Cited: true}},
		Coverage: &answer.Coverage{Sentences: 1, Cited: 1},
		Models:   []string{"gemini-2.5-flash"}, Tokens: 42,
	}
	if !reflect.DeepEqual(evidence, want) {
		t.Errorf("evidence %+v, want %+v", evidence, want)
	}
	if left := leftBehind(t, o); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSearchFails(t *testing.T) {
	tests := []struct {
		name, binary string
		change       func(*Options)
		kind         answer.Kind
		message      string // part of it
	}{
		{name: "a blank query is refused before anything is looked for", binary: "/nonexistent", kind: answer.InvalidQuery},
		{name: "a terminated CLI: exit 0 and nothing", binary: "nothing", kind: answer.GeminiCrashed, message: "without an answer"},
		{name: "half an object is none", binary: "half", kind: answer.GeminiCrashed, message: "without an answer"},
		{name: "not signed in", binary: "exit41", kind: answer.AuthRequired, message: "Please set an Auth method"},
		{name: "an answer from somebody else's home", binary: "homeless", kind: answer.PrivacyNotEnforced},
		{name: "the deadline", binary: "stubborn", change: func(o *Options) { o.Timeout = 300 * time.Millisecond }, kind: answer.Timeout, message: "300ms"},
		{name: "output without end", binary: "flood", kind: answer.OutputTooLarge, message: "1048576 bytes"},
		{name: "a refused key", binary: `error={"code":400,"message":"{\"error\":{\"code\":400,\"message\":\"API key not valid. Please pass a valid API key.\"}}"}`, kind: answer.AuthRequired, message: "gemini failed: API key not valid"},
		{name: "an unknown key", binary: `error={"code":401,"message":"no"}`, kind: answer.AuthRequired},
		{name: "a key without the right", binary: `error={"code":403,"message":"no"}`, kind: answer.AuthRequired},
		{name: "the quota", binary: `error={"code":429,"message":"You have exhausted your daily quota on this model."}`, kind: answer.QuotaExceeded, message: "daily quota"},
		{name: "a personal account", binary: `error={"code":1,"message":"IneligibleTierError: UNSUPPORTED_CLIENT"}`, kind: answer.AuthRequired},
		{name: "an overloaded model", binary: `error={"code":503,"message":"The model is overloaded."}`, kind: answer.Overloaded, message: "overloaded"},
		{name: "an error that hides controls", binary: `error={"code":500,"message":"a\u001b]0;title\u0007b\u202ec"}`, kind: answer.Overloaded, message: "gemini failed: abc"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			query, binary := "q", test.binary
			if strings.HasPrefix(binary, "/") {
				query = " \t\x1b[0m"
			} else {
				binary = fake(t, binary)
			}
			o := options(t, binary)
			if test.change != nil {
				test.change(&o)
			}
			started := time.Now()
			found, err := Search(t.Context(), query, o)
			failure, ok := errors.AsType[*answer.Failure](err)
			if !ok || found != nil {
				t.Fatalf("answer %v, error %v", found, err)
			}
			if failure.Kind != test.kind || !strings.Contains(failure.Message, test.message) {
				t.Errorf("%s: %s, want %s: …%s…", failure.Kind, failure.Message, test.kind, test.message)
			}
			if took := time.Since(started); took > 10*time.Second {
				t.Errorf("it took %s", took)
			}
			if left := leftBehind(t, o); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestSearchCancelled: the cause of the caller's context is what the failure
// wraps, so that a caller can tell a signal from a closed connection.
func TestSearchCancelled(t *testing.T) {
	cause := errors.New("the host went away")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(cause) })
	_, err := Search(ctx, "q", options(t, fake(t, "stubborn")))
	if !errors.Is(err, cause) {
		t.Errorf("error %v does not wrap the cause", err)
	}
}

// TestSearchShowsNothing: the child sees the prompt, its own home, and of the
// user's environment what is named.
func TestSearchShowsNothing(t *testing.T) {
	note := filepath.Join(t.TempDir(), "sight")
	o := options(t, fake(t, "tell="+note))
	o.Environ = append(o.Environ, "NODE_OPTIONS=--require=/evil.js", "DEBUG=1", "OTEL_EXPORTER_OTLP_ENDPOINT=http://evil.io", "GEMINI_TELEMETRY_ENABLED=true", "AWS_SECRET_ACCESS_KEY=x")
	if _, err := Search(t.Context(), "who is user@example.com?", o); err != nil {
		t.Fatal(err)
	}
	var seen sight
	data, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &seen); err != nil {
		t.Fatal(err)
	}
	if want := []string{"-o", "json"}; !slices.Equal(seen.Args, want) {
		t.Errorf("arguments %q, want %q: everything else is on standard input", seen.Args, want)
	}
	if !strings.HasSuffix(seen.Prompt, "\"who is user\\u0040example.com?\"\n") || strings.Contains(seen.Prompt, "@") {
		t.Errorf("prompt %q", seen.Prompt)
	}
	if want := []string{"", "/.gemini", "/.gemini/.env"}; !slices.Equal(seen.Entries, want) {
		t.Errorf("the working folder holds %q, want %q", seen.Entries, want)
	}
	for _, name := range []string{"NODE_OPTIONS", "DEBUG", "OTEL_EXPORTER_OTLP_ENDPOINT", "AWS_SECRET_ACCESS_KEY"} {
		if slices.ContainsFunc(seen.Environ, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
			t.Errorf("the child sees %s", name)
		}
	}
	for _, variable := range []string{"GEMINI_TELEMETRY_ENABLED=false", "GEMINI_API_KEY=secret", "GOOGLE_GEMINI_BASE_URL="} {
		if !slices.Contains(seen.Environ, variable) {
			t.Errorf("the child does not see %s", variable)
		}
	}
}

// TestSearchToleratesNoise: notes around the envelope are passed over, and told.
func TestSearchToleratesNoise(t *testing.T) {
	found, err := Search(t.Context(), "q", options(t, fake(t, "noise")))
	if err != nil || found.Evidence.NoiseBytes == 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
