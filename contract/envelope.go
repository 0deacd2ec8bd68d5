package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
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
	// Tools are the tools that the model called, in alphabetical order.
	Tools []string
	// Models are the models that answered, in alphabetical order.
	Models []string
	// Tokens is the sum of stats.models.*.tokens.total.
	Tokens int
	// APIMilliseconds is the sum of stats.models.*.api.totalLatencyMs: how long
	// the models took, without the CLI's own start.
	APIMilliseconds int
	// Error is the CLI's own error object; nil when there is none.
	Error *EnvelopeError
	// Warnings are the CLI's own.
	Warnings []string
	// Noise is how many bytes of the output are not the object: notes of the CLI.
	Noise int
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
	top := members(clean)
	stats := members(top["stats"])
	models, tools := members(stats["models"]), members(members(stats["tools"])["byName"])
	envelope := &Envelope{
		Response: stringValue(top["response"]),
		Searches: countValue(members(tools[SearchTool])["success"]),
		Tools:    slices.Sorted(maps.Keys(tools)),
		Models:   slices.Sorted(maps.Keys(models)),
		Error:    readError(top["error"]),
		Noise:    len(bytes.TrimSpace(output)) - len(object),
		JSON:     clean,
	}
	_ = json.Unmarshal(top["warnings"], &envelope.Warnings) // another form is none
	for _, model := range models {
		envelope.Tokens += countValue(members(members(model)["tokens"])["total"])
		envelope.APIMilliseconds += countValue(members(members(model)["api"])["totalLatencyMs"])
	}
	return envelope, nil
}

// members returns the members of a JSON object, and none of anything else, so
// that a value of an odd type is a missing fact and not an unreadable envelope.
// Names are compared as they are written: what JSON libraries take for the same
// in another letter case is another member to everybody else.
func members(object json.RawMessage) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(object, &all) != nil {
		return nil
	}
	return all
}

// readError reads the error member: an object, or a text alone.
func readError(raw json.RawMessage) *EnvelopeError {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if message := stringValue(raw); message != "" {
		return &EnvelopeError{Message: message}
	}
	object := members(raw)
	return &EnvelopeError{Type: stringValue(object["type"]), Message: stringValue(object["message"]), Code: countValue(object["code"])}
}

// WithResponse returns the JSON with another response, every other byte as it
// was: the CLI joins an answer to the ones that were sent back for repair. Every
// member of that name is replaced, because readers disagree on which of two is
// meant.
func (e *Envelope) WithResponse(response string) []byte {
	literal, _ := marshal(response) // a string has a JSON form
	decoder := json.NewDecoder(bytes.NewReader(e.JSON))
	if _, err := decoder.Token(); err != nil { // the opening brace
		return e.JSON
	}
	var out []byte
	copied := 0
	for decoder.More() {
		key, _ := decoder.Token()
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return e.JSON
		}
		if key == "response" {
			end := int(decoder.InputOffset())
			out = append(append(out, e.JSON[copied:end-len(value)]...), literal...)
			copied = end
		}
	}
	return append(out, e.JSON[copied:]...)
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
	if err != nil || number < 1 || number > 1<<53 || number != math.Trunc(number) {
		return 0
	}
	return int(number)
}

// lastObject returns the last complete JSON object that is an envelope: notes and
// parts of a cut one may be objects too. One that begins its line goes before one
// that stands behind a note on the same line.
func lastObject(output []byte) []byte {
	first, behind := objectStarts(output)
	for _, starts := range [][]int{first, behind} {
		for _, start := range slices.Backward(starts) {
			if object := lastOf(output[start:]); object != nil {
				return object
			}
		}
	}
	return nil
}

// lastOf returns the last envelope of the objects that a text begins with.
func lastOf(text []byte) (last []byte) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for range maxObjects {
		var object json.RawMessage
		if decoder.Decode(&object) != nil {
			break
		}
		if isEnvelope(object) {
			last = object
		}
	}
	return last
}

func isEnvelope(object []byte) bool {
	top := members(object)
	return top["response"] != nil || top["stats"] != nil || top["error"] != nil
}

// objectStarts returns where objects may begin: the first { of each line that
// begins with it, and of each other line in which no string stands before it. Of
// either, the last maxObjects count, so that reading stays linear.
func objectStarts(output []byte) (first, behind []int) {
	offset := 0
	for line := range bytes.Lines(output) {
		brace := bytes.IndexByte(line, '{')
		switch {
		case brace == 0:
			first = append(first, offset)
		case brace > 0 && bytes.IndexByte(line[:brace], '"') < 0:
			behind = append(behind, offset+brace)
		}
		offset += len(line)
	}
	return first[max(0, len(first)-maxObjects):], behind[max(0, len(behind)-maxObjects):]
}
