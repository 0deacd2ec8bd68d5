package runner

import (
	"os"
	"testing"
	"time"

	"gemini-search/settings"
)

// TestKernelBoundsTheOutput: between two looks at a size a child can write more
// than the disk holds. Here nobody looks.
func TestKernelBoundsTheOutput(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home, err := settings.New(settings.Options{Environ: options(t, exe).Environ, Prompt: "prompt"})
	if err != nil {
		t.Fatal(err)
	}
	defer home.Close()
	limits := bounds{stdout: 1 << 20, stderr: 1 << 20}
	p, err := prepare([]string{exe, fakeWord, "flood-stdout"}, home, limits)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.exited:
	case <-time.After(slow):
		t.Error("the flood goes on")
	}
	p.group.kill()
	if err := p.end(); err != nil {
		t.Error(err)
	}
	info, err := p.stdout.file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if most := limits.largestFile() + 2*pidSpan; info.Size() <= limits.stdout || info.Size() > most {
		t.Errorf("%d bytes, want more than %d and at most %d", info.Size(), limits.stdout, most)
	}
	if _, err := p.stdout.read(); !isTooLarge(err, "stdout") {
		t.Errorf("read with error %v", err)
	}
}
