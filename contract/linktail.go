package contract

import (
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// The parts of a link, as CommonMark 0.31 sections 4.7 and 6.3 define them. Each
// function scans s from i, and returns the offset behind what it found.

// maxParentheses is how deep unescaped parentheses nest in a destination. The
// specification asks for three; cmark allows 32. A bound is what keeps thousands
// of "[a](" linear.
const maxParentheses = 32

// maxLabel is the longest label of a reference, in characters.
const maxLabel = 999

// scanTail scans the "(destination "title")" of an inline link.
func scanTail(s []byte, i int) (destination []byte, end int, ok bool) {
	if i >= len(s) || s[i] != '(' {
		return nil, i, false
	}
	i = skipSpace(s, i+1)
	if destination, i, ok = scanDestination(s, i); !ok {
		return nil, i, false
	}
	if title := skipSpace(s, i); title > i {
		if _, i, ok = scanTitle(s, title); !ok {
			i = title
		}
	}
	i = skipSpace(s, i)
	if i >= len(s) || s[i] != ')' {
		return nil, i, false
	}
	return destination, i + 1, true
}

func scanDestination(s []byte, i int) (destination []byte, end int, ok bool) {
	if i < len(s) && s[i] == '<' {
		return scanAngled(s, i)
	}
	start, open := i, 0
	for i < len(s) && s[i] > ' ' && s[i] != 0x7f {
		switch {
		case escapes(s, i):
			i++
		case s[i] == '(':
			open++
		case s[i] == ')':
			open--
		}
		if open < 0 {
			return s[start:i], i, true
		}
		if open > maxParentheses {
			return nil, i, false
		}
		i++
	}
	return s[start:i], i, open == 0
}

func scanAngled(s []byte, i int) (destination []byte, end int, ok bool) {
	start := i + 1
	for i = start; i < len(s); i++ {
		switch {
		case escapes(s, i):
			i++
		case s[i] == '>':
			return s[start:i], i + 1, true
		case s[i] == '<' || s[i] == '\n':
			return nil, i, false
		}
	}
	return nil, i, false
}

func scanTitle(s []byte, i int) (title []byte, end int, ok bool) {
	if i >= len(s) || s[i] != '"' && s[i] != '\'' && s[i] != '(' {
		return nil, i, false
	}
	open, closing := s[i], s[i]
	if open == '(' {
		closing = ')'
	}
	start := i + 1
	for i = start; i < len(s); i++ {
		switch {
		case escapes(s, i):
			i++
		case s[i] == closing:
			return s[start:i], i + 1, true
		case s[i] == open:
			return nil, i, false
		}
	}
	return nil, i, false
}

// scanLabel scans "[label]"; a label of blanks is found too.
func scanLabel(s []byte, i int) (label []byte, end int, ok bool) {
	if i >= len(s) || s[i] != '[' {
		return nil, i, false
	}
	start := i + 1
	limit := min(len(s), start+maxLabel*utf8.UTFMax+1)
	for i = start; i < limit; i++ {
		switch {
		case escapes(s, i):
			i++
		case s[i] == ']':
			return s[start:i], i + 1, utf8.RuneCount(s[start:i]) <= maxLabel
		case s[i] == '[':
			return nil, i, false
		}
	}
	return nil, i, false
}

// escapes reports whether s[i] is a backslash that escapes what follows.
func escapes(s []byte, i int) bool {
	return s[i] == '\\' && i+1 < len(s) && isPunctuation(s[i+1])
}

func skipSpace(s []byte, i int) int {
	for i < len(s) && util.IsSpace(s[i]) {
		i++
	}
	return i
}
