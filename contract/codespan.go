package contract

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// codeSpanParser asks goldmark's only where a run of backticks has a closing one:
// the search for one that is not there goes to the block's end each time.
type codeSpanParser struct{ parser.InlineParser }

func (s codeSpanParser) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	p := passageOf(parent, block.Source(), context)
	start := p.offset(block)
	length := backticks(p.text[start:])
	if p.lastRunOf(length) > start {
		return s.InlineParser.Parse(parent, block, context)
	}
	_, segment := block.PeekLine()
	block.Advance(length)
	return ast.NewTextSegment(segment.WithStop(segment.Start + length))
}

// lastRunOf returns the offset of the last run of so many backticks.
func (p *passage) lastRunOf(length int) int {
	if p.lastRun == nil {
		p.lastRun = map[int]int{}
		for i := 0; i < len(p.text); i++ {
			if run := backticks(p.text[i:]); run > 0 {
				p.lastRun[run] = i
				i += run
			}
		}
	}
	return p.lastRun[length]
}

// backticks returns how many s begins with.
func backticks(s []byte) int {
	length := 0
	for length < len(s) && s[length] == '`' {
		length++
	}
	return length
}
