package runner

import (
	"slices"
	"testing"

	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

// TestSteps: what a person sees of a search that is repaired once.
func TestSteps(t *testing.T) {
	cli := realcli.Require(t)
	o, _ := hooked(t, cli, fakeapi.Script{
		Queries: []string{"first query", "second query"}, OneByOne: true,
		Answers: []string{ungroundedAnswer, goodAnswer},
		// slow enough that each step is seen
		Faults: []fakeapi.Fault{{On: fakeapi.Main, Do: fakeapi.After(5*stepInterval, fakeapi.Answer())}},
	})
	var steps []Step
	o.Progress = func(step Step) { steps = append(steps, step) }
	if _, err := Search(t.Context(), "latest go", o); err != nil {
		t.Fatal(err)
	}
	want := []Step{
		{Kind: Starting}, {Kind: Searching, Query: "first query"}, {Kind: Writing},
		{Kind: Searching, Query: "second query"}, {Kind: Writing},
		{Kind: Repairing}, {Kind: Verifying},
	}
	if !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}

// TestStepsWithoutHooks: the first and the last are always told.
func TestStepsWithoutHooks(t *testing.T) {
	o := options(t, fake(t, "answer"))
	var steps []Step
	o.Progress = func(step Step) { steps = append(steps, step) }
	if _, err := Search(t.Context(), "q", o); err != nil {
		t.Fatal(err)
	}
	if want := []Step{{Kind: Starting}, {Kind: Verifying}}; !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
}
