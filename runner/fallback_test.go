package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFallback(t *testing.T) {
	path := filepath.Join(t.TempDir(), "debug.log")
	f := fallback{path: path}
	if err := f.look(); err != nil {
		t.Errorf("without a log: %v", err)
	}
	note := "[LOG] " + string(fallbackNote) + "a to b\n"
	log, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	write := func(text string) {
		if _, err := log.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Repeat("[DEBUG] other\n", 10_000) + strings.Repeat(note, maxFallbacks-1) + note[:20])
	for range 10 { // more than one chunk
		if err := f.look(); err != nil {
			t.Fatalf("%d notes: %v", f.seen, err)
		}
	}
	write(note[20:])
	if err := f.look(); err != nil || f.seen != maxFallbacks {
		t.Errorf("%d notes: %v, want %d and nothing", f.seen, err, maxFallbacks)
	}
	write(note)
	if err := f.look(); err == nil {
		t.Error("one more is not noticed")
	}
}
