package hosts

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gemini-search/answer"
)

const (
	// ServerName is the name under which hosts configure the server. OpenCode
	// makes gemini_web_search of it and of [ToolName].
	ServerName = "gemini"
	// ToolName is the name of the one tool.
	ToolName = "web_search"
)

// Searcher answers one query, and tells in a few words what it is doing. Every
// error is an [answer.Failure].
type Searcher func(ctx context.Context, query string, tell func(step string)) (*answer.Answer, error)

// Server offers the search to a host by the Model Context Protocol: one tool, no
// prompts, no resources, no log.
type Server struct {
	// Version is what the server says of itself.
	Version string
	// Search answers a query.
	Search Searcher
	// Parallel bounds how many searches run at the same time.
	Parallel int
	// Environ is the environment that the host left us, to say which keys it
	// lacks.
	Environ []string

	interval time.Duration // between two looks at the step; 0 stands for stepInterval
}

// Serve speaks with one host until it closes the input or the context ends. When
// it returns, no search runs any more.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.serve(ctx, &mcp.IOTransport{Reader: in, Writer: out})
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil // a host that leaves in the middle of a call
	}
	return err
}

func (s *Server) serve(ctx context.Context, transport mcp.Transport) error {
	ctx, cancel := context.WithCancel(ctx)
	flights := newFlights(ctx, s.Parallel, s.Search)
	defer flights.wait()
	defer cancel()
	return s.protocol(flights).Run(ctx, transport)
}

// protocol is the server of the SDK. It has no keep-alive and no logging: the
// protocol of 2026-07-28 knows neither.
func (s *Server) protocol(flights *flights) *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: ServerName, Title: "gemini-search", Version: s.Version},
		&mcp.ServerOptions{
			Instructions: Instructions(),
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		},
	)
	server.AddTool(tool(), func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return s.call(ctx, request, flights), nil
	})
	return server
}

// tool describes the search. Its schema allows further properties, although
// [ReadArguments] refuses them: Gemini CLI adds one of its own to each schema.
func tool() *mcp.Tool {
	no, yes := false, true
	return &mcp.Tool{
		Name:        ToolName,
		Title:       "Web search with proven citations",
		Description: ToolDescription,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","description":` + quote(queryDescription) + `}},"required":["query"]}`),
		Annotations: &mcp.ToolAnnotations{
			Title:           "Web search with proven citations",
			ReadOnlyHint:    true, // Codex asks for approval without it, and Claude Code runs calls one by one
			DestructiveHint: &no,
			IdempotentHint:  true,
			OpenWorldHint:   &yes,
		},
		Meta: mcp.Meta{"anthropic/alwaysLoad": true}, // Claude Code shows only the name until it is searched for
	}
}

// call answers one call of the tool. What goes wrong is a result too, because
// hosts show the model a stack trace for an error of the protocol.
//
// The result has no structured content: Claude Code and Codex would show the
// model that alone, as JSON, instead of the Markdown that was verified.
func (s *Server) call(ctx context.Context, request *mcp.CallToolRequest, flights *flights) *mcp.CallToolResult {
	query, err := ReadArguments(request.Params.Arguments)
	if err != nil {
		return s.refuse(err)
	}
	joined := flights.join(query)
	stop := s.showProgress(ctx, request, joined)
	defer stop()
	found, err := flights.await(ctx, query, joined)
	if err != nil {
		return s.refuse(err)
	}
	return textResult(ToolText(found), false)
}

func (s *Server) refuse(err error) *mcp.CallToolResult {
	failure, ok := errors.AsType[*answer.Failure](err)
	if !ok {
		failure = &answer.Failure{Kind: answer.GeminiWebSearchFailed, Message: err.Error()}
	}
	text := FailureText(failure)
	if failure.Kind == answer.AuthRequired {
		text += missingKeys(s.Environ)
	}
	return textResult(text, true)
}

func textResult(text string, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: isError}
}
