package main

import (
	_ "embed"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
)

//go:embed completion/bash
var bashCompletion string

//go:embed completion/zsh
var zshCompletion string

//go:embed completion/powershell
var powershellCompletion string

func completionCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell: bash, zsh, fish or powershell",
		ArgsUsage: "SHELL",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return invalidArguments("completion takes the name of one shell", "use one of: bash, zsh, fish, powershell")
			}
			return printCompletion(c.App, c.Args().First(), std.out)
		},
	}
}

func printCompletion(app *cli.App, shell string, out io.Writer) error {
	script, known := map[string]string{
		"bash":       bashCompletion,
		"zsh":        zshCompletion,
		"powershell": powershellCompletion,
	}[shell]
	if shell == "fish" {
		var err error
		if script, err = app.ToFishCompletion(); err != nil {
			return fmt.Errorf("the completion script could not be made: %w", err)
		}
		known = true
	}
	if !known {
		return invalidArguments(fmt.Sprintf("there is no completion for %q", shell), "use one of: bash, zsh, fish, powershell")
	}
	_, err := io.WriteString(out, script)
	return err
}
