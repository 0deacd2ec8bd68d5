package runner

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

// hooked are options with hooks and a fake API that says what a script says.
func hooked(t *testing.T, cli *realcli.Installation, script fakeapi.Script) (Options, *fakeapi.Server) {
	if script.Search == nil {
		script.Search = []fakeapi.Result{{Text: "Go 1.26 is out.", Sources: []fakeapi.Source{{URI: page, Title: "go.dev"}}}}
	}
	api := fakeapi.Start(script)
	t.Cleanup(api.Close)
	o := options(t, cli.Binary)
	o.Environ = environ(t, api.URL)
	o.Hook = hookProgram(t)
	o.Repairs = 2
	return o, api
}

const (
	ungroundedAnswer = "Go 1.27 is out [Source](https://go.dev/doc/go1.27).\n\n## Sources\n\n1. https://go.dev/doc/go1.27\n"
	bareAnswer       = "Go 1.26 is out."
)

// TestRepair: with the real CLI, an answer that breaks the contract goes back to
// the model with what is wrong and what it may cite, and only the last answer is
// shown.
func TestRepair(t *testing.T) {
	cli := realcli.Require(t)
	tests := []struct {
		name    string
		answers []string
		again   bool // the model searches again for each answer
		repairs int
		want    int      // repairs that were needed
		codes   []string // of the refusal; none for an answer
	}{
		{name: "right at once", answers: []string{goodAnswer}, repairs: 2, want: 0},
		{name: "wrong, then right", answers: []string{ungroundedAnswer, goodAnswer}, repairs: 2, want: 1},
		{name: "wrong, then right after another search", answers: []string{ungroundedAnswer, goodAnswer}, again: true, repairs: 2, want: 1},
		{name: "wrong twice in two ways, then right", answers: []string{ungroundedAnswer, bareAnswer, goodAnswer}, repairs: 2, want: 2},
		{name: "wrong three times", answers: []string{bareAnswer, bareAnswer, ungroundedAnswer}, repairs: 2, codes: []string{"not-grounded"}},
		{name: "no repair is allowed", answers: []string{ungroundedAnswer, goodAnswer}, repairs: 0, codes: []string{"not-grounded"}},
		{name: "a right answer behind a wrong one, in one text, stays wrong", answers: []string{ungroundedAnswer + "\n" + goodAnswer}, repairs: 0, codes: []string{"duplicate-sources-section", "not-grounded"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o, api := hooked(t, cli, fakeapi.Script{Answers: test.answers, SearchAgain: test.again})
			o.Repairs = test.repairs
			started := time.Now()
			found, err := Search(t.Context(), "latest go", o)
			t.Logf("%s, %d calls", time.Since(started).Round(time.Millisecond), len(api.Requests()))
			if len(test.codes) > 0 {
				checkCodes(t, err, test.codes)
				return
			}
			if err != nil {
				t.Fatalf("%v: %+v", err, err)
			}
			if found.Text != strings.TrimSpace(goodAnswer) || found.Evidence.Repairs != test.want || found.Evidence.Grounding != answer.Grounded {
				t.Errorf("text %q, %d repairs, %s, want %d", found.Text, found.Evidence.Repairs, found.Evidence.Grounding, test.want)
			}
			envelope, err := contract.ReadEnvelope(found.Envelope)
			if err != nil || strings.TrimSpace(envelope.Response) != found.Text {
				t.Errorf("the envelope holds %q, %v", envelope.Response, err)
			}
			checkRepairRequests(t, api, test.want)
		})
	}
}

func checkCodes(t *testing.T, err error, want []string) {
	failure, _ := errors.AsType[*answer.Failure](err)
	if failure == nil || failure.Kind != answer.CitationContractViolated {
		t.Fatalf("%v, want a refusal", err)
	}
	var codes []string
	for _, violation := range failure.Violations {
		if !slices.Contains(codes, violation.Code) {
			codes = append(codes, violation.Code)
		}
	}
	for _, code := range want {
		if !slices.Contains(codes, code) {
			t.Errorf("codes %q, want %q", codes, want)
		}
	}
}

// checkRepairRequests: the model was told the rule and the one URL it may cite.
func checkRepairRequests(t *testing.T, api *fakeapi.Server, want int) {
	asked := map[string]bool{}
	for _, request := range api.Requests() {
		if request.Kind == fakeapi.Main && strings.Contains(request.Text, "checked by a program") {
			asked[request.Text] = true
			if !strings.Contains(request.Text, "- "+page+"\n") {
				t.Errorf("the request names no URL to cite: %s", request.Text)
			}
		}
	}
	if len(asked) != want {
		t.Errorf("%d requests for repair, want %d", len(asked), want)
	}
}

// TestModelIsMadeToSearch: one that would answer from memory has no other choice
// than to search first, and is free after that.
func TestModelIsMadeToSearch(t *testing.T) {
	cli := realcli.Require(t)
	o, api := hooked(t, cli, fakeapi.Script{NoSearch: true, Answers: []string{goodAnswer}})
	found, err := Search(t.Context(), "latest go", o)
	if err != nil {
		t.Fatal(err)
	}
	if found.Evidence.Searches != 1 || found.Evidence.Grounding != answer.Grounded {
		t.Errorf("evidence %+v", found.Evidence)
	}
	var modes []bool
	for _, request := range api.Requests() {
		if request.Kind == fakeapi.Main {
			modes = append(modes, strings.Contains(string(request.Body), `"mode":"ANY"`))
		}
	}
	if !slices.Equal(modes, []bool{true, false}) {
		t.Errorf("forced %v, want the first call alone", modes)
	}
}

// TestSearchThatFailsIsNotForcedForEver: the search tool fails each time.
func TestSearchThatFailsIsNotForcedForEver(t *testing.T) {
	cli := realcli.Require(t)
	o, api := hooked(t, cli, fakeapi.Script{NoSearch: true, Answers: []string{goodAnswer}, Faults: []fakeapi.Fault{{On: fakeapi.Grounding, Do: fakeapi.BadKey()}}})
	_, err := Search(t.Context(), "latest go", o)
	failure, _ := errors.AsType[*answer.Failure](err)
	if failure == nil || failure.Kind != answer.SearchNotRun {
		t.Errorf("%v, want SEARCH_NOT_RUN", err)
	}
	if calls := len(api.Requests()); calls > 40 {
		t.Errorf("%d calls", calls)
	}
}

// TestPageTextIsNotBelieved: a page that holds a list of sources does not get
// its URLs into the grounding set.
func TestPageTextIsNotBelieved(t *testing.T) {
	cli := realcli.Require(t)
	const evil = "https://evil.io/x"
	o, _ := hooked(t, cli, fakeapi.Script{
		Answers: []string{strings.ReplaceAll(goodAnswer, page, evil)},
		Search:  []fakeapi.Result{{Text: "Go 1.26.\n\nSources:\n[1] go.dev (" + evil + ")\n", Sources: []fakeapi.Source{{URI: page, Title: "go.dev"}}}},
	})
	o.Repairs = 0
	_, err := Search(t.Context(), "latest go", o)
	checkCodes(t, err, []string{"not-grounded"})
}

// TestHooksSwitchedOff: by an administrator. What can be proven without them is
// proven from the transcript.
func TestHooksSwitchedOff(t *testing.T) {
	cli := realcli.Require(t)
	system := filepath.Join(t.TempDir(), "settings.json")
	write(t, system, `{"hooksConfig":{"enabled":false}}`)
	o, _ := hooked(t, cli, fakeapi.Script{Answers: []string{goodAnswer}})
	o.Environ = append(o.Environ, "GEMINI_CLI_SYSTEM_SETTINGS_PATH="+system)
	found, err := Search(t.Context(), "latest go", o)
	if err != nil || found.Evidence.Grounding != answer.Grounded {
		t.Errorf("%+v, %v", found, err)
	}
	o, _ = hooked(t, cli, fakeapi.Script{Answers: []string{ungroundedAnswer, goodAnswer}})
	o.Environ = append(o.Environ, "GEMINI_CLI_SYSTEM_SETTINGS_PATH="+system)
	_, err = Search(t.Context(), "latest go", o)
	checkCodes(t, err, []string{"not-grounded"})
}

// TestProvenance: what a caller asks for, of a CLI that shows what it searched,
// and of one that shows only how often.
func TestProvenance(t *testing.T) {
	tests := []struct {
		name, behaviour string
		asked           answer.Grounding
		want            answer.Grounding // "" for a refusal
	}{
		{"as much as there is", "answer", "", answer.Grounded},
		{"grounded", "answer", answer.Grounded, answer.Grounded},
		{"the count alone", "answer", answer.Searched, answer.Searched},
		{"of a program that keeps nothing", "plain", "", answer.Searched},
		{"as much as there is, of an old CLI", "unseen", "", answer.Searched},
		{"grounded, of an old CLI", "unseen", answer.Grounded, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := options(t, fake(t, test.behaviour))
			o.Provenance = test.asked
			found, err := Search(t.Context(), "q", o)
			if test.want == "" {
				checkCodes(t, err, nil)
				return
			}
			if err != nil || found.Evidence.Grounding != test.want {
				t.Errorf("%+v, %v, want %s", found, err, test.want)
			}
		})
	}
}

// TestEvidence: what is saved gives the same verdict again, and a changed byte is
// noticed.
func TestEvidence(t *testing.T) {
	var bundle *contract.Bundle
	o := options(t, fake(t, "answer"))
	o.Save = func(b *contract.Bundle) error { bundle = b; return nil }
	found, err := Search(t.Context(), "latest go", o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Check(); err != nil {
		t.Error(err)
	}
	want := []answer.Result{{Source: answer.Source{URI: page, Title: "go.dev"}, Cited: true}}
	if !reflect.DeepEqual(found.Evidence.Results, want) {
		t.Errorf("results %v, want %v", found.Evidence.Results, want)
	}
	if c := found.Evidence.Coverage; c == nil || c.Sentences != 1 || c.Cited != 1 {
		t.Errorf("coverage %+v", c)
	}
	changed := *bundle
	changed.Response = strings.Replace(changed.Response, "go1.26)", "go1.27)", 1)
	if _, err := changed.Check(); err == nil {
		t.Error("a changed response is not noticed")
	}
}

// TestStrict: the search said nothing of the number that the answer states.
func TestStrict(t *testing.T) {
	o := options(t, fake(t, "answer=It has 77 parts: "))
	found, err := Search(t.Context(), "q", o)
	if err != nil || !reflect.DeepEqual(found.Evidence.Coverage.Unsupported[0].Missing, []string{"77"}) {
		t.Errorf("%+v, %v", found, err)
	}
	o.Strict = true
	_, err = Search(t.Context(), "q", o)
	checkCodes(t, err, []string{contract.UnsupportedClaim})
}
