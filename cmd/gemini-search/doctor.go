package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"gemini-search/answer"
	"gemini-search/hosts"
	"gemini-search/runner"
	"gemini-search/sanitize"
	"gemini-search/settings"
)

// probeQuery is what doctor --live searches for.
const probeQuery = "What is the latest stable version of the Go programming language?"

func doctorCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say whether a search would be private, and what to mend",
		Flags: append(boundFlags(),
			formatFlag("text", "json"),
			&cli.BoolFlag{Name: "live", Usage: "make one real search and time it"},
		),
		Action: func(c *cli.Context) error {
			if err := noWords(c); err != nil {
				return err
			}
			return doctor(c, std)
		},
	}
}

func doctor(c *cli.Context, std streams) error {
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	options, err := optionsOf(c)
	if err != nil {
		return err
	}
	if options.Hook, err = hookProgram(); err != nil {
		return err
	}
	diagnosis := runner.Diagnose(c.Context, options)
	var found *answer.Answer
	if c.Bool("live") && len(diagnosis.Failures) == 0 {
		found, err = runner.Search(c.Context, probeQuery, options)
	}
	if err == nil && len(diagnosis.Failures) > 0 {
		err = diagnosis.Failures[0]
	}
	if format == "json" {
		return printDiagnosisJSON(std.out, diagnosis, found, err)
	}
	if err != nil {
		report(std, false, err) // what to mend comes first
		err = &printed{failureOf(err)}
	}
	printDiagnosis(std.out, diagnosis, found)
	return err
}

// printDiagnosis prints one screen.
func printDiagnosis(out io.Writer, d *runner.Diagnosis, found *answer.Answer) {
	row := func(name, format string, values ...any) {
		fmt.Fprintf(out, "%-9s %s\n", name, sanitize.String(fmt.Sprintf(format, values...)))
	}
	row("gemini", "%s, version %s, tested with %s", orNone(strings.Join(d.Command, " ")), orNone(d.Version), d.Tested)
	row("sign-in", "%s, from %s", orNone(string(d.SignIn.Kind)), orNone(d.SignIn.Source))
	row("home", "a new folder below %s (%04o) for each search, removed after it", orNone(d.Folder), d.Permissions)
	row("sent", "the rules of the contract, the date, the query and the kind of system")
	row("sent to", "%s", orNone(strings.Join(d.Hosts, ", ")))
	for _, pin := range d.Pins {
		row(heldText(pin), "%s = %s: %s", pin.Key, jsonText(pin.Value), pin.Reason)
	}
	if found != nil {
		start := float64(found.Evidence.Milliseconds-found.Evidence.APIMilliseconds) / 1000
		row("live", "%s; start-up %.1f s, models %.1f s", hosts.EvidenceText(found), start, float64(found.Evidence.APIMilliseconds)/1000)
	}
	if len(d.Failures) == 0 {
		row("verdict", "a search would be private")
	} else {
		row("verdict", "no search: %d to mend", len(d.Failures))
	}
}

func orNone(text string) string {
	if text == "" {
		return "(none)"
	}
	return text
}

func heldText(pin settings.PinState) string {
	if pin.Held {
		return "held"
	}
	return "NOT HELD"
}

func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return string(text)
}

// diagnosisShape is a diagnosis as scripts read it.
type diagnosisShape struct {
	Private     bool                `json:"private"`
	Command     []string            `json:"command"`
	Version     string              `json:"version"`
	Tested      string              `json:"tested"`
	SignIn      signInShape         `json:"signIn"`
	Pins        []settings.PinState `json:"pins"`
	Folder      string              `json:"folder"`
	Permissions string              `json:"permissions"`
	Hosts       []string            `json:"hosts"`
	Problems    []problemShape      `json:"problems"`
	Live        *answer.Evidence    `json:"live,omitempty"`
}

type signInShape struct {
	Kind    settings.Kind `json:"kind"`
	Source  string        `json:"source"`
	Missing string        `json:"missing,omitempty"`
}

type problemShape struct {
	Type    answer.Kind `json:"type"`
	Message string      `json:"message"`
	Hint    string      `json:"hint,omitempty"`
}

func printDiagnosisJSON(out io.Writer, d *runner.Diagnosis, found *answer.Answer, err error) error {
	shape := diagnosisShape{
		Private: len(d.Failures) == 0, Command: d.Command, Version: d.Version, Tested: d.Tested,
		SignIn: signInShape(d.SignIn), Pins: d.Pins,
		Folder: d.Folder, Permissions: fmt.Sprintf("%04o", d.Permissions), Hosts: d.Hosts, Problems: []problemShape{},
	}
	failures := d.Failures
	if err != nil && len(failures) == 0 {
		failures = append(failures, failureOf(err)) // of the live search
	}
	for _, failure := range failures {
		shape.Problems = append(shape.Problems, problemShape{failure.Kind, failure.Message, failure.Hint})
	}
	if found != nil {
		shape.Live = &found.Evidence
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if printing := encoder.Encode(shape); printing != nil {
		return printing
	}
	if err != nil {
		return &printed{failureOf(err)}
	}
	return nil
}
