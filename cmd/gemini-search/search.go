package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
	"gemini-search/contract"
	"gemini-search/hosts"
	"gemini-search/runner"
)

func searchCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "search",
		Usage:     "search the web and print a verified answer (the default command)",
		ArgsUsage: "QUERY…",
		Flags: slices.Concat(boundFlags(), proofFlags(), []cli.Flag{
			formatFlag("markdown", "json", "sections", "raw"),
			evidenceFlag(),
			&cli.BoolFlag{Name: "stdin", Usage: "read the query from standard input"},
			&cli.BoolFlag{Name: "stdin-lifeline", Usage: "cancel the search when standard input ends: for hosts that die without telling"},
			&cli.BoolFlag{Name: "quiet", Usage: "show no progress on a terminal"},
		}),
		Action: func(c *cli.Context) error { return search(c, std) },
	}
}

func search(c *cli.Context, std streams) error {
	format, err := formatOf(c, "markdown", "json", "sections", "raw")
	if err != nil {
		return err
	}
	options, err := optionsOf(c)
	if err != nil {
		return err
	}
	if err := readProof(c, &options); err != nil {
		return err
	}
	query, err := queryOf(c, std.in, options.Limits)
	if err != nil {
		return err
	}
	ctx := c.Context
	if c.Bool("stdin-lifeline") {
		ctx = withLifeline(ctx, std.in)
	}
	line := startProgress(std.err, c.Bool("quiet"))
	if line != nil {
		options.Progress = line.tell
	}
	found, err := runner.Search(ctx, query, options)
	line.stop()
	if err != nil {
		return err
	}
	return printAnswer(std.out, format, c.Bool("evidence"), found)
}

// queryOf returns the words of the command line, or standard input.
func queryOf(c *cli.Context, in io.Reader, limits contract.Limits) (string, error) {
	words := c.Args().Slice()
	dash := len(words) == 1 && words[0] == "-"
	switch {
	case c.Bool("stdin-lifeline") && (c.Bool("stdin") || dash):
		return "", invalidArguments("standard input cannot be both the query and the lifeline", "give the query on the command line")
	case c.Bool("stdin") && len(words) > 0 && !dash:
		return "", invalidArguments("there is a query on the command line and --stdin asks for another", "use one of them")
	case c.Bool("stdin") || dash:
		return readQuery(in, limits)
	case len(words) == 0:
		return "", &answer.Failure{
			Kind: answer.InvalidQuery, Message: "there is no query", Hint: `say what to search for: gemini-search "latest Go release"`,
		}
	}
	return strings.Join(words, " "), nil
}

// readQuery reads at most one character more than the longest query can have, so that
// an endless input ends, and is refused for its length.
func readQuery(in io.Reader, limits contract.Limits) (string, error) {
	const bytesPerUnit = 3 // of UTF-8, at most, for one UTF-16 code unit
	most := limits.QueryChars*bytesPerUnit + utf8.UTFMax
	data, err := io.ReadAll(io.LimitReader(in, int64(most)))
	if err != nil {
		return "", fmt.Errorf("standard input could not be read: %w", err)
	}
	for i := 0; len(data) == most-i && i < utf8.UTFMax && !utf8.Valid(data); i++ {
		data = data[:len(data)-1] // the limit may have cut a character: it is too long all the same
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// printAnswer prints an answer that was verified. The line of evidence stands
// above the text, so that what is printed still ends with its sources.
func printAnswer(out io.Writer, format string, evidence bool, found *answer.Answer) error {
	text := ""
	switch format {
	case "json":
		text = hosts.JSON(found)
	case "sections":
		text = hosts.Sections(found)
	case "raw":
		text = string(found.Envelope) + "\n"
	default:
		if evidence {
			text = "> evidence: " + hosts.EvidenceText(found) + "\n\n"
		}
		text += hosts.Markdown(found)
	}
	if _, err := io.WriteString(out, text); err != nil {
		return &answer.Failure{
			Kind: answer.GeminiWebSearchFailed, Message: "the answer could not be written to standard output", Hint: "check the disk or pipe it goes to", Err: err,
		}
	}
	return nil
}

func formatFlag(formats ...string) cli.Flag {
	return &cli.StringFlag{Name: "format", Value: formats[0], Usage: "output `FORMAT`: " + strings.Join(formats, ", ")}
}

func evidenceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "evidence", Usage: "with markdown, print a line above the answer that says what proves it"}
}

func formatOf(c *cli.Context, formats ...string) (string, error) {
	if format := c.String("format"); slices.Contains(formats, format) {
		return format, nil
	}
	return "", invalidArguments(fmt.Sprintf("unknown format %q", c.String("format")), "use one of: "+strings.Join(formats, ", "))
}

// optionsOf reads the bounds of a run from flags and variables.
func optionsOf(c *cli.Context) (runner.Options, error) {
	options := runner.Options{Binary: c.String("gemini-binary"), Environ: os.Environ()}
	if options.Binary == "" {
		options.Binary = defaultBinary
	}
	var err error
	if options.Timeout, err = durationOf(c, "timeout"); err != nil {
		return options, err
	}
	for name, target := range map[string]*int{
		"max-buffer":       &options.MaxBuffer,
		"max-query-chars":  &options.Limits.QueryChars,
		"max-prompt-bytes": &options.Limits.PromptBytes,
	} {
		if *target, err = countOf(c, name); err != nil {
			return options, err
		}
	}
	return options, nil
}
