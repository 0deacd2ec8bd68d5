package runner

import (
	"strings"
	"testing"

	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

// TestLongAnswerArrivesWhole: of an answer over 64 KiB a pipe would get a part,
// with exit status 0.
func TestLongAnswerArrivesWhole(t *testing.T) {
	cli := realcli.Require(t)
	const page = "https://go.dev/doc/go1.26"
	long := fakeapi.Prose(3<<20) + "\n\nGo 1.26 is out [Source](" + page + ").\n\n## Sources\n\n1. " + page
	api := fakeapi.Start(fakeapi.Script{
		Answers: []string{long},
		Search:  []fakeapi.Result{{Text: "Go 1.26", Sources: []fakeapi.Source{{URI: page, Title: "go.dev"}}}},
	})
	t.Cleanup(api.Close)
	o := options(t, cli.Binary)
	o.Environ = environ(t, api.URL)
	o.MaxBuffer = 16 << 20
	found, err := Search(t.Context(), "tell me everything", o)
	if err != nil {
		t.Fatal(err)
	}
	if found.Text != long {
		at := 0
		for at < min(len(found.Text), len(long)) && found.Text[at] == long[at] {
			at++
		}
		t.Errorf("%d bytes arrived of %d; the first difference is at %d", len(found.Text), len(long), at)
	}
	if !strings.HasPrefix(found.Evidence.CLIVersion, cli.Version) {
		t.Errorf("version %q, want %q", found.Evidence.CLIVersion, cli.Version)
	}
}
