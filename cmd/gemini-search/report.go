package main

// This file prints failures. The rules are:
//
//   - "gemini-search: error:" says what is wrong, "gemini-search: hint:" what to
//     do about it; one line each, lower case, no final period.
//   - A violation of the contract has a line of its own between them.
//   - Every line is sanitized here once more, because it may quote the user.
//   - With --format json the failure is also the JSON on standard output; in
//     every other format standard output stays empty.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"gemini-search/answer"
	"gemini-search/hosts"
	"gemini-search/sanitize"
)

func report(std streams, json bool, err error) {
	if _, told := errors.AsType[*printed](err); told {
		return
	}
	failure := failureOf(err)
	writeLine(std.err, "error", failure.Message)
	for _, violation := range failure.Violations {
		writeLine(std.err, "violation", hosts.ViolationText(violation))
	}
	if failure.Hint != "" {
		writeLine(std.err, "hint", failure.Hint)
	}
	if json {
		_, _ = io.WriteString(std.out, hosts.FailureJSON(failure)) // the exit status tells it too
	}
}

func writeLine(out io.Writer, what, text string) {
	text = strings.Join(strings.Fields(sanitize.String(text)), " ")
	fmt.Fprintf(out, "gemini-search: %s: %s\n", what, text)
}

// failureOf gives an error without a kind the general one.
func failureOf(err error) *answer.Failure {
	if failure, ok := errors.AsType[*answer.Failure](err); ok {
		return failure
	}
	return &answer.Failure{Kind: answer.GeminiWebSearchFailed, Message: err.Error(), Hint: "check the disk, the pipe or the folder it names", Err: err}
}

// exitCode is the exit status of a command.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	return failureOf(err).Kind.ExitCode()
}
