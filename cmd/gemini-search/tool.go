package main

import (
	"bufio"
	"errors"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
	"gemini-search/hosts"
	"gemini-search/runner"
)

// toolCommand is one call of the tool, for hosts that start a program for each:
// the first line of standard input holds the arguments as JSON, so that the query
// stands on no command line, and the input stays open as a lifeline, because a
// host that was killed cannot say so. What goes wrong is text for a model too, on
// standard output, with the exit status of its kind.
func toolCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:   "tool",
		Usage:  "answer one call of a host: arguments on the first line of standard input, which stays open",
		Hidden: true,
		Flags:  slices.Concat(boundFlags(), proofFlags()),
		Action: func(c *cli.Context) error {
			if err := noWords(c); err != nil {
				return err
			}
			found, err := callTool(c, std.in)
			if err != nil {
				failure := failureOf(err)
				_, writing := io.WriteString(std.out, hosts.FailureText(failure))
				return errors.Join(&printed{failure}, writing)
			}
			_, err = io.WriteString(std.out, hosts.ToolText(found))
			return err
		},
	}
}

func callTool(c *cli.Context, in io.Reader) (*answer.Answer, error) {
	options, err := optionsOf(c)
	if err != nil {
		return nil, err
	}
	if err := readProof(c, &options); err != nil {
		return nil, err
	}
	options.Grace = hostGrace
	lines := bufio.NewReaderSize(in, callSize(options))
	query, err := readCall(lines)
	if err != nil {
		return nil, err
	}
	return runner.Search(withLifeline(c.Context, lines), query, options)
}

// callSize bounds the line of arguments: what the longest query can be in JSON.
func callSize(options runner.Options) int {
	const (
		bytesPerUnit = 6 // \u0000 for one UTF-16 code unit
		around       = 1 << 10
		most         = 16 << 20
	)
	return min(options.Limits.QueryChars*bytesPerUnit+around, most)
}

func readCall(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return "", invalidArguments("the first line of standard input is missing or too long", `write {"query": "what to search for"} and a line break, and keep standard input open`)
	}
	return hosts.ReadArguments(line)
}
