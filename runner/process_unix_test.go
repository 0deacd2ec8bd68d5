//go:build unix

package runner

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSearchTakesChildrenWithIt: what the CLI leaves in its group dies with it.
func TestSearchTakesChildrenWithIt(t *testing.T) {
	note := filepath.Join(t.TempDir(), "pid")
	started := time.Now()
	if _, err := Search(t.Context(), "q", options(t, fake(t, "child="+note))); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("it took %s: the child's child was waited for", took)
	}
	text, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // the signal is on its way
		if !alive(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

// alive reports whether a process runs; a zombie that nobody reaps does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
