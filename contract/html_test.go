package contract

import (
	"testing"
)

// TestHTMLHides puts a citation behind HTML and asks whether it still counts.
func TestHTMLHides(t *testing.T) {
	const citation = " [Source](" + page + ")"
	for _, test := range []struct {
		reason, html string
		shown        bool
	}{
		{"nothing", "a", true},
		{"an open element that shows links", "a <b>", true},
		{"code", "a <code>", false},
		{"code that is closed", "a <code>x</code>", true},
		{"code in code, closed once", "a <code><code>x</code>", false},
		{"code that closes what was not open", "a </code>", true},
		{"another element is closed", "a <code>x</b>", false},
		{"in capitals", "a <PRE>", false},
		{"with attributes", "a <code class='a'>", false},
		{"over lines", "a <code\nclass='a' >", false},
		{"a slash does not close it", "a <code/>", false},
		{"escaped", `a \<code>`, true},
		{"in a code span", "a `<code>`", true},
		{"in an attribute", "a <b title='<code>'>", true},
		{"in a comment", "a <!-- <code> -->", true},
		{"not a tag", "a < code>", true},
		{"a longer name", "a <codeblock>", true},
		{"textarea", "a <textarea>", false},
		{"script", "a <script>", false},
		{"style", "a <style>", false},
		{"title", "a <title>", false},
		{"template", "a <template>", false},
		{"a line of its own", "<code>\n\n", false},
		{"two blocks before", "a <code> b\n\nc\n\nd", false},
		{"closed two blocks before", "a <code> b\n\nc </code>\n\nd", true},
		{"a block that its blank line ends", "<details>\n\n", true},
		{"a block that goes on", "<details>\n", false},
		{"a pre block goes over blank lines", "<pre>\n\n", false},
		{"a closed pre block", "<pre>\nx\n</pre>\n\n", true},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if count := countCitations(test.html + citation); (count == 1) != test.shown {
				t.Errorf("%q: %d citations", test.html+citation, count)
			}
		})
	}
}

// TestLines asks that each violation names the line that breaks the rule.
func TestLines(t *testing.T) {
	for _, test := range []struct{ reason, response, want string }{
		{"a link", "a\nb [c](https://evil.io/)\n" + cited + list, "2 unlisted-link"},
		{"a link with CRLF", "a\r\nb [c](https://evil.io/)\r\n\r\n" + cited + list, "2 unlisted-link"},
		{"a link behind a byte order mark", "\ufeff[c](https://evil.io/)\n\n" + cited + list, "1 unlisted-link"},
		{"a link that begins on one line and ends on the next", "a [c\nd](https://evil.io/) " + cited + list, "1 unlisted-link"},
		{"a link in a quote", "> a\n> [c](https://evil.io/)\n\n" + cited + list, "2 unlisted-link"},
		{"a link in a nested list", "- a\n  - b\n  - [c](https://evil.io/)\n\n" + cited + list, "3 unlisted-link"},
		{"an autolink", "a\n<https://evil.io/>\n\n" + cited + list, "2 unlisted-link"},
		{"a definition", "a\n\n[b]: /x\n[c]: https://go.dev/doc/go1.26\n\n" + cited + list, "3 unlisted-link"},
		{"a later definition", "[b]: https://go.dev/doc/go1.26\n[c]: /x\n\n" + cited + list, "2 unlisted-link"},
		{"after blank lines", "\n\n\n\n[c](/x)\n\n" + cited + list, "5 unlisted-link"},
		{"a tag in a block of HTML", "<div>\n<b>x</b>\n<img\nsrc=x>\n<a href='/x'>y</a>\n</div>\n\n" + cited + list, "5 unlisted-link, 3 image"},
		{"an image", "a\n\n![b](c)\n\n" + cited + list, "3 image"},
		{"the second section", cited + list + "\n## Sources\n", "6 duplicate-sources-section"},
		{"a stray paragraph", under("1. " + page + "\n\nx\n"), "6 content-after-sources"},
		{"a stray line of an item", under("1. " + page + "\n   x\n"), "5 content-after-sources"},
		{"a stray block in an item", under("1. " + page + "\n\n   x\n"), "6 content-after-sources"},
		{"a stray line of a paragraph", under(page + "\nx\n" + page), "5 content-after-sources"},
		{"an entry without a URL", under("1. " + page + "\n\n2. x\n"), "6 unlinked-source"},
		{"an empty entry", under("1. " + page + "\n2.\n3. " + page), "5 unlinked-source"},
		{"a citation before another link", "[a](https://example.com/)\n\nb [Source](https://example.com/)\n\n## Sources\n1. https://example.com/", "3 forbidden-host"},
		{"no line is to blame", "a", "0 no-sources-section, 0 no-inline-citation"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if got := lines(Verify(test.response, Proof{Searches: 1})); got != test.want {
				t.Errorf("%q\nhas %s\nwant %s", test.response, got, test.want)
			}
		})
	}
}
