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
	var raw rawEnvelope
	if !decode(clean, &raw) {
		return nil, ErrNoEnvelope
	}
	envelope := &Envelope{
		Response: stringValue(raw.Response),
		Searches: countValue(raw.Stats.Tools.ByName[SearchTool].Success),
		Tools:    slices.Sorted(maps.Keys(raw.Stats.Tools.ByName)),
		Models:   slices.Sorted(maps.Keys(raw.Stats.Models)),
		Error:    raw.Error.read(),
		Noise:    len(bytes.TrimSpace(output)) - len(object),
		Warnings: raw.Warnings,
		JSON:     clean,
	}
	for _, model := range raw.Stats.Models {
		envelope.Tokens += countValue(model.Tokens.Total)
		envelope.APIMilliseconds += countValue(model.API.TotalLatencyMs)
	}
	return envelope, nil
}

// WithResponse returns the JSON with another response, every other byte as it
// was: the CLI joins an answer to the ones that were sent back for repair.
func (e *Envelope) WithResponse(response string) []byte {
	if response == e.Response {
		return e.JSON
	}
	decoder := json.NewDecoder(bytes.NewReader(e.JSON))
	if _, err := decoder.Token(); err != nil { // the opening brace
		return e.JSON
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return e.JSON
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return e.JSON
		}
		if key == "response" {
			end := int(decoder.InputOffset())
			literal, _ := marshal(response) // a string has a JSON form
			return slices.Concat(e.JSON[:end-len(value)], literal, e.JSON[end:])
		}
	}
	return e.JSON
}

// rawEnvelope keeps the values whose JSON type differs between versions raw, so
// that an odd one is a missing fact and not an unreadable envelope.
type rawEnvelope struct {
	Response json.RawMessage `json:"response"`
	Stats    struct {
		Models map[string]struct {
			API struct {
				TotalLatencyMs json.RawMessage `json:"totalLatencyMs"`
			} `json:"api"`
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
	if err != nil || number < 1 || number > 1<<53 || number != math.Trunc(number) {
		return 0
	}
	return int(number)
}

// lastObject returns the last complete JSON object that begins a line and is an
// envelope: notes and parts of a cut one may be objects too.
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
		output = output[decoder.InputOffset():]
		if isEnvelope(object) {
			last = object
		}
	}
	return last
}

func isEnvelope(object []byte) bool {
	var keys struct{ Response, Stats, Error json.RawMessage }
	return decode(object, &keys) && (keys.Response != nil || keys.Stats != nil || keys.Error != nil)
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
