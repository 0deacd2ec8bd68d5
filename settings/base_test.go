package settings

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestSweep: what a killed process left goes at the next start; a home in use
// never does.
func TestSweep(t *testing.T) {
	environ := person(t, nil)
	alive := newHome(t, environ)
	base := alive.Folder()
	unlocked, young := filepath.Join(base, "run-unlocked"), filepath.Join(base, "run-without-lock")
	for _, path := range []string{unlocked, young, filepath.Join(base, "of-somebody-else")} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{lockFile, "prompt"} {
		if err := os.WriteFile(filepath.Join(unlocked, file), []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	newHome(t, environ)
	for path, want := range map[string]bool{alive.path: true, unlocked: false, young: false, filepath.Join(base, "of-somebody-else"): true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
}

// TestBaseFolderIsOurs: homes are not made where somebody else could put a link
// in their way.
func TestBaseFolderIsOurs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("owners and permission bits mean nothing on Windows")
	}
	folder := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(folder, "gemini-search")); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	passedOver := newHome(t, []string{"XDG_RUNTIME_DIR=" + folder, "HOME=" + folder, "XDG_CACHE_HOME=" + cache})
	if want := filepath.Join(cache, "gemini-search", "run"); passedOver.Folder() != want {
		t.Errorf("homes are made in %s, want %s: a link was followed", passedOver.Folder(), want)
	}
	wide := t.TempDir()
	if err := os.Mkdir(filepath.Join(wide, "gemini-search"), 0o777); err != nil {
		t.Fatal(err)
	}
	newHome(t, []string{"XDG_RUNTIME_DIR=" + wide, "HOME=" + wide})
	info, err := os.Stat(filepath.Join(wide, "gemini-search"))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
}

// TestFailedHomeLeavesNothing: on a full disk, the prompt does not stay behind.
func TestFailedHomeLeavesNothing(t *testing.T) {
	environ := person(t, map[string]string{"oauth_creds.json": "{}"})
	base := newHome(t, environ).Folder()
	// a link that is made twice makes the last step of furnishing fail
	credentialFiles = append(credentialFiles, "oauth_creds.json")
	t.Cleanup(func() { credentialFiles = credentialFiles[:len(credentialFiles)-1] })
	if home, err := New(Options{Environ: environ, Prompt: "secret"}); err == nil {
		home.Close()
		t.Fatal("a home that could not be furnished was made")
	}
	left, err := filepath.Glob(filepath.Join(base, homePrefix+"*"))
	if err != nil || len(left) != 1 {
		t.Errorf("%q are there, %v, want the one in use", left, err)
	}
}
