package runner

import (
	"regexp"
	"strings"

	ansi "github.com/leaanthony/go-ansi-parser"

	"gemini-search/sanitize"
)

// maxHeadline bounds what of a line of stderr becomes a message, in characters.
const maxHeadline = 300

// headline returns what a person would read first on the child's stderr: the red
// or bold part of the first line that has one, and else the last line. It is
// sanitized.
func headline(stderr []byte) string {
	last := ""
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimRight(line, "\r\n")
		if styled := emphasis(line); styled != "" {
			return shorten(styled)
		}
		if plain := strings.TrimSpace(sanitize.String(line)); plain != "" {
			last = plain
		}
	}
	return shorten(last)
}

// styledLine is the only form in which the parser of styles may see a line: text
// and SGR sequences. It takes whatever else stands before the next letter m for
// a style, and drops it.
var styledLine = regexp.MustCompile(`^(?:[^\x00-\x08\x0b-\x1f\x7f]|\x1b\[[0-9;]*m)*$`)

// emphasis returns the red or bold part of a line, sanitized; "" when there is
// none, or when the line holds anything else than text and styles.
func emphasis(line string) string {
	if !strings.Contains(line, "\x1b[") || !styledLine.MatchString(line) {
		return ""
	}
	parts, err := ansi.Parse(line)
	if err != nil {
		return ""
	}
	var strong strings.Builder
	for _, part := range parts {
		if part.Style&ansi.Bold != 0 || isRed(part.FgCol) {
			strong.WriteString(sanitize.String(part.Label))
		}
	}
	return strings.TrimSpace(strong.String())
}

// isRed knows red and bright red of the sixteen colours, and of the palette.
func isRed(color *ansi.Col) bool {
	return color != nil && (color.Name == "Maroon" || color.Name == "Red")
}

func shorten(message string) string {
	message = oneLine(message)
	if runes := []rune(message); len(runes) > maxHeadline {
		return string(runes[:maxHeadline]) + "…"
	}
	return message
}
