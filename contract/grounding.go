package contract

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"gemini-search/answer"
	"gemini-search/sanitize"
)

// Search is one successful call of the search tool.
type Search struct {
	// Query is what was searched for.
	Query string
	// Sources is what the search returned.
	Sources []answer.Source
}

// Sources returns what all the searches returned, each URL once, in order. It is
// never nil, because no sources and no knowledge of the sources differ.
func Sources(searches []Search) []answer.Source {
	all := []answer.Source{}
	seen := map[string]bool{}
	for _, search := range searches {
		for _, source := range search.Sources {
			if !seen[source.URI] {
				seen[source.URI] = true
				all = append(all, source)
			}
		}
	}
	return all
}

// ReadTranscript returns the successful searches of a session transcript in the
// order they were made, sanitized; nil when it shows none. Both shapes that the
// CLI has written are read: one object with messages, and from 0.41 a log of
// messages in which a later line replaces an earlier one with the same id.
// Lines that are not JSON are passed over: a killed CLI leaves half a line.
func ReadTranscript(transcript []byte) []Search {
	var order []string
	calls := map[string]toolCall{}
	for _, message := range messages(transcript) {
		for _, call := range message.ToolCalls {
			if _, seen := calls[call.ID]; !seen {
				order = append(order, call.ID)
			}
			calls[call.ID] = call
		}
	}
	var searches []Search
	for _, id := range order {
		if call := calls[id]; call.Name == SearchTool && call.Status == "success" {
			searches = append(searches, call.search())
		}
	}
	return searches
}

type message struct {
	ToolCalls []toolCall `json:"toolCalls"`
}

type toolCall struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Args   struct {
		Query string `json:"query"`
	} `json:"args"`
	Result []struct {
		FunctionResponse struct {
			Response struct {
				Output string `json:"output"`
			} `json:"response"`
		} `json:"functionResponse"`
	} `json:"result"`
}

func (c toolCall) search() Search {
	search := Search{Query: sanitize.String(c.Args.Query)}
	for _, part := range c.Result {
		search.Sources = append(search.Sources, ReadSources(part.FunctionResponse.Response.Output)...)
	}
	return search
}

func messages(transcript []byte) []message {
	var whole struct {
		Messages []message `json:"messages"`
		message
	}
	if json.Unmarshal(transcript, &whole) == nil {
		return append(whole.Messages, whole.message)
	}
	var all []message
	for line := range bytes.Lines(transcript) {
		var one message
		if json.Unmarshal(line, &one) == nil {
			all = append(all, one)
		}
	}
	return all
}

// sourcesHeading is the line above the search tool's list of what it found.
const sourcesHeading = "Sources:"

// ReadSources reads the list at the end of the search tool's text: the lines
// "[n] title (uri)" under the last line that is "Sources:". The text above that
// line is page text, and whatever looks like a list there is not believed.
func ReadSources(output string) []answer.Source {
	lines := strings.Split(sanitize.String(output), "\n")
	var sources []answer.Source
	for _, line := range lines[lastHeading(lines)+1:] {
		if source, ok := readSource(line); ok {
			sources = append(sources, source)
		}
	}
	return sources
}

// lastHeading returns the index of the last heading, or of the last line.
func lastHeading(lines []string) int {
	for i, line := range slices.Backward(lines) {
		if strings.TrimSpace(line) == sourcesHeading {
			return i
		}
	}
	return len(lines) - 1
}

// readSource reads "[n] title (uri)". A title may hold parentheses and so may a
// URI, but a URI holds no blank: the last " (" is where it begins.
func readSource(line string) (answer.Source, bool) {
	number, rest, ok := strings.Cut(strings.TrimSpace(line), "] ")
	if !ok || !isListNumber(number) || !strings.HasSuffix(rest, ")") {
		return answer.Source{}, false
	}
	split := strings.LastIndex(rest, " (")
	if split < 0 {
		return answer.Source{}, false
	}
	return answer.Source{Title: rest[:split], URI: rest[split+2 : len(rest)-1]}, true
}

// isListNumber reports whether s is "[" and decimal digits.
func isListNumber(s string) bool {
	digits, ok := strings.CutPrefix(s, "[")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
