// Package hosts brings an answer, or the failure to give one, to whoever reads it:
// rendered for a shell, for an agent that reads Markdown or JSON, and by a [Server]
// for hosts that speak the Model Context Protocol.
//
// It guarantees that no URL and no claim is added to what was verified, that a
// text for a model survives every host whole, and that no search outlives the
// host that asked for it. It does not search itself, and it decides nothing about
// exit codes or standard streams.
package hosts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"gemini-search/answer"
	"gemini-search/runner"
)

// Markdown returns the verified text as it was verified.
func Markdown(a *answer.Answer) string { return a.Text + "\n" }

// Sections returns the shape that research agents read: the grounded text, the
// sources with their domains, and what was searched for.
func Sections(a *answer.Answer) string {
	var out strings.Builder
	fmt.Fprintf(&out, "## Search Results\n\n%s\n\n### Sources\n\n", resultText(a))
	if len(a.Sources) == 0 {
		out.WriteString("(none)\n")
	}
	for _, source := range a.Sources {
		domain := domainOf(source.URI)
		title := source.Title
		if title == "" {
			title = domain
		}
		fmt.Fprintf(&out, "- [%s](%s) (%s)\n", escapeLabel(title), escapeDestination(source.URI), domain)
	}
	out.WriteString("\n### Search Queries Used\n\n")
	if len(a.Evidence.Queries) == 0 {
		out.WriteString("(this version of the Gemini CLI does not tell)\n")
	}
	for _, query := range a.Evidence.Queries {
		fmt.Fprintf(&out, "- %q\n", query)
	}
	return out.String()
}

func resultText(a *answer.Answer) string {
	if a.Empty() {
		return noResults(a.Query)
	}
	return a.Body
}

func noResults(query string) string {
	return fmt.Sprintf("No search results or information found for query: \"%s\"", query)
}

// escapeLabel keeps a title inside the brackets of its link.
func escapeLabel(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "`", "\\`", "<", `\<`, "*", `\*`, "_", `\_`).Replace(title)
}

// escapeDestination keeps a URL inside the parentheses of its link, without
// changing where it leads.
func escapeDestination(uri string) string {
	return strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "&", "&amp;").Replace(uri)
}

// domainOf returns the host of a URL without its port.
func domainOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	return parsed.Hostname()
}

// result is the shape that tools for OpenCode agree on: what the model reads,
// what the user sees, the sources, and the error when there is one.
type result struct {
	LLMContent    string           `json:"llmContent"`
	ReturnDisplay string           `json:"returnDisplay"`
	Sources       []webSource      `json:"sources,omitempty"`
	Error         *resultError     `json:"error,omitempty"`
	Evidence      *answer.Evidence `json:"evidence,omitempty"`
}

type webSource struct {
	Web answer.Source `json:"web"`
}

type resultError struct {
	Message    string             `json:"message"`
	Type       answer.Kind        `json:"type"`
	Hint       string             `json:"hint,omitempty"`
	RetryAfter int                `json:"retryAfter,omitempty"`
	Violations []answer.Violation `json:"violations,omitempty"`
}

// JSON returns the answer as one JSON object, indented, because a host that cuts
// long lines shows nothing of a long one-line object.
func JSON(a *answer.Answer) string {
	shape := result{
		LLMContent:    fmt.Sprintf("Web search results for \"%s\":\n\n%s", a.Query, a.Text),
		ReturnDisplay: fmt.Sprintf("Search results for \"%s\" returned.", a.Query),
		Evidence:      &a.Evidence,
	}
	if a.Empty() {
		shape.LLMContent = noResults(a.Query)
		shape.ReturnDisplay = "No information found."
	}
	for _, source := range a.Sources {
		shape.Sources = append(shape.Sources, webSource{source})
	}
	return encode(shape)
}

// FailureJSON returns a failure in the shape of [JSON]. It is sanitized here,
// because it may quote what the user typed.
func FailureJSON(failure *answer.Failure) string {
	f := runner.Sanitized(failure)
	content := "Error: " + f.Message
	for _, violation := range f.Violations {
		content += "\n- " + ViolationText(violation)
	}
	if f.Hint != "" {
		content += "\n\nHint: " + f.Hint
	}
	return encode(result{
		LLMContent:    content,
		ReturnDisplay: f.Message,
		Error:         &resultError{Message: f.Message, Type: f.Kind, Hint: f.Hint, RetryAfter: f.RetryAfter, Violations: f.Violations},
	})
}

// ViolationText returns a violation on one line: "line 3: code: message".
func ViolationText(v answer.Violation) string {
	if v.Line == 0 {
		return v.Code + ": " + v.Message
	}
	return fmt.Sprintf("line %d: %s: %s", v.Line, v.Code, v.Message)
}

// EvidenceText returns what is known about a run on one line.
func EvidenceText(a *answer.Answer) string {
	e := a.Evidence
	parts := []string{string(e.Grounding), counted(e.Searches, "search", "searches"), counted(len(a.Sources), "source", "sources")}
	if e.Repairs > 0 {
		parts = append(parts, counted(e.Repairs, "repair", "repairs"))
	}
	if c := e.Coverage; c != nil && c.Sentences > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s cited", c.Cited, counted(c.Sentences, "sentence", "sentences")))
		if len(c.Unsupported) > 0 {
			parts = append(parts, fmt.Sprintf("%d with facts that the search did not return", len(c.Unsupported)))
		}
	}
	if e.CLIVersion != "" {
		parts = append(parts, "gemini "+e.CLIVersion)
	}
	if len(e.Models) > 0 {
		parts = append(parts, strings.Join(e.Models, " + "))
	}
	if e.Tokens > 0 {
		parts = append(parts, counted(e.Tokens, "token", "tokens"))
	}
	return strings.Join(append(parts, fmt.Sprintf("%.1f s", float64(e.Milliseconds)/1000)), ", ")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func encode(shape result) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(shape); err != nil {
		panic("an answer has no JSON form: " + err.Error()) // strings and numbers only
	}
	return out.String()
}
