package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func mustRead(t *testing.T, output string) *Envelope {
	t.Helper()
	envelope, err := ReadEnvelope([]byte(output))
	if err != nil {
		t.Fatalf("%q: %v", output, err)
	}
	return envelope
}

func TestReadEnvelope(t *testing.T) {
	envelope := mustRead(t, `{
  "session_id": "s",
  "response": "hello",
  "stats": {
    "models": {
      "gemini-3-pro": {"tokens": {"total": 100}},
      "gemini-3-flash": {"tokens": {"total": 20}}
    },
    "tools": {"byName": {"google_web_search": {"count": 3, "success": 2, "fail": 1}, "other": {"success": 9}}}
  },
  "warnings": ["careful"]
}`)
	if envelope.Response != "hello" || envelope.Searches != 2 || envelope.Tokens != 120 || envelope.Error != nil {
		t.Errorf("%+v", envelope)
	}
	if !slices.Equal(envelope.Models, []string{"gemini-3-flash", "gemini-3-pro"}) || !slices.Equal(envelope.Warnings, []string{"careful"}) {
		t.Errorf("models %v, warnings %v", envelope.Models, envelope.Warnings)
	}
}

// TestReadEnvelopeAround puts notes around the object, as versions of the CLI
// with hooks or telemetry do.
func TestReadEnvelopeAround(t *testing.T) {
	const object = `{"response": "a"}`
	for _, test := range []struct{ reason, output, response string }{
		{"nothing", object, "a"},
		{"blanks before it on the line", "  \t" + object, "a"},
		{"a line before it", "Loaded cached credentials.\n" + object, "a"},
		{"lines after it", object + "\nCreated execution plan for SessionEnd: 1 hook(s)\n", "a"},
		{"text right after it", object + "Export retry time 5000ms", "a"},
		{"CRLF", "note\r\n" + object + "\r\n", "a"},
		{"a brace in a note", "plan {x}\n" + object, "a"},
		{"a brace that begins a note", "{ hook: 1 }\n" + object, "a"},
		{"an array before it", "[1, {\"response\": \"x\"}]\n" + object, "a"},
		{"another object before it", `{"level": "info"}` + "\n" + object, "a"},
		{"another object after it", object + "\n" + `{"traceId": "x", "name": "span"}`, "a"},
		{"two: the last counts", `{"response": "b"}` + "\n" + object, "a"},
		{"two on one line: both begin it", `{"response": "b"}` + object, "a"},
		{"a note before it on the line", "Warning: slow " + object, "a"},
		{"a byte order mark", "\ufeff" + object, "a"},
		{"a control sequence before it", "\x1b[?25h" + object, "a"},
		{"a hundred notes that are objects", strings.Repeat("{\"level\": \"info\"}\n", 100) + object, "a"},
		{"a hundred notes that look like objects", strings.Repeat("{ not json\n", 100) + object, "a"},
		{"names in another letter case are other names", `{"Response": "b", "response": "a"}`, "a"},
		{"the second one cut", object + "\n" + `{"response": "b`, "a"},
		{"a brace in a string", `{"response": "a } \" {"}`, `a } " {`},
		{"an error object of the CLI", `{"error": {"type": "Error", "message": "m", "code": 41}}`, ""},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if got := mustRead(t, test.output); got.Response != test.response {
				t.Errorf("%q: %q, want %q", test.output, got.Response, test.response)
			}
		})
	}
}

func TestReadEnvelopeFails(t *testing.T) {
	for _, output := range []string{
		"", "\n", "{", "null", "[]", `"response"`, "Error: not signed in", `{"response": "a`, `{"response": "a"`,
		`{"note": 1}`, "{'response': 'a'}", strings.Repeat("{\n", 1000),
		"{\n \"response\": \"a\",\n \"list\": [\n  {\"total\": 1},\n", // cut, as the CLI does at 64 KiB
	} {
		if envelope, err := ReadEnvelope([]byte(output)); !errors.Is(err, ErrNoEnvelope) {
			t.Errorf("%q: %+v, %v", output, envelope, err)
		}
	}
}

func TestSearches(t *testing.T) {
	for _, test := range []struct {
		success string
		want    int
	}{
		{"1", 1}, {"3", 3}, {"1.0", 1}, {"1e1", 10},
		{"0", 0}, {"-1", 0}, {"1.5", 0}, {"0.9", 0}, {"null", 0}, {"true", 0}, {`"1"`, 0}, {`""`, 0}, {"[1]", 0},
		{`{"count": 1}`, 0}, {"1e400", 0}, {"1e300", 0}, {"99999999999999999999", 0},
	} {
		output := `{"response": "a", "stats": {"tools": {"byName": {"google_web_search": {"success": ` + test.success + `}}}}}`
		if got := mustRead(t, output); got.Searches != test.want || got.Response != "a" {
			t.Errorf("success %s: %d searches, response %q, want %d", test.success, got.Searches, got.Response, test.want)
		}
	}
}

// TestOddTypes asks that a value of another type is a missing fact, and that the
// others are read.
func TestOddTypes(t *testing.T) {
	const good = `"tools": {"byName": {"google_web_search": {"success": 1}}}`
	for _, test := range []struct {
		reason, output string
		searches       int
		response       string
	}{
		{"no stats", `{"response": "a"}`, 0, "a"},
		{"stats is null", `{"response": "a", "stats": null}`, 0, "a"},
		{"stats is text", `{"response": "a", "stats": "x"}`, 0, "a"},
		{"no tool ran", `{"response": "a", "stats": {"tools": {"byName": {}}}}`, 0, "a"},
		{"tools is a list", `{"response": "a", "stats": {"tools": []}}`, 0, "a"},
		{"models is a list", `{"response": "a", "stats": {"models": [], ` + good + `}}`, 1, "a"},
		{"the response is null", `{"response": null, "stats": {` + good + `}}`, 1, ""},
		{"the response is a number", `{"response": 1, "stats": {` + good + `}}`, 1, ""},
		{"warnings are objects", `{"response": "a", "warnings": [{"a": 1}], "stats": {` + good + `}}`, 1, "a"},
		{"the error is text", `{"response": "a", "error": "x", "stats": {` + good + `}}`, 1, "a"},
		{"another tool's name", `{"response": "a", "stats": {"tools": {"byName": {"Google_Web_Search": {"success": 1}}}}}`, 0, "a"},
		{"in the totals only", `{"response": "a", "stats": {"tools": {"totalSuccess": 1}}}`, 0, "a"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if got := mustRead(t, test.output); got.Searches != test.searches || got.Response != test.response {
				t.Errorf("%d searches, response %q", got.Searches, got.Response)
			}
		})
	}
}

func TestEnvelopeError(t *testing.T) {
	for _, test := range []struct {
		object string
		want   EnvelopeError
	}{
		{`{"type": "ApiError", "message": "quota", "code": 429}`, EnvelopeError{"ApiError", "quota", 429}},
		{`{"message": "no type"}`, EnvelopeError{Message: "no type"}},
		{`{"type": "E", "code": "FATAL"}`, EnvelopeError{Type: "E"}},
		{`{"type": 1, "message": {}, "code": null}`, EnvelopeError{}},
		{`{"message": "a\u001b[31mb"}`, EnvelopeError{Message: "ab"}},
	} {
		if got := mustRead(t, `{"error": `+test.object+`}`); got.Error == nil || *got.Error != test.want {
			t.Errorf("%s: %+v", test.object, got.Error)
		}
	}
	if got := mustRead(t, `{"response": "a", "error": null}`); got.Error != nil {
		t.Errorf("null: %+v", got.Error)
	}
}

// TestJSONIsKept asks that a string is sanitized, and that every other byte stays.
func TestJSONIsKept(t *testing.T) {
	for _, test := range []struct{ reason, object, want string }{
		{"layout, order and numbers", "{ \"stats\":\t{\"b\": 1.50, \"a\": 1e3,\n \"c\": -0.0} , \"response\":\"a\"}", ""},
		{"duplicate keys", `{"response": "a", "response": "b"}`, ""},
		{"escapes", `{"response": "\u0041\/\n\t\"\\ \u00e9 \ud83d\ude00 <a&b>"}`, ""},
		{"other scripts", `{"response": "고 – é 😀"}`, ""},
		{"line separators are line ends", "{\"response\": \"a\u2028b\"}", `{"response": "a\nb"}`},
		{"a control sequence", `{"response": "a\u001b[31mb"}`, `{"response": "ab"}`},
		{"a title that is set", `{"response": "a\u001b]0;x\u0007b"}`, `{"response": "ab"}`},
		{"C1", `{"response": "a\u009b31mb"}`, `{"response": "ab"}`},
		{"in a key", `{"response": "a", "k\u001b[0m": 1}`, `{"response": "a", "k": 1}`},
		{"in a list", `{"response": "a", "warnings": ["x\u001b[0m", "y"]}`, `{"response": "a", "warnings": ["x", "y"]}`},
		{"behind an escaped backslash", `{"response": "a\\u001b"}`, ""},
		{"invalid UTF-8", "{\"response\": \"a\xffb\"}", "{\"response\": \"a\ufffdb\"}"},
		{"a lone surrogate", `{"response": "a\ud800b"}`, "{\"response\": \"a\ufffdb\"}"},
		{"quotes stay escaped", `{"response": "\u001b[0m\"a\""}`, `{"response": "\"a\""}`},
	} {
		t.Run(test.reason, func(t *testing.T) {
			want := test.want
			if want == "" {
				want = test.object
			}
			envelope := mustRead(t, "note\n"+test.object+"\nnote")
			if string(envelope.JSON) != want {
				t.Errorf("JSON %q, want %q", envelope.JSON, want)
			}
			if !json.Valid(envelope.JSON) {
				t.Error("it is no JSON any more")
			}
		})
	}
}

func FuzzReadEnvelope(f *testing.F) {
	for _, s := range []string{
		"", "{", `{"response": "a"}`, "note\n{\"response\": \"\\u001b[31m\"}", `{"response": "\ud800"}`, `{"error": {"code": 1}}`,
		`{"response": "a", "stats": {"tools": {"byName": {"google_web_search": {"success": 1}}}}}`, "{\"a\": \"\xff\"}\n{\"stats\":[]}", `{"response":"\"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		before := bytes.Clone(output)
		envelope, err := ReadEnvelope(output)
		if !bytes.Equal(output, before) {
			t.Error("the output was changed")
		}
		if err != nil {
			return
		}
		if !json.Valid(envelope.JSON) || envelope.Searches < 0 {
			t.Errorf("%+v", envelope)
		}
		again, err := ReadEnvelope(envelope.JSON)
		if err != nil || !bytes.Equal(again.JSON, envelope.JSON) || again.Response != envelope.Response || again.Searches != envelope.Searches {
			t.Errorf("read again: %+v, %v\nwant %+v", again, err, envelope)
		}
	})
}

// TestErrorOfEnvelope: an object, or a text alone.
func TestErrorOfEnvelope(t *testing.T) {
	for output, want := range map[string]*EnvelopeError{
		`{"error": {"type": "T", "message": "m", "code": 429}}`: {Type: "T", Message: "m", Code: 429},
		`{"error": "boom"}`:               {Message: "boom"},
		`{"error": null, "response": ""}`: nil,
		`{"error": 7}`:                    {},
	} {
		envelope, err := ReadEnvelope([]byte(output))
		if err != nil || !reflect.DeepEqual(envelope.Error, want) {
			t.Errorf("%s: %+v, %v, want %+v", output, envelope.Error, err, want)
		}
	}
}

// TestWithResponse: every member of the name, so that no reader finds another text.
func TestWithResponse(t *testing.T) {
	envelope, err := ReadEnvelope([]byte(`{"response": "a", "n": 1.50, "response": "b", "Response": "c"}`))
	if err != nil || envelope.Response != "b" {
		t.Fatalf("%+v, %v", envelope, err)
	}
	if got, want := string(envelope.WithResponse("x")), `{"response": "x", "n": 1.50, "response": "x", "Response": "c"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
