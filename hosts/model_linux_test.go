package hosts

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// model plays the model of a host on loopback, in the three protocols that the
// hosts speak: asked something while the search is offered, it calls it once; told
// the result, it says that it is done.
type model struct {
	*httptest.Server
	tool  string // the name under which the host offers the search
	query string

	mu     sync.Mutex
	bodies []string
}

func startModel(t *testing.T, tool, query string) *model {
	m := &model{tool: tool, query: query}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

// requests are the bodies of the requests so far.
func (m *model) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.bodies...)
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	content, _ := io.ReadAll(r.Body) // a host that hangs up gets no answer anyway
	body := string(content)
	m.mu.Lock()
	m.bodies = append(m.bodies, body)
	m.mu.Unlock()
	told := strings.Contains(body, `"role":"tool"`) || strings.Contains(body, `"tool_result"`) || strings.Contains(body, `"function_call_output"`)
	call := !told && offers(content, m.tool)
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		m.completions(w, call)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		m.responses(w, call)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		m.messages(w, call)
	default:
		http.NotFound(w, r)
	}
}

// offers reports whether a request offers a tool of this name, also one in a
// namespace.
func offers(body []byte, name string) bool {
	type offered struct {
		Name     string
		Function struct{ Name string }
		Tools    []struct{ Name string }
	}
	var request struct{ Tools []offered }
	if json.Unmarshal(body, &request) != nil {
		return false
	}
	for _, tool := range request.Tools {
		for _, inner := range tool.Tools {
			if tool.Name+"."+inner.Name == name {
				return true
			}
		}
		if tool.Name == name || tool.Function.Name == name {
			return true
		}
	}
	return false
}

func (m *model) arguments() string { return `{"query":` + quote(m.query) + `}` }

// events writes server-sent events; a name for each, where the protocol has one.
func events(w http.ResponseWriter, named bool, events ...any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		text, err := json.Marshal(event)
		if err != nil {
			panic(err)
		}
		if typed, ok := event.(fields); ok && named {
			fmt.Fprintf(w, "event: %s\n", typed["type"])
		}
		fmt.Fprintf(w, "data: %s\n\n", text)
	}
}

// fields are a JSON object.
type fields = map[string]any

func (m *model) completions(w http.ResponseWriter, call bool) {
	delta, reason := fields{"role": "assistant", "content": "done"}, "stop"
	if call {
		reason = "tool_calls"
		delta = fields{"role": "assistant", "tool_calls": []any{fields{
			"index": 0, "id": "call_1", "type": "function", "function": fields{"name": m.tool, "arguments": m.arguments()},
		}}}
	}
	chunk := func(delta fields, reason any) fields {
		return fields{"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake-1", "choices": []any{
			fields{"index": 0, "delta": delta, "finish_reason": reason},
		}}
	}
	events(w, false, chunk(delta, nil), chunk(fields{}, reason))
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func (m *model) messages(w http.ResponseWriter, call bool) {
	block, delta, reason := fields{"type": "text", "text": ""}, fields{"type": "text_delta", "text": "done"}, "end_turn"
	if call {
		block, reason = fields{"type": "tool_use", "id": "toolu_1", "name": m.tool, "input": fields{}}, "tool_use"
		delta = fields{"type": "input_json_delta", "partial_json": m.arguments()}
	}
	usage := fields{"input_tokens": 1, "output_tokens": 1}
	events(w, true,
		fields{"type": "message_start", "message": fields{
			"id": "msg_1", "type": "message", "role": "assistant", "model": "fake-1", "content": []any{}, "stop_reason": nil, "usage": usage,
		}},
		fields{"type": "content_block_start", "index": 0, "content_block": block},
		fields{"type": "content_block_delta", "index": 0, "delta": delta},
		fields{"type": "content_block_stop", "index": 0},
		fields{"type": "message_delta", "delta": fields{"stop_reason": reason}, "usage": usage},
		fields{"type": "message_stop"},
	)
}

func (m *model) responses(w http.ResponseWriter, call bool) {
	item := fields{"type": "message", "id": "m1", "role": "assistant", "content": []any{fields{"type": "output_text", "text": "done"}}}
	if call {
		item = fields{"type": "function_call", "id": "f1", "call_id": "call_1", "name": m.tool, "arguments": m.arguments()}
		if namespace, name, ok := strings.Cut(m.tool, "."); ok {
			item["namespace"], item["name"] = namespace, name
		}
	}
	usage := fields{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
	events(w, true,
		fields{"type": "response.created", "response": fields{"id": "r1"}},
		fields{"type": "response.output_item.done", "output_index": 0, "item": item},
		fields{"type": "response.completed", "response": fields{"id": "r1", "usage": usage}},
	)
}
