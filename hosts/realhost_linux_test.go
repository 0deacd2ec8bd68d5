package hosts

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	realhosts "gemini-search/fixtures/hosts"
)

// host is one way to bring the search into a real host.
type host struct {
	reason string
	tool   string // the name under which the model is offered it
	logs   string // what the host's own log must hold
	start  func(*testing.T, *session) *exec.Cmd
}

func realHosts() []host {
	return []host{
		{"OpenCode, by the tool file", "gemini_web_search", "recency words: latest, release", func(t *testing.T, s *session) *exec.Cmd { return openCode(t, s, true) }},
		{"OpenCode, by the server", "gemini_web_search", "", func(t *testing.T, s *session) *exec.Cmd { return openCode(t, s, false) }},
		{"Claude Code, by the server", "mcp__gemini__web_search", "", claudeCode},
		{"Codex, by the server", "mcp__gemini.web_search", "", codex},
	}
}

// openCode starts OpenCode without a word to the network: it would look for its
// own packages and for its catalogue of models.
func openCode(t *testing.T, s *session, tool bool) *exec.Cmd {
	path := realhosts.Require(t, "opencode")
	if tool {
		changes, err := s.place.ToolChanges()
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range changes {
			apply(t, change.Apply, true)
		}
	} else {
		apply(t, serverChange(t, s.place, "opencode").Apply, true)
	}
	config := fields{
		"autoupdate": false, "share": "disabled", "model": "fake/fake-1", "small_model": "fake/fake-1", "enabled_providers": []string{"fake"},
		"provider": fields{"fake": fields{
			"npm": "@ai-sdk/openai-compatible", "name": "Fake",
			"options": fields{"baseURL": s.model.URL + "/v1", "apiKey": "none"},
			"models":  fields{"fake-1": fields{"name": "fake-1", "tool_call": true, "limit": fields{"context": 200000, "output": 8000}}},
		}},
	}
	content, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	s.environ = append(s.environ, "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
		"OPENCODE_GEMINI_SEARCH_DEBUG=1", "npm_config_offline=true", "npm_config_fetch_retries=0", "OPENCODE_CONFIG_CONTENT="+string(content))
	return s.command(t, path, "run", "--print-logs", s.model.query)
}

func claudeCode(t *testing.T, s *session) *exec.Cmd {
	path := realhosts.Require(t, "claude")
	apply(t, serverChange(t, s.place, "claude").Apply, true)
	s.environ = append(s.environ, "ANTHROPIC_BASE_URL="+s.model.URL, "ANTHROPIC_API_KEY=anything", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "IS_SANDBOX=1")
	return s.command(t, path, "-p", s.model.query, "--model", "fake-1", "--allowedTools", s.model.tool)
}

func codex(t *testing.T, s *session) *exec.Cmd {
	path := realhosts.Require(t, "codex")
	change := serverChange(t, s.place, "codex")
	put(t, change.Path, fmt.Sprintf("model = \"fake-1\"\nmodel_provider = \"fake\"\n\n[model_providers.fake]\nname = \"Fake\"\nbase_url = %q\nwire_api = \"responses\"\n", s.model.URL+"/v1"))
	apply(t, change.Apply, true)
	command := s.command(t, path, "exec", "--skip-git-repo-check", s.model.query)
	return command
}

// TestRealHosts: the host's model asks for the search, the real Gemini CLI
// answers, and what was verified reaches the host's next request whole.
func TestRealHosts(t *testing.T) {
	for _, host := range realHosts() {
		for _, outcome := range []struct{ outcome, name string }{{"accepted", "english"}, {"rejected", "not-grounded"}} {
			t.Run(host.reason+"/"+outcome.outcome, func(t *testing.T) {
				m := startModel(t, host.tool, "what is the latest Go release?")
				s := newSession(t, m)
				recording := s.answering(t, outcome.outcome, outcome.name)
				output, err := host.start(t, s).CombinedOutput()
				if !strings.Contains(string(output), host.logs) {
					t.Errorf("the log holds no %q:\n%s", host.logs, output)
				}
				const hint = "before you answer when the answer may have changed since your training"
				want := []string{hint, strings.TrimSpace(recording.Answer)}
				if outcome.outcome == "rejected" {
					want = []string{"error: the answer breaks the citation contract\n", "kind: CITATION_CONTRACT_VIOLATED\n", "not-grounded", "hint: "}
				}
				for _, text := range want {
					if !m.wasTold(text) {
						t.Fatalf("%v: the model was not told %q\nin %d requests, the last %.6000s\nthe host says %s", err, text, len(m.requests()), last(m), output)
					}
				}
			})
		}
	}
}

func last(m *model) string {
	requests := m.requests()
	if len(requests) == 0 {
		return ""
	}
	return requests[len(requests)-1]
}

// wasTold looks for a text in the strings of all requests.
func (m *model) wasTold(text string) bool {
	for _, body := range m.requests() {
		var value any
		if json.Unmarshal([]byte(body), &value) == nil && holds(value, text) {
			return true
		}
	}
	return false
}

func holds(value any, text string) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, text)
	case []any:
		for _, inner := range value {
			if holds(inner, text) {
				return true
			}
		}
	case map[string]any:
		for _, inner := range value {
			if holds(inner, text) {
				return true
			}
		}
	}
	return false
}
