package contract_test

import (
	"errors"
	"slices"
	"testing"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/fixtures"
)

// TestRecordings judges the runs recorded from the real Gemini CLI.
func TestRecordings(t *testing.T) {
	recordings, err := fixtures.Recordings()
	if err != nil {
		t.Fatal(err)
	}
	if len(recordings) == 0 {
		t.Fatal("there are no recordings")
	}
	for _, recording := range recordings {
		t.Run(recording.Outcome+"/"+recording.Name, func(t *testing.T) {
			verdict := judge(t, recording)
			if string(verdict.Outcome) != recording.Outcome {
				t.Fatalf("%s: %v", verdict.Outcome, verdict.Violations)
			}
			for _, code := range recording.Scenario.Codes {
				if !slices.ContainsFunc(verdict.Violations, has(code)) {
					t.Errorf("no %s in %v", code, verdict.Violations)
				}
			}
		})
	}
}

// judge verifies what the CLI wrote, or, of a run that is not recorded yet, what
// a person scripted.
func judge(t *testing.T, recording *fixtures.Recording) *contract.Verdict {
	t.Helper()
	if recording.Version == "" {
		return judgeScript(recording)
	}
	envelope, err := contract.ReadEnvelope(recording.Envelope)
	if errors.Is(err, contract.ErrNoEnvelope) {
		t.Fatalf("no envelope in %q", recording.Envelope)
	}
	searches := contract.ReadTranscript(recording.Transcript)
	return contract.Verify(envelope.Response, contract.Proof{
		Searches:  envelope.Searches,
		Grounding: contract.Sources(searches),
	})
}

func judgeScript(recording *fixtures.Recording) *contract.Verdict {
	var searches []contract.Search
	for _, search := range recording.Scenario.Searches {
		searches = append(searches, contract.Search{Query: search.Query, Sources: search.Sources})
	}
	return contract.Verify(recording.Answer, contract.Proof{
		Searches:  len(searches),
		Grounding: contract.Sources(searches),
	})
}

func has(code string) func(answer.Violation) bool {
	return func(violation answer.Violation) bool { return violation.Code == code }
}
