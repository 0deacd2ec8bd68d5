package settings

import (
	"os"
	"path/filepath"
)

// Kind is a kind of sign-in, under the name that the CLI's settings give it.
type Kind string

// The kinds of sign-in that the CLI has.
const (
	APIKey     Kind = "gemini-api-key"
	Vertex     Kind = "vertex-ai"
	CodeAssist Kind = "oauth-personal"
	Compute    Kind = "compute-default-credentials"
	Gateway    Kind = "gateway"
)

// SignIn says how the user is signed in, and never the secret itself.
type SignIn struct {
	// Kind is "" when neither settings nor variables name one.
	Kind Kind
	// Source says where it comes from.
	Source string
	// Missing says what to set or do where something is not there that the kind
	// needs; "" when nothing is missing as far as can be told without a run.
	Missing string
}

// kind returns the kind of sign-in that the user chose, or that the variables
// mean, in the CLI's own order.
func (u user) kind() Kind {
	if chosen, ok := get(u.settings, "security.auth.selectedType"); ok {
		if name, ok := chosen.(string); ok && name != "" {
			return Kind(name)
		}
	}
	switch {
	case u.env["GOOGLE_GENAI_USE_GCA"] == "true":
		return CodeAssist
	case u.env["GOOGLE_GENAI_USE_VERTEXAI"] == "true":
		return Vertex
	case u.env["GEMINI_API_KEY"] != "":
		return APIKey
	case u.env["CLOUD_SHELL"] == "true", u.env["GEMINI_CLI_USE_COMPUTE_ADC"] == "true":
		return Compute
	}
	return ""
}

// signIn finds what the kind of sign-in needs.
func (u user) signIn() SignIn {
	s := SignIn{Kind: u.kind()}
	switch s.Kind {
	case APIKey:
		s.Source, s.Missing = u.apiKey()
	case Vertex:
		s.Source, s.Missing = u.vertex()
	case CodeAssist:
		s.Source, s.Missing = u.codeAssist()
	case Compute:
		s.Source = "the metadata service of this machine"
	case Gateway:
		s.Missing = "gemini refuses a gateway without a terminal: set GEMINI_API_KEY and choose gemini-api-key"
	case "":
		s.Missing = "set GEMINI_API_KEY, or run gemini once and sign in"
	default:
		s.Source = "the settings of gemini"
	}
	return s
}

func (u user) apiKey() (source, missing string) {
	switch {
	case u.env["GEMINI_API_KEY"] != "":
		return u.variable("GEMINI_API_KEY"), ""
	case u.has("gemini-credentials.json"):
		return "the key that gemini saved in " + filepath.Join(u.folder, "gemini-credentials.json"), ""
	}
	// It may still be in the keychain of the system, which only gemini asks.
	return "the keychain of the system, if gemini saved a key there", ""
}

func (u user) vertex() (source, missing string) {
	if u.env["GOOGLE_API_KEY"] != "" {
		return u.variable("GOOGLE_API_KEY"), ""
	}
	if u.env["GOOGLE_CLOUD_PROJECT"] == "" && u.env["GOOGLE_CLOUD_PROJECT_ID"] == "" || u.env["GOOGLE_CLOUD_LOCATION"] == "" {
		missing = "set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY"
	}
	if file := u.env["GOOGLE_APPLICATION_CREDENTIALS"]; file != "" {
		return u.variable("GOOGLE_APPLICATION_CREDENTIALS"), missing
	}
	file := filepath.Join(u.env["HOME"], ".config", "gcloud", "application_default_credentials.json")
	if _, err := os.Stat(file); err != nil && missing == "" {
		missing = "run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS"
	}
	return "application default credentials", missing
}

func (u user) codeAssist() (source, missing string) {
	switch {
	case u.env["GOOGLE_GENAI_USE_GCA"] == "true" && u.env["GOOGLE_CLOUD_ACCESS_TOKEN"] != "":
		return u.variable("GOOGLE_CLOUD_ACCESS_TOKEN"), ""
	case u.has("oauth_creds.json"):
		return filepath.Join(u.folder, "oauth_creds.json"), ""
	}
	return "", "run gemini once in a terminal and sign in"
}

// variable says where a variable comes from.
func (u user) variable(name string) string {
	if _, fromFile := u.dotenv[name]; fromFile {
		return name + " in " + filepath.Join(u.folder, ".env")
	}
	return name + " in the environment"
}

func (u user) has(name string) bool {
	if u.folder == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(u.folder, name))
	return err == nil
}
