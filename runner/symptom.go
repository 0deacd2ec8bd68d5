package runner

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/settings"
)

// signs are all that a failed run shows.
type signs struct {
	exit    int    // status; -1 when a signal ended the child
	code    int    // of the CLI's error object: an HTTP status, or 0
	message string // of the error object, or else the headline of stderr
	signIn  settings.SignIn
}

// symptom is one way in which a run fails: how it is known, and what to do.
type symptom struct {
	kind answer.Kind
	// shows reports whether the signs are of this failure.
	shows func(signs) bool
	hint  func(signs) string
}

// symptoms are asked in this order; the first that shows names the failure. The
// messages are those of the CLI from 0.41.2 to 0.61.0, each recorded from it.
func symptoms() []symptom {
	return []symptom{
		{answer.AuthRequired, says(`IneligibleTier|UNSUPPORTED_CLIENT`), advice("Gemini CLI no longer serves personal Google accounts: set GEMINI_API_KEY, or sign in with Vertex AI or Code Assist")},
		{answer.AuthRequired, func(s signs) bool { return s.exit == exitAuth || s.code == 401 || s.code == 403 }, signInHint},
		{answer.AuthRequired, says(`API key not valid|API_KEY_INVALID|API key expired`), signInHint},
		{answer.UntrustedFolder, func(s signs) bool { return s.exit == exitUntrusted }, advice("this gemini does not trust a folder that GEMINI_CLI_TRUST_WORKSPACE names: update it, or ask your administrator")},
		{answer.QuotaExceeded, func(s signs) bool { return s.code == 429 }, quotaHint},
		{answer.QuotaExceeded, says(`exhausted your (?:daily )?(?:quota|capacity)|(?i:resource exhausted|quota exceeded)|Suggested retry after`), quotaHint},
		{answer.ModelUnavailable, func(s signs) bool { return s.code == 404 }, modelHint},
		{answer.ModelUnavailable, says(`models?/\S+ is not found|ModelNotFound|INVALID_MODEL`), modelHint},
		{answer.Blocked, says(`was blocked due to`), advice("ask in other words: the model's provider does not answer this")},
		{answer.Incomplete, says(`truncated because it exceeded|without a finish reason|no final response text|empty response|malformed tool call|Loop detected`), advice("ask again, or ask for less at once")},
		{answer.Overloaded, func(s signs) bool { return s.code >= 500 && s.code <= 504 }, advice("try again in a minute")},
		{answer.Overloaded, says(`overloaded`), advice("try again in a minute")},
		{answer.Network, says(`fetch failed|^terminated$|in JSON at position|Incomplete JSON segment|ECONN|ENOTFOUND|EAI_AGAIN|certificate|socket hang up`), advice("check the network, and HTTPS_PROXY and NODE_EXTRA_CA_CERTS where there is a proxy")},
		{answer.GeminiCrashed, func(s signs) bool { return s.exit == -1 || s.message == "" }, advice("run gemini by itself to see what it says")},
	}
}

// The CLI's own exit statuses.
const (
	exitAuth      = 41 // a sign-in is missing or was refused
	exitUntrusted = 55 // the folder is not trusted
)

func says(pattern string) func(signs) bool {
	expression := regexp.MustCompile(pattern)
	return func(s signs) bool { return expression.MatchString(s.message) }
}

func advice(hint string) func(signs) string { return func(signs) string { return hint } }

// signInHint says what mends a sign-in: what it lacks, or else where the one that
// was refused comes from.
func signInHint(s signs) string {
	if s.signIn.Missing != "" {
		return s.signIn.Missing
	}
	return fmt.Sprintf("mend the sign-in %s, which comes from %s, or set GEMINI_API_KEY", s.signIn.Kind, s.signIn.Source)
}

func quotaHint(s signs) string {
	if seconds := retryAfter(s.message); seconds > 0 {
		return fmt.Sprintf("try again in %d seconds, or use a key with a larger quota", seconds)
	}
	return "wait for the quota to refill, or use a key with a larger one"
}

func modelHint(signs) string {
	return "choose a model that your sign-in may use: model.name in ~/.gemini/settings.json, or GEMINI_MODEL"
}

// suggested is how the CLI passes on the API's RetryInfo.
var suggested = regexp.MustCompile(`[Rr]etry after (\d{1,6})(?:\.\d+)?s`)

// retryAfter returns the seconds after which the API wants to be asked again; 0
// when it does not say.
func retryAfter(message string) int {
	match := suggested.FindStringSubmatch(message)
	if match == nil {
		return 0
	}
	seconds, _ := strconv.Atoi(match[1]) // six digits fit
	return seconds
}

// classify names the failure of a run that gave no answer.
func classify(child ended, envelope *contract.Envelope, signIn settings.SignIn) error {
	said := errorOf(child, envelope)
	s := signs{exit: child.code, code: said.Code, message: said.Message, signIn: signIn}
	if s.message == "" {
		s.message = headline(child.stderr)
	}
	return s.failure()
}

// failure is what the signs mean.
func (s signs) failure() *answer.Failure {
	failure := &answer.Failure{Kind: answer.GeminiWebSearchFailed, Message: s.text(), RetryAfter: retryAfter(s.message), Hint: "run gemini by itself to see what it says"}
	for _, symptom := range symptoms() {
		if symptom.shows(s) {
			failure.Kind, failure.Hint = symptom.kind, symptom.hint(s)
			break
		}
	}
	return failure
}

// text is what a person reads of the signs.
func (s signs) text() string {
	switch {
	case s.message != "":
		return "gemini failed: " + strings.TrimRight(s.message, ".")
	case s.exit == 0:
		return "gemini ended without an answer and without an error"
	case s.exit == -1:
		return "gemini was ended by a signal that we did not send"
	}
	return fmt.Sprintf("gemini failed with exit status %d and said nothing", s.exit)
}
