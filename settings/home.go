// Package settings makes the private home of one run of the Gemini CLI, and says
// what may enter it: the pins, the environment allowlist and the user's sign-in.
//
// It guarantees a folder that only the user can read, made anew for each run and
// removed by Close; settings in it that leave the model one tool; and an
// environment in which no variable of the user's shell stands that is not named
// in environment.go. It does not start anything, and it cannot make a CLI obey:
// the pins are requests to that program.
package settings

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The files and folders of a home, relative to it.
const (
	geminiDirectory = ".gemini"
	userSettings    = ".gemini/settings.json"
	systemSettings  = "system-settings.json"
	systemPrompt    = "system.md"
	workspace       = "workspace"
	temporary       = "tmp"
	promptFile      = "prompt"
	debugLog        = "debug.log"
)

// neutralPrompt stands where the CLI's own system prompt would. The CLI gives it
// to the search tool's own model call too, so it says nothing about citations.
const neutralPrompt = "You are a careful research assistant.\n"

// Home is the private folder of one run.
type Home struct {
	path    string
	root    *os.Root
	lock    *os.File
	environ []string
	signIn  SignIn
	// userFolder is the user's own ~/.gemini, and made is when the home was.
	userFolder string
	made       time.Time
	// compileCache is a folder outside the home, because it serves later runs.
	compileCache string
}

// Options says what a home is made for.
type Options struct {
	// Environ is the user's environment, as os.Environ returns it.
	Environ []string
	// Prompt is what the child reads from its standard input.
	Prompt string
	// Hook is the command line of the hook program; "" for a run without hooks.
	Hook string
	// Repairs is how often an answer may go back to the model.
	Repairs int
	// Steps has the hook program called before each search too, for callers who
	// want to know where a run is.
	Steps bool
	// SearchModel is the model of the search tool; "" for the CLI's own choice.
	SearchModel string
}

// New makes a home in which the prompt waits, signed in as the user whose
// environment is given. The caller closes it. Homes that a killed process left
// behind are removed on the way.
func New(options Options) (*Home, error) {
	user := readUser(options.Environ)
	administrator := readAdministrator(user.env)
	if err := administrator.allowSearch(); err != nil {
		return nil, err
	}
	home, err := create(user.env)
	if err != nil {
		return nil, err
	}
	home.userFolder = user.folder
	if err := home.furnish(user, administrator, options); err != nil {
		return nil, errors.Join(err, home.Close())
	}
	home.signIn = user.signIn()
	env := user.env.pass()
	env.pin(home)
	home.environ = env.strings()
	return home, nil
}

// furnish writes everything that the CLI reads.
func (h *Home) furnish(user user, administrator administrator, options Options) error {
	for _, folder := range []string{geminiDirectory, workspace, workspace + "/" + geminiDirectory, temporary, records} {
		if err := h.root.Mkdir(folder, 0o700); err != nil {
			return err
		}
	}
	// The administrator's settings are in both files, because the CLI reads the
	// second, and no other system file, only where root owns it.
	pinned := merge(administrator.settings, tree(pins()))
	own := merge(user.own(), pinned)
	if options.SearchModel != "" {
		own = merge(own, searchModel(options.SearchModel))
	}
	if options.Hook != "" {
		own = merge(h.hooks(options), own)
	}
	files := map[string][]byte{
		userSettings:   encode(own),
		systemSettings: encode(pinned),
		systemPrompt:   []byte(neutralPrompt),
		promptFile:     []byte(options.Prompt),
		// an empty file here ends the CLI's search for one in the folders above
		workspace + "/" + geminiDirectory + "/.env": nil,
	}
	for name, content := range files {
		if err := h.write(name, content); err != nil {
			return err
		}
	}
	return h.linkCredentials(user)
}

func encode(settings map[string]any) []byte {
	data, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		panic("settings have no JSON form: " + err.Error()) // they were read from JSON, or are ours
	}
	return data
}

func (h *Home) write(name string, content []byte) error {
	file, err := h.create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func (h *Home) create(name string) (*os.File, error) {
	return h.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// linkCredentials makes the user's sign-in files, and no other file of
// ~/.gemini, readable in the home.
func (h *Home) linkCredentials(user user) error {
	if user.folder == "" {
		return nil
	}
	for _, name := range credentialFiles {
		target := filepath.Join(user.folder, name)
		if _, err := os.Stat(target); err != nil {
			continue
		}
		if err := h.root.Symlink(target, geminiDirectory+"/"+name); err != nil {
			return err
		}
	}
	return nil
}

func (h *Home) file(name string) string { return filepath.Join(h.path, filepath.FromSlash(name)) }

// SignIn says how the user is signed in.
func (h *Home) SignIn() SignIn { return h.signIn }

// Folder is where homes are made.
func (h *Home) Folder() string { return filepath.Dir(h.path) }

// Environ is the whole environment of the child.
func (h *Home) Environ() []string { return h.environ }

// Workspace is the empty folder that the child runs in.
func (h *Home) Workspace() string { return h.file(workspace) }

// OpenPrompt opens the prompt for reading: the child's standard input. It is a
// file because the CLI gives up on an input that is empty for 500 ms, and
// because a child that never reads a file keeps nobody waiting.
func (h *Home) OpenPrompt() (*os.File, error) { return h.root.Open(promptFile) }

// DebugLog is where the CLI writes what it does.
func (h *Home) DebugLog() string { return h.file(debugLog) }

// CreateOutput makes a file for what the child writes. It is a regular file and
// not a pipe, because the CLI exits with output still queued: of an answer over
// 64 KiB a pipe gets a part, and exit status 0.
func (h *Home) CreateOutput(name string) (*os.File, error) { return h.create(name) }

// Transcripts returns the CLI's records of the run's sessions, oldest first.
// There are none from a CLI that did not take this home for its own.
func (h *Home) Transcripts() ([][]byte, error) {
	var transcripts [][]byte
	err := fs.WalkDir(h.root.FS(), geminiDirectory+"/tmp", func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() || !isTranscript(path) {
			return err
		}
		content, err := h.root.ReadFile(path)
		transcripts = append(transcripts, content)
		return err
	})
	return transcripts, err
}

// isTranscript knows the places of all versions: tmp/<project>/chats/session-*.json
// and .jsonl, where the project is a hash up to 0.25 and a name since.
func isTranscript(path string) bool {
	for _, pattern := range []string{"session-*.json", "session-*.jsonl"} {
		if ok, _ := filepath.Match(geminiDirectory+"/tmp/*/chats/"+pattern, path); ok {
			return true
		}
	}
	return false
}

// Taken reports whether the CLI took this home for its own: every version that
// honours GEMINI_CLI_HOME writes into it before it calls a model.
func (h *Home) Taken() bool {
	for _, name := range []string{"projects.json", "tmp", "history"} {
		if _, err := h.root.Stat(geminiDirectory + "/" + name); err == nil {
			return true
		}
	}
	return false
}

// bypasses are what a CLI writes while it runs, in the folder it takes for its own.
var bypasses = []string{"projects.json", "tmp/*", "tmp/*/*", "tmp/*/chats/*", "history/*"}

// Bypassed reports whether the CLI wrote into the user's own ~/.gemini instead of
// this home, as versions before 0.25 do, and wrappers that set another home.
func (h *Home) Bypassed() bool {
	if h.Taken() || h.userFolder == "" {
		return false
	}
	for _, pattern := range bypasses {
		paths, _ := filepath.Glob(filepath.Join(h.userFolder, filepath.FromSlash(pattern)))
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && info.ModTime().After(h.made) {
				return true
			}
		}
	}
	return false
}

// Close removes the home with everything in it.
func (h *Home) Close() error {
	return errors.Join(h.root.Close(), os.RemoveAll(h.path), h.lock.Close())
}
