package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"gemini-search/sanitize"
)

func sanitizeCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:  "sanitize",
		Usage: "remove what a terminal would obey or a reader cannot see, from standard input to standard output",
		Action: func(c *cli.Context) error {
			if err := noWords(c); err != nil {
				return err
			}
			return filter(std)
		},
	}
}

// filter streams in constant memory.
func filter(std streams) error {
	writer := sanitize.NewWriter(std.out)
	if _, err := io.Copy(writer, std.in); err != nil {
		return fmt.Errorf("the filter stopped: %w", err)
	}
	return writer.Close()
}
