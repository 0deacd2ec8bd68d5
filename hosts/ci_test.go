//go:build linux

package hosts

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gemini-search/fixtures"
)

// TestCIJob: the script of the ready job tells bundles that hold from those that
// do not, and an empty folder from both.
func TestCIJob(t *testing.T) {
	built, err := program()
	if err != nil {
		t.Fatal(err)
	}
	recording, err := fixtures.Find("accepted", "english")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	judge := func() (string, int) {
		command := exec.Command("sh", filepath.Join("ci", "verify.sh"), built, folder)
		output, _ := command.CombinedOutput() // the status tells
		return string(output), command.ProcessState.ExitCode()
	}
	if output, status := judge(); status != 2 {
		t.Errorf("an empty folder: status %d, %s", status, output)
	}
	save := exec.Command(built, "--save-evidence", filepath.Join(folder, "run.json"), recording.Scenario.Query)
	save.Env = append(save.Environ(), "GEMINI_BINARY='"+built+"' playback accepted english")
	if output, err := save.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if output, status := judge(); status != 0 || !strings.Contains(output, "1 judged, 0 broken") {
		t.Errorf("a bundle that holds: status %d, %s", status, output)
	}
	put(t, filepath.Join(folder, "forged.json"), strings.Replace(get(t, filepath.Join(folder, "run.json")), "doc/go1.26)", "doc/go1.27)", 1))
	if output, status := judge(); status != 3 || !strings.Contains(output, "2 judged, 1 broken") {
		t.Errorf("a forged bundle: status %d, %s", status, output)
	}
}
