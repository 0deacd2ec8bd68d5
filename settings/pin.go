package settings

import (
	"bytes"
	"strings"

	"gemini-search/contract"
)

// pin is one setting of the Gemini CLI that a run fixes, whatever the user's,
// the project's or an extension's settings say.
type pin struct {
	key    string
	value  any
	reason string
}

// pins returns the settings that every run fixes. They are written twice: as the
// user settings of the private home, which every supported version reads, and as
// system settings, which outrank project settings but which a CLI since 0.60
// reads only when root owns the file and each folder above it.
func pins() []pin {
	return []pin{
		{"privacy.usageStatisticsEnabled", false, "two posts to play.googleapis.com a run, with an installation id"},
		{"telemetry.enabled", false, "no traces of the run leave"},
		{"telemetry.logPrompts", false, "nor the query with them"},
		{"tools.core", []string{contract.SearchTool}, "the model can search, and nothing else"},
		{"tools.useRipgrep", false, "versions up to 0.35 download a binary, past any proxy"},
		{"tools.sandbox", false, "a sandbox would start a container around the search"},
		{"experimental.extensionManagement", false, "no extension adds tools, hooks or context"},
		{"experimental.enableAgents", false, "no agent runs beside the search"},
		{"skills.enabled", false, "no skill text goes to the model"},
		{"context.includeDirectoryTree", false, "names of the user's files would go to the model"},
		{"context.fileName", []string{"gemini-search-reads-no-context-file"}, "no memory file goes to the model"},
		{"context.discoveryMaxDirs", 1, "no folder is walked for context"},
		{"general.plan.enabled", false, "plan mode adds tools"},
		{"general.topicUpdateNarration", false, "narration adds tool calls and text"},
		{"general.enableAutoUpdate", false, "a search never updates the user's CLI"},
		{"general.enableAutoUpdateNotification", false, "nor asks a registry whether it could"},
		{"general.checkpointing.enabled", false, "no shadow repository is kept"},
		{"general.maxAttempts", 1, "the CLI would try a refused call for four minutes; what may mend is tried again by us"},
		{"general.retryFetchErrors", false, "the same for a connection that fails"},
		{"general.sessionRetention.enabled", false, "its clean-up can delete the transcript of a run beside this one"},
		{"model.disableLoopDetection", true, "a URL that repeats a character stops the answer"},
		{"ide.enabled", false, "no editor is asked for its open files"},
		{"security.folderTrust.enabled", false, "the workspace is ours and empty: there is nothing to ask"},
		{"advanced.autoConfigureMemory", false, "no second process with a larger heap"},
		{"output.format", "json", "the envelope carries the evidence"},
	}
}

// searchAlias is the CLI's name for the model of its search tool. It does not
// depend on the user's model, and a key that may not call what it stands for
// gets no search at all.
const searchAlias = "web-search"

// searchModel makes the alias stand for a model.
func searchModel(model string) map[string]any {
	return map[string]any{"modelConfigs": map[string]any{"customAliases": map[string]any{searchAlias: map[string]any{
		"modelConfig": map[string]any{
			"model":                 model,
			"generateContentConfig": map[string]any{"tools": []any{map[string]any{"googleSearch": map[string]any{}}}},
		},
	}}}}
}

// PinState says whether a pin is in force in a home.
type PinState struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Held   bool   `json:"held"`
	Reason string `json:"reason"`
}

// Pins reads the home's user settings and says of each pin whether it is in
// force there. The CLI rewrites that file when it finds a key that it has
// renamed, so that what was written before a run is not what holds after it.
func (h *Home) Pins() []PinState {
	written := readSettings(h.file(userSettings))
	var states []PinState
	for _, p := range pins() {
		value, _ := get(written, p.key)
		held := bytes.Equal(encode(map[string]any{p.key: value}), encode(map[string]any{p.key: p.value}))
		states = append(states, PinState{p.key, p.value, held, p.reason})
	}
	return states
}

// tree turns keys with dots into the nested object that a settings file is.
func tree(pins []pin) map[string]any {
	root := map[string]any{}
	for _, p := range pins {
		set(root, p.key, p.value)
	}
	return root
}

// set stores a value under a key with dots.
func set(root map[string]any, key string, value any) {
	parent := root
	path := strings.Split(key, ".")
	for _, name := range path[:len(path)-1] {
		child, ok := parent[name].(map[string]any)
		if !ok {
			child = map[string]any{}
			parent[name] = child
		}
		parent = child
	}
	parent[path[len(path)-1]] = value
}

// get returns the value under a key with dots.
func get(root map[string]any, key string) (any, bool) {
	var value any = root
	for name := range strings.SplitSeq(key, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// remove deletes the value under a key with dots.
func remove(root map[string]any, key string) {
	name, rest, nested := strings.Cut(key, ".")
	if !nested {
		delete(root, name)
		return
	}
	if child, ok := root[name].(map[string]any); ok {
		remove(child, rest)
	}
}

// merge lays over onto base, object by object. What over says wins, and lists of
// hooks are joined: an administrator's run beside ours.
func merge(base, over map[string]any) map[string]any {
	merged := map[string]any{}
	for name, value := range base {
		merged[name] = value
	}
	for name, value := range over {
		below, isObject := merged[name].(map[string]any)
		above, bothObjects := value.(map[string]any)
		switch {
		case isObject && bothObjects && name == "hooks":
			value = joinLists(below, above)
		case isObject && bothObjects:
			value = merge(below, above)
		}
		merged[name] = value
	}
	return merged
}

// joinLists joins the lists of two objects under the same name.
func joinLists(a, b map[string]any) map[string]any {
	joined := merge(a, b)
	for name := range b {
		first, ok := a[name].([]any)
		second, both := b[name].([]any)
		if ok && both {
			joined[name] = append(append([]any{}, first...), second...)
		}
	}
	return joined
}
