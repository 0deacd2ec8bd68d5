package runner

import (
	"context"
	"errors"
	"testing"
	"time"

	"gemini-search/answer"
	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

func TestRetryWait(t *testing.T) {
	tests := []struct {
		name    string
		err     error
		retries int
		least   time.Duration // 0 for no retry
	}{
		{"a busy server", &answer.Failure{Kind: answer.Overloaded}, 0, firstWait},
		{"once more", &answer.Failure{Kind: answer.Overloaded}, 1, 2 * firstWait},
		{"a lost connection", &answer.Failure{Kind: answer.Network}, 0, firstWait},
		{"a quota that says when", &answer.Failure{Kind: answer.QuotaExceeded, RetryAfter: 2}, 0, 2 * time.Second},
		{"a quota that says much later", &answer.Failure{Kind: answer.QuotaExceeded, RetryAfter: 3600}, 0, 0},
		{"a quota that does not say", &answer.Failure{Kind: answer.QuotaExceeded}, 0, 0},
		{"a wrong key stays wrong", &answer.Failure{Kind: answer.AuthRequired}, 0, 0},
		{"an answer without proof", &answer.Failure{Kind: answer.CitationContractViolated}, 0, 0},
		{"no failure of ours", errors.New("x"), 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wait, ok := retryWait(test.err, test.retries)
			if ok != (test.least > 0) || ok && (wait < test.least || wait > test.least*3/2) {
				t.Errorf("%s, %v, want %s", wait, ok, test.least)
			}
		})
	}
}

func TestNoTimeForARetry(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), firstWait/2)
	defer cancel()
	started := time.Now()
	if waitToRetry(ctx, &answer.Failure{Kind: answer.Overloaded}, 0) {
		t.Error("it retries past the deadline")
	}
	if time.Since(started) > firstWait/4 {
		t.Error("it waited in vain")
	}
}

// TestRetry: with the real CLI, a server that is busy once is asked again, and the
// evidence tells.
func TestRetry(t *testing.T) {
	cli := realcli.Require(t)
	o, _ := hooked(t, cli, fakeapi.Script{Answers: []string{goodAnswer}, Faults: []fakeapi.Fault{{On: fakeapi.Main, To: 1, Do: fakeapi.Unavailable()}}})
	o.Retries = 2
	found, err := Search(t.Context(), "latest go", o)
	if err != nil || found.Evidence.Retries != 1 {
		t.Errorf("%+v, %v, want one retry", found, err)
	}
}

// TestSearchModel: the search tool asks the model that the caller names, and the
// answer comes from the user's own.
func TestSearchModel(t *testing.T) {
	cli := realcli.Require(t)
	o, api := hooked(t, cli, fakeapi.Script{Answers: []string{goodAnswer}})
	o.SearchModel = "gemini-of-the-caller"
	found, err := Search(t.Context(), "latest go", o)
	if err != nil || found.Evidence.Grounding != answer.Grounded {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, request := range api.Requests() {
		if asked := request.Model == o.SearchModel; asked != (request.Kind == fakeapi.Grounding) {
			t.Errorf("%s: %s", request.Kind, request.Model)
		}
	}
}
