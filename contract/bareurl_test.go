package contract

import (
	"slices"
	"strings"
	"testing"
)

// wiki has a parenthesis of its own.
const wiki = "https://en.wikipedia.org/wiki/Go_(programming_language)"

func TestBareURLs(t *testing.T) {
	for _, test := range []struct {
		reason, text string
		want         []string
	}{
		{"alone", page, []string{page}},
		{"in a sentence", "see " + page + ", please", []string{page}},
		{"two", page + " and " + otherPage, []string{page, otherPage}},
		{"on two lines", page + "\n" + otherPage, []string{page, otherPage}},
		{"all of the trailing punctuation", page + ".,;:!?)]", []string{page}},
		{"in parentheses", "(" + page + ")", []string{page}},
		{"in parentheses with a full stop", "(" + page + ".)", []string{page}},
		{"a parenthesis of its own", wiki, []string{wiki}},
		{"and a full stop", wiki + ".", []string{wiki}},
		{"in parentheses of the sentence", "(" + wiki + ")", []string{wiki}},
		{"two of its own", "https://go.dev/a_(b)_(c)", []string{"https://go.dev/a_(b)_(c)"}},
		{"nested ones of its own", "https://go.dev/a_((b))", []string{"https://go.dev/a_((b))"}},
		{"in brackets", "[" + page + "]", []string{page}},
		{"in quotes", `"` + page + `"`, []string{page}},
		{"in a table", "| " + page + "|", []string{page}},
		{"before a full-width stop", "見よ" + page + "。", []string{page}},
		{"in corner brackets", "「" + page + "」", []string{page}},
		{"letters of any script", "https://ko.wikipedia.org/wiki/고_언어", []string{"https://ko.wikipedia.org/wiki/고_언어"}},
		{"a query and a fragment", "https://go.dev/?a=1&b=2#c", []string{"https://go.dev/?a=1&b=2#c"}},
		{"an entity", "https://go.dev/?a=1&amp;b=2", []string{"https://go.dev/?a=1&b=2"}},
		{"an escape", `https://go.dev/a\_b`, []string{"https://go.dev/a_b"}},
		{"an escaped full stop at the end", `https://go.dev/a\.`, []string{"https://go.dev/a"}},
		{"an escaped bracket at the end", `[https://go.dev/a\]`, []string{"https://go.dev/a"}},
		{"strong", "**" + page + "**", []string{page}},
		{"at the end of strong text", "**see " + page + "**", []string{page}},
		{"emphasis with an underscore", "_" + page + "_", []string{page}},
		{"a star of its own", "https://go.dev/a*", []string{"https://go.dev/a*"}},
		{"an underscore of its own", "https://go.dev/a_", []string{"https://go.dev/a_"}},
		{"stars inside", "https://go.dev/*a*/b", []string{"https://go.dev/*a*/b"}},
		{"capitals", "HTTPS://GO.DEV/", []string{"HTTPS://GO.DEV/"}},
		{"an IPv6 address", "http://[2606::1]:80/a", []string{"http://[2606::1]:80/a"}},
		{"a word in brackets is no address", "https://[Source]", nil},
		{"behind a letter", "x" + page, []string{page}},
		{"behind a colon", "Source:" + page, []string{page}},
		{"no slashes", "https:go.dev", nil},
		{"nothing behind the slashes", "https:// go.dev", nil},
		{"punctuation behind the slashes", "https://...", nil},
		{"another scheme", "ftp://go.dev", nil},
		{"no scheme", "www.go.dev", nil},
		{"in code", "`" + page + "`", nil},
		{"in a comment", "a <!-- " + page + " -->", nil},
		{"in an escaped tag", `\<a href="` + page + `">`, []string{page}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			var found []string
			for _, l := range readDocument(test.text).body {
				found = append(found, l.url)
			}
			if !slices.Equal(found, test.want) {
				t.Errorf("%q has %q, want %q", test.text, found, test.want)
			}
		})
	}
}

// TestURLComparison cites a URL as a link and lists it bare.
func TestURLComparison(t *testing.T) {
	for _, test := range []struct {
		reason, cited, listed string
		want                  Outcome
	}{
		{"the same bytes", page, page, Accepted},
		{"a full stop behind the bare one", page, page + ".", Accepted},
		{"all punctuation behind the bare one", page, page + ".,;:!?)]", Accepted},
		{"a parenthesis that belongs to it", wiki, wiki, Accepted},
		{"a parenthesis that does not", wiki, wiki + ")", Accepted},
		{"in parentheses", wiki, "(" + wiki + ")", Accepted},
		{"in angle brackets", page, "<" + page + ">", Accepted},
		{"a full stop in angle brackets is its own", page, "<" + page + ".>", Rejected},
		{"a full stop in a link is its own", page + ".", page, Rejected},
		{"a parenthesis less", strings.TrimSuffix(wiki, ")"), wiki, Rejected},
		{"an escaped parenthesis", wiki, strings.ReplaceAll(wiki, "(", "%28"), Rejected},
	} {
		t.Run(test.reason, func(t *testing.T) {
			text := "X [Source](<" + test.cited + ">).\n\n## Sources\n\n1. " + test.listed + "\n"
			if verdict := Verify(text, Proof{Searches: 1}); verdict.Outcome != test.want {
				t.Errorf("%q is %s: %v", text, verdict.Outcome, verdict.Violations)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{"a", "a"}, {`\*`, "*"}, {`\a`, `\a`}, {`\\`, `\`}, {`a\`, `a\`},
		{"&amp;", "&"}, {"&amp", "&amp"}, {"&copy;", "©"}, {"&nope;", "&nope;"}, {"&;", "&;"}, {"&", "&"},
		{"&#35;", "#"}, {"&#x23;", "#"}, {"&#X23;", "#"}, {"&#0;", "\ufffd"}, {"&#xd800;", "\ufffd"}, {"&#x110000;", "\ufffd"},
		{"&#;", "&#;"}, {"&#x;", "&#x;"}, {"&#12345678;", "&#12345678;"}, {"&#-1;", "&#-1;"}, {"&#+1;", "&#+1;"},
		{`\&amp;`, "&amp;"}, {"&amp;amp;", "&amp;"}, {"&#38;amp;", "&amp;"}, {"&#92;*", `\*`},
		{"&CounterClockwiseContourIntegral;", "∳"},
	} {
		if got := resolve([]byte(test.raw)); got != test.want {
			t.Errorf("resolve(%q) = %q, want %q", test.raw, got, test.want)
		}
	}
}
