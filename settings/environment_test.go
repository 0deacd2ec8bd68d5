package settings

import (
	"slices"
	"strings"
	"testing"
)

func TestEnvironmentIsAnAllowlist(t *testing.T) {
	dropped := []string{
		"NODE_OPTIONS=--require=x", "NODE_PATH=x", "NODE_TLS_REJECT_UNAUTHORIZED=0", "LD_PRELOAD=x", "DEBUG=1",
		"OTEL_EXPORTER_OTLP_ENDPOINT=x", "GEMINI_TELEMETRY_OUTFILE=x", "GEMINI_CLI_CUSTOM_HEADERS=x", "CODE_ASSIST_ENDPOINT=x",
		"GEMINI_SANDBOX=docker", "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND=x", "TERM_PROGRAM=vscode", "VSCODE_PID=1",
		"GEMINI_WRITE_SYSTEM_MD=x", "GEMINI_CLI_TRUSTED_FOLDERS_PATH=x", "GITHUB_TOKEN=x", "CI=true", "AWS_SECRET_ACCESS_KEY=x",
		"GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1", "GEMINI_FORCE_ENCRYPTED_FILE_STORAGE=true", "LC=x", "PATHS=x",
	}
	kept := []string{"PATH=/bin", "LANG=C", "LC_ALL=C", "TZ=UTC", "GEMINI_API_KEY=k", "HTTPS_PROXY=http://p", "no_proxy=x", "GEMINI_MODEL=m"}
	got := newHome(t, person(t, nil, slices.Concat(dropped, kept)...)).Environ()
	for _, variable := range dropped {
		if slices.Contains(got, variable) {
			t.Errorf("%s reaches the child", variable)
		}
	}
	for _, variable := range kept {
		if !slices.Contains(got, variable) {
			t.Errorf("%s does not reach the child", variable)
		}
	}
}

// TestPinnedVariablesWin: whatever the user's shell says.
func TestPinnedVariablesWin(t *testing.T) {
	home := newHome(t, person(t, nil,
		"GEMINI_CLI_HOME=/elsewhere", "TMPDIR=/shared", "GEMINI_CLI_NO_RELAUNCH=", "GEMINI_CLI_TRUST_WORKSPACE=0",
		"GEMINI_TELEMETRY_ENABLED=true", "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/theirs", "GEMINI_SYSTEM_MD=/theirs", "TERM=dumb",
	))
	for name, want := range map[string]string{
		"GEMINI_CLI_HOME": "..", "TMPDIR": home.file("tmp"), "GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true",
		"GEMINI_TELEMETRY_ENABLED": "false", "GEMINI_CLI_SYSTEM_SETTINGS_PATH": home.file("system-settings.json"),
		"GEMINI_SYSTEM_MD": home.file("system.md"), "TERM": "xterm-256color",
	} {
		var values []string
		for _, variable := range home.Environ() {
			if value, ok := strings.CutPrefix(variable, name+"="); ok {
				values = append(values, value)
			}
		}
		if !slices.Equal(values, []string{want}) {
			t.Errorf("%s is %q, want %q", name, values, want)
		}
	}
}

// TestBaseURLIsAlwaysSet: a variable that is not set is read from a .env file in
// any folder above, and the user's key goes to the host it names.
func TestBaseURLIsAlwaysSet(t *testing.T) {
	got := newHome(t, person(t, nil, "GOOGLE_VERTEX_BASE_URL=https://own")).Environ()
	for _, want := range []string{"GOOGLE_GEMINI_BASE_URL=", "GOOGLE_VERTEX_BASE_URL=https://own"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
}
