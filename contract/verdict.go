// Package contract holds the citation contract: the prompt that asks for it, the
// reading of what the Gemini CLI gave back, and the verdict on an answer.
//
// It is pure: bytes in, a verdict out; no file, no network, no clock. A verdict
// guarantees that every rule of the table in rule.go was asked of the very text
// it was given, and it carries all violations, not the first. It does not say
// that an answer is true: with a known grounding set it says that every cited
// URL came, byte for byte, from this run's search results; without one, only
// that a search ran.
package contract

import (
	"cmp"
	"slices"
	"strings"

	"gemini-search/answer"
)

// Proof is what a run shows about its own searches.
type Proof struct {
	// Searches counts the search calls that succeeded.
	Searches int
	// Bare: the answer came without a run, and no search is asked of it.
	Bare bool
	// Grounding is what the searches returned. nil means that it is not known;
	// an empty set is known, and grounds nothing.
	Grounding []answer.Source
}

// Outcome is the verdict in one word.
type Outcome string

// The outcomes.
const (
	Accepted  Outcome = "accepted"
	NoResults Outcome = "no_results"
	Rejected  Outcome = "rejected"
)

// Verdict is what the contract says about an answer.
type Verdict struct {
	Outcome   Outcome
	Grounding answer.Grounding
	// Violations are all broken rules, in the order of the rule table.
	Violations []answer.Violation
	// Citations are the distinct cited URLs in the order of the text.
	Citations []string
	// Sources are the distinct URLs under the heading, with the titles there.
	Sources []answer.Source
	// Searches is the proof's count.
	Searches int
	// Text is what was judged: the answer without a byte order mark and white
	// space at its end, its line ends as LF.
	Text string
	// Body is Text up to the Sources section.
	Body string
}

// Verify judges an answer. The text is expected to be sanitized already.
func Verify(response string, proof Proof) *Verdict {
	text := normalize(response)
	subject := &subject{text: text, proof: proof, document: readDocument(text), addresses: map[string]parsedURL{}}
	verdict := &Verdict{
		Outcome:   Accepted,
		Citations: subject.citations(),
		Sources:   subject.sources(),
		Searches:  proof.Searches,
		Text:      text,
		Body:      strings.TrimSpace(text[:subject.document.bodyEnd]),
	}
	verdict.Violations = subject.violations()
	switch {
	case len(verdict.Violations) > 0:
		verdict.Outcome = Rejected
	case subject.gaveUp():
		verdict.Outcome, verdict.Text, verdict.Body = NoResults, answer.NoResults, ""
	}
	verdict.Grounding = verdict.level(proof)
	return verdict
}

// level says how far the cited URLs are proven. Neither an answer without
// citations nor an empty set is ever grounded.
func (v *Verdict) level(proof Proof) answer.Grounding {
	ungrounded := func(violation answer.Violation) bool { return violation.Code == notGrounded }
	switch {
	case len(proof.Grounding) > 0 && len(v.Citations) > 0 && !slices.ContainsFunc(v.Violations, ungrounded):
		return answer.Grounded
	case proof.Searches > 0:
		return answer.Searched
	}
	return answer.Unknown
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func normalize(response string) string {
	return strings.TrimRight(lineEnds.Replace(strings.TrimPrefix(response, "\ufeff")), " \t\n")
}

// citations returns the distinct cited URLs.
func (s *subject) citations() []string {
	urls := []string{}
	for _, l := range distinct(s.document.body) {
		if l.citation {
			urls = append(urls, l.url)
		}
	}
	return urls
}

// sources returns the distinct listed URLs with the titles beside them.
func (s *subject) sources() []answer.Source {
	titles := map[string]string{}
	for _, entry := range s.document.entries {
		for _, url := range entry.urls {
			titles[url] = cmp.Or(titles[url], entry.title)
		}
	}
	sources := []answer.Source{}
	for _, l := range distinct(s.document.listed) {
		sources = append(sources, answer.Source{URI: l.url, Title: titles[l.url]})
	}
	return sources
}
