package contract

import (
	"fmt"
	"strings"

	"gemini-search/answer"
)

// A rule is one line of the contract: its stable code, what it asks, and the
// check that finds where an answer breaks it.
type rule struct {
	code  string
	asks  string
	check func(*subject) []finding
}

// finding is one place where a rule is broken.
type finding struct {
	line    int
	message string
}

// The codes that decide more than that an answer is rejected.
const (
	// EmptyResponse is the code of an answer that says nothing.
	EmptyResponse = "empty-response"
	// SearchNotRun is the code of an answer without a successful search.
	SearchNotRun = "search-not-run"
	// notGrounded is the code that decides the grounding level.
	notGrounded = "not-grounded"
)

// ruleTable returns the contract, in the order in which violations are reported.
func ruleTable() []rule {
	return []rule{
		{EmptyResponse, "there is an answer", emptyResponse},
		{SearchNotRun, "a web search ran and succeeded", searchNotRun},
		{"no-sources-section", "the answer has a line that is exactly ## Sources", noSourcesSection},
		{"duplicate-sources-section", "it has one such line", duplicateSourcesSection},
		{"no-inline-citation", "there is a [Source](url) link before it", noInlineCitation},
		{"invalid-url", "each cited or listed URL parses and names a host", invalidURL},
		{"forbidden-scheme", "each link is http or https", forbiddenScheme},
		{"userinfo", "no URL holds user info", userinfo},
		{"forbidden-host", "no URL is on a placeholder host", forbiddenHost},
		{"forbidden-token", "no URL holds a placeholder, unless the search returned it", forbiddenToken},
		{"private-host", "no URL leads into a private network", privateHost},
		{"unlisted-citation", "each cited URL is listed", unlistedCitation},
		{"unlisted-link", "each other URL of the text is listed", unlistedLink},
		{"uncited-source", "each listed URL is cited", uncitedSource},
		{"misleading-link", "no link shows one URL and leads to another", misleadingLink},
		{"content-after-sources", "nothing but entries follows the heading", contentAfterSources},
		{"unlinked-source", "each entry has a URL", unlinkedSource},
		{"image", "there is no image", image},
		{notGrounded, "each cited URL is one that this run's search returned", ungrounded},
	}
}

// Rule is what a reader may know of a rule.
type Rule struct {
	// Code is the stable name in violations.
	Code string
	// Asks says what must hold.
	Asks string
}

// Rules returns the contract for documentation, in the order of the table.
func Rules() []Rule {
	var rules []Rule
	for _, rule := range ruleTable() {
		rules = append(rules, Rule{rule.code, rule.asks})
	}
	return rules
}

// violations asks every rule. Of an answer that is empty, or that says
// NO_RESULTS, only the first two have something to say.
func (s *subject) violations() []answer.Violation {
	rules := ruleTable()
	if s.blank() || s.gaveUp() {
		rules = rules[:2]
	}
	var all []answer.Violation
	for _, rule := range rules {
		for _, found := range rule.check(s) {
			all = append(all, answer.Violation{Code: rule.code, Message: found.message, Line: found.line})
		}
	}
	return all
}

// one returns a single finding.
func one(line int, message string) []finding { return []finding{{line, message}} }

func emptyResponse(s *subject) []finding {
	if !s.blank() {
		return nil
	}
	return one(0, "the answer is empty")
}

func searchNotRun(s *subject) []finding {
	if s.proof.Bare || s.proof.Searches >= 1 {
		return nil
	}
	return one(0, "no successful "+SearchTool+" call: search first, then answer from what it returned")
}

func noSourcesSection(s *subject) []finding {
	if len(s.document.headings) > 0 {
		return nil
	}
	return one(0, `there is no line that is exactly "## Sources": end the answer with that heading and the list of cited URLs`)
}

func duplicateSourcesSection(s *subject) []finding {
	var found []finding
	for i, line := range s.document.headings {
		if i > 0 {
			found = append(found, finding{line, fmt.Sprintf(`"## Sources" stands here again, first on line %d: keep one`, s.document.headings[0])})
		}
	}
	return found
}

func noInlineCitation(s *subject) []finding {
	for _, l := range s.document.body {
		if l.citation {
			return nil
		}
	}
	return one(0, "no claim is followed by an inline link [Source](https://…) outside code and HTML")
}

func invalidURL(s *subject) []finding {
	return s.each(s.citedOrListed(), func(url string) string {
		address, ok := s.address(url)
		switch {
		case hasForbiddenScheme(url):
			return "" // the next rule says it better
		case !ok:
			return "is not a URL with a host"
		case address.number:
			return "has a host that is an IP address written as a number"
		}
		return ""
	})
}

func forbiddenScheme(s *subject) []finding {
	return s.each(s.links(), func(url string) string {
		if hasForbiddenScheme(url) {
			return "has the scheme " + scheme(url) + ": only http and https are allowed"
		}
		return ""
	})
}

func userinfo(s *subject) []finding {
	return s.eachAddress(func(_ string, a address) string {
		if a.userinfo {
			return "holds user info before an @: its host is " + a.host
		}
		return ""
	})
}

func forbiddenHost(s *subject) []finding {
	return s.eachAddress(func(_ string, a address) string {
		if isUnder(a.host, placeholderHosts) {
			return "is on the placeholder host " + a.host
		}
		return ""
	})
}

func forbiddenToken(s *subject) []finding {
	grounded := s.groundingSet()
	return s.each(s.links(), func(url string) string {
		if token, ok := placeholderToken(url); ok && !grounded[url] {
			return "holds the placeholder " + token
		}
		return ""
	})
}

func privateHost(s *subject) []finding {
	return s.eachAddress(func(_ string, a address) string {
		if a.private() {
			return "leads into a private network"
		}
		return ""
	})
}

func unlistedCitation(s *subject) []finding {
	return s.missing(true, "is cited but not listed under ## Sources")
}

func unlistedLink(s *subject) []finding {
	return s.missing(false, "is in the text but not listed under ## Sources")
}

// missing finds the URLs of the text that are not listed. Without a section
// there is no list that they could be missing from.
func (s *subject) missing(citation bool, message string) []finding {
	if len(s.document.headings) == 0 {
		return nil
	}
	var kind []link
	for _, l := range s.document.body {
		if l.citation == citation {
			kind = append(kind, l)
		}
	}
	listed := urlSet(s.document.listed)
	return s.each(kind, func(url string) string {
		if listed[url] {
			return ""
		}
		return message
	})
}

func uncitedSource(s *subject) []finding {
	cited := map[string]bool{}
	for _, url := range s.citations() {
		cited[url] = true
	}
	return s.each(s.document.listed, func(url string) string {
		if cited[url] {
			return ""
		}
		return "is listed under ## Sources but not cited"
	})
}

func misleadingLink(s *subject) []finding {
	var found []finding
	for _, l := range s.links() {
		if shown, ok := l.misleads(); ok {
			found = append(found, finding{l.line, fmt.Sprintf("a link shows %s and leads to %s", shown, l.url)})
		}
	}
	return found
}

// emphasisMarks takes away what may be emphasis and not text.
var emphasisMarks = strings.NewReplacer("*", "", "_", "")

// misleads returns a URL that the text of a link shows and that is not the one it
// leads to. Stars and underscores do not count, because those of emphasis are
// not shown.
func (l link) misleads() (shown string, ok bool) {
	target := emphasisMarks.Replace(l.url)
	for _, url := range bareURLs([]byte(emphasisMarks.Replace(l.label))) {
		if url != target {
			return url, true
		}
	}
	return "", false
}

func contentAfterSources(s *subject) []finding {
	return at(s.document.strays, "something else than one URL with a short title stands under ## Sources")
}

func unlinkedSource(s *subject) []finding {
	var lines []int
	for _, entry := range s.document.entries {
		if len(entry.urls) == 0 {
			lines = append(lines, entry.line)
		}
	}
	return at(lines, "this entry under ## Sources has no URL")
}

func image(s *subject) []finding {
	return at(s.document.images, "an image, or HTML that loads something: showing it sends data to its host")
}

func ungrounded(s *subject) []finding {
	if s.proof.Grounding == nil {
		return nil
	}
	grounded := s.groundingSet()
	return s.each(s.citationLinks(), func(url string) string {
		if grounded[url] {
			return ""
		}
		return "is cited, but this run's search did not return it"
	})
}

// at makes a finding of each distinct line.
func at(lines []int, message string) []finding {
	var found []finding
	seen := map[int]bool{}
	for _, line := range lines {
		if !seen[line] {
			seen[line] = true
			found = append(found, finding{line, message})
		}
	}
	return found
}
