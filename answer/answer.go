// Package answer holds the one value that every backend returns and every host
// renders: an [Answer] with its [Source]s and [Evidence], or one typed [Failure].
//
// It guarantees a stable vocabulary: the names and exit codes of the failure
// kinds, the grounding levels and the JSON field names are an interface that
// scripts depend on. It does not guarantee that a value is true: the proof is
// the contract package's, and the sanitizing of every string is its producer's.
package answer

// NoResults is the literal answer of a search that found nothing usable. It is
// a result, not a failure.
const NoResults = "NO_RESULTS"

// Answer is one answer whose citations hold.
type Answer struct {
	// Query is what the user asked, without control functions, for display.
	Query string
	// Text is the verified Markdown, byte for byte as it was verified; it is
	// exactly [NoResults] when the search found nothing usable.
	Text string
	// Body is Text up to its Sources section; empty with [NoResults].
	Body string
	// Sources are the cited pages in the order of the Sources section.
	Sources []Source
	// Evidence says what proves the answer.
	Evidence Evidence
	// Envelope is the backend's own JSON with every string sanitized.
	Envelope []byte
}

// Empty reports whether the search ran and found nothing usable.
func (a *Answer) Empty() bool { return a.Text == NoResults }

// Source is a page that the search returned.
type Source struct {
	URI   string `json:"uri"`
	Title string `json:"title,omitempty"`
}

// Grounding says how far the provenance of the cited URLs is proven.
type Grounding string

// The grounding levels, strongest first.
const (
	// Grounded: what the search returned is known, and every cited URL is in it.
	Grounded Grounding = "grounded"
	// Searched: only the number of successful searches is known.
	Searched Grounding = "searched"
	// Unknown: nothing is known about a search.
	Unknown Grounding = "unknown"
)

// Coverage says how much of an answer carries a citation.
type Coverage struct {
	// Sentences counts the sentences of the body, Cited those with a citation.
	Sentences int `json:"sentences"`
	Cited     int `json:"cited"`
	// Uncited are the sentences without one.
	Uncited []string `json:"uncited,omitempty"`
	// Unsupported are cited sentences with facts that the search did not return.
	Unsupported []Unsupported `json:"unsupported,omitempty"`
}

// Unsupported is a cited sentence and the numbers, dates, versions and quoted
// strings in it that appear nowhere in what the search returned.
type Unsupported struct {
	Sentence string   `json:"sentence"`
	Missing  []string `json:"missing"`
}

// Result is a page that the search returned, and whether the answer cites it.
type Result struct {
	Source
	Cited bool `json:"cited"`
}

// Evidence is what is known about the run that gave an answer. A zero field
// means that the backend did not tell.
type Evidence struct {
	// Searches counts the web searches of the run that succeeded.
	Searches int `json:"searches"`
	// Queries are the texts that were searched for, in order.
	Queries []string `json:"queries,omitempty"`
	// Grounding is the level of proof for the cited URLs.
	Grounding Grounding `json:"grounding"`
	// Results are the pages that the searches returned; nil when that is not
	// known.
	Results []Result `json:"results,omitempty"`
	// Coverage is counted in the body of the text.
	Coverage *Coverage `json:"coverage,omitempty"`
	// Repairs counts how often the answer went back to the model.
	Repairs int `json:"repairs"`
	// Retries counts the runs before this one that failed for a reason that might
	// mend by itself.
	Retries int `json:"retries"`
	// CLIVersion is the version of the Gemini CLI that ran.
	CLIVersion string `json:"cliVersion,omitempty"`
	// Models are the models that took part, in alphabetical order.
	Models []string `json:"models,omitempty"`
	// Tokens is the sum over all models and calls of the run.
	Tokens int `json:"tokens,omitempty"`
	// NoiseBytes is how much the CLI wrote around its envelope.
	NoiseBytes int `json:"noiseBytes,omitempty"`
	// Milliseconds is the wall time of the run, from start to reaped child.
	Milliseconds int64 `json:"milliseconds"`
	// APIMilliseconds is the part of it that the models took.
	APIMilliseconds int64 `json:"apiMilliseconds,omitempty"`
}
