package runner

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"gemini-search/answer"
	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

// TestSymptoms makes the fake API fail in each way that is known of the real one,
// and asks for the kind, soon: plain, the CLI would try some of these for four
// minutes.
func TestSymptoms(t *testing.T) {
	cli := realcli.Require(t)
	// older says what a version that does not tell the difference is known by
	generic := olderThan(t, cli, "0.58.0")
	silent := olderThan(t, cli, "0.45.0")
	older := func(kind answer.Kind) answer.Kind {
		if generic {
			return answer.Incomplete
		}
		return kind
	}
	tests := []struct {
		name string
		do   fakeapi.Behaviour
		kind answer.Kind
	}{
		{"a wrong key", fakeapi.BadKey(), answer.AuthRequired},
		{"401", fakeapi.Unauthorized(), answer.AuthRequired},
		{"403", fakeapi.Forbidden(), answer.AuthRequired},
		{"a model that is not there", fakeapi.NotFound(), answer.ModelUnavailable},
		{"429", fakeapi.TooManyRequests(), answer.QuotaExceeded},
		{"429 that says when", fakeapi.RetryIn(2 * time.Second), answer.QuotaExceeded},
		{"the daily quota", fakeapi.DailyQuota(), answer.QuotaExceeded},
		{"500", fakeapi.InternalError(), answer.Overloaded},
		{"503", fakeapi.Unavailable(), answer.Overloaded},
		{"a reset connection", fakeapi.Reset(), answer.Network},
		{"half an answer on the wire", fakeapi.Cut("abc"), answer.Network},
		{"an answer that is not JSON", fakeapi.Malformed(), answer.Network},
		{"a proxy's page", fakeapi.HTML(), answer.Network},
		{"safety", fakeapi.Finish("SAFETY", ""), older(answer.Blocked)},
		{"recitation", fakeapi.Finish("RECITATION", ""), older(answer.Blocked)},
		{"too many tokens", fakeapi.Finish("MAX_TOKENS", ""), answer.Incomplete},
		{"nothing but thoughts", fakeapi.Thoughts("x"), answer.Incomplete},
		{"an empty stream", fakeapi.Empty(), answer.Incomplete},
		{"a stream that stops", fakeapi.Unfinished("abc"), answer.Incomplete},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if silent && test.name == "a stream that stops" {
				test.kind = answer.SearchNotRun // 0.41.2 takes what came for the answer
			}
			o, _ := hooked(t, cli, fakeapi.Script{Faults: []fakeapi.Fault{{On: fakeapi.Main, Do: test.do}}})
			started := time.Now()
			_, err := Search(t.Context(), "latest go", o)
			failure, _ := errors.AsType[*answer.Failure](err)
			if failure == nil || failure.Kind != test.kind || failure.Hint == "" {
				t.Errorf("%+v, want %s with a hint", failure, test.kind)
			}
			t.Logf("%s after %s: %v", test.kind, time.Since(started).Round(10*time.Millisecond), err)
			if took := time.Since(started); took > 60*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// olderThan compares the version of the CLI that the tests run.
func olderThan(t *testing.T, cli *realcli.Installation, version string) bool {
	parse := func(text string) (v [3]int) {
		if _, err := fmt.Sscanf(text, "%d.%d.%d", &v[0], &v[1], &v[2]); err != nil {
			t.Fatal(err)
		}
		return v
	}
	a, b := parse(cli.Version), parse(version)
	return slices.Compare(a[:], b[:]) < 0
}
