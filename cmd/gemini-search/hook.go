package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/urfave/cli/v2"

	"gemini-search/runner"
	"gemini-search/settings"
)

// hookCommand is what gemini calls during a run: see runner.Hook. It prints JSON
// for gemini and nothing for people.
func hookCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "hook",
		Hidden:    true,
		ArgsUsage: "EVENT FOLDER REPAIRS",
		Action: func(c *cli.Context) error {
			repairs, err := strconv.Atoi(c.Args().Get(2))
			if c.NArg() != 3 || err != nil {
				return invalidArguments("hook is called by gemini: EVENT FOLDER REPAIRS", "")
			}
			return runner.Hook(settings.Event(c.Args().Get(0)), c.Args().Get(1), repairs, std.in, std.out)
		},
	}
}

// hookProgram is the command line by which gemini calls this program back.
func hookProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("the program does not find itself: %w", err)
	}
	return settings.QuoteWord(self) + " hook", nil
}
