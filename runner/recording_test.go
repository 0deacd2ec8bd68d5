package runner

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/fixtures"
	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
	"gemini-search/settings"
)

var update = flag.Bool("update", false, "record the runs in fixtures anew")

// TestRecordings runs the real CLI through each scenario of fixtures, and holds
// what it does against what was recorded: the recordings are only worth
// something as long as the CLI still behaves like them.
func TestRecordings(t *testing.T) {
	cli := realcli.Require(t)
	recordings, err := fixtures.Recordings()
	if err != nil {
		t.Fatal(err)
	}
	for _, recording := range recordings {
		t.Run(recording.Outcome+"/"+recording.Name, func(t *testing.T) {
			t.Parallel()
			fresh := record(t, cli, recording)
			if *update {
				save(t, fresh)
				return
			}
			compare(t, fresh, recording)
		})
	}
}

// record runs the CLI as Search does, and keeps what it left.
func record(t *testing.T, cli *realcli.Installation, recording *fixtures.Recording) *fixtures.Recording {
	api := fakeapi.Start(fakeapi.ScriptOf(recording))
	t.Cleanup(api.Close)
	home, err := settings.New(settings.Options{Environ: environ(t, api.URL), Prompt: contract.Prompt(recording.Scenario.Query, time.Now())})
	if err != nil {
		t.Fatal(err)
	}
	defer home.Close()
	child, err := run(t.Context(), []string{cli.Binary, "-o", "json"}, home, Options{MaxBuffer: 1 << 20}.bounds())
	if err != nil {
		t.Fatal(err)
	}
	transcripts, err := home.Transcripts()
	if err != nil || len(transcripts) != 1 {
		t.Fatalf("%d transcripts, error %v", len(transcripts), err)
	}
	fresh := *recording
	fresh.Version = cli.Version
	fresh.Envelope = child.stdout
	fresh.Stderr = child.stderr
	fresh.Transcript = transcripts[0]
	fresh.Grounding = contract.Sources(contract.ReadTranscript(transcripts[0]))
	return &fresh
}

// environ is the environment of a person who has an API key and nothing else.
func environ(t testing.TB, url string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"GEMINI_API_KEY=anything",
		"GOOGLE_GEMINI_BASE_URL=" + url,
	}
}

func compare(t *testing.T, fresh, recorded *fixtures.Recording) {
	got, gotErr := contract.ReadEnvelope(fresh.Envelope)
	want, wantErr := contract.ReadEnvelope(recorded.Envelope)
	if gotErr != nil || wantErr != nil {
		t.Fatalf("envelopes do not read: fresh %v, recorded %v", gotErr, wantErr)
	}
	if strings.TrimSpace(got.Response) != strings.TrimSpace(want.Response) || got.Searches != want.Searches {
		t.Errorf("response %q after %d searches, recorded %q after %d", got.Response, got.Searches, want.Response, want.Searches)
	}
	if !reflect.DeepEqual(contract.ReadTranscript(fresh.Transcript), contract.ReadTranscript(recorded.Transcript)) {
		t.Errorf("transcript %s\nrecorded %s", fresh.Transcript, recorded.Transcript)
	}
	if !sameSources(fresh.Grounding, recorded.Grounding) {
		t.Errorf("grounding %v, recorded %v", fresh.Grounding, recorded.Grounding)
	}
}

func sameSources(a, b []answer.Source) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// homePath is the folder of the run that was recorded, which is nobody's business.
var homePath = regexp.MustCompile(`/[^" ]*/run-[0-9]+`)

func save(t *testing.T, fresh *fixtures.Recording) {
	folder := filepath.Join("..", "fixtures", filepath.FromSlash(fresh.Folder()))
	version, err := json.Marshal(map[string]string{"version": fresh.Version})
	if err != nil {
		t.Fatal(err)
	}
	grounding, err := json.MarshalIndent(fresh.Grounding, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"recorded.json":    append(version, '\n'),
		"envelope.json":    fresh.Envelope,
		"stderr.txt":       fresh.Stderr,
		"transcript.jsonl": fresh.Transcript,
		"grounding.json":   append(grounding, '\n'),
	} {
		content = homePath.ReplaceAll(content, []byte("/home"))
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
