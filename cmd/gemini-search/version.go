package main

import (
	"fmt"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func versionCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(c *cli.Context) error {
			if err := noWords(c); err != nil {
				return err
			}
			_, err := fmt.Fprintln(std.out, "gemini-search", version())
			return err
		},
	}
}

// version is the module version of a build by `go install`, and else the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "development"
}
