package hosts

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gemini-search/answer"
)

// Place is where a host reads its configuration.
type Place struct {
	// Home is the user's home folder.
	Home string
	// Project is the folder of a project, or "" for what holds for the user.
	Project string
	// Environ is the user's environment: hosts can be told to look elsewhere.
	Environ []string
	// Program starts this program.
	Program string
}

// callLimit is what hosts are told to wait for a call, in seconds: more than our
// own default of 600, so that the one who gives up knows why.
const callLimit = 660

// Agents are the names of the hosts that can be installed into.
func Agents() []string { return []string{"opencode", "claude", "codex", "gemini", "qwen"} }

// ServerChange returns the change that makes a host start the server.
func (p Place) ServerChange(agent string) (Change, error) {
	switch agent {
	case "opencode":
		return p.openCode(), nil
	case "claude":
		return p.claude(), nil
	case "codex":
		return p.codex(), nil
	case "gemini":
		return Change{p.below(".gemini", "settings.json"), entry{"mcpServers", ServerName, p.geminiServer()}}, nil
	case "qwen":
		return Change{p.below(".qwen", "settings.json"), entry{"mcpServers", ServerName, p.qwenServer()}}, nil
	}
	return Change{}, unknownAgent(agent)
}

func unknownAgent(agent string) error {
	return &answer.Failure{
		Kind: answer.InvalidToolArguments, Message: fmt.Sprintf("there is no host %q to install into", agent),
		Hint: "use one of: " + strings.Join(Agents(), ", "),
	}
}

// ToolChanges returns the changes that give OpenCode the tool as a file of its
// own, and the automatic hint, instead of a server.
func (p Place) ToolChanges() ([]Change, error) {
	folder := p.openCodeFolder()
	if p.Project != "" {
		folder = filepath.Join(p.Project, ".opencode")
	}
	var changes []Change
	for _, file := range []struct{ from, to string }{
		{"opencode/gemini_web_search.js", filepath.Join("tool", "gemini_web_search.js")},
		{"opencode/plugin.js", filepath.Join("plugin", "gemini_search_hint.js")},
	} {
		content, err := folders.ReadFile(file.from)
		if err != nil {
			return nil, err
		}
		content = bytes.Replace(content, []byte(`const command = "gemini-search"`), []byte("const command = "+quote(p.Program)), 1)
		changes = append(changes, Change{filepath.Join(folder, file.to), whole{content}})
	}
	return changes, nil
}

// FolderChanges returns the changes that write what a host loads as a plugin, an
// extension or a skill into a folder.
func (p Place) FolderChanges(agent, folder string) ([]Change, error) {
	name, ok := map[string]string{"opencode": "opencode", "claude": "claude", "gemini": "gemini", "codex": "skill", "qwen": "skill"}[agent]
	if !ok {
		return nil, unknownAgent(agent)
	}
	var changes []Change
	err := fs.WalkDir(folders, name, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := folders.ReadFile(path)
		to := filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(path, name+"/")))
		changes = append(changes, Change{to, whole{content}})
		return err
	})
	return changes, err
}

// below is a file of the user or of the project.
func (p Place) below(parts ...string) string {
	root := p.Home
	if p.Project != "" {
		root = p.Project
	}
	return filepath.Join(append([]string{root}, parts...)...)
}

// variable returns a variable of the user; a host takes an empty one for unset.
func (p Place) variable(name string) string {
	for _, variable := range slices.Backward(p.Environ) {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}

func (p Place) openCodeFolder() string {
	if folder := p.variable("XDG_CONFIG_HOME"); folder != "" {
		return filepath.Join(folder, "opencode")
	}
	return filepath.Join(p.Home, ".config", "opencode")
}

func (p Place) openCode() Change {
	folder := p.openCodeFolder()
	if p.Project != "" {
		folder = p.Project
	}
	path := filepath.Join(folder, "opencode.jsonc")
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(folder, "opencode.json")
	}
	return Change{path, entry{"mcp", ServerName, struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
		Enabled bool     `json:"enabled"`
		Timeout int      `json:"timeout"`
	}{"local", []string{p.Program, "mcp"}, true, callLimit * 1000}}}
}

func (p Place) claude() Change {
	path := p.below(".mcp.json")
	if p.Project == "" {
		path = p.below(".claude.json")
		if folder := p.variable("CLAUDE_CONFIG_DIR"); folder != "" {
			path = filepath.Join(folder, ".claude.json")
		}
	}
	return Change{path, entry{"mcpServers", ServerName, struct {
		Type       string   `json:"type"`
		Command    string   `json:"command"`
		Args       []string `json:"args"`
		AlwaysLoad bool     `json:"alwaysLoad"`
		Timeout    int      `json:"timeout"`
	}{"stdio", p.Program, []string{"mcp"}, true, callLimit * 1000}}}
}

// codexVariables are passed by name, because Codex hands a server 17 variables and
// none of these.
var codexVariables = [...]string{
	"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS",
	"GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_CLOUD_ACCESS_TOKEN", "GEMINI_CLI_USE_COMPUTE_ADC",
	"GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "GEMINI_MODEL", "GEMINI_BINARY",
	"GEMINI_SEARCH_TIMEOUT", "GEMINI_SEARCH_MAX_BUFFER", "GEMINI_SEARCH_MAX_QUERY_CHARS", "GEMINI_SEARCH_MAX_PROMPT_BYTES", "GEMINI_SEARCH_REPAIRS",
	"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "DBUS_SESSION_BUS_ADDRESS",
}

func (p Place) codex() Change {
	path := p.below(".codex", "config.toml")
	if folder := p.variable("CODEX_HOME"); folder != "" && p.Project == "" {
		path = filepath.Join(folder, "config.toml")
	}
	names := make([]string, len(codexVariables))
	for i, name := range codexVariables {
		names[i] = quote(name)
	}
	return Change{path, block{fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\nargs = [\"mcp\"]\nenv_vars = [%s]\ntool_timeout_sec = %d\n",
		ServerName, quote(p.Program), strings.Join(names, ", "), callLimit)}}
}

// geminiVariables are the ones that Gemini CLI takes away from its servers.
var geminiVariables = [...]string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_ACCESS_TOKEN", "NODE_EXTRA_CA_CERTS"}

type geminiServer struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
	Timeout int               `json:"timeout"`
	Trust   bool              `json:"trust"`
}

func (p Place) qwenServer() geminiServer {
	return geminiServer{Command: p.Program, Args: []string{"mcp"}, Timeout: callLimit * 1000, Trust: true}
}

// geminiServer passes by name what is set now: the name of a variable that is not
// set would arrive as its value.
func (p Place) geminiServer() geminiServer {
	server := p.qwenServer()
	for _, name := range geminiVariables {
		if p.variable(name) == "" {
			continue
		}
		if server.Env == nil {
			server.Env = map[string]string{}
		}
		server.Env[name] = "$" + name
	}
	return server
}
