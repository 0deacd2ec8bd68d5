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
		{name: "a refusal that is tried again", writes: []string{"Attempt 1 failed with status 429. Retrying with backoff... _ApiError: {}\n"}, kind: answer.QuotaExceeded},
		{name: "a busy server", writes: []string{"Attempt 1 failed with status 503. Retrying with backoff... _ApiError: {}\n"}, kind: answer.Overloaded},
		{name: "advice on a second line", writes: []string{"Attempt 1 failed: quota exceeded\n", "Suggested retry after 2s.. Retrying after 5959ms...\n"}, kind: answer.QuotaExceeded},
		{name: "one that is not tried again says so itself", writes: []string{"Attempt 1 failed: internal error. Max attempts reached\nError when talking to Gemini API\n"}},
		{name: "a line that comes in two parts", writes: []string{"Attempt 1 fai", "led with status 500. Retrying with backoff...\n"}, kind: answer.Overloaded},
		{name: "an unfinished line tells nothing", writes: []string{"Attempt 1 failed with status 500. Retrying"}},
		{name: "in the midst of a line it is somebody's text", writes: []string{"the page says: Attempt 3 failed with status 500. Retrying it\n"}},
		{name: "behind a line that never ends", writes: []string{strings.Repeat("x", alarmChunk), "x\nAttempt 1 failed with status 500. Retrying with backoff...\n"}, kind: answer.Overloaded},
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
	tests := []struct {
		name    string
		refusal fakeapi.Behaviour
		kind    answer.Kind
	}{
		{"the daily quota", fakeapi.DailyQuota(), answer.QuotaExceeded},
		{"a model that is not there", fakeapi.NotFound(), answer.QuotaExceeded}, // the CLI does not let tell them apart
		{"429", fakeapi.TooManyRequests(), answer.QuotaExceeded},
		{"429 that says when", fakeapi.RetryIn(2 * time.Second), answer.QuotaExceeded},
		{"500", fakeapi.InternalError(), answer.Overloaded},
		{"503", fakeapi.Unavailable(), answer.Overloaded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			unmended := test.name == "the daily quota" || test.name == "a model that is not there"
			if unmended && olderThan(t, cli, "0.58.0") {
				t.Skip("known hole: before 0.58 the CLI notes nothing of its fallbacks, and such a run ends by its timeout")
			}
			o, api := hooked(t, cli, fakeapi.Script{Answers: []string{goodAnswer}, Faults: []fakeapi.Fault{{On: fakeapi.Grounding, Do: test.refusal}}})
			started := time.Now()
			_, err := Search(t.Context(), "latest go", o)
			if failure, ok := errors.AsType[*answer.Failure](err); !ok || failure.Kind != test.kind {
				t.Errorf("%v, want %s", err, test.kind)
			}
			t.Logf("%s, %d calls", time.Since(started).Round(time.Millisecond), len(api.Requests()))
			if took := time.Since(started); took > 30*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}
