package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gemini-search/answer"
	"gemini-search/contract"
)

// TestReadme: the tables that people copy from are the ones in the code.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	for _, kind := range answer.Kinds() {
		want(t, readme, fmt.Sprintf("| `%s` | %d | %s |", kind.Kind, kind.ExitCode, kind.Meaning))
	}
	for _, b := range bounds() {
		want(t, readme, fmt.Sprintf("| `%s` | `--%s` | %s |", b.variable, b.flag, b.value))
	}
	for _, rule := range contract.Rules() {
		want(t, readme, fmt.Sprintf("| `%s` | %s |", rule.Code, rule.Asks))
	}
}

func want(t *testing.T, readme, line string) {
	if !strings.Contains(readme, line) {
		t.Errorf("README.md has no line %s", line)
	}
}
