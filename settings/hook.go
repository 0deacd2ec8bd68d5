package settings

import (
	"strconv"
	"strings"

	"gemini-search/contract"
)

// Event is what the CLI calls a hook for, under the name that our hook program
// knows it by.
type Event string

// The events of a run that the hook program is called for.
const (
	// BeforeToolSelection: the model is about to be called, and may be told which
	// tool it has to use.
	BeforeToolSelection Event = "before-tool-selection"
	// BeforeTool: the search tool is about to be called.
	BeforeTool Event = "before-tool"
	// AfterTool: the search tool has returned.
	AfterTool Event = "after-tool"
	// AfterAgent: the model has answered, and may be asked to answer again.
	AfterAgent Event = "after-agent"
)

// hookTimeout bounds one call of the hook program, in milliseconds. It takes a
// few; the CLI's own bound is a minute.
const hookTimeout = 10_000

// records is the folder of the home that the hook program writes to.
const records = "records"

// hooks returns the part of the settings that has the CLI call the hook program.
// It calls it through bash, and goes on without it where there is none, so that
// what the hooks prove must have another proof or be missed.
func (h *Home) hooks(options Options) map[string]any {
	call := func(event Event, matcher string) []any {
		// exec spares the shell a process: the run waits for each call
		words := []string{"exec", options.Hook, string(event), QuoteWord(h.file(records)), strconv.Itoa(options.Repairs)}
		entry := map[string]any{"hooks": []any{map[string]any{
			"type": "command", "name": "gemini-search " + string(event), "command": strings.Join(words, " "), "timeout": hookTimeout,
		}}}
		if matcher != "" {
			entry["matcher"] = matcher
		}
		return []any{entry}
	}
	hooks := map[string]any{
		"BeforeToolSelection": call(BeforeToolSelection, ""),
		"AfterTool":           call(AfterTool, contract.SearchTool),
		"AfterAgent":          call(AfterAgent, ""),
	}
	if options.Steps { // each call of the program costs some milliseconds
		hooks["BeforeTool"] = call(BeforeTool, contract.SearchTool)
	}
	return map[string]any{"hooksConfig": map[string]any{"notifications": false}, "hooks": hooks}
}

// QuoteWord writes a path as one word of a shell command.
func QuoteWord(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// Records is the folder in which the hook program wrote what it saw.
func (h *Home) Records() string { return h.file(records) }
