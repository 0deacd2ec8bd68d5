package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
	"gemini-search/hosts"
	"gemini-search/runner"
)

// hostGrace is the grace of a child whose host has gone: Claude Code sends SIGINT,
// SIGTERM 100 ms later, and then SIGKILL.
const hostGrace = 40 * time.Millisecond

func mcpCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "serve the search to an agent by the Model Context Protocol, on standard input and output",
		Flags: slices.Concat(boundFlags(), slices.DeleteFunc(proofFlags(), isSaveEvidence), []cli.Flag{
			&cli.StringFlag{Name: "parallel", Value: "4", Usage: "how `MANY` searches may run at the same time"},
		}),
		Action: func(c *cli.Context) error {
			if err := noWords(c); err != nil {
				return err
			}
			return serveMCP(c, std)
		},
	}
}

// isSaveEvidence knows the flag that names one file for one search.
func isSaveEvidence(flag cli.Flag) bool { return slices.Contains(flag.Names(), "save-evidence") }

// serveMCP reads flags and variables, and nothing else: hosts wait for a server,
// and what is wrong with gemini is told to whoever searches.
func serveMCP(c *cli.Context, std streams) error {
	options, err := optionsOf(c)
	if err != nil {
		return err
	}
	if err := readProof(c, &options); err != nil {
		return err
	}
	parallel, err := parallelOf(c)
	if err != nil {
		return err
	}
	options.Grace = hostGrace
	server := &hosts.Server{
		Version:  version(),
		Parallel: parallel,
		Environ:  options.Environ,
		Search: func(ctx context.Context, query string, tell func(step string)) (*answer.Answer, error) {
			options := options
			options.Progress = func(step runner.Step) { tell(stepText(step)) }
			return runner.Search(ctx, query, options)
		},
	}
	if err := server.Serve(c.Context, io.NopCloser(std.in), keptOpen{std.out}); err != nil && c.Context.Err() == nil {
		return fmt.Errorf("the connection to the host broke: %w", err)
	}
	return nil
}

func parallelOf(c *cli.Context) (int, error) {
	const most = 64
	value := c.String("parallel")
	parallel, err := strconv.Atoi(value)
	if err != nil || parallel < 1 || parallel > most {
		return 0, invalidArguments(fmt.Sprintf("--parallel is %q, and must be a whole number from 1 to %d", value, most), "leave it out for the default, 4")
	}
	return parallel, nil
}

// keptOpen is a standard stream that is not ours to close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }
