package sanitize

import (
	"strconv"
	"strings"
)

// A Report counts what was taken out of a text. Line breaks that were only
// spelled another way are not counted.
type Report struct {
	// ControlFunctions counts whole control functions of ECMA-48: a control
	// character, an escape sequence, a control sequence, or a control string
	// with its payload is one each.
	ControlFunctions int
	// MalformedStrings counts control strings that were not closed as they
	// must be. Only the introducer was removed: the payload is in the text.
	MalformedStrings int
	// Invisibles counts code points that the Unicode policy removed or, as for
	// noncharacters, replaced with U+FFFD.
	Invisibles int
	// InvalidBytes counts the bytes that were not UTF-8 and became U+FFFD.
	InvalidBytes int
}

// Clean reports whether nothing was taken out.
func (r Report) Clean() bool {
	return r == Report{}
}

// String lists what was taken out, "2 control functions, 1 invisible character",
// or is empty.
func (r Report) String() string {
	var parts []string
	for _, part := range []struct {
		n    int
		noun string
	}{
		{r.ControlFunctions, "control function"},
		{r.MalformedStrings, "malformed string"},
		{r.Invisibles, "invisible character"},
		{r.InvalidBytes, "invalid byte"},
	} {
		switch part.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+part.noun)
		default:
			parts = append(parts, strconv.Itoa(part.n)+" "+part.noun+"s")
		}
	}
	return strings.Join(parts, ", ")
}
