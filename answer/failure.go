package answer

import "slices"

// Kind names why there is no answer. The names are the same in exit codes,
// JSON, MCP and the OpenCode tool, and do not change.
type Kind string

// The kinds of failure. [Kinds] has their exit codes and what to do.
const (
	InvalidQuery             Kind = "INVALID_QUERY"
	InvalidToolArguments     Kind = "INVALID_TOOL_ARGUMENTS"
	CitationContractViolated Kind = "CITATION_CONTRACT_VIOLATED"
	SearchNotRun             Kind = "SEARCH_NOT_RUN"
	GeminiNotFound           Kind = "GEMINI_NOT_FOUND"
	AuthRequired             Kind = "AUTH_REQUIRED"
	GeminiTooOld             Kind = "GEMINI_TOO_OLD"
	PrivacyNotEnforced       Kind = "PRIVACY_NOT_ENFORCED"
	UntrustedFolder          Kind = "UNTRUSTED_FOLDER"
	ModelUnavailable         Kind = "MODEL_UNAVAILABLE"
	Timeout                  Kind = "TIMEOUT"
	QuotaExceeded            Kind = "QUOTA_EXCEEDED"
	Overloaded               Kind = "OVERLOADED"
	Network                  Kind = "NETWORK"
	Blocked                  Kind = "BLOCKED"
	Incomplete               Kind = "INCOMPLETE"
	GeminiCrashed            Kind = "GEMINI_CRASHED"
	OutputTooLarge           Kind = "OUTPUT_TOO_LARGE"
	GeminiWebSearchFailed    Kind = "GEMINI_WEB_SEARCH_FAILED"
	Cancelled                Kind = "CANCELLED"
)

// KindInfo is one row of the failure table.
type KindInfo struct {
	Kind Kind
	// ExitCode is the exit status of the command line.
	ExitCode int
	// Meaning is what happened, for the README and for hosts.
	Meaning string
}

// Kinds returns the failure table, in the order of the README.
func Kinds() []KindInfo {
	return []KindInfo{
		{InvalidQuery, 2, "the query is blank, too long or not text"},
		{InvalidToolArguments, 2, "an argument, a flag or a variable is wrong"},
		{CitationContractViolated, 3, "the answer breaks the citation contract"},
		{SearchNotRun, 3, "the model answered without a successful search"},
		{GeminiNotFound, 4, "there is no Gemini CLI to run"},
		{AuthRequired, 4, "the Gemini CLI is not signed in, or its sign-in was refused"},
		{GeminiTooOld, 4, "the Gemini CLI is older than the oldest that can be kept private"},
		{PrivacyNotEnforced, 4, "the Gemini CLI did not take the private settings"},
		{UntrustedFolder, 4, "the Gemini CLI does not trust its folder"},
		{ModelUnavailable, 4, "the sign-in may not use the model"},
		{Timeout, 5, "the run took longer than allowed"},
		{QuotaExceeded, 6, "the API refused the call for its quota"},
		{Overloaded, 7, "the API has no room or a fault of its own; it may mend by itself"},
		{Network, 7, "the API was not reached, or its answer was cut"},
		{Blocked, 1, "the model's provider does not answer this"},
		{Incomplete, 1, "the model's answer ended too early"},
		{GeminiCrashed, 1, "the Gemini CLI ended without an answer and without a reason"},
		{OutputTooLarge, 1, "the Gemini CLI wrote more than allowed"},
		{GeminiWebSearchFailed, 1, "the run failed for another reason"},
		{Cancelled, 130, "the caller cancelled; a signal ends the command by that signal"},
	}
}

// ExitCode returns the exit status for a kind; 1 for a name not in [Kinds].
func (k Kind) ExitCode() int {
	kinds := Kinds()
	if i := slices.IndexFunc(kinds, func(info KindInfo) bool { return info.Kind == k }); i >= 0 {
		return kinds[i].ExitCode
	}
	return 1
}

// Violation is one broken rule of the citation contract.
type Violation struct {
	// Code is the rule's stable name.
	Code string `json:"code"`
	// Message says what is wrong, so that a person or a model can mend it.
	Message string `json:"message"`
	// Line is the 1-based line in the answer; 0 when no line is to blame.
	Line int `json:"line"`
}

// Failure is why there is no answer. Its texts are one line each, lower case,
// without a final period, and hold no byte of the child that was not sanitized.
type Failure struct {
	Kind Kind
	// Message says what is wrong.
	Message string
	// Hint says what to do about it; it may be empty.
	Hint string
	// RetryAfter is when the API wants to be asked again, in seconds; 0 when it
	// did not say.
	RetryAfter int
	// Violations are all broken rules, when the contract is why.
	Violations []Violation
	// Err is the cause, for errors.Is and errors.As; it is not for display.
	Err error
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }
