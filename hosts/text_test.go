package hosts

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"gemini-search/answer"
)

// longAnswer is one with so many paragraphs, each with a citation of its own.
func longAnswer(paragraphs int, end string) *answer.Answer {
	a := &answer.Answer{Query: "q"}
	list := "## Sources\n\n"
	for i := range paragraphs {
		uri := fmt.Sprintf("https://go.dev/page/%d/", i)
		a.Body += fmt.Sprintf("Paragraph %d says quite a lot about 世界 and more [Source](%s).%s", i, uri, end)
		a.Sources = append(a.Sources, answer.Source{URI: uri})
		list += "- " + uri + "\n"
	}
	a.Text = a.Body + list
	return a
}

func TestLongAnswerReachesEveryHost(t *testing.T) {
	for _, row := range []struct {
		reason string
		answer *answer.Answer
		cut    bool
	}{
		{"what fits is not touched", longAnswer(40, "\n\n"), false},
		{"paragraphs", longAnswer(400, "\n\n"), true},
		{"one paragraph of 40 KB", longAnswer(400, " "), true},
		{"an open fence", &answer.Answer{Body: "```\n" + strings.Repeat("x\n", 10_000), Text: strings.Repeat("x", 20_000)}, true},
		{"no place to cut at all", &answer.Answer{Body: strings.Repeat("世", 10_000), Text: strings.Repeat("世", 10_000)}, true},
	} {
		t.Run(row.reason, func(t *testing.T) {
			text := ToolText(row.answer)
			if len(text) > textLimit || !utf8.ValidString(text) {
				t.Fatalf("%d bytes, want at most %d", len(text), textLimit)
			}
			if !row.cut {
				if text != row.answer.Text+"\n" {
					t.Errorf("got %q", text)
				}
				return
			}
			if !strings.HasPrefix(text, fmt.Sprintf("note: the verified answer has %d bytes", len(row.answer.Text))) {
				t.Errorf("nothing says that it was cut: %.100q", text)
			}
			if strings.Count(text, "```")%2 != 0 {
				t.Error("a fence is left open")
			}
			list, kept, _ := strings.Cut(text, "\n\nParagraph 0 ")
			cited := strings.Count(kept, "[Source](")
			if listed := strings.Count(list, "\n- "); listed != cited {
				t.Errorf("%d sources for %d citations: each that is left must have its own", listed, cited)
			}
			if cited > 0 && !strings.HasSuffix(kept, ").\n") {
				t.Errorf("it ends inside a claim: %q", kept[len(kept)-60:])
			}
		})
	}
}

func TestLongFailureKeepsItsHint(t *testing.T) {
	failure := &answer.Failure{Kind: answer.CitationContractViolated, Message: strings.Repeat("word ", 9_000), Hint: "ask again"}
	for i := range 1_000 {
		failure.Violations = append(failure.Violations, answer.Violation{Code: "not-grounded", Message: strings.Repeat("长", 300), Line: i + 1})
	}
	text := FailureText(failure)
	if len(text) > textLimit || !utf8.ValidString(text) {
		t.Errorf("%d bytes, want at most %d", len(text), textLimit)
	}
	for _, line := range []string{"\nkind: CITATION_CONTRACT_VIOLATED\n", "\nhint: ask again\n", " more\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %q", line)
		}
	}
}
