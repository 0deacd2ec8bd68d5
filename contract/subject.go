package contract

import (
	"strings"

	"gemini-search/answer"
)

// subject is an answer before the rules.
type subject struct {
	text      string
	proof     Proof
	document  *document
	addresses map[string]parsedURL
}

// parsedURL is what [parseURL] said.
type parsedURL struct {
	address address
	ok      bool
}

// gaveUp reports whether the answer is NO_RESULTS and nothing beside it.
func (s *subject) gaveUp() bool { return strings.TrimSpace(s.text) == answer.NoResults }

// blank reports whether the answer is nothing but white space.
func (s *subject) blank() bool { return strings.TrimSpace(s.text) == "" }

// each asks once of every distinct URL; broken returns what is wrong with it.
func (s *subject) each(links []link, broken func(url string) string) []finding {
	var found []finding
	for _, l := range distinct(links) {
		if message := broken(l.url); message != "" {
			found = append(found, finding{l.line, l.url + " " + message})
		}
	}
	return found
}

// eachAddress asks of every distinct URL that parses and has a host.
func (s *subject) eachAddress(broken func(string, address) string) []finding {
	return s.each(s.links(), func(url string) string {
		if address, ok := s.address(url); ok {
			return broken(url, address)
		}
		return ""
	})
}

// address is [parseURL], asked once of each URL.
func (s *subject) address(url string) (address, bool) {
	known, ok := s.addresses[url]
	if !ok {
		known.address, known.ok = parseURL(url)
		s.addresses[url] = known
	}
	return known.address, known.ok
}

func (s *subject) links() []link {
	return append(append([]link{}, s.document.body...), s.document.listed...)
}

func (s *subject) citationLinks() []link {
	var cited []link
	for _, l := range s.document.body {
		if l.citation {
			cited = append(cited, l)
		}
	}
	return cited
}

func (s *subject) citedOrListed() []link {
	return append(s.citationLinks(), s.document.listed...)
}

func (s *subject) groundingSet() map[string]bool {
	set := map[string]bool{}
	for _, source := range s.proof.Grounding {
		set[source.URI] = true
	}
	return set
}

func urlSet(links []link) map[string]bool {
	set := map[string]bool{}
	for _, l := range links {
		set[l.url] = true
	}
	return set
}

// distinct keeps the first link to each URL. A citation stands before another
// link to the same URL, so that the line named is the citation's.
func distinct(links []link) []link {
	var kept []link
	at := map[string]int{}
	for _, l := range links {
		i, seen := at[l.url]
		switch {
		case !seen:
			at[l.url] = len(kept)
			kept = append(kept, l)
		case l.citation && !kept[i].citation:
			kept[i] = l
		}
	}
	return kept
}
