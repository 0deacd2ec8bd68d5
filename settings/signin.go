package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
)

// credentialFiles are the files of ~/.gemini that hold a sign-in. The private
// home links to them, so that a token the CLI refreshes is written where the
// user's next `gemini` finds it.
var credentialFiles = []string{"oauth_creds.json", "google_accounts.json", "gemini-credentials.json"}

// ownSettings are the user's settings that a run keeps: the sign-in and the
// model. Nothing else of theirs is read.
var ownSettings = []string{
	"security.auth.selectedType", "security.auth.enforcedType", "security.auth.useExternal",
	"model.name",
}

// user is where the signed-in person's own Gemini CLI keeps its things.
type user struct {
	folder   string // ~/.gemini; "" when they have no home
	settings map[string]any
	env      environment
	dotenv   environment // what of env came from ~/.gemini/.env
}

// readUser reads the user's settings and sign-in variables. What is missing or
// unreadable is not there: the CLI then says what it lacks.
func readUser(environ []string) user {
	env := readEnvironment(environ)
	u := user{folder: geminiFolder(env), env: env, dotenv: environment{}}
	if u.folder == "" {
		return u
	}
	u.settings = readSettings(filepath.Join(u.folder, "settings.json"))
	for name, value := range readDotenv(filepath.Join(u.folder, ".env")) {
		if _, set := env[name]; !set && slices.Contains(signInVariables, name) {
			env[name], u.dotenv[name] = value, value
		}
	}
	return u
}

// geminiFolder returns the user's ~/.gemini; "" when they have no home. A relative
// one would be a folder of the project, which nothing is read from.
func geminiFolder(env environment) string {
	for _, name := range []string{"GEMINI_CLI_HOME", "HOME", "USERPROFILE"} {
		if filepath.IsAbs(env[name]) {
			return filepath.Join(env[name], ".gemini")
		}
	}
	return ""
}

// readSettings reads a settings file, which may hold comments.
func readSettings(path string) map[string]any {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	standard, err := hujson.Standardize(data)
	if err != nil {
		return nil
	}
	var settings map[string]any
	if json.Unmarshal(standard, &settings) != nil {
		return nil
	}
	return settings
}

// own returns the user's settings that a run keeps, with the kind of sign-in
// named even where the user left it to the environment: without it the CLI takes
// a base URL for a gateway, and refuses.
func (u user) own() map[string]any {
	kept := map[string]any{}
	for _, key := range ownSettings {
		if value, ok := get(u.settings, key); ok {
			set(kept, key, value)
		}
	}
	if kind := u.kind(); kind != "" {
		set(kept, "security.auth.selectedType", string(kind))
	}
	return kept
}
