package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/runner"
)

// proofFlags say how much proof a search has to bring, and where it goes.
func proofFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "provenance", Usage: "the `PROOF` asked for: grounded, or searched for the count of searches alone; the default is what this gemini can show"},
		&cli.StringFlag{Name: "repairs", EnvVars: []string{"GEMINI_SEARCH_REPAIRS"}, Value: "2", Usage: "how `OFTEN` an answer that breaks the contract goes back to the model"},
		&cli.StringFlag{Name: "retries", EnvVars: []string{"GEMINI_SEARCH_RETRIES"}, Value: "2", Usage: "how `OFTEN` a run that failed for a busy server or network is made again, within the timeout"},
		&cli.StringFlag{Name: "search-model", EnvVars: []string{"GEMINI_SEARCH_MODEL"}, Usage: "the `MODEL` of gemini's search tool, where a key may not use its own"},
		&cli.BoolFlag{Name: "strict", Usage: "refuse numbers, dates, versions and quotations that the search did not return"},
		&cli.StringFlag{Name: "save-evidence", Usage: "write the evidence of the verdict to `FILE`, for verify"},
	}
}

// readProof reads the flags of proofFlags.
func readProof(c *cli.Context, options *runner.Options) error {
	options.Strict = c.Bool("strict")
	options.Provenance = answer.Grounding(c.String("provenance"))
	if !slices.Contains([]answer.Grounding{"", answer.Grounded, answer.Searched}, options.Provenance) {
		return invalidArguments("unknown provenance "+jsonText(string(options.Provenance)), "use one of: grounded, searched")
	}
	var err error
	if options.Repairs, err = timesOf(c, "repairs", "GEMINI_SEARCH_REPAIRS"); err != nil {
		return err
	}
	if options.Retries, err = timesOf(c, "retries", "GEMINI_SEARCH_RETRIES"); err != nil {
		return err
	}
	options.SearchModel = c.String("search-model")
	if path := c.String("save-evidence"); path != "" {
		options.Save = func(bundle *contract.Bundle) error { return saveEvidence(path, bundle) }
	}
	options.Program = "gemini-search " + version()
	options.Hook, err = hookProgram()
	return err
}

// saveEvidence writes a bundle beside its place and moves it there, so that a
// full disk leaves an older file as it was. What is no regular file, as a pipe or
// a device, is written to.
func saveEvidence(path string, bundle *contract.Bundle) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, bundle)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".gemini-search-evidence-")
	if err != nil {
		return notSaved(path, err)
	}
	err = encodeBundle(file, bundle)
	if err := errors.Join(err, file.Close()); err != nil {
		return notSaved(path, errors.Join(err, os.Remove(file.Name())))
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return notSaved(path, errors.Join(err, os.Remove(file.Name())))
	}
	return nil
}

func writeThrough(path string, bundle *contract.Bundle) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return notSaved(path, err)
	}
	if err := errors.Join(encodeBundle(file, bundle), file.Close()); err != nil {
		return notSaved(path, err)
	}
	return nil
}

func encodeBundle(out io.Writer, bundle *contract.Bundle) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // the verdict is compared byte for byte
	encoder.SetIndent("", "  ")
	return encoder.Encode(bundle)
}

func notSaved(path string, err error) error {
	return &answer.Failure{
		Kind: answer.GeminiWebSearchFailed, Message: "the evidence could not be written to " + jsonText(path), Hint: "check that its folder exists and has room", Err: err,
	}
}
