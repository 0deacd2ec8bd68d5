package contract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// maxTitle is the longest text beside a URL that is still a title, in
// characters; a longer one is prose that nobody cited.
const maxTitle = 120

// entry is one line of the Sources section.
type entry struct {
	urls  []string // distinct, and two at most: more than one is wrong
	title string
	line  int
	// stray: something in it is no title and no URL, as code, HTML or an image.
	stray bool
}

// readSectionBlock reads one block under the heading: a list or a paragraph of
// entries. Whatever else stands there is stray, and its links still count.
func (r *reader) readSectionBlock(block ast.Node) {
	switch block := block.(type) {
	case *ast.List:
		r.readSourceList(block)
	case *ast.Paragraph:
		for _, line := range r.readEntryLines(block) {
			r.addEntry(line, len(line.urls) == 0)
		}
	default:
		r.addStray(r.lineOf(block))
		r.readLinks(block, &r.document.listed)
	}
}

func (r *reader) readSourceList(list *ast.List) {
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		r.readSourceItem(item)
	}
}

// readSourceItem reads a list item: one text, and lists of more entries.
func (r *reader) readSourceItem(item ast.Node) {
	first := item.FirstChild()
	if first == nil {
		r.document.entries = append(r.document.entries, entry{line: r.lineOf(item)})
		return
	}
	for child := first; child != nil; child = child.NextSibling() {
		text := child.Kind() == ast.KindTextBlock || child.Kind() == ast.KindParagraph
		switch {
		case text && child == first:
			r.readItemText(child)
		case child.Kind() == ast.KindList:
			r.readSourceList(child.(*ast.List))
		default:
			r.addStray(r.lineOf(child))
			r.readLinks(child, &r.document.listed)
		}
	}
}

// readItemText reads the text of an item. Its lines are entries of their own, or
// one title above its URL; what follows a URL without one is a lazy continuation.
func (r *reader) readItemText(block ast.Node) {
	lines := r.readEntryLines(block)
	if len(lines) > 1 && len(lines[0].urls) == 0 && len(lines[1].urls) == 1 {
		lines[1].title = strings.TrimSpace(lines[0].title + " " + lines[1].title)
		lines[1].stray = lines[1].stray || lines[0].stray
		lines = lines[1:]
	}
	for i, line := range lines {
		r.addEntry(line, i > 0 && len(line.urls) == 0)
	}
}

// addEntry keeps a line of the section; stray says that it is no entry at all.
func (r *reader) addEntry(line entry, stray bool) {
	if stray || line.stray || len(line.urls) > 1 || utf8.RuneCountInString(line.title) > maxTitle {
		r.addStray(line.line)
	}
	if !stray {
		r.document.entries = append(r.document.entries, line)
	}
}

func (r *reader) addStray(line int) {
	r.document.strays = append(r.document.strays, line)
}

// readEntryLines splits a text into its lines, and each line into its URLs and
// the text beside them.
func (r *reader) readEntryLines(block ast.Node) []entry {
	lines := []entry{{line: r.lineOf(block)}}
	for node := block.FirstChild(); node != nil; node = node.NextSibling() {
		current := &lines[len(lines)-1]
		r.readEntryNode(node, current)
		if text, ok := node.(*ast.Text); ok && (text.SoftLineBreak() || text.HardLineBreak()) {
			lines = append(lines, entry{line: r.line(text.Segment.Stop) + 1})
		}
	}
	for i := range lines {
		lines[i].title = trimTitle(lines[i].title)
	}
	return lines
}

func (r *reader) readEntryNode(node ast.Node, into *entry) {
	var found []link
	r.readLinks(node, &found)
	r.document.listed = append(r.document.listed, found...)
	for _, l := range found {
		if len(into.urls) < 2 && !slices.Contains(into.urls, l.url) {
			into.urls = append(into.urls, l.url)
		}
	}
	switch node.Kind() {
	case ast.KindCodeSpan, ast.KindRawHTML, ast.KindImage:
		into.stray = true
	case ast.KindAutoLink, kindBareURL:
	case ast.KindLink:
		if label := r.textOf(node); label != citationLabel && !isWeb(label) {
			into.addTitle(label)
		}
	default:
		into.addTitle(r.textOf(node))
	}
}

// addTitle adds to the text beside the URL, until it is too long in any case.
func (e *entry) addTitle(text string) {
	if len(e.title)+len(text) > maxTitle*(utf8.UTFMax+1) {
		e.stray = true
		return
	}
	e.title += text
}

// trimTitle drops what separates a title from its URL, and the marks of strong
// emphasis, which a title shows and does not hold.
func trimTitle(title string) string {
	title = strings.NewReplacer("**", "", "__", "").Replace(title)
	if !strings.ContainsFunc(title, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return strings.TrimFunc(title, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("-–—:|,;()[]<>*_", r)
	})
}
