// Command gemini-search runs the user's own Gemini CLI for one web search and
// prints the answer only when its citations are proven.
//
// It guarantees one exit status for each kind of failure (README, "Exit codes"),
// an empty standard output when there is no answer, and that a signal ends it by
// that signal once everything is cleaned up.
package main

import (
	"io"
	"os"
)

func main() {
	restrictInheritance()
	context, stop := signalContext()
	err := run(context, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	dieOf(context)
	os.Exit(exitCode(err))
}

// streams are the standard streams of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}
