package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
	"gemini-search/fixtures"
	"gemini-search/runner"
	"gemini-search/settings"
)

// The recording that the demo plays back.
const demoOutcome, demoName = "accepted", "english"

func demoCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "play back a recorded search: needs no account and no Node",
		Flags: append(boundFlags(), formatFlag("markdown", "json", "sections", "raw")),
		Action: func(c *cli.Context) error {
			if err := noWords(c); err != nil {
				return err
			}
			return demo(c, std)
		},
	}
}

// demo is a search like any other, except that the child is this program, which
// plays back what the real CLI once did.
func demo(c *cli.Context, std streams) error {
	format, err := formatOf(c, "markdown", "json", "sections", "raw")
	if err != nil {
		return err
	}
	options, err := optionsOf(c)
	if err != nil {
		return err
	}
	recording, err := fixtures.Find(demoOutcome, demoName)
	if err != nil {
		return fmt.Errorf("the recording is missing: %w", err)
	}
	found, err := playBack(c.Context, recording, options)
	if err != nil {
		return err
	}
	if format == "markdown" {
		fmt.Fprintf(std.out, "> demo: a recording of gemini %s with a scripted model, played back; nothing was searched just now\n>\n> question: %s\n>\n", recording.Version, found.Query)
	} else {
		writeLine(std.err, "note", "this is a recording of gemini "+recording.Version+" with a scripted model; nothing was searched just now")
	}
	return printAnswer(std.out, format, true, found)
}

func playBack(ctx context.Context, recording *fixtures.Recording, options runner.Options) (*answer.Answer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the demo does not find its own program: %w", err)
	}
	options.Binary = fmt.Sprintf("%s playback %s %s", settings.QuoteWord(self), recording.Outcome, recording.Name)
	found, err := runner.Search(ctx, recording.Scenario.Query, options)
	if err != nil {
		return nil, err
	}
	found.Evidence.CLIVersion = recording.Version
	return found, nil
}

// playbackCommand stands where the Gemini CLI would in a demo: it reads the
// prompt, writes the transcript into its home, and prints what was recorded.
func playbackCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "playback",
		Hidden:    true,
		ArgsUsage: "OUTCOME NAME",
		Flags:     []cli.Flag{&cli.StringFlag{Name: "o"}},
		Action: func(c *cli.Context) error {
			recording, err := fixtures.Find(c.Args().Get(0), c.Args().Get(1))
			if err != nil {
				return invalidArguments(fmt.Sprintf("there is no recording %q", c.Args().Slice()), "")
			}
			return play(recording, std)
		},
	}
}

func play(recording *fixtures.Recording, std streams) error {
	if _, err := io.Copy(io.Discard, std.in); err != nil {
		return err
	}
	chats := filepath.Join(os.Getenv("GEMINI_CLI_HOME"), ".gemini", "tmp", "workspace", "chats")
	if err := os.MkdirAll(chats, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(chats, "session-recorded.jsonl"), recording.Transcript, 0o600); err != nil {
		return err
	}
	if _, err := std.err.Write(recording.Stderr); err != nil {
		return err
	}
	_, err := std.out.Write(recording.Envelope)
	return err
}
