package contract

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// resolve undoes backslash escapes and entities once, as rendering does
// (CommonMark 0.31, 2.4 and 2.5): "&amp;amp;" is the text "&amp;".
func resolve(raw []byte) string {
	if !bytes.ContainsAny(raw, `\&`) {
		return string(raw)
	}
	var out strings.Builder
	for i := 0; i < len(raw); i++ {
		if escapes(raw, i) {
			i++
		} else if characters, length := entity(raw[i:]); length > 0 {
			out.WriteString(characters)
			i += length - 1
			continue
		}
		out.WriteByte(raw[i])
	}
	return out.String()
}

// maxEntity is the length of the longest entity,
// "&CounterClockwiseContourIntegral;".
const maxEntity = 33

// entity returns what an entity that s begins with stands for, and its length.
func entity(s []byte) (characters string, length int) {
	end := bytes.IndexByte(s[:min(len(s), maxEntity)], ';')
	if s[0] != '&' || end < 2 {
		return "", 0
	}
	name := string(s[1:end])
	if number, ok := strings.CutPrefix(name, "#"); ok {
		r, ok := numericEntity(number)
		if !ok {
			return "", 0
		}
		return string(r), end + 1
	}
	if named, ok := util.LookUpHTML5EntityByName(name); ok {
		return string(named.Characters), end + 1
	}
	return "", 0
}

// numericEntity reads up to seven decimal digits, or x and up to six hexadecimal
// ones. What is no character becomes U+FFFD.
func numericEntity(s string) (rune, bool) {
	base, limit := 10, 7
	if s != "" && s[0]|0x20 == 'x' {
		s, base, limit = s[1:], 16, 6
	}
	n, err := strconv.ParseUint(s, base, 32)
	if err != nil || len(s) > limit {
		return 0, false
	}
	if n == 0 || !utf8.ValidRune(rune(n)) {
		return utf8.RuneError, true
	}
	return rune(n), true
}
