package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/sanitize"
	"gemini-search/settings"
)

// errTimeout is the cause of a context whose time for the run is over.
var errTimeout = errors.New("the time for the run is over")

// asFailure makes every error of a search a failure that has a kind.
func asFailure(err error, options Options) error {
	if err == nil {
		return nil
	}
	if failure, ok := errors.AsType[*answer.Failure](err); ok {
		return Sanitized(failure)
	}
	failure := &answer.Failure{Kind: answer.GeminiWebSearchFailed, Message: sanitize.String(oneLine(err.Error())), Err: err}
	switch {
	case errors.Is(err, errTimeout), errors.Is(err, context.DeadlineExceeded):
		failure.Kind = answer.Timeout
		failure.Message = fmt.Sprintf("no answer within %s", options.Timeout.Round(time.Millisecond))
		failure.Hint = "allow more with --timeout or GEMINI_SEARCH_TIMEOUT (milliseconds)"
	case isTooLarge(err, "stdout"):
		failure.Kind = answer.OutputTooLarge
		failure.Hint = "allow more with --max-buffer or GEMINI_SEARCH_MAX_BUFFER (bytes)"
	case isTooLarge(err, "stderr"):
		failure.Kind = answer.OutputTooLarge
		failure.Hint = "run gemini by itself to see what it says"
	case errors.Is(err, context.Canceled):
		failure.Kind = answer.Cancelled
		failure.Message = "the search was cancelled"
	}
	return failure
}

// Sanitized cleans every text of a failure, once it is whole: a message may have
// been decoded after it was read, and a hint may quote settings.
func Sanitized(failure *answer.Failure) *answer.Failure {
	clean := *failure
	clean.Message, clean.Hint = oneLine(sanitize.String(failure.Message)), oneLine(sanitize.String(failure.Hint))
	clean.Violations = nil
	for _, violation := range failure.Violations {
		violation.Message = sanitize.String(violation.Message)
		clean.Violations = append(clean.Violations, violation)
	}
	return &clean
}

// readEnvelope reads what the child left, or says why it is no answer. An exit
// status of 0 means nothing by itself: a terminated CLI has it too.
func readEnvelope(child ended, home *settings.Home) (*contract.Envelope, error) {
	envelope, err := contract.ReadEnvelope(child.stdout)
	if err != nil || envelope.Error != nil || child.code != 0 {
		return nil, classify(child, envelope, home.SignIn())
	}
	return envelope, checkPrivacy(envelope, home)
}

// checkPrivacy fails closed: no answer is better than a leaking one. The pins
// stand in two files, and since 0.60 the CLI skips the second where root does
// not own it, so the first has to hold every one of them after the run too.
func checkPrivacy(envelope *contract.Envelope, home *settings.Home) error {
	if home.Bypassed() {
		return notPrivate("gemini did not use the private home, so its settings were not in force",
			"check that GEMINI_BINARY is the Gemini CLI, 0.41.2 or newer, and not a wrapper that sets GEMINI_CLI_HOME")
	}
	for _, pin := range home.Pins() {
		if !pin.Held {
			return notPrivate("gemini changed the setting "+pin.Key+" of its private home", "report this with the version of gemini: its settings have changed")
		}
	}
	for _, tool := range envelope.Tools {
		if tool != contract.SearchTool {
			return notPrivate("the model used the tool "+tool+", and only "+contract.SearchTool+" is allowed", "report this with the version of gemini: its settings have changed")
		}
	}
	return nil
}

func notPrivate(message, hint string) error {
	return &answer.Failure{Kind: answer.PrivacyNotEnforced, Message: message, Hint: hint}
}

// errorOf returns the CLI's error object from stdout, or else from stderr, where
// every version writes the one of a failed call.
func errorOf(child ended, envelope *contract.Envelope) contract.EnvelopeError {
	if envelope == nil || envelope.Error == nil {
		envelope, _ = contract.ReadEnvelope(child.stderr)
	}
	if envelope == nil || envelope.Error == nil {
		return contract.EnvelopeError{}
	}
	said := *envelope.Error
	said.Message = oneLine(innerMessage(said.Message))
	return said
}

// innerMessage returns the message of an API error that the CLI hands on as the
// text of its JSON.
func innerMessage(message string) string {
	var inner struct {
		Error struct{ Message string } `json:"error"`
	}
	if json.Unmarshal([]byte(message), &inner) == nil && inner.Error.Message != "" {
		return innerMessage(inner.Error.Message)
	}
	return message
}

// homeFailure is the failure of a run that has no place of its own.
func homeFailure(err error) error {
	if failure, ok := errors.AsType[*answer.Failure](err); ok {
		return failure // an administrator's, which has its own hint
	}
	return &answer.Failure{
		Kind:    answer.GeminiWebSearchFailed,
		Message: "the private home could not be made: " + err.Error(),
		Hint:    "make room on its disk, or set XDG_RUNTIME_DIR or XDG_CACHE_HOME to a folder of yours",
		Err:     err,
	}
}

// notShown is the failure of a run that cannot be grounded although that was
// asked for.
func notShown() error {
	return &answer.Failure{
		Kind:    answer.CitationContractViolated,
		Message: "gemini does not show what its search returned, so no citation can be grounded",
		Hint:    "update gemini, or ask for less with --provenance searched",
	}
}

// rejection is the failure of an answer that breaks the contract.
func rejection(verdict *contract.Verdict) error {
	failure := &answer.Failure{
		Kind:       answer.CitationContractViolated,
		Message:    "the answer breaks the citation contract",
		Hint:       "ask again, or ask more precisely: nothing that is not proven is printed",
		Violations: verdict.Violations,
	}
	for _, violation := range verdict.Violations {
		if violation.Code == contract.EmptyResponse {
			return &answer.Failure{
				Kind: answer.Incomplete, Message: "the model's answer is empty", Hint: "ask again, or in other words", Violations: verdict.Violations,
			}
		}
		if violation.Code == contract.SearchNotRun {
			failure.Kind = answer.SearchNotRun
			failure.Message = "the model answered without a successful web search"
		}
	}
	return failure
}

// oneLine joins the lines of a message.
func oneLine(message string) string { return strings.Join(strings.Fields(message), " ") }
