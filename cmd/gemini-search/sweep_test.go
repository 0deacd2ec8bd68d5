//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestNextRunSweeps: a SIGKILL leaves the private home behind; the next search
// removes it, and not the one of a search that is still running.
func TestNextRunSweeps(t *testing.T) {
	folder := t.TempDir()
	gemini := filepath.Join(folder, "gemini")
	// it says its pid in the file named after the query, and waits
	script := "#!/bin/sh\nname=$(tail -n 1 | tr -d '\"')\necho $$ > '" + folder + "'/$name.new\nmv '" + folder + "'/$name.new '" + folder + "'/$name\ncase $name in fails) exit 1 ;; esac\nexec sleep 60\n"
	if err := os.WriteFile(gemini, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	environ := []string{"HOME=" + folder, "XDG_RUNTIME_DIR=" + folder, "GEMINI_BINARY=" + gemini}
	homes := func() int {
		found, _ := filepath.Glob(filepath.Join(folder, "gemini-search", "run-*"))
		return len(found)
	}

	alive, _, _ := start(t, "alive", environ...)
	waitFor(t, filepath.Join(folder, "alive"))
	killed, _, _ := start(t, "killed", environ...)
	waitFor(t, filepath.Join(folder, "killed"))
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	endOrphan(t, filepath.Join(folder, "killed"))
	if homes() != 2 {
		t.Errorf("%d homes after the SIGKILL, want 2", homes())
	}

	next, _, _ := start(t, "fails", environ...)
	_ = next.Wait()
	if homes() != 1 {
		t.Errorf("%d homes after the next run, want the one in use", homes())
	}
	if err := alive.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = alive.Wait()
	if homes() != 0 {
		t.Errorf("%d homes at the end", homes())
	}
}

// endOrphan ends the child of the killed command, if the kernel has not.
func endOrphan(t *testing.T, note string) {
	text, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}
