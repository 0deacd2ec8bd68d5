package hosts

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

// jsonFiles are configurations as people have them.
var jsonFiles = []struct{ reason, before string }{
	{"an empty object", "{}"},
	{"an empty object over two lines", "{\n}\n"},
	{"nothing but a comment", "{ // mine\n}\n"},
	{"comments and commas at the end", "// my settings\n{\n\t\"theme\": \"dark\", // better\n\t/* servers */\n\t\"PARENT\": {\n\t\t// the docs\n\t\t\"docs\": { \"url\": \"http://127.0.0.1\" },\n\t},\n}\n// the end"},
	{"no line break anywhere", `{"PARENT":{"a":{"command":"b"}},"$schema":"x","n":1e400,"s":"\u00e9\/"}`},
	{"servers, and none of them", "{\n  \"PARENT\": {}\n}"},
	{"line breaks of Windows", "{\r\n  \"a\": 1,\r\n  \"PARENT\": {\r\n    \"b\": {}\r\n  }\r\n}\r\n"},
	{"a name that occurs twice: the last one counts", `{"PARENT":{"x":1},"PARENT":{"y":2}}`},
	{"white space alone", " \n"},
	{"an empty file", ""},
}

func placeIn(folder string) Place { return Place{Home: folder, Program: "gemini-search"} }

func serverChange(t *testing.T, place Place, agent string) Change {
	t.Helper()
	change, err := place.ServerChange(agent)
	if err != nil {
		t.Fatal(err)
	}
	return change
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o640); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func apply(t *testing.T, do func() (bool, error), want bool) {
	t.Helper()
	changed, err := do()
	if err != nil || changed != want {
		t.Fatalf("changed %v, error %v; want %v", changed, err, want)
	}
}

func TestInstallAndRemoveKeepEveryByte(t *testing.T) {
	for _, agent := range []string{"opencode", "claude", "gemini", "qwen"} {
		for _, row := range jsonFiles {
			t.Run(agent+"/"+row.reason, func(t *testing.T) {
				change := serverChange(t, placeIn(t.TempDir()), agent)
				parent := change.edit.(entry).parent
				before := strings.ReplaceAll(row.before, "PARENT", parent)
				put(t, change.Path, before)
				apply(t, change.Apply, true)
				after := get(t, change.Path)
				holdsServer(t, after, parent)
				for line := range strings.Lines(before) {
					if comment := strings.TrimSpace(line); strings.HasPrefix(comment, "//") && !strings.Contains(after, comment) {
						t.Errorf("the comment %q is lost", comment)
					}
				}
				if info, _ := os.Stat(change.Path); info.Mode().Perm() != 0o640 {
					t.Errorf("permissions %v", info.Mode())
				}
				apply(t, change.Apply, false)
				apply(t, change.Revert, true)
				if got := get(t, change.Path); got != before {
					t.Errorf("after the removal\n%q\nwant\n%q", got, before)
				}
				onlyFile(t, change.Path)
				apply(t, change.Revert, false)
			})
		}
	}
}

// holdsServer fails if a host would not read our server, and all others, out of a
// file.
func holdsServer(t *testing.T, file, parent string) {
	t.Helper()
	plain, err := hujson.Standardize([]byte(file + "\n"))
	if err != nil {
		t.Fatalf("%v:\n%s", err, file)
	}
	var config map[string]json.RawMessage
	if err := json.Unmarshal(plain, &config); err != nil {
		t.Fatal(err)
	}
	var servers map[string]json.RawMessage
	if err := json.Unmarshal(config[parent], &servers); err != nil || servers[ServerName] == nil {
		t.Fatalf("%v: no server in\n%s", err, file)
	}
}

func onlyFile(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != filepath.Base(path) {
			t.Errorf("%s is left", entry.Name())
		}
	}
}

// TestRemoveKeepsWhatWasAddedSince: the backup is older than what the user did.
func TestRemoveKeepsWhatWasAddedSince(t *testing.T) {
	for _, row := range []struct{ reason, before, edit, with, after string }{
		{"elsewhere in the file", "{\n  // mine\n  \"mcp\": { \"a\": {} }\n}\n", "// mine", "// mine, still", "{\n  // mine, still\n  \"mcp\": { \"a\": {} }\n}\n"},
		{"a server behind ours", `{"mcp":{"a":{}}}`, `"a":{}`, `"a":{},"b":{}`, `{"mcp":{"a":{},"b":{}}}`},
		{"a comment before ours", `{"mcp":{"a":{}}}`, "\n    \"gemini\"", "\n    // search\n    \"gemini\"", "{\"mcp\":{\n    // search\n    \"a\":{}}}"},
		{"our own entry", `{"mcp":{"a":{}}}`, `660000`, `1000`, `{"mcp":{"a":{}}}`},
	} {
		t.Run(row.reason, func(t *testing.T) {
			change := serverChange(t, placeIn(t.TempDir()), "opencode")
			put(t, change.Path, row.before)
			apply(t, change.Apply, true)
			edited := strings.Replace(get(t, change.Path), row.edit, row.with, 1)
			if edited == get(t, change.Path) {
				t.Fatalf("there is no %q to edit in\n%s", row.edit, edited)
			}
			put(t, change.Path, edited)
			apply(t, change.Revert, true)
			if got := get(t, change.Path); strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(row.after), "") {
				t.Errorf("got\n%s\nwant\n%s", got, row.after)
			}
		})
	}
}

func TestInstallLeavesAloneWhatItCannotRead(t *testing.T) {
	for _, row := range []struct{ reason, agent, before, want string }{
		{"no JSON", "opencode", `{"mcp": `, "it is no JSON"},
		{"another kind of JSON", "gemini", `[1]`, "it holds no JSON object"},
		{"servers of another kind", "claude", `{"mcpServers": []}`, `"mcpServers" is no object`},
		{"a server of this name that is not ours", "opencode", `{"mcp":{"gemini":{"type":"local","command":["other"]}}}`, "another server has this name"},
		{"an open string would swallow what is appended", "codex", "a = \"\"\"\nopen", "a string is not closed"},
		{"an open bracket too", "codex", "a = [1,\n", "a bracket is not closed"},
		{"a table of this name", "codex", "[mcp_servers.gemini]\ncommand = \"x\"\n", "another server has this name"},
		{"in another spelling", "codex", "[mcp_servers]\nx = 1\n[ mcp_servers . \"gemini\" ]\n", "another server has this name"},
		{"and as one value, which no table may extend", "codex", "mcp_servers = { a = {} }\n", "another server has this name"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			change := serverChange(t, placeIn(t.TempDir()), row.agent)
			put(t, change.Path, row.before)
			for what, do := range map[string]func() (bool, error){"apply": change.Apply, "revert": change.Revert} {
				changed, err := do()
				if changed || what == "apply" && (err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), change.Path)) {
					t.Errorf("%s: changed %v, error %v; want %q", what, changed, err, row.want)
				}
			}
			if got := get(t, change.Path); got != row.before {
				t.Errorf("the file is now %q", got)
			}
			onlyFile(t, change.Path)
		})
	}
}

func TestInstallIntoCodex(t *testing.T) {
	for _, row := range []struct{ reason, before string }{
		{"an empty file", ""},
		{"tables and comments", "model = \"x\" # it's mine\n\n[mcp_servers.docs]\ncommand = 'd\\'\n"},
		{"no line break at the end", "model = \"x\""},
		{"brackets and quotes where they open nothing", "a = \"[\\\"{\" # ' \" [\nb = '''\n\"[\n''''\nc = \"\"\"x\\\"\"\"\"\n"},
	} {
		t.Run(row.reason, func(t *testing.T) {
			change := serverChange(t, placeIn(t.TempDir()), "codex")
			put(t, change.Path, row.before)
			apply(t, change.Apply, true)
			if after := get(t, change.Path); !strings.HasPrefix(after, row.before) || !strings.Contains(after, "\n[mcp_servers.gemini]\ncommand = \"gemini-search\"\n") {
				t.Errorf("got\n%s", after)
			}
			apply(t, change.Apply, false)
			apply(t, change.Revert, true)
			if got := get(t, change.Path); got != row.before {
				t.Errorf("after the removal %q, want %q", got, row.before)
			}
			onlyFile(t, change.Path)
		})
	}
	t.Run("what was added since stays", func(t *testing.T) {
		change := serverChange(t, placeIn(t.TempDir()), "codex")
		put(t, change.Path, "a = 1\n")
		apply(t, change.Apply, true)
		put(t, change.Path, get(t, change.Path)+"\n[other]\nb = 2\n")
		apply(t, change.Revert, true)
		if got, want := get(t, change.Path), "a = 1\n\n[other]\nb = 2\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestInstallWhereNothingIs(t *testing.T) {
	for _, agent := range Agents() {
		t.Run(agent, func(t *testing.T) {
			change := serverChange(t, placeIn(t.TempDir()), agent)
			apply(t, change.Revert, false)
			apply(t, change.Apply, true)
			apply(t, change.Apply, false)
			apply(t, change.Revert, true)
			if _, err := os.Stat(change.Path); err == nil {
				t.Error("a file is left where there was none")
			}
		})
	}
}

func TestInstallFollowsLinks(t *testing.T) {
	folder := t.TempDir()
	change := serverChange(t, placeIn(folder), "gemini")
	kept := filepath.Join(folder, "dotfiles", "gemini.json")
	put(t, kept, "{}\n")
	if err := os.MkdirAll(filepath.Dir(change.Path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, change.Path); err != nil {
		t.Skip(err)
	}
	apply(t, change.Apply, true)
	if info, err := os.Lstat(change.Path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("%v %v: the link is gone", info.Mode(), err)
	}
	holdsServer(t, get(t, kept), "mcpServers")
	apply(t, change.Revert, true)
	if got := get(t, kept); got != "{}\n" {
		t.Errorf("got %q", got)
	}
}

func TestInstallToolFiles(t *testing.T) {
	place := placeIn(t.TempDir())
	place.Program = `C:\Program Files\gemini-search.exe`
	changes, err := place.ToolChanges()
	if err != nil {
		t.Fatal(err)
	}
	put(t, changes[1].Path, "// my own plugin\n")
	for _, change := range changes {
		apply(t, change.Apply, true)
		apply(t, change.Apply, false)
	}
	if tool := get(t, changes[0].Path); !strings.Contains(tool, `const command = "C:\\Program Files\\gemini-search.exe"`+"\n") {
		t.Error("the tool does not start this program")
	}
	for _, change := range changes {
		apply(t, change.Revert, true)
	}
	if got := get(t, changes[1].Path); got != "// my own plugin\n" {
		t.Errorf("got %q", got)
	}
	apply(t, changes[0].Apply, true)
	put(t, changes[0].Path, "// changed\n")
	if changed, err := changes[0].Revert(); changed || err == nil {
		t.Errorf("changed %v, error %v: what a user has changed is not ours to remove", changed, err)
	}
}

func TestInstallLooksWhereHostsLook(t *testing.T) {
	home, project := filepath.FromSlash("/h"), filepath.FromSlash("/p")
	environ := []string{"XDG_CONFIG_HOME=/x", "CODEX_HOME=/c", "CLAUDE_CONFIG_DIR=/l", "GEMINI_API_KEY=k"}
	for _, row := range []struct{ agent, user, project, told string }{
		{"opencode", "/h/.config/opencode/opencode.json", "/p/opencode.json", "/x/opencode/opencode.json"},
		{"claude", "/h/.claude.json", "/p/.mcp.json", "/l/.claude.json"},
		{"codex", "/h/.codex/config.toml", "/p/.codex/config.toml", "/c/config.toml"},
		{"gemini", "/h/.gemini/settings.json", "/p/.gemini/settings.json", "/h/.gemini/settings.json"},
		{"qwen", "/h/.qwen/settings.json", "/p/.qwen/settings.json", "/h/.qwen/settings.json"},
	} {
		for want, place := range map[string]Place{
			row.user:    {Home: home},
			row.project: {Home: home, Project: project, Environ: environ},
			row.told:    {Home: home, Environ: environ},
		} {
			if got := serverChange(t, place, row.agent).Path; filepath.ToSlash(got) != want {
				t.Errorf("%s: %s, want %s", row.agent, got, want)
			}
		}
	}
	if text := serverChange(t, Place{Environ: environ}, "gemini").Text(); !strings.Contains(text, `"GEMINI_API_KEY": "$GEMINI_API_KEY"`) || strings.Contains(text, "GOOGLE_API_KEY") {
		t.Errorf("a key that is set is passed by name, and no other:\n%s", text)
	}
	if _, err := (Place{}).ServerChange("emacs"); err == nil {
		t.Error("there is a host emacs")
	}
}

// TestFoldersAgree: what people copy starts what install would, and says what the
// server says.
func TestFoldersAgree(t *testing.T) {
	skill, err := folders.ReadFile("skill/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := folders.ReadFile("claude/skills/web-search/SKILL.md")
	if err != nil || !bytes.Equal(skill, plugin) {
		t.Errorf("the skill of the plugin is another one: %v", err)
	}
	for name, agent := range map[string]string{"claude/.mcp.json": "claude", "gemini/gemini-extension.json": "gemini"} {
		content, err := folders.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		servers := func(text []byte) map[string]any {
			var config struct{ McpServers map[string]map[string]any }
			if err := json.Unmarshal(text, &config); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			delete(config.McpServers[ServerName], "trust") // an extension may not ask for it
			return config.McpServers[ServerName]
		}
		got, _ := json.Marshal(servers(content))
		want, _ := json.Marshal(servers([]byte(serverChange(t, Place{Program: "gemini-search"}, agent).Text())))
		if !slices.Equal(got, want) {
			t.Errorf("%s starts %s, want %s", name, got, want)
		}
	}
	for agent, want := range map[string]string{
		"opencode": "gemini_web_search.js", "claude": ".claude-plugin/plugin.json", "gemini": "gemini-extension.json", "codex": "SKILL.md", "qwen": "SKILL.md",
	} {
		folder := filepath.Join(t.TempDir(), "new")
		changes, err := Place{}.FolderChanges(agent, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes {
			apply(t, change.Apply, true)
		}
		get(t, filepath.Join(folder, filepath.FromSlash(want)))
		for _, change := range changes {
			apply(t, change.Revert, true)
		}
	}
}

// FuzzEntry: whatever a file holds, it is refused, or the entry is in it and can
// be taken out again without a trace.
func FuzzEntry(f *testing.F) {
	for _, row := range jsonFiles {
		f.Add([]byte(strings.ReplaceAll(row.before, "PARENT", "mcp")))
	}
	e := entry{"mcp", ServerName, map[string]any{"command": []string{"gemini-search", "mcp"}}}
	f.Fuzz(func(t *testing.T, before []byte) {
		after, err := e.put(before)
		if err != nil {
			return
		}
		again, err := e.put(after)
		if err != nil || !bytes.Equal(again, after) {
			t.Fatalf("not idempotent, %v:\n%s\n%s", err, after, again)
		}
		without, err := e.remove(after)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hujson.Parse(append(bytes.Clone(without), '\n')); err != nil {
			t.Fatalf("%v:\n%s", err, without)
		}
		if left, err := e.remove(without); err != nil || len(before) > 0 && !bytes.Equal(left, without) {
			// a name that stands twice in a file is taken out once
			if bytes.Count(before, []byte("gemini")) < 2 {
				t.Fatalf("something is left, %v:\n%s", err, without)
			}
		}
	})
}

// FuzzBlock: the same of TOML, as far as a change that is not the last one allows.
func FuzzBlock(f *testing.F) {
	for _, file := range []string{"", "a = 1", "a = \"\"\"\n\"\"\"\"\n[b]\n", "# gemini-search: begin\n", "a = [{b = 'c'}]\n# gemini-search: end\n"} {
		f.Add([]byte(file))
	}
	b := block{"[mcp_servers.gemini]\ncommand = \"gemini-search\"\n"}
	f.Fuzz(func(t *testing.T, before []byte) {
		after, err := b.put(before)
		if err != nil {
			return
		}
		if again, err := b.put(after); err != nil || bytes.Count(again, []byte(b.text)) != bytes.Count(after, []byte(b.text)) {
			t.Fatalf("not idempotent, %v:\n%s\n%s", err, after, again)
		}
		if without, err := b.remove(after); err != nil || bytes.Count(without, []byte(b.text)) != bytes.Count(after, []byte(b.text))-1 {
			t.Fatalf("%v:\n%s", err, without)
		}
	})
}
