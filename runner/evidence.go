package runner

import (
	"fmt"
	"strings"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/settings"
)

// evidence is what is known of a run besides its envelope.
type evidence struct {
	// searches are the successful ones; nil when none is on record.
	searches []contract.Search
	answers  []answerSeen
}

// readEvidence reads the records of the hooks, or where there are none, because
// hooks are off or this CLI has none, the transcripts.
func readEvidence(home *settings.Home) (evidence, error) {
	answers, err := loadRecords[answerSeen](home.Records(), answerRecord)
	if err != nil {
		return evidence{}, fmt.Errorf("the records of the run could not be read: %w", err)
	}
	searches, err := loadSearches(home.Records())
	if err == nil && searches == nil {
		searches, err = transcribed(home)
	}
	if err != nil {
		return evidence{}, fmt.Errorf("the records of the run could not be read: %w", err)
	}
	return evidence{searches: searches, answers: answers}, nil
}

// transcribed returns the searches that the transcripts show; nil without any.
func transcribed(home *settings.Home) ([]contract.Search, error) {
	transcripts, err := home.Transcripts()
	if err != nil {
		return nil, err
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

// response returns the answer to judge: of a run with repairs the last answer
// alone, whatever the envelope joined. It has to end the envelope's response,
// so that records cannot bring in a text that the CLI did not print.
func (e evidence) response(envelope *contract.Envelope) string {
	if e.repairs() == 0 {
		return envelope.Response
	}
	last := strings.TrimSpace(e.answers[len(e.answers)-1].Text)
	if last == "" || !strings.HasSuffix(strings.TrimSpace(envelope.Response), last) {
		return envelope.Response
	}
	return last
}

// repairs is how often an answer went back to the model.
func (e evidence) repairs() int {
	repairs := 0
	for _, a := range e.answers {
		if a.SentBack {
			repairs++
		}
	}
	return repairs
}

func (e evidence) queries() []string {
	var queries []string
	for _, search := range e.searches {
		queries = append(queries, search.Query)
	}
	return queries
}

// results says of each page that the search returned whether it is cited.
func (e evidence) results(citations []string) []answer.Result {
	cited := map[string]bool{}
	for _, url := range citations {
		cited[url] = true
	}
	var results []answer.Result
	for _, source := range contract.Sources(e.searches) {
		results = append(results, answer.Result{Source: source, Cited: cited[source.URI]})
	}
	return results
}

// titled gives a source without a title of its own the one that the search
// returned with it.
func (e evidence) titled(sources []answer.Source) []answer.Source {
	titles := map[string]string{}
	for _, source := range contract.Sources(e.searches) {
		titles[source.URI] = source.Title
	}
	for i := range sources {
		if sources[i].Title == "" {
			sources[i].Title = titles[sources[i].URI]
		}
	}
	return sources
}
