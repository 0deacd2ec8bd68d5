package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/urfave/cli/v2"

	"gemini-search/hosts"
)

func installCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "install",
		Usage:     "make the search a tool of an agent: " + strings.Join(hosts.Agents(), ", "),
		ArgsUsage: "HOST",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "print", Usage: "print what would be written, and write nothing"},
			&cli.BoolFlag{Name: "remove", Usage: "take out again what was written"},
			&cli.StringFlag{Name: "scope", Value: "user", Usage: "write it for the `WHOM`: user, or project for the current folder"},
			&cli.StringFlag{Name: "folder", Usage: "write the plugin, the extension or the skill for the host into `FOLDER`, and touch no configuration"},
			&cli.BoolFlag{Name: "tool", Usage: "give opencode a tool file and a plugin file instead of a server"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return invalidArguments("install takes the name of one host", "use one of: "+strings.Join(hosts.Agents(), ", ")+"; to search for these words: gemini-search search install …")
			}
			changes, err := changesOf(c)
			if err != nil {
				return err
			}
			return install(changes, c.Bool("print"), c.Bool("remove"), std)
		},
	}
}

func changesOf(c *cli.Context) ([]hosts.Change, error) {
	place, err := placeOf(c)
	if err != nil {
		return nil, err
	}
	agent, folder, tool := c.Args().First(), c.String("folder"), c.Bool("tool")
	switch {
	case folder != "" && tool:
		return nil, invalidArguments("--tool and --folder ask for different places", "use one of them")
	case folder != "":
		return place.FolderChanges(agent, folder)
	case tool && agent != "opencode":
		return nil, invalidArguments("only opencode takes a tool file", "leave --tool out")
	case tool:
		return place.ToolChanges()
	}
	change, err := place.ServerChange(agent)
	return []hosts.Change{change}, err
}

func placeOf(c *cli.Context) (hosts.Place, error) {
	place := hosts.Place{Environ: os.Environ()}
	var err error
	switch scope := c.String("scope"); scope {
	case "user":
	case "project":
		place.Project, err = os.Getwd()
	default:
		return place, invalidArguments("unknown scope "+jsonText(scope), "use one of: user, project")
	}
	if err != nil {
		return place, fmt.Errorf("the current folder is not known: %w", err)
	}
	if place.Home, err = os.UserHomeDir(); err != nil {
		return place, fmt.Errorf("the home folder is not known: %w", err)
	}
	place.Program, err = ownProgram()
	return place, err
}

// ownProgram is how a host starts this program: by its name where that finds it,
// so that an update of it needs no other installation.
func ownProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("the program does not find itself: %w", err)
	}
	found, err := exec.LookPath("gemini-search")
	if err != nil {
		return self, nil
	}
	ours, err := os.Stat(self)
	if err != nil {
		return "", fmt.Errorf("the program does not find itself: %w", err)
	}
	if info, err := os.Stat(found); err == nil && os.SameFile(info, ours) {
		return "gemini-search", nil
	}
	return self, nil
}

func install(changes []hosts.Change, print, remove bool, std streams) error {
	for _, change := range changes {
		told, err := "", error(nil)
		switch {
		case print:
			writeLine(std.err, "note", "this goes into "+change.Path)
			told = change.Text()
		case remove:
			told, err = carryOut(change.Revert, "restored "+change.Path, "nothing to remove from "+change.Path)
		default:
			told, err = carryOut(change.Apply, "written to "+change.Path, "up to date: "+change.Path)
		}
		if err != nil {
			return err
		}
		if _, err := io.WriteString(std.out, told); err != nil {
			return err
		}
	}
	return nil
}

// carryOut does something to a file, and says whether that changed it.
func carryOut(do func() (bool, error), changed, idle string) (string, error) {
	did, err := do()
	if did {
		return changed + "\n", err
	}
	return idle + "\n", err
}
