package contract

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// heading is the one line that begins the Sources section.
const heading = "## Sources"

// citationLabel is the label that makes a link a citation.
const citationLabel = "Source"

// link is one URL of an answer, wherever it stands.
type link struct {
	// url is where it leads, with Markdown escapes and entities resolved; a bare
	// URL without the punctuation that follows it.
	url string
	// label is the text that a reader sees instead of the URL.
	label string
	// citation: an inline link whose label is exactly Source, outside raw HTML.
	citation bool
	line     int
}

// document is what the rules read: the links, images and Sources section of an
// answer, found as nodes of its CommonMark tree.
type document struct {
	body     []link
	headings []int // lines of "## Sources"
	listed   []link
	entries  []entry
	strays   []int // lines under the heading that are no entry
	images   []int
	// bodyEnd is the offset of the heading, or of the end without one.
	bodyEnd int
}

func readDocument(source string) *document {
	r := &reader{source: []byte(source), document: &document{bodyEnd: len(source)}}
	r.indexLines()
	root, tooDeep := parseMarkdown(r.source)
	for block := root.FirstChild(); block != nil; block = block.NextSibling() {
		switch {
		case r.isSourcesHeading(block):
			r.enterSection(block)
		case len(r.document.headings) > 0:
			r.readSectionBlock(block)
		default:
			r.readLinks(block, &r.document.body)
		}
	}
	if tooDeep {
		r.readEveryURL()
	}
	return r.document
}

// readEveryURL takes each URL of the text for a link. It is asked for where the
// tree is not what other renderers show: what is code for us may be a link there.
func (r *reader) readEveryURL() {
	offset := 0
	for line := range bytes.Lines(r.source) {
		for _, url := range bareURLs(line) {
			r.document.body = append(r.document.body, link{url: url, line: r.line(offset)})
		}
		offset += len(line)
	}
}

// reader walks the tree once, from top to bottom.
type reader struct {
	source   []byte
	lines    []int // offset of each line's first byte
	document *document
	html     htmlState
}

func (r *reader) indexLines() {
	r.lines = []int{0}
	for i, b := range r.source {
		if b == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
}

// line returns the 1-based line of an offset.
func (r *reader) line(offset int) int {
	return sort.SearchInts(r.lines, offset+1)
}

// lineOf returns the line of a node, or of the nearest ancestor that has one.
func (r *reader) lineOf(node ast.Node) int {
	for ; node != nil; node = node.Parent() {
		if position := node.Pos(); position >= 0 {
			return r.line(position)
		}
	}
	return 1
}

// isSourcesHeading asks for the raw line, because the tree forgives indentation,
// a closing sequence and blanks that the contract does not.
func (r *reader) isSourcesHeading(block ast.Node) bool {
	h, ok := block.(*ast.Heading)
	if !ok || h.Level != 2 || h.Lines().Len() == 0 {
		return false
	}
	start := r.lines[r.line(h.Lines().At(0).Start)-1]
	line, _, _ := bytes.Cut(r.source[start:], []byte("\n"))
	return string(bytes.TrimRight(line, " \t")) == heading
}

func (r *reader) enterSection(block ast.Node) {
	line := r.line(block.Lines().At(0).Start)
	if len(r.document.headings) == 0 {
		r.document.bodyEnd = r.lines[line-1]
	}
	r.document.headings = append(r.document.headings, line)
}

// readLinks collects the links and images below a node, in order.
func (r *reader) readLinks(node ast.Node, into *[]link) {
	switch node := node.(type) {
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.CodeSpan:
		return // code is shown, not followed
	case *ast.HTMLBlock:
		r.readHTML(node.Lines(), into)
		if node.HasClosure() {
			closure := text.NewSegments()
			closure.Append(node.ClosureLine)
			r.readHTML(closure, into)
		}
	case *ast.RawHTML:
		r.readHTML(node.Segments, into)
	case *ast.LinkReferenceDefinition:
		*into = append(*into, link{url: resolve(node.Destination), line: r.lineOf(node)})
	case *ast.Image:
		r.document.images = append(r.document.images, r.lineOf(node))
		return // what it holds is its text, and no link
	case *ast.Link:
		*into = append(*into, r.linkOf(node))
	case *ast.AutoLink:
		*into = append(*into, link{url: r.autoLinkURL(node), line: r.lineOf(node)})
	case *bareURL:
		*into = append(*into, link{url: node.url, line: r.lineOf(node)})
	}
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		r.readLinks(child, into)
	}
}

func (r *reader) linkOf(node *ast.Link) link {
	return link{
		url:      resolve(node.Destination),
		label:    r.textOf(node),
		citation: r.isCitation(node),
		line:     r.lineOf(node),
	}
}

// isCitation asks for an inline link over http or https whose only content is
// the plain text Source, where a reader sees it as a link.
func (r *reader) isCitation(node *ast.Link) bool {
	label, ok := node.FirstChild().(*ast.Text)
	return ok && node.ChildCount() == 1 && node.Reference == nil && !r.html.hidden() &&
		string(label.Segment.Value(r.source)) == citationLabel && isWeb(resolve(node.Destination))
}

func (r *reader) autoLinkURL(node *ast.AutoLink) string {
	url := string(node.URL(r.source))
	if node.AutoLinkType == ast.AutoLinkEmail {
		return "mailto:" + url
	}
	return url
}

// textOf returns the text of a node as a reader sees it.
func (r *reader) textOf(node ast.Node) string {
	var out strings.Builder
	r.writeText(node, &out)
	return out.String()
}

// textValue returns the text of a leaf; escapes do not count in code.
func (r *reader) textValue(node *ast.Text) string {
	value := node.Segment.Value(r.source)
	if node.IsRaw() {
		return string(value)
	}
	return resolve(value)
}

func (r *reader) writeText(node ast.Node, out *strings.Builder) {
	switch node := node.(type) {
	case *bracket:
		out.Write(node.segment.Value(r.source))
	case *ast.Text:
		out.WriteString(r.textValue(node))
		if node.SoftLineBreak() || node.HardLineBreak() {
			out.WriteByte('\n')
		}
	case *ast.String:
		out.Write(node.Value)
	case *ast.AutoLink:
		out.Write(node.Label(r.source))
	case *bareURL:
		out.WriteString(node.url)
	}
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		r.writeText(child, out)
	}
}
