package contract

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// definitionTransformer takes the link reference definitions from the beginning
// of a paragraph (CommonMark 0.31, 4.7). goldmark's own copies the paragraph's
// remaining lines for each definition.
type definitionTransformer struct{}

func (definitionTransformer) Transform(paragraph *ast.Paragraph, reader text.Reader, context parser.Context) {
	first := paragraph.Lines().At(0)
	if !bytes.HasPrefix(util.TrimLeftSpace(first.Value(reader.Source())), []byte("[")) {
		return
	}
	p := newPassage(paragraph, reader.Source())
	offset := 0
	for {
		definition, end := scanDefinition(p.text, offset)
		if definition == nil {
			break
		}
		definition.SetLines(p.segments(offset, end))
		paragraph.Parent().InsertBefore(paragraph.Parent(), paragraph, definition)
		context.AddReference(parser.NewReference(definition.Label, definition.Destination, nil))
		offset = end
	}
	switch {
	case offset == len(p.text):
		paragraph.Parent().RemoveChild(paragraph.Parent(), paragraph)
	case offset > 0:
		rest := text.NewSegments()
		rest.AppendAll(p.lines.Sliced(p.line(offset), p.lines.Len()))
		paragraph.SetLines(rest)
	}
}

// scanDefinition scans "[label]: destination "title"" and the rest of its line.
func scanDefinition(s []byte, i int) (*ast.LinkReferenceDefinition, int) {
	label, i, ok := scanLabel(s, skipSpace(s, i))
	if !ok || util.IsBlank(label) || i >= len(s) || s[i] != ':' {
		return nil, 0
	}
	i = skipSpace(s, i+1)
	destination, i, ok := scanDestination(s, i)
	if !ok || len(destination) == 0 && s[i-1] != '>' {
		return nil, 0
	}
	end, ok := scanLineEnd(s, i)
	if title := skipSpace(s, i); title > i {
		if _, behind, found := scanTitle(s, title); found {
			if titleEnd, alone := scanLineEnd(s, behind); alone {
				end, ok = titleEnd, true
			}
		}
	}
	if !ok {
		return nil, 0
	}
	return ast.NewLinkReferenceDefinition(label, destination, nil), end
}

// scanLineEnd returns the offset of the next line when the rest of this is blank.
func scanLineEnd(s []byte, i int) (end int, ok bool) {
	rest := s[i:]
	if length := bytes.IndexByte(rest, '\n'); length >= 0 {
		rest = rest[:length+1]
	}
	return i + len(rest), util.IsBlank(rest)
}
