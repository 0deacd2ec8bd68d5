package contract

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// sentence is one sentence of the body as a reader sees it.
type sentence struct {
	text  string
	cited bool
}

// citationMark stands in the text of a block where a citation stands; the
// sanitizer lets no such character through, so that text cannot hold it.
const citationMark = '\uFFFF'

// sentences returns the sentences of an answer's body. Headings, code, raw HTML
// and words that say nothing, as a lone list number, are none. A citation behind
// the full stop belongs to the sentence before it.
//
// A sentence ends at . ! ? … or their full-width forms, at a line break of the
// writer's own, and at the end of its block. It is not linguistics: an
// abbreviation before a blank ends one too.
func sentences(body string) []sentence {
	r := &reader{source: []byte(body), document: &document{}}
	r.indexLines()
	var all []sentence
	root, _ := parseMarkdown(r.source)
	_ = ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node.Kind() {
		case ast.KindHeading:
			return ast.WalkSkipChildren, nil
		case ast.KindParagraph, ast.KindTextBlock:
			all = append(all, splitSentences(r.markedText(node))...)
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return all
}

// markedText is the text of a block with a mark for each citation.
func (r *reader) markedText(block ast.Node) string {
	var out strings.Builder
	_ = ast.Walk(block, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Link:
			if r.isCitation(node) {
				out.WriteRune(citationMark)
				return ast.WalkSkipChildren, nil
			}
		case *ast.RawHTML, *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			out.WriteString(resolve(node.Segment.Value(r.source)))
			switch {
			case node.HardLineBreak():
				out.WriteByte('\n')
			case node.SoftLineBreak():
				out.WriteByte(' ')
			}
		case *bareURL:
			out.WriteString(node.url)
		case *bracket:
			out.Write(node.segment.Value(r.source)) // one that opens no link
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// splitSentences cuts a marked text where a sentence ends.
func splitSentences(marked string) []sentence {
	var all []sentence
	runes := []rune(marked)
	start := 0
	for i := 0; i < len(runes); i++ {
		if !endsSentence(runes, i) {
			continue
		}
		end := i + 1
		for end < len(runes) && closesSentence(runes[end]) {
			end++
		}
		end = skipCitations(runes, end)
		all = appendSentence(all, runes[start:end])
		start, i = end, end-1
	}
	return appendSentence(all, runes[start:])
}

// endsSentence reports whether a sentence ends at a character. A full stop ends
// one only before a blank, a citation or a closing quote: 1.26 holds none.
func endsSentence(runes []rune, i int) bool {
	switch runes[i] {
	case '\n', '。', '！', '？', '؟', '।':
		return true
	case '.', '!', '?', '…':
		return i+1 == len(runes) || unicode.IsSpace(runes[i+1]) || runes[i+1] == citationMark || closesSentence(runes[i+1])
	}
	return false
}

func closesSentence(r rune) bool { return strings.ContainsRune(`"'”’»)]）」』】`, r) }

// skipCitations returns the end of the citations, with blanks between them, that
// stand from here on.
func skipCitations(runes []rune, i int) int {
	end := i
	for ; i < len(runes) && (runes[i] == citationMark || unicode.IsSpace(runes[i]) && runes[i] != '\n'); i++ {
		if runes[i] == citationMark {
			end = i + 1
		}
	}
	return end
}

// unmark takes out what a reader does not see: citations, and the stars of
// emphasis, which the tree leaves in the text.
var unmark = strings.NewReplacer(string(citationMark), " ", "*", "")

// appendSentence keeps what says something: more than marks, digits and signs.
func appendSentence(all []sentence, runes []rune) []sentence {
	marked := string(runes)
	plain := strings.Join(strings.Fields(unmark.Replace(marked)), " ")
	if strings.IndexFunc(plain, unicode.IsLetter) < 0 {
		return all
	}
	return append(all, sentence{text: plain, cited: strings.ContainsRune(marked, citationMark)})
}
