// Package runner takes one query through one run of the user's own Gemini CLI,
// and returns a verified answer or a typed failure.
//
// [Search] guarantees that nothing is spawned for a query that is refused, that
// the child sees only its private home, that nobody it started is alive and the
// home is removed before it returns, and that every text it returns is sanitized.
// It does not retry. A process that leaves the child's group is caught on Linux
// alone, where the program that calls Search becomes the parent of its orphaned
// descendants, and stays it; Windows lets none leave, other systems lose them.
package runner

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
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
	// Grace is the time between asking the child to end and killing it; 0 stands
	// for 250 ms.
	Grace time.Duration
	// MaxBuffer bounds the child's standard output, in bytes.
	MaxBuffer int
	// Limits bounds the query and the prompt.
	Limits contract.Limits
	// Environ is the user's environment, as os.Environ returns it.
	Environ []string
	// Hook is the command line that runs [Hook] with the words that follow it; ""
	// for a run without hooks, whose search is not forced, whose answer is not
	// repaired, and whose grounding comes from the transcript.
	Hook string
	// Retries is how often a run that failed for a reason that may mend by itself
	// is made again, within Timeout.
	Retries int
	// SearchModel is the model of the CLI's search tool; "" for the CLI's own
	// choice. The model that answers stays the user's.
	SearchModel string
	// Repairs is how often an answer that breaks the contract goes back to the
	// model before it is refused.
	Repairs int
	// Provenance is the proof that is asked for; "" asks for what this CLI can
	// show. [answer.Searched] asks for no more than that a search ran.
	Provenance answer.Grounding
	// Strict refuses an answer that states facts which the search did not return.
	Strict bool
	// Progress is called with each step, from a goroutine of the search and never
	// after it has returned; nil for nobody.
	Progress func(Step)
	// Program names the program that searches, with its version, for the evidence.
	Program string
	// Save is called with the evidence of a run that came to a verdict, also of
	// one that is refused; nil for nobody.
	Save func(*contract.Bundle) error
}

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
	ctx, cancel := context.WithTimeoutCause(ctx, options.Timeout, errTimeout)
	defer cancel()
	for retries := 0; ; retries++ {
		found, err = searchOnce(ctx, query, prompt, gemini, options)
		if err == nil {
			found.Evidence.Retries = retries
			return found, nil
		}
		if retries == options.Retries || !waitToRetry(ctx, asFailure(err, options), retries) {
			return nil, err
		}
	}
}

// searchOnce makes one run, in a home of its own.
func searchOnce(ctx context.Context, query, prompt string, gemini command, options Options) (found *answer.Answer, err error) {
	home, err := settings.New(settings.Options{
		Environ: options.Environ, Prompt: prompt, Hook: options.Hook, Repairs: options.Repairs,
		Steps: options.Progress != nil, SearchModel: options.SearchModel,
	})
	if err != nil {
		return nil, homeFailure(err)
	}
	defer func() {
		if closing := home.Close(); closing != nil {
			found, err = nil, errors.Join(err, fmt.Errorf("the private home could not be removed: %w", closing))
		}
	}()

	started := time.Now()
	stopFollowing := startFollowing(ctx, home, options.Progress)
	child, err := run(ctx, append(gemini.args, "-o", "json"), home, options.bounds())
	stopFollowing()
	if err != nil {
		return nil, err
	}
	elapsed := time.Since(started)

	envelope, err := readEnvelope(child, home)
	if err != nil {
		return nil, err
	}
	seen, err := readEvidence(home)
	if err != nil {
		return nil, err
	}
	if options.Provenance == answer.Grounded && seen.searches == nil && envelope.Searches > 0 {
		return nil, notShown()
	}
	bundle := bundleOf(query, prompt, gemini, envelope, seen, options)
	verdict := bundle.Judge()
	bundle.Verdict = verdict.JSON()
	if options.Save != nil {
		if err := options.Save(bundle); err != nil {
			return nil, err
		}
	}
	if verdict.Outcome == contract.Rejected {
		return nil, rejection(verdict)
	}
	return answerOf(bundle, verdict, envelope, seen, elapsed), nil
}

// startFollowing tells of the steps of a run until it is stopped, and then that
// the answer is verified.
func startFollowing(ctx context.Context, home *settings.Home, tell func(Step)) (stop func()) {
	if tell == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	following.Go(func() { follow(ctx, home.Records(), tell) })
	return func() {
		cancel()
		following.Wait()
		tell(Step{Kind: Verifying})
	}
}

// bundleOf collects what the verdict rests on.
func bundleOf(query, prompt string, gemini command, envelope *contract.Envelope, seen evidence, options Options) *contract.Bundle {
	bundle := &contract.Bundle{
		Schema:       contract.BundleSchema,
		Query:        sanitize.String(query),
		PromptSHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(prompt))),
		Response:     seen.response(envelope),
		Searches:     seen.searches,
		Calls:        envelope.Searches,
		Strict:       options.Strict,
		CLIVersion:   sanitize.String(gemini.version),
		Program:      options.Program,
	}
	if options.Provenance == answer.Searched {
		bundle.Searches = nil
	}
	bundle.Envelope = envelope.WithResponse(bundle.Response)
	return bundle
}

// answerOf is the answer that a verdict accepted, with what proves it.
func answerOf(bundle *contract.Bundle, verdict *contract.Verdict, envelope *contract.Envelope, seen evidence, elapsed time.Duration) *answer.Answer {
	coverage := contract.Cover(verdict.Body, seen.searches)
	return &answer.Answer{
		Query:    bundle.Query,
		Text:     verdict.Text,
		Body:     verdict.Body,
		Sources:  seen.titled(verdict.Sources),
		Envelope: bundle.Envelope,
		Evidence: answer.Evidence{
			Searches:        verdict.Searches,
			Queries:         seen.queries(),
			Grounding:       verdict.Grounding,
			Results:         seen.results(verdict.Citations),
			Coverage:        &coverage,
			Repairs:         seen.repairs(),
			CLIVersion:      bundle.CLIVersion,
			Models:          envelope.Models,
			Tokens:          envelope.Tokens,
			NoiseBytes:      envelope.Noise,
			Milliseconds:    elapsed.Milliseconds(),
			APIMilliseconds: int64(envelope.APIMilliseconds),
		},
	}
}
