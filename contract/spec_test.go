package contract

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
)

// specExample is one example of the CommonMark specification.
type specExample struct {
	Markdown string
	Example  int
	Section  string
}

// specExamples reads the examples where goldmark's module has them.
func specExamples(t testing.TB) []specExample {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("no module folder of goldmark: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "_test", "spec.json"))
	if err != nil {
		t.Skip(err)
	}
	var examples []specExample
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	return examples
}

// TestSpecExamples puts a citation at each place of each example. It must be
// counted exactly when the rendering of goldmark, read as a browser reads HTML,
// shows it as a link outside code.
func TestSpecExamples(t *testing.T) {
	const citation = "[Source](" + page + ")"
	reference := goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe()))
	for _, example := range specExamples(t) {
		for i := range len(example.Markdown) + 1 {
			text := example.Markdown[:i] + citation + example.Markdown[i:]
			var rendered bytes.Buffer
			if err := reference.Convert([]byte(text), &rendered); err != nil {
				t.Fatal(err)
			}
			want := shownCitations(t, rendered.Bytes())
			if found := countCitations(text); found != want {
				t.Errorf("example %d (%s) at %d: %q\ncounted %d, want %d: %s",
					example.Example, example.Section, i, text, found, want, rendered.Bytes())
			}
		}
	}
}

func countCitations(text string) int {
	count := 0
	for _, l := range readDocument(text).body {
		if l.citation {
			count++
		}
	}
	return count
}

// shownCitations counts the links that show exactly Source and are not code.
func shownCitations(t *testing.T, rendered []byte) int {
	t.Helper()
	root, err := nethtml.Parse(bytes.NewReader(rendered))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for node := range root.Descendants() {
		if isShownCitation(node) {
			count++
		}
	}
	return count
}

func isShownCitation(node *nethtml.Node) bool {
	if node.Type != nethtml.ElementNode || node.Data != "a" || len(node.Attr) != 1 || node.Attr[0].Val != page {
		return false
	}
	for parent := range node.Ancestors() {
		if rawElements[parent.Data] {
			return false
		}
	}
	label := node.FirstChild
	return label != nil && label.NextSibling == nil && label.Type == nethtml.TextNode && label.Data == citationLabel
}
