package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gemini-search/fixtures"
	"gemini-search/fixtures/fakeapi"
	"gemini-search/fixtures/realcli"
)

var update = flag.Bool("update", false, "write what the scripts compare anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gemini-search": main})
}

// TestScripts runs the command line without a Gemini CLI. In each script, gemini
// is a program that leaves a file called spawned behind.
func TestScripts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the scripts stand in for gemini with a shell script")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			bin := filepath.Join(env.WorkDir, "bin")
			if err := os.Mkdir(bin, 0o755); err != nil {
				return err
			}
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("FIXTURES", fixturesFolder(t))
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			spawned := "#!/bin/sh\ntouch '" + filepath.Join(env.WorkDir, "spawned") + "'\n"
			return os.WriteFile(filepath.Join(bin, "gemini"), []byte(spawned), 0o755)
		},
	})
}

// TestRealCLI runs the command line with the real Gemini CLI, which talks to the
// fake API that the script starts with "fakeapi OUTCOME NAME".
func TestRealCLI(t *testing.T) {
	cli := realcli.Require(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/realcli",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GEMINI_BINARY", cli.Binary)
			env.Setenv("GEMINI_API_KEY", "anything")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "fakeapi": startFakeAPI},
	})
}

// exits runs a command that must exit with a status: "exits STATUS COMMAND…".
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// startFakeAPI starts a server that plays a recorded scenario for this script.
func startFakeAPI(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: fakeapi OUTCOME NAME")
	}
	recording, err := fixtures.Find(args[0], args[1])
	ts.Check(err)
	server := fakeapi.Start(fakeapi.ScriptOf(recording))
	ts.Defer(server.Close)
	ts.Setenv("GOOGLE_GEMINI_BASE_URL", server.URL)
}

func fixturesFolder(t *testing.T) string {
	folder, err := filepath.Abs("../../fixtures/runs")
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
