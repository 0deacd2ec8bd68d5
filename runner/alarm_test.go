package runner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gemini-search/answer"
	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

func TestAlarm(t *testing.T) {
	tests := []struct {
		name   string
		writes []string // with a look after each
		kind   answer.Kind
	}{
		{name: "nothing", writes: []string{""}},
		{name: "a second try may do", writes: []string{"Attempt 1 failed with status 429. Retrying…\n", "Attempt 2 failed with status 429. Retrying…\n"}},
		{name: "the third is enough", writes: []string{"Attempt 1 failed with status 429. Retrying…\n", "Attempt 3 failed with status 429. Retrying…\n"}, kind: answer.QuotaExceeded},
		{name: "a broken server", writes: []string{"Attempt 3 failed with status 503. Retrying…\n"}, kind: answer.GeminiWebSearchFailed},
		{name: "a search that is asked for without end", writes: []string{"(node:1) " + string(endlessRetry) + ". MaxListeners is 10.\n"}, kind: answer.QuotaExceeded},
		{name: "a line that comes in two parts", writes: []string{"Attempt 3 fai", "led with status 500. Retrying…\n"}, kind: answer.GeminiWebSearchFailed},
		{name: "an unfinished line tells nothing", writes: []string{"Attempt 3 failed with status 500. Retr"}},
		{name: "in the midst of a line it is somebody's text", writes: []string{"the page says: Attempt 3 failed with status 500.\n"}},
		{name: "behind a line that never ends", writes: []string{strings.Repeat("x", alarmChunk), "x\nAttempt 3 failed with status 500.\n"}, kind: answer.GeminiWebSearchFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			a := alarm{file: file}
			var got error
			for _, text := range test.writes {
				if _, err := file.WriteString(text); err != nil {
					t.Fatal(err)
				}
				got = errors.Join(got, a.look())
			}
			kind := answer.Kind("")
			if failure, ok := errors.AsType[*answer.Failure](got); ok {
				kind = failure.Kind
			}
			if kind != test.kind {
				t.Errorf("%q, want %q: %v", kind, test.kind, got)
			}
		})
	}
}

// TestAlarmStops: a child that tries for ever is stopped like any other.
func TestAlarmStops(t *testing.T) {
	t.Parallel()
	started := time.Now()
	_, err := Search(t.Context(), "q", options(t, fake(t, "retry=429")))
	if failure, ok := errors.AsType[*answer.Failure](err); !ok || failure.Kind != answer.QuotaExceeded {
		t.Errorf("ended with %v", err)
	}
	if took := time.Since(started); took > slow {
		t.Errorf("it took %s", took)
	}
}

// TestRefusedSearchEndsSoon: of the search tool's call the real CLI bounds no
// retry; with a daily quota used up, or a model that is not there, it asks 600
// times a second.
func TestRefusedSearchEndsSoon(t *testing.T) {
	cli := realcli.Require(t)
	for name, refusal := range map[string]fakeapi.Behaviour{"daily quota": fakeapi.DailyQuota(), "no such model": fakeapi.NotFound()} {
		t.Run(name, func(t *testing.T) {
			o, api := hooked(t, cli, fakeapi.Script{Answers: []string{goodAnswer}, Faults: []fakeapi.Fault{{On: fakeapi.Grounding, Do: refusal}}})
			started := time.Now()
			_, err := Search(t.Context(), "latest go", o)
			if failure, ok := errors.AsType[*answer.Failure](err); !ok || failure.Kind != answer.QuotaExceeded {
				t.Errorf("%v, want QUOTA_EXCEEDED", err)
			}
			t.Logf("%s, %d calls", time.Since(started).Round(time.Millisecond), len(api.Requests()))
			if took := time.Since(started); took > 30*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}
