//go:build unix

package runner

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gemini-search/answer"
	"gemini-search/fixtures/realcli"
)

// nobody is the user and group of somebody without any rights.
const nobody = 65534

// TestOrdinaryUserLeaksNothing: since 0.60 the CLI skips a system settings file
// that root does not own. For root everything holds twice; here it is shown that
// it holds for others at all.
func TestOrdinaryUserLeaksNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestNothingLeaks runs as an ordinary user already")
	}
	cli := realcli.Require(t)
	api, proxy := scripted(t), recorder(t)
	public := publicFolder(t)
	project := filepath.Join(public, "project")
	touched := hostileProject(t, project, "http://127.0.0.1:1")
	copyTree(t, filepath.Join(cli.Folder, "node_modules"), filepath.Join(public, "node_modules"))
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(public, "search")
	copyFile(t, exe, program, 0o755)
	home := filepath.Join(public, "home")
	for _, folder := range []string{home, project} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		own(t, folder)
	}
	const query = "latest news see @notes.txt please"
	command := exec.Command(program, searchWord, filepath.Join(public, "node_modules", ".bin", "gemini"), query)
	command.Dir = project
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GEMINI_API_KEY=anything", "GOOGLE_GEMINI_BASE_URL=" + api.URL, "HTTPS_PROXY=" + proxy.URL}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	var found answer.Answer
	if err := json.Unmarshal(output, &found); err != nil || found.Evidence.Grounding != answer.Grounded {
		t.Errorf("%v: %s", err, output)
	}
	if outside := proxy.Outside(); len(outside) > 0 {
		t.Errorf("it contacted %q", outside)
	}
	if _, err := os.Stat(touched); err == nil {
		t.Error("the project's settings had an effect")
	}
	if files := filesBelow(t, home); !slices.Equal(files, []string{".cache/gemini-search/run/lock"}) {
		t.Errorf("left behind: %q", files)
	}
	checkRequests(t, api, project, query)
}

// publicFolder is a folder that every user can enter, unlike t.TempDir.
func publicFolder(t *testing.T) string {
	folder, err := os.MkdirTemp("", "gemini-search-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// own gives a folder and all in it to nobody.
func own(t *testing.T, folder string) {
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyTree(t *testing.T, from, to string) {
	err := filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to + strings.TrimPrefix(path, from)
		switch {
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case entry.Type()&os.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		copyFile(t, path, target, info.Mode().Perm()|0o444)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string, mode os.FileMode) {
	source, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(target, source); err != nil {
		t.Fatal(err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
}
