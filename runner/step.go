package runner

import (
	"context"
	"time"
)

// Step is where a search is. Steps come from the hooks, so that a run without
// hooks has the first and the last alone.
type Step struct {
	Kind StepKind
	// Query is what is searched for, sanitized; only with Searching.
	Query string
}

// StepKind is a step without what it works on.
type StepKind string

// The steps, in the order of a run. Searching comes for each search, and
// Repairing for each answer that goes back.
const (
	Starting  StepKind = "starting"
	Searching StepKind = "searching"
	Writing   StepKind = "writing"
	Repairing StepKind = "repairing"
	Verifying StepKind = "verifying"
)

// stepInterval is how often the records are looked at.
const stepInterval = 50 * time.Millisecond

// follow tells of each step that the records show, until the context ends.
func follow(ctx context.Context, folder string, tell func(Step)) {
	var seen records
	tell(Step{Kind: Starting})
	ticker := time.NewTicker(stepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			now, err := readRecords(folder)
			if err != nil {
				continue // a record that is being written; the next look has it
			}
			for _, step := range now.since(seen) {
				tell(step)
			}
			seen = now
		}
	}
}

// records is what the hooks have recorded so far.
type records struct {
	begun    []searchBegun
	finished int
	answers  []answerSeen
}

func readRecords(folder string) (r records, err error) {
	if r.begun, err = loadRecords[searchBegun](folder, begunRecord); err != nil {
		return r, err
	}
	if r.finished, err = countRecords(folder, endedRecord); err != nil {
		return r, err
	}
	r.answers, err = loadRecords[answerSeen](folder, answerRecord)
	return r, err
}

// since returns the steps between two looks.
func (r records) since(before records) []Step {
	var steps []Step
	for _, search := range r.begun[min(len(before.begun), len(r.begun)):] {
		steps = append(steps, Step{Kind: Searching, Query: search.Query})
	}
	if r.finished > before.finished && r.finished >= len(r.begun) {
		steps = append(steps, Step{Kind: Writing})
	}
	for _, a := range r.answers[min(len(before.answers), len(r.answers)):] {
		if a.SentBack {
			steps = append(steps, Step{Kind: Repairing})
		}
	}
	return steps
}
