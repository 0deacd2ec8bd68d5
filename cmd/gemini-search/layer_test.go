package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLayers: a package imports only packages of the layers below its own, so
// that each can be read, tested and replaced without what stands on it.
func TestLayers(t *testing.T) {
	layers := [][]string{
		{"answer", "sanitize"},
		{"contract"},
		{"settings"},
		{"runner"},
		{"hosts"},
		{"cmd/gemini-search"},
	}
	below := []string{"fixtures"} // recordings are data, and only the demo reads them
	for i, layer := range layers {
		for _, name := range layer {
			for _, imported := range importsOf(t, name) {
				if !slices.Contains(below, imported) {
					t.Errorf("%s imports %s, which is not below it", name, imported)
				}
				if imported == "fixtures" && i < len(layers)-1 {
					t.Errorf("%s imports fixtures, which product code must not", name)
				}
			}
		}
		below = append(below, layer...)
	}
}

// importsOf returns the packages of this module that a package imports.
func importsOf(t *testing.T, name string) []string {
	output, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "gemini-search/"+name).Output()
	if err != nil {
		t.Fatal(err)
	}
	var imports []string
	for line := range strings.Lines(string(output)) {
		if imported, ours := strings.CutPrefix(strings.TrimSpace(line), "gemini-search/"); ours {
			imports = append(imports, imported)
		}
	}
	return imports
}
