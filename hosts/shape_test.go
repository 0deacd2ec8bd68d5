package hosts

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"gemini-search/answer"
)

func example() *answer.Answer {
	return &answer.Answer{
		Query:   "latest go",
		Text:    "Go 1.26 [Source](https://go.dev/doc).\n\n## Sources\n\n1. https://go.dev/doc",
		Body:    "Go 1.26 [Source](https://go.dev/doc).",
		Sources: []answer.Source{{URI: "https://go.dev/doc", Title: "The Go docs"}},
		Evidence: answer.Evidence{
			Searches: 1, Queries: []string{"go release"}, Grounding: answer.Grounded,
			CLIVersion: "0.61.0", Models: []string{"a", "b"}, Tokens: 1, Milliseconds: 1250,
		},
	}
}

func TestSections(t *testing.T) {
	tests := []struct {
		name   string
		change func(*answer.Answer)
		want   string
	}{
		{"an answer", func(*answer.Answer) {}, `## Search Results

Go 1.26 [Source](https://go.dev/doc).

### Sources

- [The Go docs](https://go.dev/doc) (go.dev)

### Search Queries Used

- "go release"
`},
		{"a CLI that does not tell its queries, a page without a title", func(a *answer.Answer) {
			a.Evidence.Queries = nil
			a.Sources[0] = answer.Source{URI: "https://go.dev:8443/doc"}
		}, `## Search Results

Go 1.26 [Source](https://go.dev/doc).

### Sources

- [go.dev](https://go.dev:8443/doc) (go.dev)

### Search Queries Used

(this version of the Gemini CLI does not tell)
`},
		{"nothing found", func(a *answer.Answer) { *a = answer.Answer{Query: "q", Text: answer.NoResults} }, `## Search Results

No search results or information found for query: "q"

### Sources

(none)

### Search Queries Used

(this version of the Gemini CLI does not tell)
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := example()
			test.change(a)
			if got := Sections(a); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// FuzzSections: whatever a page calls itself and wherever it is, its line is one
// link with that title that leads there.
func FuzzSections(f *testing.F) {
	for _, seed := range []string{"plain", "a](https://evil.io) [b", "`code`", "<b>", "*x* _y_", `back\slash`, "![i](j)", "&amp;", "a\nb", "http://x.y"} {
		f.Add(seed, "https://en.wikipedia.org/wiki/Go_(game)?a=1&lt=2")
	}
	f.Add("t", "https://a.b/)](https://evil.io")
	f.Add("t", `https://a.b/\)`)
	f.Fuzz(func(t *testing.T, title, uri string) {
		if !strings.HasPrefix(uri, "https://") || strings.ContainsAny(uri+title, " \t\r\n\x00<>\u0085\u00a0\u2028\u2029") || strings.TrimSpace(title) == "" || strings.ToValidUTF8(uri+title, "") != uri+title {
			t.Skip("the contract lets no such URL through, and titles are sanitized")
		}
		a := example()
		a.Sources = []answer.Source{{URI: uri, Title: title}}
		_, rest, _ := strings.Cut(Sections(a), "### Sources\n\n")
		line, _, _ := strings.Cut(rest, "\n")
		source := []byte(line)
		var links []string
		root := goldmark.DefaultParser().Parse(text.NewReader(source))
		_ = ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			if link, ok := node.(*ast.Link); ok && entering {
				links = append(links, leadsTo(link))
			}
			if node.Kind() == ast.KindImage || node.Kind() == ast.KindRawHTML {
				t.Errorf("%q holds an image or HTML", line)
			}
			return ast.WalkContinue, nil
		})
		if len(links) != 1 || links[0] != uri {
			t.Errorf("%q has the links %q, want %q", line, links, uri)
		}
	})
}

// leadsTo undoes escapes and entities, as rendering does.
func leadsTo(link *ast.Link) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(link.Destination))))
}

func TestJSON(t *testing.T) {
	a := example()
	a.Query = `say "<hi>"`
	var got map[string]any
	if err := json.Unmarshal([]byte(JSON(a)), &got); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"llmContent":    "Web search results for \"say \"<hi>\"\":\n\n" + a.Text,
		"returnDisplay": "Search results for \"say \"<hi>\"\" returned.",
	} {
		if got[field] != want {
			t.Errorf("%s is %q, want %q", field, got[field], want)
		}
	}
	if _, failed := got["error"]; failed {
		t.Error("an answer has an error")
	}
	web := got["sources"].([]any)[0].(map[string]any)["web"].(map[string]any)
	if web["uri"] != "https://go.dev/doc" || web["title"] != "The Go docs" {
		t.Errorf("source %v", web)
	}
	evidence := got["evidence"].(map[string]any)
	if evidence["grounding"] != "grounded" || evidence["cliVersion"] != "0.61.0" || evidence["milliseconds"] != 1250.0 {
		t.Errorf("evidence %v", evidence)
	}
}

func TestFailureJSON(t *testing.T) {
	got := FailureJSON(&answer.Failure{
		Kind: answer.CitationContractViolated, Message: "the answer breaks the citation contract", Hint: "ask again",
		Violations: []answer.Violation{{Code: "image", Message: "an image", Line: 3}, {Code: "no-sources-section", Message: "none"}},
	})
	want := `{
  "llmContent": "Error: the answer breaks the citation contract\n- line 3: image: an image\n- no-sources-section: none\n\nHint: ask again",
  "returnDisplay": "the answer breaks the citation contract",
  "error": {
    "message": "the answer breaks the citation contract",
    "type": "CITATION_CONTRACT_VIOLATED",
    "hint": "ask again",
    "violations": [
      {
        "code": "image",
        "message": "an image",
        "line": 3
      },
      {
        "code": "no-sources-section",
        "message": "none",
        "line": 0
      }
    ]
  }
}
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestEvidenceText(t *testing.T) {
	if got, want := EvidenceText(example()), "grounded, 1 search, 1 source, gemini 0.61.0, a + b, 1 token, 1.2 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	bare := &answer.Answer{Evidence: answer.Evidence{Searches: 2, Grounding: answer.Searched}}
	if got, want := EvidenceText(bare), "searched, 2 searches, 0 sources, 0.0 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
