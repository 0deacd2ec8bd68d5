// Package runner takes one query through one run of the user's own Gemini CLI,
// and returns a verified answer or a typed failure.
//
// [Search] guarantees that nothing is spawned for a query that is refused, that
// the child sees only its private home, that it and its process group are dead
// and reaped and the home is removed before it returns, and that every text it
// returns is sanitized. It does not retry, and it does not catch a process that
// leaves the group.
package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/sanitize"
	"gemini-search/settings"
)

// Options is what a search needs to know besides its query.
type Options struct {
	// Binary is the Gemini CLI, as GEMINI_BINARY says it.
	Binary string
	// Timeout bounds the run on the wall clock.
	Timeout time.Duration
	// MaxBuffer bounds each of the child's two outputs, in bytes.
	MaxBuffer int
	// Limits bounds the query and the prompt.
	Limits contract.Limits
	// Environ is the user's environment, as os.Environ returns it.
	Environ []string
}

// grace is the time between asking the process group to end and killing it.
const grace = 250 * time.Millisecond

// Search runs the user's Gemini CLI once for a query. Every error is an
// [answer.Failure].
func Search(ctx context.Context, query string, options Options) (found *answer.Answer, err error) {
	defer func() { err = asFailure(err, options) }()

	prompt, err := contract.Ask(query, options.Limits, time.Now())
	if err != nil {
		return nil, err
	}
	gemini, err := findCommand(options.Binary)
	if err != nil {
		return nil, err
	}
	if err := checkVersion(gemini.version); err != nil {
		return nil, err
	}
	home, err := settings.New(options.Environ, prompt)
	if err != nil {
		return nil, fmt.Errorf("the private home could not be made: %w", err)
	}
	defer func() {
		if closing := home.Close(); closing != nil {
			found, err = nil, errors.Join(err, fmt.Errorf("the private home could not be removed: %w", closing))
		}
	}()

	ctx, cancel := context.WithTimeoutCause(ctx, options.Timeout, errTimeout)
	defer cancel()
	started := time.Now()
	child, err := run(ctx, append(gemini.args, "-o", "json"), home, options.MaxBuffer, grace)
	if err != nil {
		return nil, err
	}
	elapsed := time.Since(started)

	envelope, err := readEnvelope(child, home)
	if err != nil {
		return nil, err
	}
	searches, err := readSearches(home)
	if err != nil {
		return nil, err
	}
	verdict := contract.Verify(envelope.Response, contract.Proof{Searches: envelope.Searches, Grounding: groundingOf(searches)})
	if verdict.Outcome == contract.Rejected {
		return nil, rejection(verdict)
	}
	return &answer.Answer{
		Query:    sanitize.String(query),
		Text:     verdict.Text,
		Body:     verdict.Body,
		Sources:  titled(verdict.Sources, searches),
		Envelope: envelope.JSON,
		Evidence: answer.Evidence{
			Searches:     verdict.Searches,
			Queries:      queries(searches),
			Grounding:    verdict.Grounding,
			CLIVersion:   sanitize.String(gemini.version),
			Models:       envelope.Models,
			Tokens:       envelope.Tokens,
			Milliseconds: elapsed.Milliseconds(),
		},
	}, nil
}

// readSearches returns the successful searches that the transcripts show, or nil.
func readSearches(home *settings.Home) ([]contract.Search, error) {
	transcripts, err := home.Transcripts()
	if err != nil {
		return nil, fmt.Errorf("the transcript could not be read: %w", err)
	}
	var searches []contract.Search
	for _, transcript := range transcripts {
		searches = append(searches, contract.ReadTranscript(transcript)...)
	}
	return searches, nil
}

// groundingOf returns what the searches returned; nil, for unknown, when no
// search is on record.
func groundingOf(searches []contract.Search) []answer.Source {
	if len(searches) == 0 {
		return nil
	}
	return contract.Sources(searches)
}

func queries(searches []contract.Search) []string {
	var queries []string
	for _, search := range searches {
		queries = append(queries, search.Query)
	}
	return queries
}

// titled gives a source without a title of its own the one that the search
// returned with it.
func titled(sources []answer.Source, searches []contract.Search) []answer.Source {
	titles := map[string]string{}
	for _, source := range contract.Sources(searches) {
		titles[source.URI] = source.Title
	}
	for i := range sources {
		if sources[i].Title == "" {
			sources[i].Title = titles[sources[i].URI]
		}
	}
	return sources
}
