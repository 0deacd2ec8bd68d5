package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"gemini-search/sanitize"
)

// SearchTool is the CLI's name of the tool that searches the web.
const SearchTool = "google_web_search"

// Envelope is what `gemini -o json` printed, every string of it sanitized.
type Envelope struct {
	// Response is the model's answer.
	Response string
	// Searches is how often the search tool succeeded: 0 unless
	// stats.tools.byName.google_web_search.success is an integer of at least 1.
	Searches int
	// Models are the models that answered, in alphabetical order.
	Models []string
	// Tokens is the sum of stats.models.*.tokens.total.
	Tokens int
	// Error is the CLI's own error object; nil when there is none.
	Error *EnvelopeError
	// Warnings are the CLI's own.
	Warnings []string
	// JSON is the whole object with every string sanitized, as it was printed.
	JSON []byte
}

// EnvelopeError is the error object of the CLI. Code is an HTTP status or one
// of the CLI's exit codes, and 0 when it is missing or a word.
type EnvelopeError struct {
	Type    string
	Message string
	Code    int
}

// ErrNoEnvelope says that there is no complete JSON object in what was read.
var ErrNoEnvelope = errors.New("there is no complete JSON object")

// maxObjects bounds how many starts of an object are tried, so that reading
// stays linear on a hostile output.
const maxObjects = 64

// ReadEnvelope reads the last complete top-level object of the CLI's output.
// Lines before it are tolerated: some versions print hook or telemetry notes
// there (measured on 0.25 to 0.35). It fails with [ErrNoEnvelope].
func ReadEnvelope(output []byte) (*Envelope, error) {
	object := lastObject(output)
	if object == nil {
		return nil, ErrNoEnvelope
	}
	clean := sanitizeStrings(object)
	var raw rawEnvelope
	if err := json.Unmarshal(clean, &raw); err != nil {
		return nil, ErrNoEnvelope
	}
	envelope := &Envelope{
		Response: stringValue(raw.Response),
		Searches: countValue(raw.Stats.Tools.ByName[SearchTool].Success),
		Models:   slices.Sorted(maps.Keys(raw.Stats.Models)),
		Error:    raw.Error.read(),
		Warnings: raw.Warnings,
		JSON:     clean,
	}
	for _, model := range raw.Stats.Models {
		envelope.Tokens += countValue(model.Tokens.Total)
	}
	return envelope, nil
}

// rawEnvelope keeps the values whose JSON type differs between versions raw, so
// that an odd one is a missing fact and not an unreadable envelope.
type rawEnvelope struct {
	Response json.RawMessage `json:"response"`
	Stats    struct {
		Models map[string]struct {
			Tokens struct {
				Total json.RawMessage `json:"total"`
			} `json:"tokens"`
		} `json:"models"`
		Tools struct {
			ByName map[string]struct {
				Success json.RawMessage `json:"success"`
			} `json:"byName"`
		} `json:"tools"`
	} `json:"stats"`
	Error    *rawError `json:"error"`
	Warnings []string  `json:"warnings"`
}

type rawError struct {
	Type    json.RawMessage `json:"type"`
	Message json.RawMessage `json:"message"`
	Code    json.RawMessage `json:"code"`
}

func (e *rawError) read() *EnvelopeError {
	if e == nil {
		return nil
	}
	return &EnvelopeError{Type: stringValue(e.Type), Message: stringValue(e.Message), Code: countValue(e.Code)}
}

// stringValue reads a JSON string; anything else is no text.
func stringValue(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// countValue reads a JSON number that is a whole number of at least 1; anything else,
// a string of digits or true included, is 0.
func countValue(raw json.RawMessage) int {
	number, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || number < 1 || number > math.MaxInt32 || number != math.Trunc(number) {
		return 0
	}
	return int(number)
}

// lastObject returns the last complete JSON object that begins a line.
func lastObject(output []byte) []byte {
	var last []byte
	for range maxObjects {
		start := objectStart(output)
		if start < 0 {
			break
		}
		output = output[start:]
		decoder := json.NewDecoder(bytes.NewReader(output))
		var object json.RawMessage
		if decoder.Decode(&object) != nil {
			output = output[1:]
			continue
		}
		last, output = object, output[decoder.InputOffset():]
	}
	return last
}

// objectStart finds the first { that only blanks separate from its line's start.
func objectStart(output []byte) int {
	lineStart := true
	for i, b := range output {
		switch {
		case b == '{' && lineStart:
			return i
		case b == '\n':
			lineStart = true
		case b != ' ' && b != '\t' && b != '\r':
			lineStart = false
		}
	}
	return -1
}

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
	if clean := sanitize.String(s); clean != s || !bytes.Contains(literal, []byte{'\\'}) {
		literal, _ = marshal(clean)
	}
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
