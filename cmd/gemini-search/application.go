package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
)

// run carries out one command line and reports its failure, which it returns for
// the exit status.
func run(ctx context.Context, args []string, std streams) error {
	app := application(std)
	err := app.RunContext(ctx, append([]string{app.Name}, arrange(args, app.Commands)...))
	if err != nil {
		err = usageFailure(err)
		if !errors.Is(err, syscall.EPIPE) { // whoever closed the pipe wants no more
			report(std, wantsJSON(args), err)
		}
	}
	return err
}

// application describes the command line. The framework prints nothing of its
// own but help: its usage errors go raw to standard output, and exit on their
// own.
func application(std streams) *cli.App {
	app := &cli.App{
		Name:                 "gemini-search",
		Usage:                "one web search by your own Gemini CLI, answered only with proven citations",
		UsageText:            usageText,
		Version:              version(),
		HideVersion:          true,
		HideHelpCommand:      true,
		EnableBashCompletion: true,
		Suggest:              true,
		Reader:               std.in,
		Writer:               std.out,
		ErrWriter:            std.err,
		ExitErrHandler:       func(*cli.Context, error) {},
		OnUsageError:         returnUsageError,
		Commands: []*cli.Command{
			searchCommand(std),
			verifyCommand(std),
			sanitizeCommand(std),
			doctorCommand(std),
			mcpCommand(std),
			installCommand(std),
			demoCommand(std),
			versionCommand(std),
			completionCommand(std),
			playbackCommand(std),
			hookCommand(std),
			toolCommand(std),
		},
	}
	for _, command := range app.Commands {
		command.OnUsageError = returnUsageError
		command.HideHelpCommand = true
	}
	return app
}

const usageText = `gemini-search [flags] QUERY…      print a verified answer
gemini-search [flags] -           read the query from standard input
gemini-search verify FILE         check a saved answer, offline
gemini-search sanitize            filter standard input to standard output
gemini-search mcp                 serve the search to an agent
gemini-search install HOST        set an agent up: opencode, claude, codex, gemini, qwen
gemini-search doctor              say whether a search would be private
gemini-search demo                play back a recorded search

Flags may stand before and after the query; -- ends them. To search for words
that begin with the name of a command: gemini-search search version of go`

// usageError is an error of the framework about a command line.
type usageError struct{ error }

func returnUsageError(_ *cli.Context, err error, _ bool) error { return usageError{err} }

// usageFailure gives an error of the framework its kind and our voice.
func usageFailure(err error) error {
	if _, ok := errors.AsType[usageError](err); !ok {
		return err
	}
	message := err.Error()
	if flag, ok := strings.CutPrefix(message, "flag provided but not defined: "); ok {
		message = "unknown flag -" + strings.TrimPrefix(flag, "-")
		return invalidArguments(message, "see gemini-search --help; put -- before a query that begins with a dash")
	}
	if flag, ok := strings.CutPrefix(message, "flag needs an argument: "); ok {
		return invalidArguments("the flag -"+strings.TrimPrefix(flag, "-")+" needs a value", "see gemini-search --help")
	}
	return invalidArguments(message, "see gemini-search --help")
}

func invalidArguments(message, hint string) error {
	return &answer.Failure{Kind: answer.InvalidToolArguments, Message: message, Hint: hint}
}

// noWords refuses words behind a command that takes none: they may have been
// meant as a query.
func noWords(c *cli.Context) error {
	if c.NArg() == 0 {
		return nil
	}
	return invalidArguments(
		fmt.Sprintf("%s takes no arguments, but got %q", c.Command.Name, c.Args().First()),
		fmt.Sprintf("to search for these words: gemini-search search %s …", c.Command.Name),
	)
}
