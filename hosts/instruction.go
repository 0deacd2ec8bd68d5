package hosts

import (
	_ "embed"
	"strings"
)

//go:embed instructions.md
var instructions string

// Instructions returns what tells a model when to search and what to do with what
// comes back. Hosts put it into the system prompt, so it is short.
func Instructions() string { return strings.TrimSpace(instructions) }

// ToolDescription is what a model reads of the tool itself. It stands alone:
// Qwen Code does not show the instructions with the first request.
const ToolDescription = "Search the web through the user's own Gemini CLI and get a Markdown answer with [Source](url) citations, " +
	"each of them checked against what this very search returned, and a ## Sources list at its end. " +
	"Use it for anything that may have changed: current events, latest versions and releases, prices, weather, schedules, " +
	"or when the user says latest, today, now, 최신, 오늘, 最新, 今日, 今天. " +
	"One call may take a minute. The result is NO_RESULTS when nothing usable was found, and an error with its kind when the citations do not hold."

const queryDescription = "What to search for, as a full question in the user's language. Put dates, versions and names into it; the search sees nothing else of the conversation."
