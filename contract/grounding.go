package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gemini-search/answer"
	"gemini-search/sanitize"
)

// Search is one successful call of the search tool.
type Search struct {
	// Query is what was searched for.
	Query string `json:"query"`
	// Sources is what the search returned.
	Sources []answer.Source `json:"sources"`
	// Text is what the search wrote above its sources.
	Text string `json:"text"`
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
	var searches []Search
	for _, message := range messages(transcript) {
		for _, call := range message.ToolCalls {
			if call.Name == SearchTool && call.Status == "success" {
				searches = append(searches, call.search())
			}
		}
	}
	return searches
}

// LastAnswer returns the last text that the model wrote in a session, sanitized;
// "" when it wrote none. It is what a repaired answer has to be judged by: the
// CLI's envelope, and the text it gives to hooks, join it to the ones before.
func LastAnswer(transcript []byte) string {
	for _, message := range slices.Backward(messages(transcript)) {
		if text := stringValue(message.Content); message.Type == "gemini" && text != "" {
			return sanitize.String(text)
		}
	}
	return ""
}

type message struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []toolCall      `json:"toolCalls"`
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
	var output strings.Builder
	for _, part := range c.Result {
		output.WriteString(part.FunctionResponse.Response.Output)
	}
	return NewSearch(c.Args.Query, output.String())
}

// NewSearch reads what the search tool wrote for a query.
func NewSearch(query, output string) Search {
	text, sources := splitOutput(output)
	return Search{Query: sanitize.String(query), Text: text, Sources: sources}
}

// messages returns the messages of a transcript, each as it was written last.
func messages(transcript []byte) []message {
	var whole struct {
		Messages []message `json:"messages"`
		message
	}
	if decode(transcript, &whole) {
		return append(whole.Messages, whole.message)
	}
	var all []message
	index := map[string]int{}
	for line := range bytes.Lines(transcript) {
		var one message
		if !decode(line, &one) {
			continue
		}
		if i, seen := index[one.ID]; seen && one.ID != "" {
			all[i] = one
			continue
		}
		index[one.ID] = len(all)
		all = append(all, one)
	}
	return all
}

// decode reads a JSON value and reports whether it is one. A part of another
// type than expected stays zero, so that an odd fact is a missing fact.
func decode(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	_, odd := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || odd
}

// sourcesHeading is the line above the search tool's list of what it found.
const sourcesHeading = "Sources:"

// splitOutput reads the list that ends the search tool's text: "[1] title (uri)"
// and so on, under the last line that is "Sources:". The text above that line is
// page text, and whatever looks like a list there is not believed; nor is one
// that more text follows.
func splitOutput(output string) (text string, sources []answer.Source) {
	lines := strings.Split(strings.TrimRight(sanitize.String(output), "\n"), "\n")
	heading := lastIndex(lines, sourcesHeading)
	if heading < 0 {
		return strings.Join(lines, "\n"), nil
	}
	text = strings.TrimSpace(strings.Join(lines[:heading], "\n"))
	items := listItems(lines[heading+1:])
	if len(items) == 0 || !strings.HasSuffix(items[len(items)-1], ")") {
		return strings.Join(lines, "\n"), nil
	}
	for _, item := range items {
		if source, ok := readSource(item); ok {
			sources = append(sources, source)
		}
	}
	return text, sources
}

func lastIndex(lines []string, line string) int {
	for i, l := range slices.Backward(lines) {
		if l == line {
			return i
		}
	}
	return -1
}

// listItems joins each "[n] " line, n counting from 1, with the lines up to the
// next: a page's title may hold a line break.
func listItems(lines []string) []string {
	var starts []int
	for i, line := range lines {
		if strings.HasPrefix(line, fmt.Sprintf("[%d] ", len(starts)+1)) {
			starts = append(starts, i)
		}
	}
	var items []string
	for i, start := range starts {
		end := len(lines)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		_, item, _ := strings.Cut(strings.Join(lines[start:end], "\n"), " ")
		items = append(items, item)
	}
	return items
}

// readSource reads "title (uri)". A title may hold parentheses and so may a URI,
// but a URI holds no blank: the last " (" is where it begins. The CLI writes
// "(No URI)" for a page without one.
func readSource(item string) (answer.Source, bool) {
	split := strings.LastIndex(item, " (")
	uri, ok := strings.CutSuffix(item[split+1:], ")")
	if split < 0 || !ok || uri == "(" || strings.ContainsAny(uri, " \n") {
		return answer.Source{}, false
	}
	return answer.Source{Title: strings.Join(strings.Fields(item[:split]), " "), URI: uri[1:]}, true
}
