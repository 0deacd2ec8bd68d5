package contract

import (
	"fmt"
	"strings"
	"testing"

	"gemini-search/answer"
)

// realistic returns an answer of about n bytes as models write them: paragraphs,
// lists, a table and code, a citation to every few sentences, and its sources.
func realistic(n int) (text string, proof Proof) {
	var body, sources strings.Builder
	proof.Searches = 1
	for i := 0; body.Len()+sources.Len() < n; i++ {
		url := fmt.Sprintf("https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ%040d", i)
		fmt.Fprintf(&body, "### Release %d\n\nThe *parser* reads `key = value` pairs, and **rejects** what it does not know. "+
			"It needs about 40 %% less memory than the one before it, says the team [Source](%s).\n\n"+
			"- The report is complete, also when the run ends early.\n- Dates are in UTC: 2026-02-%02d.\n\n"+
			"| field | value |\n|---|---|\n| size | %d KiB |\n\n```sh\ngo test ./...\n```\n\n", i, url, 1+i%28, i)
		fmt.Fprintf(&sources, "%d. [Release notes %d](%s)\n", i+1, i, url)
		proof.Grounding = append(proof.Grounding, answer.Source{URI: url, Title: "go.dev"})
	}
	return body.String() + "## Sources\n\n" + sources.String(), proof
}

func BenchmarkVerify(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"10KB", 10_000}, {"1MiB", 1 << 20}} {
		text, proof := realistic(size.bytes)
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if verdict := Verify(text, proof); verdict.Outcome != Accepted {
					b.Fatal(verdict.Violations[0])
				}
			}
		})
	}
}

func BenchmarkAdversarial(b *testing.B) {
	for _, shape := range shapes() {
		text := shape.build(1 << 20)
		b.Run(shape.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Verify(text, Proof{Searches: 1})
			}
		})
	}
}

func BenchmarkReadEnvelope(b *testing.B) {
	text, _ := realistic(10_000)
	output := fmt.Appendf(nil, `{"response": %q, "stats": {"tools": {"byName": {"google_web_search": {"success": 1}}}}}`, text)
	b.SetBytes(int64(len(output)))
	for b.Loop() {
		if _, err := ReadEnvelope(output); err != nil {
			b.Fatal(err)
		}
	}
}
