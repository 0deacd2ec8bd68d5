package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"gemini-search/answer"
	"gemini-search/sanitize"
)

func seed(f *testing.F, add func(text string)) {
	f.Helper()
	for _, test := range readCorpus(f) {
		add(test.Response)
	}
	for _, example := range specExamples(f) {
		add(example.Markdown)
	}
	for _, shape := range shapes() {
		add(shape.build(64))
	}
}

// FuzzVerify asks what holds of every answer, and what an accepted one
// guarantees.
func FuzzVerify(f *testing.F) {
	seed(f, func(text string) { f.Add(text, true) })
	f.Add(cited+list, false)
	f.Fuzz(func(t *testing.T, response string, known bool) {
		proof := Proof{Searches: 1}
		if known {
			proof.Grounding = []answer.Source{{URI: page}, {URI: otherPage}}
		}
		verdict := Verify(response, proof)
		checkLines(t, verdict)
		if again := Verify(response, proof); fmt.Sprint(again) != fmt.Sprint(verdict) {
			t.Fatalf("another verdict on the same answer: %v, then %v", verdict, again)
		}
		if verdict.Outcome == Accepted {
			checkAccepted(t, verdict, proof)
		}
	})
}

// checkLines asks that a violation's line is one of the answer's.
func checkLines(t *testing.T, verdict *Verdict) {
	t.Helper()
	last := strings.Count(verdict.Text, "\n") + 1
	for _, violation := range verdict.Violations {
		if violation.Line < 0 || violation.Line > last {
			t.Errorf("line %d of %d: %v", violation.Line, last, violation)
		}
	}
}

func checkAccepted(t *testing.T, verdict *Verdict, proof Proof) {
	t.Helper()
	var listed []string
	for _, source := range verdict.Sources {
		listed = append(listed, source.URI)
	}
	slices.Sort(listed)
	if cited := slices.Sorted(slices.Values(verdict.Citations)); !slices.Equal(cited, listed) || len(cited) == 0 {
		t.Errorf("cited %q, listed %q", cited, listed)
	}
	for _, url := range verdict.Citations {
		address, ok := parseURL(url)
		if !ok || !isWeb(url) || address.private() || address.userinfo || address.number {
			t.Errorf("an accepted answer cites %q", url)
		}
		if proof.Grounding != nil && !slices.ContainsFunc(proof.Grounding, func(s answer.Source) bool { return s.URI == url }) {
			t.Errorf("%q is not grounded", url)
		}
	}
	if (verdict.Grounding == answer.Grounded) != (proof.Grounding != nil) {
		t.Errorf("level %s", verdict.Grounding)
	}
	if again := Verify(verdict.Text, proof); again.Outcome != Accepted || again.Text != verdict.Text {
		t.Errorf("the text that was accepted is %s when it is verified again: %v", again.Outcome, again.Violations)
	}
}

// FuzzLinks compares the links of our tree with those of goldmark's own.
func FuzzLinks(f *testing.F) {
	plain := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	seed(f, func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, source string) {
		if !comparable(source) {
			t.Skip()
		}
		root, _ := parseMarkdown([]byte(source))
		ours := treeLinks(root, source)
		theirs := treeLinks(plain.Parse(text.NewReader([]byte(source))), source)
		if !slices.Equal(ours, theirs) {
			t.Errorf("%q\nours:   %q\ntheirs: %q", source, ours, theirs)
		}
	})
}

// deviations is where goldmark 1.8.7 leaves the specification, which this package
// follows: a destination with a parenthesis too many, one in angle brackets with
// another < or a line end, and a line behind a definition that begins as a title
// and is none, which it drops.
var deviations = regexp.MustCompile(`\]\(\s*[^\s)]*\(|\]:\s*\S*[()]|\](\(|:)\s*<[^>]*[<\n]|\]:.*\n\s*["'(]`)

// comparable reports whether a source is one that Verify is given, clean text
// with LF, and that goldmark reads as specified.
func comparable(source string) bool {
	return sanitize.String(source) == source && !strings.Contains(source, "\r") && !deviations.MatchString(source)
}

// treeLinks describes the links, images and autolinks of a tree in order.
func treeLinks(root ast.Node, source string) []string {
	var links []string
	_ = ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Link:
			links = append(links, fmt.Sprintf("link %s %t", node.Destination, node.Reference != nil))
		case *ast.Image:
			links = append(links, fmt.Sprintf("image %s %t", node.Destination, node.Reference != nil))
		case *ast.AutoLink:
			links = append(links, "autolink "+string(node.URL([]byte(source))))
		case *ast.RawHTML:
			links = append(links, "html "+string(node.Segments.Value([]byte(source))))
		}
		return ast.WalkContinue, nil
	})
	return links
}
