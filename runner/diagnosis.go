package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"gemini-search/answer"
	"gemini-search/sanitize"
	"gemini-search/settings"
)

// newest is the newest version of the CLI that the tests run.
const newest = "0.61.0"

// Diagnosis says whether a search would be private, and why not.
type Diagnosis struct {
	// Command is how gemini is started.
	Command []string
	// Version is its version; Tested is the range that the tests cover.
	Version, Tested string
	SignIn          settings.SignIn
	// Pins says of each fixed setting whether it is in force.
	Pins []settings.PinState
	// Folder is where private homes are made, with these permissions.
	Folder      string
	Permissions os.FileMode
	// Hosts are the ones that a search speaks to.
	Hosts []string
	// Failures are what to mend, the most basic first; without any, a search
	// would be private.
	Failures []*answer.Failure
}

// Diagnose looks at everything that a search needs without making one. It
// starts gemini only to ask for a version that its package does not tell.
func Diagnose(ctx context.Context, options Options) *Diagnosis {
	d := &Diagnosis{Tested: versionText(oldest) + " to " + newest}
	gemini, err := findCommand(options.Binary)
	if err != nil {
		d.fail(err, options)
	}
	home, err := settings.New(settings.Options{Environ: options.Environ})
	if err != nil {
		d.fail(err, options)
		return d
	}
	defer home.Close()
	if len(gemini.args) > 0 {
		d.readCommand(ctx, gemini, home, options)
	}
	d.readHome(home)
	d.Hosts = hostsOf(home)
	d.sanitize()
	return d
}

// sanitize cleans what comes from files and variables of the user.
func (d *Diagnosis) sanitize() {
	for _, text := range []*string{&d.Version, &d.SignIn.Source, &d.SignIn.Missing, &d.Folder} {
		*text = sanitize.String(*text)
	}
	d.SignIn.Kind = settings.Kind(sanitize.String(string(d.SignIn.Kind)))
	for _, list := range [][]string{d.Command, d.Hosts} {
		for i := range list {
			list[i] = sanitize.String(list[i])
		}
	}
}

func (d *Diagnosis) fail(err error, options Options) {
	failure, _ := errors.AsType[*answer.Failure](asFailure(err, options))
	d.Failures = append(d.Failures, failure)
}

func (d *Diagnosis) readCommand(ctx context.Context, gemini command, home *settings.Home, options Options) {
	d.Command = slices.Clone(gemini.args)
	d.Version = gemini.version
	if d.Version == "" {
		version, err := askVersion(ctx, gemini, home, options)
		if err != nil {
			d.fail(err, options)
		}
		d.Version = version
	}
	if err := checkVersion(d.Version); err != nil {
		d.fail(err, options)
	}
	if !isVersion(d.Version) && len(d.Failures) == 0 {
		d.fail(&answer.Failure{
			Kind:    answer.GeminiNotFound,
			Message: fmt.Sprintf("%q does not say a version as gemini does", gemini.args[0]),
			Hint:    "set GEMINI_BINARY to the Gemini CLI",
		}, options)
	}
}

// versionLimit bounds the start of a CLI that only says its version, in which
// npx may have to fetch it.
const versionLimit = 2 * time.Minute

// askVersion starts gemini in the private home for its --version.
func askVersion(ctx context.Context, gemini command, home *settings.Home, options Options) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, min(versionLimit, options.Timeout), errTimeout)
	defer cancel()
	child, err := run(ctx, append(gemini.args, "--version"), home, options.bounds())
	if err != nil {
		return "", err
	}
	lines := bytes.Fields(child.stdout)
	if child.code != 0 || len(lines) == 0 {
		return "", &answer.Failure{
			Kind:    answer.GeminiNotFound,
			Message: "gemini --version failed: " + headline(child.stderr),
			Hint:    "run it by itself, and install it anew with: npm install -g " + packageName,
		}
	}
	return sanitize.String(string(lines[len(lines)-1])), nil
}

func (d *Diagnosis) readHome(home *settings.Home) {
	d.SignIn = home.SignIn()
	if d.SignIn.Missing != "" {
		d.Failures = append(d.Failures, &answer.Failure{
			Kind: answer.AuthRequired, Message: "gemini is not signed in", Hint: d.SignIn.Missing,
		})
	}
	d.Pins = home.Pins()
	for _, pin := range d.Pins {
		if !pin.Held {
			d.Failures = append(d.Failures, &answer.Failure{
				Kind: answer.PrivacyNotEnforced, Message: "the setting " + pin.Key + " is not in force", Hint: "look at the administrator's settings of gemini",
			})
		}
	}
	d.Folder = home.Folder()
	if info, err := os.Stat(d.Folder); err == nil {
		d.Permissions = info.Mode().Perm()
	}
}

// hostsOf names the hosts that a kind of sign-in speaks to (measured for 0.61.0;
// a base URL of the user's own takes the place of the model's host).
func hostsOf(home *settings.Home) []string {
	env := map[string]string{}
	for _, variable := range home.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	switch home.SignIn().Kind {
	case settings.APIKey:
		return []string{hostOr(env["GOOGLE_GEMINI_BASE_URL"], "generativelanguage.googleapis.com")}
	case settings.Vertex:
		host := "aiplatform.googleapis.com"
		if location := env["GOOGLE_CLOUD_LOCATION"]; location != "" && location != "global" && env["GOOGLE_API_KEY"] == "" {
			host = location + "-" + host
		}
		return []string{hostOr(env["GOOGLE_VERTEX_BASE_URL"], host), "oauth2.googleapis.com"}
	case settings.CodeAssist:
		return []string{"cloudcode-pa.googleapis.com", "oauth2.googleapis.com", "www.googleapis.com"}
	case settings.Compute:
		return []string{"169.254.169.254", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"}
	}
	return nil
}

func hostOr(base, host string) string {
	if parsed, err := url.Parse(base); err == nil && parsed.Host != "" {
		return parsed.Host
	}
	return host
}
