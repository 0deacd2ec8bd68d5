package runner

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gemini-search/answer"
	"gemini-search/fixtures/realcli"
)

func TestFindCommand(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	t.Chdir(folder)
	program := func(name string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gemini, npx, spaced := program("gemini"), program("npx"), program("my gemini")
	text := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(text, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, binary string
		want         []string
		kind         answer.Kind
	}{
		{name: "a name in PATH", binary: "gemini", want: []string{gemini}},
		{name: "a path with a blank is taken whole", binary: spaced, want: []string{spaced}},
		{name: "a relative path becomes absolute: the child runs elsewhere", binary: "./gemini", want: []string{gemini}},
		{name: "a command line", binary: "npx -y @google/gemini-cli", want: []string{npx, "-y", "@google/gemini-cli"}},
		{name: "quotes keep a word together", binary: `npx 'a b' "c d"`, want: []string{npx, "a b", "c d"}},
		{name: "nothing is expanded", binary: "npx $HOME `id` *", want: []string{npx, "$HOME", "`id`", "*"}},
		{name: "a # in a word is a character", binary: "npx a#b", want: []string{npx, "a#b"}},
		{name: "a # that begins one hides the rest, as README says", binary: "npx #b", want: []string{npx}},
		{name: "a comment alone is no program", binary: "#gemini", kind: answer.InvalidToolArguments},
		{name: "an open quote: the words before it do not count", binary: "gemini 'a", kind: answer.InvalidToolArguments},
		{name: "a backslash at the end", binary: `gemini \`, kind: answer.InvalidToolArguments},
		{name: "an empty word names no program", binary: "''", kind: answer.InvalidToolArguments},
		{name: "blanks", binary: "  ", kind: answer.InvalidToolArguments},
		{name: "a NUL reaches no exec", binary: "gemini a\x00b", kind: answer.InvalidToolArguments},
		{name: "a file that is no program", binary: text, kind: answer.InvalidToolArguments},
		{name: "a missing program", binary: "no-such-gemini", kind: answer.GeminiNotFound},
		{name: "a missing program of a command line", binary: "no-such-npx -y x", kind: answer.GeminiNotFound},
		{name: "a Windows path loses its backslashes and is not found, never another program", binary: `C:\tools\gemini.cmd`, kind: answer.GeminiNotFound},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := findCommand(test.binary)
			if failure, _ := errors.AsType[*answer.Failure](err); failure != nil {
				if failure.Kind != test.kind || failure.Hint == "" {
					t.Errorf("failure %+v, want %s with a hint", failure, test.kind)
				}
				return
			}
			if err != nil || test.kind != "" || !slices.Equal(got.args, test.want) {
				t.Errorf("%q, %v, want %q %s", got.args, err, test.want, test.kind)
			}
		})
	}
}

func TestPackageVersion(t *testing.T) {
	cli := realcli.Require(t)
	if got := packageVersion(cli.Binary); got != cli.Version {
		t.Errorf("version of the real CLI %q, want %q", got, cli.Version)
	}
	if got := packageVersion("/bin/sh"); got != "" {
		t.Errorf("version of another program %q", got)
	}
}

func TestCheckVersion(t *testing.T) {
	for version, old := range map[string]bool{
		"0.41.2": false, "0.61.0": false, "1.0.0": false, "0.61.0-nightly.20260909": false,
		"0.41.1": true, "0.35.3": true, "0.9.0": true,
		"": false, "unknown": false, // looked at after the run
	} {
		err := checkVersion(version)
		if failure, _ := errors.AsType[*answer.Failure](err); (failure != nil) != old || old && failure.Kind != answer.GeminiTooOld {
			t.Errorf("%q: %v, want too old: %v", version, err, old)
		}
	}
}
