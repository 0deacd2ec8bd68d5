package hosts

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gemini-search/fixtures"
	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

// buildFolder holds what [program] has built; TestMain removes it.
var buildFolder string

// program builds gemini-search once for all tests of the process.
var program = sync.OnceValues(func() (path string, err error) {
	if buildFolder, err = os.MkdirTemp("", "gemini-search-test-"); err != nil {
		return "", err
	}
	path = filepath.Join(buildFolder, "gemini-search")
	if output, err := exec.Command("go", "build", "-o", path, "gemini-search/cmd/gemini-search").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, output)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if buildFolder != "" {
		_ = os.RemoveAll(buildFolder) // a temporary folder
	}
	os.Exit(status)
}

// session is one real host with its own home, a model that asks for the search,
// and the real Gemini CLI behind it.
type session struct {
	folder, project string
	environ         []string
	model           *model
	place           Place
}

func newSession(t *testing.T, m *model) *session {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector sees nothing of a host")
	}
	built, err := program()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	s := &session{folder: folder, project: filepath.Join(folder, "project"), model: m}
	for _, name := range []string{"project", "config", "run"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.environ = []string{
		"PATH=" + filepath.Dir(built) + ":" + os.Getenv("PATH"), "HOME=" + folder, "USER=tester", "LANG=C.UTF-8",
		"XDG_CONFIG_HOME=" + filepath.Join(folder, "config"), "XDG_DATA_HOME=" + filepath.Join(folder, "data"),
		"XDG_STATE_HOME=" + filepath.Join(folder, "state"), "XDG_CACHE_HOME=" + filepath.Join(folder, "cache"),
		"XDG_RUNTIME_DIR=" + filepath.Join(folder, "run"), "GEMINI_API_KEY=anything",
		// whatever a host wants of the world is refused on the spot
		"HTTP_PROXY=http://127.0.0.1:1", "HTTPS_PROXY=http://127.0.0.1:1", "NO_PROXY=127.0.0.1",
	}
	s.place = Place{Home: folder, Environ: s.environ, Program: "gemini-search"}
	return s
}

// answering lets the real Gemini CLI answer as a recording says.
func (s *session) answering(t *testing.T, outcome, name string) *fixtures.Recording {
	t.Helper()
	cli := realcli.Require(t)
	recording, err := fixtures.Find(outcome, name)
	if err != nil {
		t.Fatal(err)
	}
	api := fakeapi.Start(fakeapi.ScriptOf(recording))
	t.Cleanup(api.Close)
	s.environ = append(s.environ, "GEMINI_BINARY="+cli.Binary, "GOOGLE_GEMINI_BASE_URL="+api.URL, "GEMINI_SEARCH_REPAIRS=0")
	s.place.Environ = s.environ
	return recording
}

func (s *session) command(t *testing.T, path string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	t.Cleanup(cancel)
	command := exec.CommandContext(ctx, path, args...)
	command.Dir, command.Env, command.WaitDelay = s.project, s.environ, 5*time.Second
	return command
}
