package settings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gemini-search/answer"
)

// administered is the environment of a person whose administrator has a system
// settings file.
func administered(t *testing.T, settings string) []string {
	path := filepath.Join(t.TempDir(), "system.json")
	if err := os.WriteFile(path, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	return person(t, nil, "GEMINI_CLI_SYSTEM_SETTINGS_PATH="+path)
}

// TestAdministratorCounts: in both files, because a CLI since 0.60 reads no
// system settings that root does not own. Restrictions stay, capabilities go,
// and the pins win.
func TestAdministratorCounts(t *testing.T) {
	home := newHome(t, administered(t, `{
		// restrictions
		"security": {"auth": {"enforcedType": "vertex-ai"}, "disableYoloMode": true},
		"hooksConfig": {"enabled": false},
		// capabilities
		"mcpServers": {"corporate": {"command": "x"}}, "tools": {"discoveryCommand": "x", "core": ["google_web_search", "read_file"]},
		// what a pin says too
		"privacy": {"usageStatisticsEnabled": true},
	}`))
	for _, name := range []string{userSettings, systemSettings} {
		settings := written(t, home, name)
		for key, want := range map[string]any{
			"security.auth.enforcedType": "vertex-ai", "security.disableYoloMode": true, "hooksConfig.enabled": false,
			"mcpServers": nil, "tools.discoveryCommand": nil, "privacy.usageStatisticsEnabled": false,
		} {
			if got, _ := get(settings, key); got != want {
				t.Errorf("%s: %s is %v, want %v", name, key, got, want)
			}
		}
		if core, _ := get(settings, "tools.core"); len(core.([]any)) != 1 {
			t.Errorf("%s: tools.core is %v", name, core)
		}
	}
}

// TestAdministratorForbids: our own list of tools would hand out one that they
// do not want.
func TestAdministratorForbids(t *testing.T) {
	for settings, want := range map[string]bool{
		`{"tools":{"core":["read_file"]}}`:                           true,
		`{"tools":{"core":[]}}`:                                      true,
		`{"tools":{"exclude":["google_web_search"]}}`:                true,
		`{"tools":{"core":["google_web_search"]}}`:                   false,
		`{"tools":{"exclude":["run_shell_command"],"core":"words"}}`: true, // a list that cannot be read allows nothing
		`{}`:       false,
		`not JSON`: false,
	} {
		home, err := New(Options{Environ: administered(t, settings)})
		if err == nil {
			home.Close()
		}
		if failure, _ := errors.AsType[*answer.Failure](err); (failure != nil) != want {
			t.Errorf("%s: %v, want a failure: %v", settings, err, want)
		}
	}
}
