package contract

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// bareURL is a URL written into the text with no Markdown around it.
type bareURL struct {
	ast.BaseInline
	url string
}

var kindBareURL = ast.NewNodeKind("BareURL")

func (*bareURL) Kind() ast.NodeKind { return kindBareURL }

func (n *bareURL) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"URL": n.url}, nil)
}

// bareURLParser makes bare URLs nodes of the tree. It runs while the tree is
// built, so that code, raw HTML and link destinations are never mistaken for
// text, and underscores or stars in a URL are never emphasis.
type bareURLParser struct{}

// Trigger is the colon, because the parser asks at punctuation only: the scheme
// is already text by then, and is taken back.
func (bareURLParser) Trigger() []byte { return []byte{':'} }

func (bareURLParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	line, colon := block.PeekLine()
	before, ok := parent.LastChild().(*ast.Text)
	if !ok || before.Segment.Stop != colon.Start {
		return nil
	}
	start := colon.Start - schemeNameLength(before.Segment.Value(block.Source()))
	url := block.Source()[start : colon.Start+len(line)]
	if schemeLength(url) == 0 {
		return nil
	}
	p := passageOf(parent, block.Source(), context)
	length := bareURLLength(url, p.openEmphasis(p.offset(block)+start-colon.Start))
	if length == 0 {
		return nil
	}
	before.Segment.Stop = start
	block.Advance(start + length - colon.Start)
	node := &bareURL{url: resolve(block.Source()[start : start+length])}
	node.SetPos(start)
	return node
}

// schemeNameLength returns the length of the http or https that a text ends with.
func schemeNameLength(s []byte) int {
	for _, name := range []string{"https", "http"} {
		if len(s) >= len(name) && strings.EqualFold(string(s[len(s)-len(name):]), name) {
			return len(name)
		}
	}
	return 0
}

// openEmphasis returns the marks that close emphasis when they end a URL that
// begins at an offset. A star anywhere before it may be open; an underscore is
// one right before the URL, because words hold others.
func (p *passage) openEmphasis(url int) string {
	switch {
	case url > 0 && p.text[url-1] == '_':
		return "*_"
	case p.star >= 0 && p.star < url:
		return "*"
	}
	return ""
}

// bareURLLength returns the length of the URL that s begins with, without the
// punctuation and the marks of emphasis that belong to the sentence; 0 when s
// begins with none.
func bareURLLength(s []byte, emphasis string) int {
	scheme := schemeLength(s)
	if scheme == 0 {
		return 0
	}
	end := scheme + hostLiteralLength(s[scheme:])
	for end < len(s) {
		r, size := utf8.DecodeRune(s[end:])
		if r == '\\' && end+1 < len(s) && isPunctuation(s[end+1]) {
			size = 2
		} else if endsURL(r) {
			break
		}
		end += size
	}
	end = trimPunctuation(s, scheme, end, emphasis)
	if end == scheme {
		return 0
	}
	return end
}

// schemeLength returns the length of a leading "http://" or "https://".
func schemeLength(s []byte) int {
	for _, scheme := range []string{"https://", "http://"} {
		if len(s) >= len(scheme) && strings.EqualFold(string(s[:len(scheme)]), scheme) {
			return len(scheme)
		}
	}
	return 0
}

// maxHostLiteral is enough for the longest IPv6 address with a zone, and bounds
// the search for its end, in bytes.
const maxHostLiteral = 64

// hostLiteralLength returns the length of a leading IPv6 literal: the one place
// where a URL holds brackets (RFC 3986, 3.2.2).
func hostLiteralLength(s []byte) int {
	if len(s) == 0 || s[0] != '[' {
		return 0
	}
	end := bytes.IndexByte(s[:min(len(s), maxHostLiteral)], ']')
	if end < 0 {
		return 0
	}
	if _, err := netip.ParseAddr(string(s[1:end])); err != nil {
		return 0
	}
	return end + 1
}

// endsURL reports whether a character cannot be part of a bare URL: blanks and
// controls, what RFC 3986 leaves out of every URL and Markdown or prose uses as
// a bracket, and the full-width punctuation that follows a URL in Chinese,
// Japanese and Korean text.
func endsURL(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f || strings.ContainsRune("<>\"`|[]\\^{}", r)
	}
	return unicode.IsSpace(r) || strings.ContainsRune("、。，．：；！？（）［］｛｝「」『』【】〈〉《》“”‘’…", r)
}

// trimPunctuation drops the sentence's punctuation from a URL's end, escaped or
// not. A closing parenthesis stays when one inside the URL opens it, and a star
// or underscore when it does not close emphasis.
func trimPunctuation(s []byte, start, end int, emphasis string) int {
	open := bytes.Count(s[start:end], []byte("(")) - bytes.Count(s[start:end], []byte(")"))
	for end > start {
		switch last := s[end-1]; {
		case last == ')' && open >= 0:
			return end
		case last == ')':
			open++
		case strings.IndexByte(".,;:!?]", last) >= 0:
		case strings.IndexByte(emphasis, last) >= 0:
		default:
			return end
		}
		end--
		if backslashes := trailing(s[start:end], '\\'); backslashes%2 == 1 {
			end--
		}
	}
	return end
}

// trailing returns how many of a byte s ends with.
func trailing(s []byte, c byte) int {
	return len(s) - len(bytes.TrimRight(s, string(c)))
}

// isPunctuation reports whether a backslash before c is a Markdown escape.
func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !('0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z')
}

// bareURLs returns the URLs in plain text, in order.
func bareURLs(s []byte) []string {
	var urls []string
	for i := 0; i < len(s); i++ {
		if s[i]|0x20 != 'h' {
			continue
		}
		if length := bareURLLength(s[i:], ""); length > 0 {
			urls = append(urls, resolve(s[i:i+length]))
			i += length
		}
	}
	return urls
}
