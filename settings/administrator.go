package settings

import (
	"runtime"
	"slices"

	"gemini-search/answer"
	"gemini-search/contract"
)

// administrator is what the platform's system settings say. Pointing the CLI at
// our own file would hide them, so they are merged in.
type administrator struct {
	path     string
	settings map[string]any
}

// systemFile is the platform's system settings file of the CLI.
func systemFile() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/GeminiCli/settings.json"
	case "windows":
		return `C:\ProgramData\gemini-cli\settings.json`
	}
	return "/etc/gemini-cli/settings.json"
}

// capabilities are the keys that give a run more than it had: commands to start
// and files to read. An administrator's restrictions stay, these do not.
var capabilities = []string{
	"mcpServers", "mcp.serverCommand", "tools.discoveryCommand", "tools.callCommand", "context.includeDirectories",
}

// readAdministrator reads the file that the CLI would: the one that the variable
// names, as companies deploy it, or the platform's.
func readAdministrator(env environment) administrator {
	a := administrator{path: systemFile()}
	if own := env["GEMINI_CLI_SYSTEM_SETTINGS_PATH"]; own != "" {
		a.path = own
	}
	a.settings = readSettings(a.path)
	for _, key := range capabilities {
		remove(a.settings, key)
	}
	return a
}

// allowSearch refuses where the administrator does not want this tool: our
// tools.core would hand it out all the same.
func (a administrator) allowSearch() error {
	core, limited := get(a.settings, "tools.core")
	excluded, _ := get(a.settings, "tools.exclude")
	if limited && !names(core, contract.SearchTool) || names(excluded, contract.SearchTool) {
		return &answer.Failure{
			Kind:    answer.GeminiWebSearchFailed,
			Message: "the administrator's settings of gemini do not allow " + contract.SearchTool,
			Hint:    "ask for it to be allowed in " + a.path,
		}
	}
	return nil
}

// names reports whether a list in settings holds a name.
func names(list any, name string) bool {
	values, ok := list.([]any)
	return ok && slices.Contains(values, any(name))
}
