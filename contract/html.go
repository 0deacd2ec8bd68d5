package contract

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
)

// htmlState remembers which elements of raw HTML are open, because Markdown
// between <code> and </code> is a link in the tree and code on the screen.
type htmlState struct {
	open map[string]int
}

// rawElements are the elements whose content a reader does not see as links.
var rawElements = map[string]bool{
	"code": true, "pre": true, "script": true, "style": true, "textarea": true,
	// the rest of what HTML parses as text instead of markup
	"title": true, "xmp": true, "iframe": true, "noembed": true, "noframes": true, "plaintext": true, "template": true,
}

// loadingElements fetch something as soon as they are shown.
var loadingElements = map[string]bool{
	"img": true, "image": true, "picture": true, "source": true, "svg": true, "video": true, "audio": true,
	"track": true, "iframe": true, "frame": true, "embed": true, "object": true, "link": true, "script": true,
}

// loadingAttributes fetch something whatever the element is.
var loadingAttributes = map[string]bool{"src": true, "srcset": true, "poster": true, "background": true}

// linkingAttributes lead somewhere when the reader acts.
var linkingAttributes = map[string]bool{"href": true, "xlink:href": true, "action": true, "formaction": true, "ping": true, "cite": true}

func (s *htmlState) hidden() bool { return len(s.open) > 0 }

func (s *htmlState) enter(element string) {
	if s.open == nil {
		s.open = map[string]int{}
	}
	s.open[element]++
}

func (s *htmlState) leave(element string) {
	if s.open[element]--; s.open[element] <= 0 {
		delete(s.open, element)
	}
}

// readHTML reads one piece of raw HTML: what it opens and closes, what it loads
// and where it leads.
func (r *reader) readHTML(node ast.Node, segments *text.Segments, into *[]link) {
	if segments.Len() == 0 {
		return
	}
	line := r.line(segments.At(0).Start)
	tokens := html.NewTokenizer(bytes.NewReader(segments.Value(r.source)))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken:
			token := tokens.Token()
			r.readTag(token, line, into)
			if rawElements[token.Data] {
				r.html.enter(token.Data)
			}
		case html.SelfClosingTagToken:
			r.readTag(tokens.Token(), line, into)
		case html.EndTagToken:
			if name := tokens.Token().Data; r.html.open[name] > 0 {
				r.html.leave(name)
			}
		case html.TextToken:
			for _, url := range bareURLs(tokens.Text()) {
				*into = append(*into, link{url: url, line: line})
			}
		}
	}
}

func (r *reader) readTag(tag html.Token, line int, into *[]link) {
	loads := loadingElements[tag.Data]
	for _, attribute := range tag.Attr {
		style := attribute.Key == "style" && strings.Contains(strings.ToLower(attribute.Val), "url(")
		loads = loads || style || loadingAttributes[attribute.Key]
		if linkingAttributes[attribute.Key] {
			*into = append(*into, link{url: strings.TrimSpace(attribute.Val), line: line})
		}
	}
	if loads {
		r.document.images = append(r.document.images, line)
	}
}
