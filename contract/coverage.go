package contract

import (
	"regexp"
	"strings"

	"gemini-search/answer"
)

// Cover says how much of an answer's body is cited, and which facts of its cited
// sentences appear nowhere in what the search returned.
//
// Both are facts for the reader and no verdict: a citation behind a sentence
// does not prove that the page supports it, and a number that the search wrote
// in another way is listed although it is right. Without the text of the search
// nothing is listed.
func Cover(body string, searches []Search) answer.Coverage {
	coverage := answer.Coverage{}
	known := factsOf(searches)
	for _, s := range sentences(body) {
		coverage.Sentences++
		if !s.cited {
			coverage.Uncited = append(coverage.Uncited, s.text)
			continue
		}
		coverage.Cited++
		if missing := known.missing(s.text); len(missing) > 0 {
			coverage.Unsupported = append(coverage.Unsupported, answer.Unsupported{Sentence: s.text, Missing: missing})
		}
	}
	return coverage
}

// fact is what can be looked up word for word in any language: a number, date or
// version, and a quoted string.
var (
	numberFact = regexp.MustCompile(`\p{Nd}+(?:[.,:/-]\p{Nd}+)*`)
	quotedFact = regexp.MustCompile(`"([^"\n]{2,200})"|“([^”\n]{2,200})”|«([^»\n]{2,200})»|「([^」\n]{2,200})」`)
)

// searchFacts is what the search returned, as it is looked up.
type searchFacts struct {
	text    string // in lower case, with single blanks
	numbers map[string]bool
}

func factsOf(searches []Search) searchFacts {
	var text strings.Builder
	for _, search := range searches {
		text.WriteString(search.Query + "\n" + search.Text + "\n")
		for _, source := range search.Sources {
			text.WriteString(source.Title + "\n" + source.URI + "\n")
		}
	}
	facts := searchFacts{numbers: map[string]bool{}}
	for _, search := range searches {
		if search.Text != "" {
			facts.text = fold(text.String())
		}
	}
	for _, number := range numberFact.FindAllString(facts.text, -1) {
		facts.numbers[plainNumber(number)] = true
	}
	return facts
}

// missing returns the facts of a sentence that the search did not return.
func (f searchFacts) missing(sentence string) []string {
	if f.text == "" {
		return nil
	}
	var missing []string
	for _, number := range numberFact.FindAllString(sentence, -1) {
		if !f.numbers[plainNumber(number)] {
			missing = append(missing, number)
		}
	}
	for _, match := range quotedFact.FindAllStringSubmatch(sentence, -1) {
		quoted := strings.Join(match[1:], "")
		if !strings.Contains(f.text, fold(quoted)) {
			missing = append(missing, quoted)
		}
	}
	return missing
}

// thousands are the separators that writers choose freely: 8,848 is 8848.
var thousands = regexp.MustCompile(`,(\p{Nd}{3})\b`)

func plainNumber(number string) string { return thousands.ReplaceAllString(number, "$1") }

func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// UnsupportedClaim is the code of what Cover lists, where a caller wants it to be
// a violation.
const UnsupportedClaim = "unsupported-claim"

// Strict makes a violation of each fact that the search did not return.
func Strict(coverage answer.Coverage) []answer.Violation {
	var violations []answer.Violation
	for _, unsupported := range coverage.Unsupported {
		violations = append(violations, answer.Violation{
			Code:    UnsupportedClaim,
			Message: "the search did not return " + strings.Join(unsupported.Missing, ", ") + ", which this sentence states: " + unsupported.Sentence,
		})
	}
	return violations
}
