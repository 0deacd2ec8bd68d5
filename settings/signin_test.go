package settings

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestKindOfSignIn(t *testing.T) {
	tests := []struct {
		name     string
		settings string
		dotenv   string
		environ  []string
		want     any
	}{
		{name: "none: the CLI says what it lacks"},
		{name: "a key in the environment", environ: []string{"GEMINI_API_KEY=k"}, want: "gemini-api-key"},
		{name: "a key in ~/.gemini/.env", dotenv: "GEMINI_API_KEY=k", want: "gemini-api-key"},
		{name: "an empty variable is none", environ: []string{"GEMINI_API_KEY="}},
		{name: "Vertex beats a key, as in the CLI", environ: []string{"GEMINI_API_KEY=k", "GOOGLE_GENAI_USE_VERTEXAI=true"}, want: "vertex-ai"},
		{name: "Code Assist beats both", environ: []string{"GEMINI_API_KEY=k", "GOOGLE_GENAI_USE_VERTEXAI=true", "GOOGLE_GENAI_USE_GCA=true"}, want: "oauth-personal"},
		{name: "the CLI takes the word true alone", environ: []string{"GOOGLE_GENAI_USE_VERTEXAI=1"}},
		{name: "compute credentials", environ: []string{"GEMINI_CLI_USE_COMPUTE_ADC=true"}, want: "compute-default-credentials"},
		{name: "what the user chose beats the environment", settings: `{"security":{"auth":{"selectedType":"oauth-personal"}}}`, environ: []string{"GEMINI_API_KEY=k"}, want: "oauth-personal"},
		{name: "settings that do not parse are none", settings: `{"security":`, environ: []string{"GEMINI_API_KEY=k"}, want: "gemini-api-key"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			if test.settings != "" {
				files["settings.json"] = test.settings
			}
			if test.dotenv != "" {
				files[".env"] = test.dotenv
			}
			settings := written(t, newHome(t, person(t, files, test.environ...)), ".gemini/settings.json")
			if got, _ := get(settings, "security.auth.selectedType"); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// TestDotenvOfTheUser: the sign-in in ~/.gemini/.env reaches the child, nothing
// else in it does, and the environment wins.
func TestDotenvOfTheUser(t *testing.T) {
	environ := person(t, map[string]string{".env": "GEMINI_API_KEY=from-file\nGOOGLE_CLOUD_PROJECT=p\nNODE_OPTIONS=--require=x\nGEMINI_TELEMETRY_ENABLED=true\n"}, "GEMINI_API_KEY=from-shell")
	got := newHome(t, environ).Environ()
	for _, want := range []string{"GEMINI_API_KEY=from-shell", "GOOGLE_CLOUD_PROJECT=p", "GEMINI_TELEMETRY_ENABLED=false"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if slices.Contains(got, "NODE_OPTIONS=--require=x") {
		t.Error("NODE_OPTIONS of the file reaches the child")
	}
}

func TestReadDotenv(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".env")
	content := "# comment\nA=plain\nexport B = spaced  # comment\nC=\"double # \\n line\"\nD='single $X'\nE=`back`\nF=\nG=a=b\n=nothing\nH=\"open\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	got := readDotenv(path)
	want := environment{"A": "plain", "B": "spaced", "C": "double # \n line", "D": "single $X", "E": "back", "F": "", "G": "a=b", "H": "\"open"}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAdministratorIsMerged(t *testing.T) {
	merged := merge(
		map[string]any{"security": map[string]any{"auth": map[string]any{"enforcedType": "vertex-ai"}}, "tools": map[string]any{"core": "all"}},
		tree(pins()),
	)
	if got, _ := get(merged, "security.auth.enforcedType"); got != "vertex-ai" {
		t.Errorf("the administrator's choice is gone: %v", got)
	}
	if got, _ := get(merged, "tools.core"); slices.Equal(got.([]string), []string{"google_web_search"}) == false {
		t.Errorf("tools.core is %v", got)
	}
}
