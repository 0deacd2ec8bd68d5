package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/shlex"

	"gemini-search/answer"
)

// command is how the user's Gemini CLI is started.
type command struct {
	args []string // args[0] is an absolute path
	// version is the CLI's, read from its package; "" when it cannot be told
	// without a start, as with npx.
	version string
}

// findCommand reads GEMINI_BINARY: a path to a file or the name of a program,
// taken whole, or else a command line as "npx -y @google/gemini-cli".
//
// A command line is split as a POSIX shell splits words, without expansion. A
// word that begins with # starts a comment, and a backslash in an unquoted
// Windows path is an escape: quote such words with ”.
func findCommand(binary string) (command, error) {
	if path, err := lookPath(binary); err == nil {
		return command{args: []string{path}, version: packageVersion(path)}, nil
	}
	words, err := shlex.Split(binary)
	if err != nil {
		return command{}, badBinary(fmt.Sprintf("GEMINI_BINARY %q is not a command line: an open quote or a backslash at its end", binary))
	}
	if len(words) == 0 || words[0] == "" || strings.ContainsRune(binary, 0) {
		return command{}, badBinary(fmt.Sprintf("GEMINI_BINARY %q names no program", binary))
	}
	path, err := lookPath(words[0])
	if errors.Is(err, fs.ErrPermission) {
		return command{}, badBinary(fmt.Sprintf("%q is there, but is not a program that you may run", words[0]))
	}
	if err != nil {
		return command{}, &answer.Failure{
			Kind:    answer.GeminiNotFound,
			Message: fmt.Sprintf("there is no Gemini CLI: %q was not found", words[0]),
			Hint:    `install it with: npm install -g @google/gemini-cli, or set GEMINI_BINARY="npx -y @google/gemini-cli"`,
			Err:     err,
		}
	}
	words[0] = path
	return command{args: words, version: versionOf(words)}, nil
}

// versionOf returns the version of the first word that is a program or a script
// of the CLI, as in "node …/gemini.js".
func versionOf(words []string) string {
	for _, word := range words {
		if version := packageVersion(word); version != "" {
			return version
		}
	}
	return ""
}

func badBinary(message string) error {
	return &answer.Failure{
		Kind:    answer.InvalidToolArguments,
		Message: message,
		Hint:    `set GEMINI_BINARY to a path, or to a command line such as "npx -y @google/gemini-cli"`,
	}
}

// lookPath finds a program and makes its path absolute, because the child runs
// in another folder. A program of the working folder is found only by a path,
// never by its bare name.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// packageName is the npm package of the Gemini CLI.
const packageName = "@google/gemini-cli"

// packageVersion returns the version in the package.json above a program of the
// CLI; "" when the program is not in its package. It costs no start of the CLI,
// which takes a second for its --version.
func packageVersion(path string) string {
	script, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for folder := filepath.Dir(script); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		data, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err != nil {
			continue
		}
		var manifest struct{ Name, Version string }
		if json.Unmarshal(data, &manifest) == nil && manifest.Name == packageName {
			return manifest.Version
		}
	}
	return ""
}

// oldest is the first version that leaves the model the search tool alone: the
// ones before it add tools to tools.core (measured on 0.25 to 0.35).
var oldest = [3]int{0, 41, 2}

// checkVersion refuses a CLI that cannot be kept private. A version that cannot
// be told passes here: what it did is checked after the run.
func checkVersion(version string) error {
	v, ok := parseVersion(version)
	if !ok {
		return nil
	}
	for i := range v {
		if v[i] > oldest[i] {
			return nil
		}
		if v[i] < oldest[i] {
			return tooOld(version)
		}
	}
	return nil
}

func parseVersion(version string) (v [3]int, ok bool) {
	_, err := fmt.Sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2])
	return v, err == nil
}

func isVersion(version string) bool {
	_, ok := parseVersion(version)
	return ok
}

func tooOld(version string) error {
	return &answer.Failure{
		Kind:    answer.GeminiTooOld,
		Message: fmt.Sprintf("gemini %s is too old: it offers the model more than the search tool", version),
		Hint:    fmt.Sprintf("update it to %s or newer with: npm install -g %s@latest", versionText(oldest), packageName),
	}
}

func versionText(v [3]int) string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }
