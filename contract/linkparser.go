package contract

import (
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// bracket is an opening bracket. It stays in the tree as text unless a closing
// one makes a link or an image of what follows it.
type bracket struct {
	ast.BaseInline
	segment text.Segment
	image   bool
	// end is the offset behind it in the passage.
	end int
	// nested: another bracket opened after it, so that what it holds is no label.
	nested bool
}

var kindBracket = ast.NewNodeKind("Bracket")

func (*bracket) Kind() ast.NodeKind { return kindBracket }

func (b *bracket) Dump(source []byte, level int) {
	ast.DumpHelper(b, source, level, map[string]string{"Text": string(b.segment.Value(source))}, nil)
}

// linkParser parses links and images as the specification's appendix describes
// ("look for link or image"), in linear time. goldmark's own looks back over the
// whole block at each closing bracket, and sees no link behind a pair of open
// brackets that stand 1,000 bytes apart.
type linkParser struct{}

func (linkParser) Trigger() []byte { return []byte{'!', '[', ']'} }

func (linkParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	line, segment := block.PeekLine()
	p := passageOf(parent, block.Source(), context)
	switch {
	case line[0] == ']':
		return p.closeBracket(block, context)
	case line[0] == '[':
		return p.openBracket(block, segment.WithStop(segment.Start+1))
	case len(line) > 1 && line[1] == '[':
		return p.openBracket(block, segment.WithStop(segment.Start+2))
	}
	return nil
}

func (p *passage) openBracket(block text.Reader, segment text.Segment) ast.Node {
	if outer := len(p.brackets) - 1; outer >= 0 {
		p.brackets[outer].nested = true
	}
	b := &bracket{segment: segment, image: segment.Len() > 1, end: p.offset(block) + segment.Len()}
	b.SetPos(segment.Start)
	p.brackets = append(p.brackets, b)
	block.Advance(segment.Len())
	return b
}

// closeBracket returns the link or image that ends here; nil when none does.
func (p *passage) closeBracket(block text.Reader, context parser.Context) ast.Node {
	last := len(p.brackets) - 1
	if last < 0 {
		return nil
	}
	opening := p.brackets[last]
	p.brackets = p.brackets[:last]
	active := opening.image || last >= p.inactive
	p.inactive = min(p.inactive, last)
	if !active {
		return nil
	}
	link, end := p.linkBehind(opening, p.offset(block), context)
	if link == nil {
		return nil
	}
	p.seek(block, end)
	adopt(link, opening)
	if opening.image {
		image := ast.NewImage(link)
		image.SetPos(opening.segment.Start)
		return image
	}
	p.inactive = last // no link holds another
	return link
}

// linkBehind reads what follows the closing bracket at an offset.
func (p *passage) linkBehind(opening *bracket, closing int, context parser.Context) (*ast.Link, int) {
	link := ast.NewLink()
	link.SetPos(opening.segment.Start)
	if destination, end, ok := scanTail(p.text, closing+1); ok {
		link.Destination = destination
		return link, end
	}
	kind := ast.ReferenceLinkFull
	label, end, ok := scanLabel(p.text, closing+1)
	switch {
	case !ok:
		kind, label, end = ast.ReferenceLinkShortcut, p.text[opening.end:closing], closing+1
	case len(label) == 0:
		kind, label = ast.ReferenceLinkCollapsed, p.text[opening.end:closing]
	}
	if kind != ast.ReferenceLinkFull && (opening.nested || utf8.RuneCount(label) > maxLabel) {
		return nil, 0
	}
	reference, ok := context.Reference(util.ToLinkReference(label))
	if !ok {
		return nil, 0
	}
	link.Destination = reference.Destination()
	link.Reference = ast.NewReferenceLink(kind, label)
	return link, end
}

// adopt moves what follows an opening bracket into its link.
func adopt(link *ast.Link, opening *bracket) {
	parent := opening.Parent()
	for node := opening.NextSibling(); node != nil; {
		next := node.NextSibling()
		parent.RemoveChild(parent, node)
		link.AppendChild(link, node)
		node = next
	}
	parent.RemoveChild(parent, opening)
}
