package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"
)

// defaultBinary is the Gemini CLI as npm installs it.
const defaultBinary = "gemini"

// bound is a limit of a run: a flag, the variable it is bound to, and the value
// without either. All are text here, so that a bad one is our error and not the
// framework's.
type bound struct {
	flag, variable, value, usage string
}

func bounds() []bound {
	return []bound{
		{"timeout", "GEMINI_SEARCH_TIMEOUT", "600000", "wall clock of a search, as `MS` milliseconds or as 90s"},
		{"max-buffer", "GEMINI_SEARCH_MAX_BUFFER", "52428800", "largest output of gemini, as `BYTES`"},
		{"max-query-chars", "GEMINI_SEARCH_MAX_QUERY_CHARS", "32768", "longest query, as `UNITS` of UTF-16"},
		{"max-prompt-bytes", "GEMINI_SEARCH_MAX_PROMPT_BYTES", "98304", "largest prompt, as `BYTES` of UTF-8"},
	}
}

// boundFlags are the flags of every command that runs gemini.
func boundFlags() []cli.Flag {
	flags := []cli.Flag{&cli.StringFlag{
		Name: "gemini-binary", EnvVars: []string{"GEMINI_BINARY"}, Value: defaultBinary,
		Usage: "the Gemini CLI, as a `PATH` or a command line",
	}}
	for _, b := range bounds() {
		flags = append(flags, &cli.StringFlag{Name: b.flag, EnvVars: []string{b.variable}, Value: b.value, Usage: b.usage})
	}
	return flags
}

func boundNamed(flag string) bound {
	for _, b := range bounds() {
		if b.flag == flag {
			return b
		}
	}
	panic("no bound is called " + flag)
}

// valueOf returns the text of a bound. A variable that is set to nothing is not
// set: shells and CI files write that for "unset".
func (b bound) valueOf(c *cli.Context) string {
	if value := c.String(b.flag); value != "" {
		return value
	}
	return b.value
}

func (b bound) invalid(value, what string) error {
	return invalidArguments(
		fmt.Sprintf("--%s or %s is %q, and must be %s", b.flag, b.variable, value, what),
		fmt.Sprintf("leave it out for the default, %s", b.value),
	)
}

// countOf reads a bound that is a positive whole number.
func countOf(c *cli.Context, flag string) (int, error) {
	b := boundNamed(flag)
	value := b.valueOf(c)
	count, err := strconv.ParseInt(value, 10, 32)
	if err != nil || count <= 0 {
		return 0, b.invalid(value, fmt.Sprintf("a whole number from 1 to %d", math.MaxInt32))
	}
	return int(count), nil
}

// timesOf reads how often something may be done again: 0 is a number too.
func timesOf(c *cli.Context, flag, variable string) (int, error) {
	const most, standard = 10, "2"
	value := c.String(flag)
	if value == "" {
		value = standard
	}
	times, err := strconv.Atoi(value)
	if err != nil || times < 0 || times > most {
		return 0, invalidArguments(fmt.Sprintf("--%s or %s is %q, and must be a whole number from 0 to %d", flag, variable, value, most), "leave it out for the default, "+standard)
	}
	return times, nil
}

// durationOf reads a bound in milliseconds or, from a flag, as a duration.
func durationOf(c *cli.Context, flag string) (time.Duration, error) {
	b := boundNamed(flag)
	value := b.valueOf(c)
	if ms, err := strconv.ParseInt(value, 10, 64); err == nil && ms > 0 && ms <= math.MaxInt64/int64(time.Millisecond) {
		return time.Duration(ms) * time.Millisecond, nil
	}
	if duration, err := time.ParseDuration(value); err == nil && duration > 0 && isFlagGiven(c, flag) {
		return duration, nil
	}
	return 0, b.invalid(value, "a positive number of milliseconds or, as a flag, a duration such as 90s")
}

// isFlagGiven tells a flag on the command line from its variable. The framework
// knows only of "set": it makes a variable's value the flag's default.
func isFlagGiven(c *cli.Context, name string) bool {
	for _, flag := range c.Command.Flags {
		if text, ok := flag.(*cli.StringFlag); ok && text.Name == name {
			return c.String(name) != text.Value
		}
	}
	return false
}
