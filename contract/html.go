package contract

import (
	"bytes"
	"slices"
	"strings"

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
	"style": true, // @import, and url() in any rule
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
	if s.open[element] > 1 {
		s.open[element]--
		return
	}
	delete(s.open, element)
}

// readHTML reads one piece of raw HTML: what it opens and closes, what it loads
// and where it leads.
func (r *reader) readHTML(segments *text.Segments, into *[]link) {
	if segments.Len() == 0 {
		return
	}
	line, raw := r.line(segments.At(0).Start), segments.Value(r.source)
	if tag, ok := plainTag(raw); ok {
		r.readToken(tag, line, into)
		return
	}
	tokens := html.NewTokenizer(bytes.NewReader(raw))
	for tokens.Next() != html.ErrorToken {
		length := bytes.Count(tokens.Raw(), []byte("\n"))
		r.readToken(tokens.Token(), line, into)
		line += length
	}
}

// plainTag reads a tag without attributes, as most are: a tokenizer costs 4 KiB.
func plainTag(raw []byte) (tag html.Token, ok bool) {
	name := bytes.TrimSuffix(bytes.TrimPrefix(raw, []byte("<")), []byte(">"))
	tag.Type = html.StartTagToken
	if bytes.HasPrefix(name, []byte("/")) {
		tag.Type, name = html.EndTagToken, name[1:]
	}
	tag.Data = strings.ToLower(string(name))
	return tag, len(name) > 0 && skipName(name, 0) == len(name) && raw[len(raw)-1] == '>'
}

func (r *reader) readToken(token html.Token, line int, into *[]link) {
	switch token.Type {
	case html.StartTagToken, html.SelfClosingTagToken: // HTML does not know <code/>: it opens
		r.readTag(token, line, into)
		if rawElements[token.Data] {
			r.html.enter(token.Data)
		}
	case html.EndTagToken:
		r.html.leave(token.Data)
	case html.TextToken:
		for _, url := range bareURLs([]byte(token.Data)) {
			*into = append(*into, link{url: url, line: line})
		}
	}
}

func (r *reader) readTag(tag html.Token, line int, into *[]link) {
	if loads(tag) {
		r.document.images = append(r.document.images, line)
	}
	for _, attribute := range tag.Attr {
		for _, url := range attributeURLs(attribute) {
			*into = append(*into, link{url: url, line: line})
		}
	}
}

// loads reports whether a tag fetches something as soon as it is shown.
func loads(tag html.Token) bool {
	return loadingElements[tag.Data] || slices.ContainsFunc(tag.Attr, func(attribute html.Attribute) bool {
		style := attribute.Key == "style" && strings.Contains(strings.ToLower(attribute.Val), "url(")
		return style || loadingAttributes[attribute.Key]
	})
}

// attributeURLs returns where an attribute leads, or the URLs that it mentions;
// what it loads is the image rule's.
func attributeURLs(attribute html.Attribute) []string {
	switch {
	case linkingAttributes[attribute.Key]:
		return []string{strings.TrimSpace(attribute.Val)}
	case loadingAttributes[attribute.Key]:
		return nil
	}
	return bareURLs([]byte(attribute.Val))
}
