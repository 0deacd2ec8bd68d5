package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/hosts"
	"gemini-search/sanitize"
)

func verifyCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "verify",
		Usage:       "check a saved answer against the citation contract, offline",
		ArgsUsage:   "FILE|-",
		Description: "FILE is an envelope of gemini -o json, or evidence that --save-evidence wrote.",
		Flags: []cli.Flag{
			formatFlag("text", "json"),
			&cli.StringFlag{Name: "grounding", Usage: "a JSON array of {\"uri\",\"title\"} in `FILE`: what the search returned"},
			&cli.BoolFlag{Name: "markdown", Usage: "the input is a bare answer, not an envelope of gemini -o json"},
		},
		Action: func(c *cli.Context) error { return verify(c, std) },
	}
}

func verify(c *cli.Context, std streams) error {
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	if c.NArg() != 1 {
		return invalidArguments(fmt.Sprintf("verify takes one file, and got %d", c.NArg()), "gemini-search verify FILE, or - for standard input")
	}
	input, err := readFile(c.Args().First(), std.in)
	if err != nil {
		return err
	}
	verdict, err := judge(c, input, std.in)
	if err != nil {
		return err
	}
	if err := printVerdict(std.out, format, verdict); err != nil {
		return err
	}
	if verdict.Outcome == contract.Rejected {
		return errRejected
	}
	return nil
}

// judge reads what the input is: an evidence bundle, which says all, or an
// envelope or a bare answer, to which --grounding may add what the search
// returned.
func judge(c *cli.Context, input []byte, in io.Reader) (*contract.Verdict, error) {
	path := c.String("grounding")
	if !c.Bool("markdown") && contract.IsBundle(input) {
		if path != "" {
			return nil, invalidArguments("an evidence bundle holds its own grounding", "leave out --grounding")
		}
		return judgeBundle(input)
	}
	response, proof, err := readCase(input, c.Bool("markdown"))
	if err != nil {
		return nil, err
	}
	if path != "" {
		if proof.Grounding, err = readGrounding(path, in); err != nil {
			return nil, err
		}
	}
	return contract.Verify(response, proof), nil
}

func judgeBundle(input []byte) (*contract.Verdict, error) {
	bundle, err := contract.ReadBundle(input)
	if err != nil {
		return nil, invalidArguments(err.Error(), "use the gemini-search that wrote it, or a newer one")
	}
	verdict, err := bundle.Check()
	if err != nil {
		return nil, &answer.Failure{Kind: answer.CitationContractViolated, Message: err.Error(), Hint: "the file was changed after it was saved", Err: err}
	}
	return verdict, nil
}

// errRejected gives the exit status of a verdict that was printed already.
var errRejected = &printed{&answer.Failure{Kind: answer.CitationContractViolated, Message: "the answer is rejected"}}

// printed is a failure that standard output tells already.
type printed struct{ *answer.Failure }

func (p *printed) Unwrap() error { return p.Failure }

// readCase reads the answer to check, sanitized as the answer of a run would be.
func readCase(input []byte, markdown bool) (response string, proof contract.Proof, err error) {
	if markdown {
		return sanitize.String(string(input)), contract.Proof{Bare: true}, nil
	}
	envelope, err := contract.ReadEnvelope(input)
	if err != nil {
		return "", proof, invalidArguments("the input is no envelope: "+err.Error(), "save one with gemini -o json, or check a bare answer with --markdown")
	}
	return envelope.Response, contract.Proof{Searches: envelope.Searches}, nil
}

// readGrounding reads what a search returned. The set is known then, so that it
// is never nil, also when it is empty.
func readGrounding(path string, in io.Reader) ([]answer.Source, error) {
	data, err := readFile(path, in)
	if err != nil {
		return nil, err
	}
	grounding := []answer.Source{}
	if err := json.Unmarshal(data, &grounding); err != nil || bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil, invalidArguments(fmt.Sprintf("%q is no JSON array of {\"uri\",\"title\"}", path), `write it as [{"uri":"https://…","title":"…"}]`)
	}
	for i, source := range grounding {
		grounding[i] = answer.Source{URI: sanitize.String(source.URI), Title: sanitize.String(source.Title)}
	}
	return grounding, nil
}

func readFile(path string, in io.Reader) ([]byte, error) {
	if path == "-" {
		data, err := io.ReadAll(in)
		if err != nil {
			return nil, invalidArguments("standard input could not be read: "+err.Error(), "")
		}
		return data, nil
	}
	data, err := os.ReadFile(path)
	if pathError, ok := errors.AsType[*os.PathError](err); ok {
		return nil, invalidArguments(fmt.Sprintf("%q could not be read: %s", path, pathError.Err), "name a file, or - for standard input")
	}
	return data, err
}

func printVerdict(out io.Writer, format string, verdict *contract.Verdict) error {
	if format == "json" {
		var indented bytes.Buffer
		if err := json.Indent(&indented, verdict.JSON(), "", "  "); err != nil {
			return err
		}
		_, err := fmt.Fprintln(out, indented.String())
		return err
	}
	_, err := fmt.Fprintf(out, "%s: grounding %s, %d citations, %d sources, %d searches, %d violations\n",
		verdict.Outcome, verdict.Grounding, len(verdict.Citations), len(verdict.Sources), verdict.Searches, len(verdict.Violations))
	for _, violation := range verdict.Violations {
		if err == nil {
			_, err = fmt.Fprintln(out, hosts.ViolationText(violation))
		}
	}
	return err
}
