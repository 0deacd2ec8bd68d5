package hosts

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNothingOutlivesRealHost: a host is stopped in the middle of a search by a
// gemini that ignores every signal, and one second later nothing of it is left.
func TestNothingOutlivesRealHost(t *testing.T) {
	for _, host := range realHosts() {
		for _, row := range []struct {
			reason string
			stop   func(pid int) error
		}{
			{"Ctrl-C", func(pid int) error { return syscall.Kill(-pid, syscall.SIGINT) }},
			{"SIGKILL", func(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }},
		} {
			t.Run(host.reason+"/"+row.reason, func(t *testing.T) {
				s := newSession(t, startModel(t, host.tool, "what is the latest Go release?"))
				note := s.neverAnswering(t)
				command := host.start(t, s)
				command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
				if err := command.Start(); err != nil {
					t.Fatal(err)
				}
				defer syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
				waitForFile(t, note, 30*time.Second)
				if err := row.stop(command.Process.Pid); err != nil {
					t.Fatal(err)
				}
				go command.Wait()
				isOver(t, note)
				for deadline := time.Now().Add(time.Second); len(ours(t)) > 0; time.Sleep(10 * time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatalf("gemini-search is left: %v", ours(t))
					}
				}
			})
		}
	}
}

// neverAnswering gives a session a gemini that ignores every signal, and notes its
// process in a file.
func (s *session) neverAnswering(t *testing.T) (note string) {
	t.Helper()
	note = filepath.Join(s.folder, "pid")
	gemini := filepath.Join(s.folder, "gemini")
	put(t, gemini, "#!/bin/sh\ntrap '' TERM INT HUP\necho $$ > "+note+".new; mv "+note+".new "+note+"\nwhile :; do sleep 0.05; done\n")
	if err := os.Chmod(gemini, 0o700); err != nil {
		t.Fatal(err)
	}
	s.environ = append(s.environ, "GEMINI_BINARY="+gemini)
	return note
}

// isOver fails if the search is alive a second from now.
func isOver(t *testing.T, note string) {
	t.Helper()
	started := time.Now()
	isGone(t, note, time.Second)
	t.Logf("gemini ended after %v", time.Since(started).Round(time.Millisecond))
}

// TestAbortInOpenCode: Esc in its terminal is this call of its API. OpenCode lives
// on, and so does its server; only the search ends.
func TestAbortInOpenCode(t *testing.T) {
	for _, row := range []struct {
		reason string
		tool   bool
	}{{"the tool file hears of it by its abort signal", true}, {"the server by notifications/cancelled", false}} {
		t.Run(row.reason, func(t *testing.T) {
			s := newSession(t, startModel(t, "gemini_web_search", "what is the latest Go release?"))
			note := s.neverAnswering(t)
			command := openCode(t, s, row.tool)
			command.Args = append(command.Args[:1], "serve", "--port", "0")
			api := listening(t, command)
			var created struct{ ID string }
			post(t, api+"/session", "{}", &created)
			go func() {
				prompt := strings.NewReader(`{"parts":[{"type":"text","text":"what is the latest Go release?"}]}`)
				if response, err := http.Post(api+"/session/"+created.ID+"/message", "application/json", prompt); err == nil {
					response.Body.Close()
				}
			}()
			waitForFile(t, note, 30*time.Second)
			post(t, api+"/session/"+created.ID+"/abort", "", nil)
			isOver(t, note)
		})
	}
}

// listening starts a server and returns the address that it prints.
func listening(t *testing.T, command *exec.Cmd) (address string) {
	t.Helper()
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if _, found, ok := strings.Cut(lines.Text(), "listening on "); ok {
			return strings.TrimSpace(found)
		}
	}
	t.Fatal("the server ended before it listened")
	return ""
}

func post(t *testing.T, address, body string, told any) {
	t.Helper()
	client := &http.Client{Timeout: 30 * time.Second}
	response, err := client.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if told == nil {
		return
	}
	if err := json.NewDecoder(response.Body).Decode(told); err != nil {
		t.Fatal(err)
	}
}

func waitForFile(t *testing.T, path string, limit time.Duration) {
	t.Helper()
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	t.Fatalf("%s did not appear", path)
}

// ours are the processes of the program that the tests have built.
func ours(t *testing.T) (left []string) {
	built, err := program()
	if err != nil {
		t.Fatal(err)
	}
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == built {
			left = append(left, link)
		}
	}
	return left
}
