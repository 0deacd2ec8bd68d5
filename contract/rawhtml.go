package contract

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// rawHTMLParser leaves comments, instructions and declarations to goldmark, and
// reads tags itself (CommonMark 0.31, 6.6): goldmark's regular expression stops
// at U+FFFD, so that an image with that character in an attribute would be text.
type rawHTMLParser struct{ parser.InlineParser }

func (s rawHTMLParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	p := passageOf(parent, block.Source(), context)
	start := p.offset(block)
	end, ok := scanTag(p.text, start)
	if !ok {
		if line, _ := block.PeekLine(); len(line) > 1 && (line[1] == '!' || line[1] == '?') {
			return s.InlineParser.Parse(parent, block, context)
		}
		return nil
	}
	node := ast.NewRawHTML()
	node.Segments = p.segments(start, end)
	p.seek(block, end)
	return node
}

// scanTag scans an opening or a closing tag.
func scanTag(s []byte, i int) (end int, ok bool) {
	i++
	closing := i < len(s) && s[i] == '/'
	if closing {
		i++
	}
	name := skipName(s, i)
	if name == i {
		return i, false
	}
	i = name
	for !closing {
		next, ok := scanAttribute(s, i)
		if !ok {
			break
		}
		i = next
	}
	i = skipSpace(s, i)
	if !closing && i < len(s) && s[i] == '/' {
		i++
	}
	return i + 1, i < len(s) && s[i] == '>'
}

// skipName skips a tag name: a letter, then letters, digits and hyphens.
func skipName(s []byte, i int) int {
	if i >= len(s) || !isLetter(s[i]) {
		return i
	}
	for i < len(s) && (util.IsAlphaNumeric(s[i]) || s[i] == '-') {
		i++
	}
	return i
}

// scanAttribute scans blanks, a name, and a value if there is one.
func scanAttribute(s []byte, i int) (end int, ok bool) {
	name := skipSpace(s, i)
	if name == i || name >= len(s) || !isLetter(s[name]) && s[name] != '_' && s[name] != ':' {
		return i, false
	}
	i = name
	for i < len(s) && (util.IsAlphaNumeric(s[i]) || s[i] == '_' || s[i] == ':' || s[i] == '.' || s[i] == '-') {
		i++
	}
	equals := skipSpace(s, i)
	if equals >= len(s) || s[equals] != '=' {
		return i, true
	}
	return scanValue(s, skipSpace(s, equals+1))
}

// scanValue scans an attribute's value, in quotes or without.
func scanValue(s []byte, i int) (end int, ok bool) {
	start := i
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		for i++; i < len(s); i++ {
			if s[i] == s[start] {
				return i + 1, true
			}
		}
		return i, false
	}
	for i < len(s) && !endsValue(s[i]) {
		i++
	}
	return i, i > start
}

// endsValue reports whether c ends a value without quotes.
func endsValue(c byte) bool {
	switch c {
	case '"', '\'', '=', '<', '>', '`':
		return true
	}
	return c <= ' '
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
