package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

const completionFlag = "--generate-bash-completion"

// arrange puts a command line into the one order that the framework reads as
// people mean it: command, flags, --, words. Left alone, it takes a flag behind
// the query for a word of the query, and "help" in a query for a command. A line
// that names no command is a search.
func arrange(args []string, commands []*cli.Command) []string {
	if len(args) > 0 && args[len(args)-1] == completionFlag && !slices.Contains(args, "--") {
		return args
	}
	line := split(args, valueFlags(commands))
	name, words := "search", line.words
	command := len(words) > 0 && line.ended != 0 && isCommand(words[0], commands)
	if command {
		name, words = words[0], words[1:]
	}
	switch {
	case line.asks("help", "h") && (command || len(line.words) > 0):
		return []string{name, "--help"} // whatever else stands there
	case line.asks("help", "h"):
		return []string{"--help"}
	case len(line.words) == 0 && len(line.flags) == 1 && line.asks("version", "v"):
		return []string{"version"}
	}
	arranged := append([]string{name}, line.flags...)
	if line.open {
		return arranged // so that the framework misses the value, and takes nothing else for it
	}
	return append(append(arranged, "--"), words...)
}

// line is a command line in parts.
type line struct {
	flags []string // with their values
	words []string
	ended int  // the number of words before the first --, or -1 without one
	open  bool // the last flag lacks its value
}

func split(args []string, takesValue map[string]bool) line {
	l := line{ended: -1}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			l.ended = len(l.words)
			l.words = append(l.words, args[i+1:]...)
			return l
		case !strings.HasPrefix(arg, "-") || arg == "-":
			l.words = append(l.words, arg)
		default:
			l.flags = append(l.flags, arg)
			if !takesValue[strings.TrimLeft(arg, "-")] {
				continue
			}
			if i++; i == len(args) {
				l.open = true
				return l
			}
			l.flags = append(l.flags, args[i])
		}
	}
	return l
}

// valueFlags are the names of the flags that take the next argument.
func valueFlags(commands []*cli.Command) map[string]bool {
	names := map[string]bool{}
	for _, command := range commands {
		for _, flag := range command.Flags {
			documented, ok := flag.(cli.DocGenerationFlag)
			for _, name := range flag.Names() {
				names[name] = names[name] || ok && documented.TakesValue()
			}
		}
	}
	return names
}

func isCommand(word string, commands []*cli.Command) bool {
	return slices.ContainsFunc(commands, func(c *cli.Command) bool { return c.HasName(word) })
}

// asks reports whether one of the flags has one of the names.
func (l line) asks(names ...string) bool {
	return slices.ContainsFunc(l.flags, func(flag string) bool {
		return strings.HasPrefix(flag, "-") && slices.Contains(names, strings.TrimLeft(flag, "-"))
	})
}

// wantsJSON reads the output format of a command line that may not parse: its
// failure has that format too.
func wantsJSON(args []string) bool {
	for i, arg := range args {
		name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case arg == "--":
			return false
		case name != "format" || !strings.HasPrefix(arg, "-"):
		case joined:
			return value == "json"
		case i+1 < len(args):
			return args[i+1] == "json"
		}
	}
	return false
}
