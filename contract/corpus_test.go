package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gemini-search/answer"
)

// corpusCase is one answer that people agreed on.
type corpusCase struct {
	ID       string
	Response string
	// Success is the value at stats.tools.byName.google_web_search.success.
	Success   json.RawMessage
	Grounding []answer.Source
	Want      string
	// Codes: at least one of them is reported.
	Codes []string
	Why   string
}

func readCorpus(t testing.TB) []corpusCase {
	t.Helper()
	data, err := os.ReadFile("testdata/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	for line := range bytes.Lines(data) {
		var one corpusCase
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, one)
	}
	return cases
}

// verify takes the way of a run: the CLI's output, the envelope, the verdict.
func (c corpusCase) verify(t *testing.T) *Verdict {
	t.Helper()
	response, err := json.Marshal(c.Response)
	if err != nil {
		t.Fatal(err)
	}
	success := c.Success
	if success == nil {
		success = json.RawMessage("null")
	}
	output := fmt.Sprintf(`{"response": %s, "stats": {"tools": {"byName": {"google_web_search": {"success": %s}}}}}`, response, success)
	envelope, err := ReadEnvelope([]byte(output))
	if err != nil {
		t.Fatal(err)
	}
	return Verify(envelope.Response, Proof{Searches: envelope.Searches, Grounding: c.Grounding})
}

func TestCorpus(t *testing.T) {
	outcomes := map[string]Outcome{"accept": Accepted, "reject": Rejected, "no_results": NoResults}
	for _, test := range readCorpus(t) {
		t.Run(test.ID, func(t *testing.T) {
			verdict := test.verify(t)
			if verdict.Outcome != outcomes[test.Want] {
				t.Fatalf("%s, want %s: %v (%s)", verdict.Outcome, test.Want, verdict.Violations, test.Why)
			}
			reported := func(code string) bool { return slices.Contains(codes(verdict), code) }
			if len(test.Codes) > 0 && !slices.ContainsFunc(test.Codes, reported) {
				t.Errorf("reported %v, want one of %v (%s)", codes(verdict), test.Codes, test.Why)
			}
		})
	}
}

// codes returns the distinct codes of a verdict in the order of the rule table.
func codes(verdict *Verdict) []string {
	all := []string{}
	for _, violation := range verdict.Violations {
		if !slices.Contains(all, violation.Code) {
			all = append(all, violation.Code)
		}
	}
	return all
}

// lines returns every violation as "line code".
func lines(verdict *Verdict) string {
	var all []string
	for _, violation := range verdict.Violations {
		all = append(all, fmt.Sprintf("%d %s", violation.Line, violation.Code))
	}
	return strings.Join(all, ", ")
}
