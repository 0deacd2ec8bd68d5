package hosts

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gemini-search/answer"
	"gemini-search/runner"
)

// textLimit bounds what a model is shown of one search, in bytes. Codex cuts the
// middle out of anything above about 12,000, Gemini CLI above 40,000 characters,
// OpenCode the end above 51,200; a text below all of them reaches the model whole.
const textLimit = 10_000

// ToolText returns an answer as a model reads it in the result of a tool: the
// verified Markdown as it is, or the beginning of a longer one, below its sources.
func ToolText(a *answer.Answer) string {
	switch {
	case a.Empty():
		return answer.NoResults + "\n\n" + noResults(shorten(a.Query, 200)) + "\n"
	case len(a.Text) < textLimit:
		return Markdown(a)
	default:
		return beginning(a)
	}
}

// claimEnd is where a text may be cut: behind a line, or behind a citation. White
// space cannot stand inside a URL, so this parenthesis is not part of one.
var claimEnd = regexp.MustCompile(`\)[.,;:!?]*\s+|\n`)

// beginning returns as much of a long answer as fits, with the sources of that
// part above it, so that a host that cuts once more takes text and no source.
func beginning(a *answer.Answer) string {
	kept, list := "", ""
	for _, end := range claimEnd.FindAllStringIndex(a.Body, -1) {
		candidate := a.Body[:end[1]]
		sources := sourceList(a.Sources, candidate)
		if len(candidate)+len(sources) > textLimit-1_000 { // room for the words around
			break
		}
		kept, list = candidate, sources
	}
	kept = strings.TrimSpace(kept)
	cut := fmt.Sprintf(
		"note: the verified answer has %d bytes and %s; this is its beginning, %d bytes, with the sources it cites. To read the rest, search for it with a narrower query.",
		len(a.Text), counted(len(a.Sources), "source", "sources"), len(kept),
	)
	if strings.Count(kept, "```")%2 == 1 {
		kept += "\n```" // a cut inside a fence must not swallow what a host writes behind it
	}
	return fmt.Sprintf("%s\n\nSources:\n%s\n%s\n", cut, list, kept)
}

// sourceList lists the sources whose URL stands in a text, one a line.
func sourceList(sources []answer.Source, text string) string {
	var list strings.Builder
	for _, source := range sources {
		if strings.Contains(text, source.URI) {
			fmt.Fprintf(&list, "- %s\n", source.URI)
		}
	}
	return list.String()
}

// FailureText returns a failure as a model reads it. It says itself that it is an
// error, because Codex does not; kind and hint stand on lines of their own.
func FailureText(failure *answer.Failure) string {
	f := runner.Sanitized(failure)
	var text strings.Builder
	fmt.Fprintf(&text, "error: %s\nkind: %s\n", shorten(f.Message, 2_000), f.Kind)
	for i, violation := range f.Violations {
		line := "violation: " + shorten(ViolationText(violation), 500) + "\n"
		if text.Len()+len(line) > textLimit-3_000 { // room for the hint
			fmt.Fprintf(&text, "violation: and %d more\n", len(f.Violations)-i)
			break
		}
		text.WriteString(line)
	}
	if f.Hint != "" {
		fmt.Fprintf(&text, "hint: %s\n", shorten(f.Hint, 2_000))
	}
	return text.String()
}

// shorten keeps a text to so many bytes, and to one line.
func shorten(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// keys are the variables by which people sign in. Codex hands a server none of
// them, Gemini CLI removes what looks like a secret.
var keys = [...]string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS"}

// missingKeys names the keys that this environment lacks, and how hosts pass them.
func missingKeys(environ []string) string {
	missing := slices.DeleteFunc(slices.Clone(keys[:]), func(name string) bool {
		return slices.ContainsFunc(environ, func(variable string) bool {
			return strings.HasPrefix(variable, name+"=") && len(variable) > len(name)+1
		})
	})
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("not set in the environment of this server: %s\n"+
		"hint: if one of them is set for the user, the host keeps it back: name it in env_vars (Codex), or write \"env\": {%q: %q} (Gemini CLI)\n",
		strings.Join(missing, ", "), missing[0], "$"+missing[0])
}
