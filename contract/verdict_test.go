package contract

import (
	"slices"
	"strings"
	"testing"

	"gemini-search/answer"
)

func TestGroundingLevel(t *testing.T) {
	set := []answer.Source{{URI: page}}
	for _, test := range []struct {
		reason, response string
		proof            Proof
		want             answer.Grounding
	}{
		{"the set is known and holds it", cited + list, Proof{Searches: 1, Grounding: set}, answer.Grounded},
		{"the set is not known", cited + list, Proof{Searches: 1}, answer.Searched},
		{"an empty set is never grounded", cited + list, Proof{Searches: 1, Grounding: []answer.Source{}}, answer.Searched},
		{"another page", cited + list, Proof{Searches: 1, Grounding: []answer.Source{{URI: otherPage}}}, answer.Searched},
		{"no citation", "Go is out." + list, Proof{Searches: 1, Grounding: set}, answer.Searched},
		{"giving up", "NO_RESULTS", Proof{Searches: 1, Grounding: set}, answer.Searched},
		{"no run", cited + list, Proof{Bare: true}, answer.Unknown},
		{"no run and a set", cited + list, Proof{Bare: true, Grounding: set}, answer.Grounded},
		{"no search", cited + list, Proof{}, answer.Unknown},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if got := Verify(test.response, test.proof).Grounding; got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestNoResults(t *testing.T) {
	for _, test := range []struct {
		reason, response string
		want             Outcome
	}{
		{"the token", "NO_RESULTS", NoResults},
		{"a line end", "NO_RESULTS\n", NoResults},
		{"white space around it", "\n \t NO_RESULTS \r\n\n", NoResults},
		{"a byte order mark", "\ufeffNO_RESULTS", NoResults},
		{"lower case", "no_results", Rejected},
		{"a full stop", "NO_RESULTS.", Rejected},
		{"emphasis", "**NO_RESULTS**", Rejected},
		{"code", "`NO_RESULTS`", Rejected},
		{"quotes", `"NO_RESULTS"`, Rejected},
		{"twice", "NO_RESULTS NO_RESULTS", Rejected},
		{"a reason", "NO_RESULTS: nothing was found", Rejected},
		{"a section", "NO_RESULTS\n\n## Sources\n", Rejected},
		{"a blank instead", "NO RESULTS", Rejected},
	} {
		t.Run(test.reason, func(t *testing.T) {
			verdict := Verify(test.response, Proof{Searches: 1, Grounding: []answer.Source{}})
			if verdict.Outcome != test.want {
				t.Fatalf("%s: %v", verdict.Outcome, verdict.Violations)
			}
			if test.want == NoResults && (verdict.Text != answer.NoResults || verdict.Body != "" || len(verdict.Violations)+len(verdict.Sources) > 0) {
				t.Errorf("%+v", verdict)
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	response := "\ufeffA [Source](" + otherPage + ").\r\n\r\nB [Source](" + page + "), again [Source](" + otherPage + ").\r\n\r\n" +
		"## Sources\r\n1. [Go](" + page + ")\r\n2. Node: " + otherPage + "\r\n3. " + page + "\r\n\r\n"
	verdict := Verify(response, Proof{Searches: 2})
	if verdict.Outcome != Accepted || verdict.Searches != 2 {
		t.Fatalf("%+v", verdict)
	}
	if !slices.Equal(verdict.Citations, []string{otherPage, page}) {
		t.Errorf("citations in the order of the text: %q", verdict.Citations)
	}
	if want := []answer.Source{{URI: page, Title: "Go"}, {URI: otherPage, Title: "Node"}}; !slices.Equal(verdict.Sources, want) {
		t.Errorf("sources in the order of the list: %+v", verdict.Sources)
	}
	if strings.ContainsAny(verdict.Text, "\r\ufeff") || strings.HasSuffix(verdict.Text, "\n") || !strings.HasPrefix(verdict.Text, "A [Source]") {
		t.Errorf("text %q", verdict.Text)
	}
	if want, _, _ := strings.Cut(verdict.Text, "\n\n## Sources"); verdict.Body != want {
		t.Errorf("body %q", verdict.Body)
	}
}

// TestAllViolations breaks many rules at once: each is reported, in the order of
// the table.
func TestAllViolations(t *testing.T) {
	response := "A [Source](https://example.com/TODO) ![x](y) [a](javascript:b) [https://go.dev](https://u@127.0.0.1/)\n\n" +
		"## Sources\n1. no link\n2. " + otherPage + "\n\nprose\n\n## Sources\n"
	verdict := Verify(response, Proof{Grounding: []answer.Source{}})
	want := []string{
		"search-not-run", "duplicate-sources-section", "forbidden-scheme", "userinfo", "forbidden-host", "forbidden-token", "private-host",
		"unlisted-citation", "unlisted-link", "uncited-source", "misleading-link", "content-after-sources", "unlinked-source", "image", "not-grounded",
	}
	if got := codes(verdict); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for _, violation := range verdict.Violations {
		if violation.Message == "" || strings.HasSuffix(violation.Message, ".") || strings.Contains(violation.Message, "\n") {
			t.Errorf("message %q", violation.Message)
		}
	}
}

// TestDeepNesting asks that an answer below more quotes than are parsed is judged
// by its links all the same, and that nothing there hides one.
func TestDeepNesting(t *testing.T) {
	quotes, lists := strings.Repeat("> ", 5000), strings.Repeat("- ", 5000)
	runRule(t, []ruleCase{
		accept("a citation below quotes", quotes+cited+list),
		accept("a citation below lists", lists+cited+list),
		accept("quotes beside a citation", inBody(quotes)),
		accept("as deep as is parsed", inBody(strings.Repeat("> ", maxOpenBlocks-1)+"`https://evil.io/`")),
		reject("code is not believed below that", inBody(strings.Repeat("> ", maxOpenBlocks+1)+"`https://evil.io/`"), "unlisted-link"),
		reject("a section below quotes", cited+"\n\n"+quotes+"## Sources\n1. "+page, "no-sources-section"),
	})
}
