package settings

import (
	"slices"
	"strings"
)

// passed are the variables of the user that reach the child; every other one
// stays outside. A star stands for any ending.
var passed = []string{
	// finding and running Node, and speaking the user's language
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_*", "TZ", "SHELL",
	// Windows does not start a program without these
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
	// the sign-in
	"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT_ID", "GOOGLE_CLOUD_LOCATION",
	"GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_QUOTA_PROJECT", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA",
	"GOOGLE_CLOUD_ACCESS_TOKEN", "GEMINI_CLI_USE_COMPUTE_ADC", "CLOUD_SHELL",
	"GEMINI_FORCE_FILE_STORAGE", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR",
	// the user's own endpoint and default model
	"GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "GEMINI_MODEL",
	// the way out of a company's network
	"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS",
	// version managers whose node or npx is a shim
	"NVM_DIR", "NVM_BIN", "VOLTA_HOME", "ASDF_DIR", "ASDF_DATA_DIR", "FNM_DIR", "FNM_MULTISHELL_PATH", "N_PREFIX", "MISE_DATA_DIR",
}

// signInVariables are the variables that the CLI would have read from the
// user's own ~/.gemini/.env.
var signInVariables = []string{
	"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT_ID", "GOOGLE_CLOUD_LOCATION",
	"GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_QUOTA_PROJECT", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA",
	"GOOGLE_CLOUD_ACCESS_TOKEN", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "GEMINI_MODEL",
	"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS",
}

// environment is a set of variables.
type environment map[string]string

// readEnvironment reads "NAME=value" strings; the last of a name counts.
func readEnvironment(environ []string) environment {
	env := environment{}
	for _, variable := range environ {
		// Windows keeps hidden variables whose name begins with "=".
		if name, value, ok := strings.Cut(variable, "="); ok && name != "" {
			env[name] = value
		}
	}
	return env
}

// strings returns "NAME=value" strings in a stable order.
func (env environment) strings() []string {
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// pass returns what of the user's environment reaches the child.
func (env environment) pass() environment {
	kept := environment{}
	for name, value := range env {
		if slices.ContainsFunc(passed, func(allowed string) bool { return matches(allowed, name) }) {
			kept[name] = value
		}
	}
	return kept
}

func matches(allowed, name string) bool {
	if prefix, open := strings.CutSuffix(allowed, "*"); open {
		return strings.HasPrefix(name, prefix)
	}
	return allowed == name
}

// pin fixes the variables that keep a run private and quiet.
func (env environment) pin(home *Home) {
	fixed := environment{
		// The home, as the workspace sees it. The CLI tells the model the path of
		// its temporary folder, and an absolute one would hold the user's name.
		"GEMINI_CLI_HOME":                 "..",
		"GEMINI_CLI_SYSTEM_SETTINGS_PATH": home.file(systemSettings), // the pins above any project settings
		"GEMINI_SYSTEM_MD":                home.file(systemPrompt),   // instead of 27 KB about editing code, sent three times
		"GEMINI_CLI_NO_RELAUNCH":          "true",                    // one process, that takes its signals, 0.7 s sooner
		"GEMINI_CLI_TRUST_WORKSPACE":      "true",                    // exactly this word, or exit status 55 since 0.41
		"GEMINI_TELEMETRY_ENABLED":        "false",                   // the variable beats every settings file
		"GEMINI_TELEMETRY_LOG_PROMPTS":    "false",
		"GEMINI_DEBUG_LOG_FILE":           home.DebugLog(),      // in the home: one failure shows nowhere else
		"NODE_COMPILE_CACHE":              home.compileCache,    // 0.2 s a run since Node 22.1; older ones ignore it
		"TMPDIR":                          home.file(temporary), // error reports hold the prompt and are world-readable
		"TMP":                             home.file(temporary),
		"TEMP":                            home.file(temporary),
		"TERM":                            "xterm-256color", // no warning about colours on stderr
		"COLORTERM":                       "truecolor",
		"NO_COLOR":                        "1",
	}
	for name, value := range fixed {
		env[name] = value
	}
	// A .env file in any folder above may name another host for the user's key.
	// A variable that is set, also to nothing, is not read from a file.
	for _, name := range []string{"GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL"} {
		if _, own := env[name]; !own {
			env[name] = ""
		}
	}
}
