package contract

import (
	"bytes"
	"sort"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// passage is the text of one block with its lines joined, so that what may go
// over a line's end is scanned as a slice of bytes.
type passage struct {
	block  ast.Node
	text   []byte
	lines  *text.Segments
	starts []int // offset in text of each line
	// brackets are the open ones, the innermost last; those below inactive have a
	// link inside and cannot become one.
	brackets []*bracket
	inactive int
	// lastRun has the offset of the last run of each number of backticks.
	lastRun map[int]int
	// star is the offset of the first star, and -1 without one.
	star int
}

func newPassage(block ast.Node, source []byte) *passage {
	p := &passage{block: block, lines: block.Lines(), starts: make([]int, block.Lines().Len())}
	p.text = p.joined(source)
	p.star = bytes.IndexByte(p.text, '*')
	return p
}

// joined notes where the lines start, and copies them only when something stands
// between them, as the marks of a quote do.
func (p *passage) joined(source []byte) []byte {
	length, adjacent := 0, true
	for i := range p.starts {
		line := p.lines.At(i)
		adjacent = adjacent && line.Start == p.lines.At(0).Start+length
		p.starts[i] = length
		length += line.Stop - line.Start
	}
	if adjacent && length > 0 {
		start := p.lines.At(0).Start
		return source[start : start+length : start+length]
	}
	text := make([]byte, 0, length)
	for i := range p.starts {
		line := p.lines.At(i)
		text = append(text, source[line.Start:line.Stop]...)
	}
	return text
}

var passageKey = parser.NewContextKey()

// passageOf returns the passage of the block that is being parsed.
func passageOf(block ast.Node, source []byte, context parser.Context) *passage {
	if p, ok := context.Get(passageKey).(*passage); ok && p.block == block {
		return p
	}
	p := newPassage(block, source)
	context.Set(passageKey, p)
	return p
}

// offset returns where in the passage a reader stands.
func (p *passage) offset(block text.Reader) int {
	line, segment := block.Position()
	return p.starts[line] + segment.Start - p.lines.At(line).Start
}

// line returns the index of the line that holds an offset.
func (p *passage) line(offset int) int {
	return max(sort.SearchInts(p.starts, offset+1)-1, 0)
}

// seek moves a reader to an offset of the passage.
func (p *passage) seek(block text.Reader, offset int) {
	line := p.line(offset)
	segment := p.lines.At(line)
	block.SetPosition(line, segment.WithStart(segment.Start+offset-p.starts[line]))
}

// segments returns the pieces of the source from one offset to another.
func (p *passage) segments(start, end int) *text.Segments {
	pieces := text.NewSegments()
	for line := p.line(start); start < end; line++ {
		stop := end
		if line+1 < len(p.starts) {
			stop = min(end, p.starts[line+1])
		}
		from := p.lines.At(line).Start + start - p.starts[line]
		pieces.Append(text.NewSegment(from, from+stop-start))
		start = stop
	}
	return pieces
}
