package contract

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown parses CommonMark plus bare URLs, which readers and hosts turn into
// links although CommonMark does not.
//
// The blocks are goldmark's. Of its inline parsers four are replaced or guarded,
// because they are quadratic in what a hostile page can make a model write, or
// miss a link that other renderers show: links, definitions, code spans and raw
// HTML. Emphasis is not parsed: links bind tighter than emphasis (CommonMark 0.31,
// 6.2, rule 17), so it neither makes nor hides one, and matching it is quadratic.
var markdown = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(codeSpanParser{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(linkParser{}, 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(rawHTMLParser{parser.NewRawHTMLParser()}, 400),
		util.Prioritized(bareURLParser{}, 500),
	),
	parser.WithParagraphTransformers(
		util.Prioritized(definitionTransformer{}, 100),
	),
)

// parseMarkdown returns the tree of a source, and whether the source is nested
// deeper than [maxOpenBlocks].
func parseMarkdown(source []byte) (root ast.Node, tooDeep bool) {
	context := parser.NewContext()
	root = markdown.Parse(compactReader{text.NewReader(source)}, parser.WithContext(context))
	return root, context.Get(tooDeepKey) != nil
}

// maxOpenBlocks bounds how deep quotes and lists nest; a list and its item are
// two. Every line asks every open block, so without a bound the time is quadratic
// in the input. The reference implementation stops lists at 100 as well
// (cmark, MAX_LIST_DEPTH); nobody writes ten.
const maxOpenBlocks = 100

var tooDeepKey = parser.NewContextKey()

// shallow is a parser of containers that opens none below maxOpenBlocks: what
// would be one is text there.
type shallow struct{ parser.BlockParser }

func (p shallow) Open(parent ast.Node, block text.Reader, context parser.Context) (ast.Node, parser.State) {
	if len(context.OpenedBlocks()) < maxOpenBlocks {
		return p.BlockParser.Open(parent, block, context)
	}
	position, segment := block.Position()
	if node, _ := p.BlockParser.Open(parent, block, context); node != nil {
		context.Set(tooDeepKey, true)
		block.SetPosition(position, segment)
	}
	return nil, parser.NoChildren
}

// compactReader reads of adjacent blank lines only the last: one separates as well
// as a thousand, and each costs as much time and memory as there are open blocks.
type compactReader struct{ text.Reader }

// AdvanceLine goes to the next line.
func (r compactReader) AdvanceLine() {
	r.Reader.AdvanceLine()
	for r.blank() && r.nextBlank() {
		r.Reader.AdvanceLine()
	}
}

func (r compactReader) blank() bool {
	line, _ := r.PeekLine()
	return line != nil && util.IsBlank(line)
}

func (r compactReader) nextBlank() bool {
	_, segment := r.PeekLine()
	next, _, found := bytes.Cut(r.Source()[segment.Stop:], []byte("\n"))
	return found && util.IsBlank(next)
}
