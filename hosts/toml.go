package hosts

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
)

// block is a table that is appended to a TOML file, between two comments by which
// it is found again. A table at the end changes nothing of what stands before it.
type block struct{ text string }

const (
	blockBegin = "# gemini-search: begin\n"
	blockEnd   = "# gemini-search: end\n"
)

// foreignTable finds a server of this name in any of the ways to write it.
var foreignTable = regexp.MustCompile(`(?m)^\s*(\[\s*)?"?mcp_servers"?\s*(\.\s*"?gemini"?\s*[].=]|=)`)

func (b block) put(file []byte) ([]byte, error) {
	file, err := b.remove(file)
	if err != nil {
		return nil, err
	}
	if foreignTable.Match(file) {
		return nil, errForeign
	}
	text := blockBegin + b.text + blockEnd
	switch {
	case len(file) == 0:
	case bytes.HasSuffix(file, []byte("\n")):
		text = "\n" + text
	default:
		text = "\n\n" + text
	}
	return append(bytes.Clone(file), text...), nil
}

func (b block) remove(file []byte) ([]byte, error) {
	if err := closedTOML(string(file)); err != nil {
		return nil, err
	}
	before, rest, found := bytes.Cut(file, []byte(blockBegin))
	if !found {
		return file, nil
	}
	_, after, found := bytes.Cut(rest, []byte(blockEnd))
	if !found {
		return nil, errors.New("the comment that ends the table of gemini-search is missing")
	}
	before = bytes.TrimSuffix(before, []byte("\n"))
	return append(bytes.Clone(before), after...), nil
}

func (b block) document() []byte { return []byte(b.text) }

// closedTOML refuses a file in which a string or a bracket stays open: what is
// appended would become a part of it. It knows the shape of lines, not their
// meaning.
func closedTOML(text string) error {
	for depth := 0; ; {
		at := strings.IndexAny(text, "\"'#[]{}")
		if at < 0 {
			if depth != 0 {
				return errors.New("it is no TOML: a bracket is not closed")
			}
			return nil
		}
		var ok bool
		switch mark := text[at]; mark {
		case '#':
			_, text, _ = strings.Cut(text[at:], "\n")
		case '[', '{':
			depth++
			text = text[at+1:]
		case ']', '}':
			if depth--; depth < 0 {
				return errors.New("it is no TOML: a bracket closes what is not open")
			}
			text = text[at+1:]
		default:
			if text, ok = skipString(text[at:], string(mark)); !ok {
				return errors.New("it is no TOML: a string is not closed")
			}
		}
	}
}

// skipString returns what follows the string that a text begins with.
func skipString(text, mark string) (rest string, ok bool) {
	end := mark
	if strings.HasPrefix(text, strings.Repeat(mark, 3)) {
		end = strings.Repeat(mark, 3)
	}
	text = text[len(end):]
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], end):
			return strings.TrimLeft(text[i+len(end):], endingQuotes(mark, end)), true
		case text[i] == '\\' && mark == `"`:
			i++
		case text[i] == '\n' && end == mark:
			return "", false
		}
	}
	return "", false
}

// endingQuotes are the quotes that may belong to a long string at its very end.
func endingQuotes(mark, end string) string {
	if end == mark {
		return ""
	}
	return mark
}
