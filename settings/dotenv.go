package settings

import (
	"os"
	"regexp"
	"strings"
)

// dotenvLine is one assignment: an optional export, a name, and a value that is
// quoted, or bare up to a comment.
var dotenvLine = regexp.MustCompile("(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*(\"(?:\\\\.|[^\"\\\\])*\"|'[^']*'|`[^`]*`|[^#\r\n]*)")

// readDotenv reads a .env file in the form that the CLI reads.
func readDotenv(path string) environment {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	env := environment{}
	for _, match := range dotenvLine.FindAllStringSubmatch(string(data), -1) {
		env[match[1]] = unquote(strings.TrimSpace(match[2]))
	}
	return env
}

// unquote drops the quotes around a value; only in double ones is \n a line end.
func unquote(value string) string {
	if len(value) < 2 || value[0] != value[len(value)-1] || !strings.ContainsRune("\"'`", rune(value[0])) {
		return value
	}
	inside := value[1 : len(value)-1]
	if value[0] == '"' {
		inside = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(inside)
	}
	return inside
}
