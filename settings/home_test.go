package settings

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// person makes the home folder of a user with files below ~/.gemini, and returns
// their environment.
func person(t *testing.T, files map[string]string, environ ...string) []string {
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, ".gemini", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return append([]string{"HOME=" + folder, "XDG_RUNTIME_DIR=" + folder}, environ...)
}

func newHome(t *testing.T, environ []string) *Home {
	home, err := New(Options{Environ: environ, Prompt: "the prompt"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { home.Close() })
	return home
}

// written reads a settings file of the home.
func written(t *testing.T, home *Home, name string) map[string]any {
	data, err := os.ReadFile(home.file(name))
	if err != nil {
		t.Fatal(err)
	}
	var settings map[string]any
	if err := json.Unmarshal(data, &settings); err != nil {
		t.Fatal(err)
	}
	return settings
}

func TestHomeIsTheUsersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permission bits mean nothing on Windows")
	}
	home := newHome(t, person(t, nil))
	var found []string
	err := filepath.WalkDir(home.path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
		}
		relative, err := filepath.Rel(home.path, path)
		found = append(found, filepath.ToSlash(relative))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".", ".gemini", ".gemini/settings.json", "lock", "prompt", "records", "system-settings.json", "system.md", "tmp", "workspace", "workspace/.gemini", "workspace/.gemini/.env"}
	if !slices.Equal(found, want) {
		t.Errorf("the home holds %q, want %q", found, want)
	}
}

func TestCloseRemovesEverything(t *testing.T) {
	environ := person(t, map[string]string{"oauth_creds.json": "{}"})
	home := newHome(t, environ)
	if err := os.WriteFile(home.file(".gemini/tmp.json"), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := home.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(home.path); !os.IsNotExist(err) {
		t.Errorf("the home is still there: %v", err)
	}
	user := readUser(environ)
	if _, err := os.Stat(filepath.Join(user.folder, "oauth_creds.json")); err != nil {
		t.Errorf("the user's own file behind the link went with it: %v", err)
	}
}

// TestPinsAreInBothFiles: the CLI reads one of the two, depending on its version
// and on who owns the folders above.
func TestPinsAreInBothFiles(t *testing.T) {
	home := newHome(t, person(t, map[string]string{"settings.json": `{
		// a comment, as the CLI allows
		"privacy": {"usageStatisticsEnabled": true},
		"telemetry": {"enabled": true, "outfile": "/tmp/x"},
		"tools": {"core": ["run_shell_command"]},
		"mcpServers": {"evil": {"command": "touch"}},
		"hooks": {"SessionStart": []},
		"model": {"name": "gemini-2.5-flash"},
		"security": {"auth": {"selectedType": "vertex-ai"}},
	}`}))
	for _, name := range []string{".gemini/settings.json", "system-settings.json"} {
		settings := written(t, home, name)
		for _, p := range pins() {
			got, ok := get(settings, p.key)
			if !ok || string(encode(map[string]any{"v": got})) != string(encode(map[string]any{"v": p.value})) {
				t.Errorf("%s has %s = %v, want %v", name, p.key, got, p.value)
			}
		}
	}
	settings := written(t, home, ".gemini/settings.json")
	for key, want := range map[string]any{
		"model.name":                 "gemini-2.5-flash", // the user's own default
		"security.auth.selectedType": "vertex-ai",        // the user's own sign-in
	} {
		if got, _ := get(settings, key); got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	for _, key := range []string{"hooks", "telemetry.outfile"} {
		if got, ok := get(settings, key); ok {
			t.Errorf("%s of the user is there: %v", key, got)
		}
	}
}

func TestEveryPinHasAReason(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range pins() {
		if p.reason == "" || seen[p.key] {
			t.Errorf("%s has no reason, or stands twice", p.key)
		}
		seen[p.key] = true
	}
}

// TestOnlyTheSignInIsLinked: of ~/.gemini, nothing but credentials is readable
// through the home.
func TestOnlyTheSignInIsLinked(t *testing.T) {
	home := newHome(t, person(t, map[string]string{
		"oauth_creds.json": "{}", "google_accounts.json": "{}", "gemini-credentials.json": "{}",
		"GEMINI.md": "secret", "history/x": "secret", "mcp-oauth-tokens.json": "secret", "trustedFolders.json": "{}",
	}))
	entries, err := os.ReadDir(home.file(".gemini"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{"gemini-credentials.json", "google_accounts.json", "oauth_creds.json", "settings.json"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	// a refreshed token is written in place, and has to reach the user's file
	if err := os.WriteFile(home.file(".gemini/oauth_creds.json"), []byte("fresh"), 0o600); err != nil {
		t.Fatal(err)
	}
	target, err := os.Readlink(home.file(".gemini/oauth_creds.json"))
	if err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(target); string(content) != "fresh" {
		t.Errorf("the user's file holds %q, %v", content, err)
	}
}

func TestHomeWithoutAPerson(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("settings.json", []byte(`{"model":{"name":"of-the-project"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	home := newHome(t, []string{"XDG_RUNTIME_DIR=" + folder, "HOME=relative"})
	if got, ok := get(written(t, home, ".gemini/settings.json"), "model.name"); ok {
		t.Errorf("a file of the working folder was read: %v", got)
	}
}

func TestHomesAreSeparate(t *testing.T) {
	environ := person(t, nil)
	a, b := newHome(t, environ), newHome(t, environ)
	if a.path == b.path {
		t.Errorf("both are %s", a.path)
	}
}

func TestTranscripts(t *testing.T) {
	home := newHome(t, person(t, nil))
	if home.Taken() {
		t.Error("a home that nobody used counts as taken")
	}
	for name, content := range map[string]string{
		".gemini/tmp/slug/chats/session-1.jsonl": "new",
		".gemini/tmp/hash/chats/session-2.json":  "old",
		".gemini/tmp/slug/logs/session-3.jsonl":  "no",
		".gemini/tmp/slug/chats/other.json":      "no",
	} {
		if err := os.MkdirAll(filepath.Dir(home.file(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(home.file(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if home.Bypassed() {
		t.Error("a home that was used counts as bypassed")
	}
	transcripts, err := home.Transcripts()
	if err != nil || len(transcripts) != 2 || string(transcripts[0]) != "old" || string(transcripts[1]) != "new" {
		t.Errorf("%q, %v", transcripts, err)
	}
	if !home.Taken() {
		t.Error("a home with transcripts does not count as taken")
	}
}

// TestBypassed: a CLI that ignores the private home writes into the user's own,
// which is what the run has to notice.
func TestBypassed(t *testing.T) {
	environ := person(t, map[string]string{"tmp/old/chats/session-1.json": "{}"})
	user := readUser(environ)
	home := newHome(t, environ)
	if home.Bypassed() {
		t.Error("what was there before counts")
	}
	write := filepath.Join(user.folder, "tmp", "hash", "chats", "session-2.json")
	if err := os.MkdirAll(filepath.Dir(write), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(write, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Second)
	if err := os.Chtimes(write, later, later); err != nil {
		t.Fatal(err)
	}
	if !home.Bypassed() {
		t.Error("a new transcript in the user's own folder is not noticed")
	}
}
