package contract

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"gemini-search/sanitize"
)

// sanitizeStrings returns a JSON text with each string sanitized after it was
// decoded, and every other byte as it was: order, numbers and layout stay.
func sanitizeStrings(object []byte) []byte {
	var clean bytes.Buffer
	for {
		before, rest, found := bytes.Cut(object, []byte{'"'})
		clean.Write(before)
		if !found {
			return clean.Bytes()
		}
		end := literalEnd(rest)
		clean.Write(sanitizeLiteral(object[len(before) : len(before)+1+end+1]))
		object = rest[end+1:]
	}
}

// literalEnd returns the index of the quote that closes a string literal.
func literalEnd(literal []byte) int {
	for i := 0; i < len(literal); i++ {
		switch literal[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(literal)
}

func sanitizeLiteral(literal []byte) []byte {
	var s string
	if json.Unmarshal(literal, &s) != nil {
		return []byte(`""`)
	}
	clean := sanitize.String(s)
	if clean == s && !strings.ContainsRune(s, utf8.RuneError) {
		return literal
	}
	literal, _ = marshal(clean)
	return literal
}

// marshal is json.Marshal that leaves <, > and & readable.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
