package hosts

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gemini-search/answer"
)

// connect serves a host in this process, and returns the host's side. The test
// fails if the server does not return after its host has left.
func connect(t testing.TB, server *Server, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- server.serve(context.Background(), ours) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, options).Connect(context.Background(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close() // it may be closed already
		select {
		case <-served:
		case <-time.After(10 * time.Second):
			t.Error("the server outlives its host")
		}
	})
	return session
}

func call(t testing.TB, session *mcp.ClientSession, arguments any) (text string, isError bool) {
	t.Helper()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: ToolName, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return textOf(t, result), result.IsError
}

func textOf(t testing.TB, result *mcp.CallToolResult) string {
	t.Helper()
	if len(result.Content) != 1 || result.StructuredContent != nil {
		t.Fatalf("%d contents and structured content %v, want one text alone: two hosts show the model only what is structured", len(result.Content), result.StructuredContent)
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// echo answers at once, with the query in the text.
func echo(_ context.Context, query string, _ func(string)) (*answer.Answer, error) {
	body := query + " is known [Source](https://go.dev/).\n\n"
	return &answer.Answer{Query: query, Body: body, Text: body + "## Sources\n\n- https://go.dev/", Sources: []answer.Source{{URI: "https://go.dev/"}}}, nil
}

// untilCancelled never finds anything.
func untilCancelled(ctx context.Context, _ string, _ func(string)) (*answer.Answer, error) {
	<-ctx.Done()
	return nil, &answer.Failure{Kind: answer.Cancelled, Message: "the search was cancelled", Err: ctx.Err()}
}

func TestToolIsOfferedAsHostsNeedIt(t *testing.T) {
	session := connect(t, &Server{Version: "1.2.3", Search: echo}, nil)
	opening := session.InitializeResult()
	if opening.ServerInfo.Name != "gemini" || opening.ServerInfo.Version != "1.2.3" || opening.Instructions != Instructions() {
		t.Errorf("the server says of itself %+v", opening)
	}
	if offered, _ := json.Marshal(opening.Capabilities); string(offered) != `{"tools":{}}` {
		t.Errorf("capabilities %s: the protocol of 2026-07-28 has no logging, and the tools never change", offered)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	offered := list.Tools[0]
	schema, _ := json.Marshal(offered.InputSchema)
	if offered.Name != "web_search" || strings.Contains(string(schema), "additionalProperties") {
		t.Errorf("%s %s: Gemini CLI sends an argument of its own", offered.Name, schema)
	}
	hints := offered.Annotations
	if !hints.ReadOnlyHint || !hints.IdempotentHint || hints.DestructiveHint == nil || *hints.DestructiveHint || hints.OpenWorldHint == nil || !*hints.OpenWorldHint {
		t.Errorf("annotations %+v: Codex asks for approval without them", hints)
	}
	if offered.Meta["anthropic/alwaysLoad"] != true {
		t.Errorf("_meta %v: Claude Code would show the name alone", offered.Meta)
	}
	if offered.OutputSchema != nil {
		t.Errorf("output schema %v, and there is no structured content", offered.OutputSchema)
	}
}

func TestCallGivesTextOrFailure(t *testing.T) {
	broken := &answer.Failure{
		Kind: answer.CitationContractViolated, Message: "the answer breaks the citation contract", Hint: "ask again",
		Violations: []answer.Violation{{Code: "not-grounded", Message: "no search returned https://a.example", Line: 3}},
	}
	signedOut := &answer.Failure{Kind: answer.AuthRequired, Message: "gemini is not signed in", Hint: "set GEMINI_API_KEY"}
	nothing := &answer.Answer{Query: "q", Text: answer.NoResults}
	gives := func(found *answer.Answer, err error) Searcher {
		return func(context.Context, string, func(string)) (*answer.Answer, error) { return found, err }
	}
	for _, row := range []struct {
		reason  string
		search  Searcher
		args    string
		want    string // the text, or with a star at its end how it begins
		isError bool
	}{
		{"the verified text, byte for byte", echo, `{"query":"Go"}`, "Go is known [Source](https://go.dev/).\n\n## Sources\n\n- https://go.dev/\n", false},
		{"Gemini CLI adds an argument to each call", echo, `{"query":"Go","wait_for_previous":true}`, "Go is known*", false},
		{"nothing found is an answer", gives(nothing, nil), `{"query":"q"}`, "NO_RESULTS\n\nNo search results*", false},
		{"kind, violations and hint on lines of their own", gives(nil, broken), `{"query":"q"}`,
			"error: the answer breaks the citation contract\nkind: CITATION_CONTRACT_VIOLATED\nviolation: line 3: not-grounded: no search returned https://a.example\nhint: ask again\n", true},
		{"keys that the host kept back are named", gives(nil, signedOut), `{"query":"q"}`,
			"error: gemini is not signed in\nkind: AUTH_REQUIRED\nhint: set GEMINI_API_KEY\nnot set in the environment of this server: GEMINI_API_KEY, GOOGLE_CLOUD_PROJECT, GOOGLE_APPLICATION_CREDENTIALS\n*", true},
		{"an error without a kind has the general one", gives(nil, io.ErrUnexpectedEOF), `{"query":"q"}`, "error: unexpected EOF\nkind: GEMINI_WEB_SEARCH_FAILED\n", true},
		{"unknown arguments are a slip that must not pass", echo, `{"query":"q","site":"a","max":3}`, "error: unknown argument \"max\", \"site\"\nkind: INVALID_TOOL_ARGUMENTS\n*", true},
		{"no query", echo, `{}`, "error: the argument query is missing or no string\nkind: INVALID_TOOL_ARGUMENTS\n*", true},
		{"a query of another type", echo, `{"query":["q"]}`, "error: the argument query is missing or no string\nkind: INVALID_TOOL_ARGUMENTS\n*", true},
		{"null is no query", echo, `{"query":null}`, "error: the argument query is missing or no string\nkind: INVALID_TOOL_ARGUMENTS\n*", true},
		{"a blank query, by its own kind", echo, `{"query":" \n "}`, "error: the query is blank\nkind: INVALID_QUERY\n*", true},
		{"a name that lies to a terminal", echo, `{"\u001b[2Jx":1}`, "error: unknown argument \"x\"\n*", true},
	} {
		t.Run(row.reason, func(t *testing.T) {
			server := &Server{Search: row.search, Environ: []string{"GOOGLE_API_KEY=x", "GOOGLE_CLOUD_PROJECT="}}
			text, isError := call(t, connect(t, server, nil), json.RawMessage(row.args))
			want, open := strings.CutSuffix(row.want, "*")
			if isError != row.isError || text != want && !(open && strings.HasPrefix(text, want)) {
				t.Errorf("isError %v and\n%s\nwant %v and\n%s", isError, text, row.isError, row.want)
			}
		})
	}
}

// TestManyCalls: 100 calls, 4 at a time, every fifth cancelled at a random moment:
// each answer is the one to its own question, and nothing is left running.
func TestManyCalls(t *testing.T) {
	before := runtime.NumGoroutine()
	var running, most, started atomic.Int64
	search := func(ctx context.Context, query string, tell func(string)) (*answer.Answer, error) {
		started.Add(1)
		now := running.Add(1)
		defer running.Add(-1)
		for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		select {
		case <-time.After(rand.N(4 * time.Millisecond)):
			return echo(ctx, query, tell)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	session := connect(t, &Server{Search: search, Parallel: 4}, nil)
	var calls sync.WaitGroup
	for n := range 100 {
		calls.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if n%5 == 0 {
				time.AfterFunc(rand.N(20*time.Millisecond), cancel)
			}
			query := fmt.Sprintf("question %d", n)
			result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: ToolName, Arguments: map[string]any{"query": query}})
			switch {
			case err != nil && ctx.Err() == nil:
				t.Errorf("%s: %v", query, err)
			case err == nil && !result.IsError && !strings.HasPrefix(textOf(t, result), query+" is known"):
				t.Errorf("%s got %q", query, textOf(t, result))
			case err == nil && result.IsError && n%5 != 0:
				t.Errorf("%s got %q", query, textOf(t, result))
			}
		})
	}
	calls.Wait()
	if most.Load() > 4 {
		t.Errorf("%d searches ran at once, want at most 4", most.Load())
	}
	if started.Load() < 80 {
		t.Errorf("%d searches ran, want the 80 that nobody cancelled", started.Load())
	}
	_ = session.Close() // the server returns, and with it every search
	for range 200 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if now := runtime.NumGoroutine(); now > before || running.Load() != 0 {
		t.Errorf("%d goroutines of %d, and %d searches are left", now, before, running.Load())
	}
}

// TestHostLeaves: the end of the input is all that a server sees of a host that
// was killed.
func TestHostLeaves(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	search := func(ctx context.Context, query string, tell func(string)) (*answer.Answer, error) {
		close(started)
		defer close(ended)
		return untilCancelled(ctx, query, tell)
	}
	in, host := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- (&Server{Search: search}).Serve(context.Background(), in, discard{io.Discard})
	}()
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"web_search","arguments":{"query":"q"}}}`,
	} {
		if _, err := io.WriteString(host, message+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	<-started
	host.Close()
	if err := <-served; err != nil {
		t.Errorf("got %v: a host that leaves is no error", err)
	}
	select {
	case <-ended:
	default:
		t.Error("the search outlives the host")
	}
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// TestProgressKeepsCallAlive: OpenCode gives up after 60 s without any.
func TestProgressKeepsCallAlive(t *testing.T) {
	said := make(chan *mcp.ProgressNotificationParams, 100)
	options := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
		said <- request.Params
	}}
	seen := make(chan struct{})
	search := func(ctx context.Context, query string, tell func(string)) (*answer.Answer, error) {
		for _, step := range []string{"starting gemini", "searching", "verifying"} {
			tell(step)
			<-seen
		}
		return echo(ctx, query, tell)
	}
	session := connect(t, &Server{Search: search, interval: time.Millisecond}, options)
	done := make(chan struct{})
	go func() {
		defer close(done)
		params := &mcp.CallToolParams{Name: ToolName, Arguments: map[string]any{"query": "q"}}
		params.SetProgressToken("token")
		if _, err := session.CallTool(context.Background(), params); err != nil {
			t.Error(err)
		}
	}()
	last := -1.0
	for _, step := range []string{"starting gemini, 0 s", "searching, 0 s", "verifying, 0 s"} {
		progress := <-said
		for progress.Message == "waiting for other searches, 0 s" {
			last, progress = progress.Progress, <-said
		}
		if progress.ProgressToken != "token" || progress.Progress <= last || progress.Message != step {
			t.Errorf("progress %+v after %v, want %q: it must grow, and name its call", progress, last, step)
		}
		last = progress.Progress
		seen <- struct{}{}
	}
	<-done
}

func TestOldStepIsToldAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		searching := &flight{}
		searching.tell("searching")
		var at []int
		(&Server{}).watch(ctx, searching, func(_ string, elapsed time.Duration) { at = append(at, int(elapsed.Seconds())) })
		for i, seconds := range at[1:] {
			if silence := seconds - at[i]; silence > 15 {
				t.Errorf("silent for %d s", silence)
			}
		}
		if len(at) < 5 {
			t.Errorf("told at %v in a minute", at)
		}
	})
}

// BenchmarkCall is what a call costs beyond the search itself.
func BenchmarkCall(b *testing.B) {
	session := connect(b, &Server{Search: echo}, nil)
	for b.Loop() {
		call(b, session, map[string]any{"query": "q"})
	}
}
