package settings

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestWhatEachKindNeeds: the variables and files of each kind of sign-in reach
// the child, and what is missing is named.
func TestWhatEachKindNeeds(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string]string
		environ []string
		kind    Kind
		missing string
	}{
		{name: "a key", environ: []string{"GEMINI_API_KEY=k"}, kind: APIKey},
		{name: "Vertex AI with a key", environ: []string{"GOOGLE_GENAI_USE_VERTEXAI=true", "GOOGLE_API_KEY=k"}, kind: Vertex},
		{name: "Vertex AI with a file of credentials", environ: []string{"GOOGLE_GENAI_USE_VERTEXAI=true", "GOOGLE_CLOUD_PROJECT=p", "GOOGLE_CLOUD_LOCATION=l", "GOOGLE_APPLICATION_CREDENTIALS=/f"}, kind: Vertex},
		{name: "Vertex AI with the credentials of gcloud, below the real HOME", files: map[string]string{"../.config/gcloud/application_default_credentials.json": "{}"}, environ: []string{"GOOGLE_GENAI_USE_VERTEXAI=true", "GOOGLE_CLOUD_PROJECT=p", "GOOGLE_CLOUD_LOCATION=l"}, kind: Vertex},
		{name: "Vertex AI without any", environ: []string{"GOOGLE_GENAI_USE_VERTEXAI=true", "GOOGLE_CLOUD_PROJECT=p", "GOOGLE_CLOUD_LOCATION=l"}, kind: Vertex, missing: "run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS"},
		{name: "Code Assist with a token of the environment", environ: []string{"GOOGLE_GENAI_USE_GCA=true", "GOOGLE_CLOUD_ACCESS_TOKEN=t"}, kind: CodeAssist},
		{name: "Code Assist with a saved sign-in", files: map[string]string{"oauth_creds.json": "{}"}, environ: []string{"GOOGLE_GENAI_USE_GCA=true"}, kind: CodeAssist},
		{name: "compute credentials", environ: []string{"GEMINI_CLI_USE_COMPUTE_ADC=true"}, kind: Compute},
		{name: "Cloud Shell", environ: []string{"CLOUD_SHELL=true"}, kind: Compute},
		{name: "a base URL of the user's own", environ: []string{"GEMINI_API_KEY=k", "GOOGLE_GEMINI_BASE_URL=https://gateway"}, kind: APIKey},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			environ := person(t, test.files, test.environ...)
			home := newHome(t, environ)
			if got := home.SignIn(); got.Kind != test.kind || got.Missing != test.missing {
				t.Errorf("%+v, want %s, missing %q", got, test.kind, test.missing)
			}
			if got, _ := get(written(t, home, userSettings), "security.auth.selectedType"); got != string(test.kind) {
				t.Errorf("the settings say %v", got)
			}
			for _, variable := range append(test.environ, environ[0]) { // environ[0] is the real HOME
				if !slices.Contains(home.Environ(), variable) {
					t.Errorf("%s does not reach the child", variable)
				}
			}
			if _, ok := test.files["oauth_creds.json"]; ok {
				if _, err := filepath.EvalSymlinks(home.file(".gemini/oauth_creds.json")); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
