package contract

import (
	"slices"
	"strings"
	"testing"
)

// TestLinks has what the examples of the specification do not show, and where
// goldmark 1.8.7 differs from it.
func TestLinks(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + strings.Repeat(")", n) }
	label := func(n int) string { return strings.Repeat("é", n) }
	for _, test := range []struct {
		reason, source string
		want           []string
	}{
		{"a link", "[a](/u)", []string{"link /u false"}},
		{"nothing in the parentheses", "[a]()", []string{"link  false"}},
		{"a title", `[a](/u "b \" c")`, []string{"link /u false"}},
		{"a title in parentheses", "[a](/u (b\nc))", []string{"link /u false"}},
		{"a title without a blank before it", `[a](/u"b")`, []string{`link /u"b" false`}},
		{"a title and more", `[a](/u "b" c)`, nil},
		{"a title that does not end", `[a](/u "b)`, nil},
		{"a destination that begins as a title", `[a]("b")`, []string{`link "b" false`}},
		{"parentheses that balance", "[a](/u(b)c)", []string{"link /u(b)c false"}},
		{"as deep as they go", "[a](" + deep(maxParentheses) + ")", []string{"link " + deep(maxParentheses) + " false"}},
		{"deeper", "[a](" + deep(maxParentheses+1) + ")", nil},
		{"one that stays open", "[a](( )", nil},
		{"one escaped", `[a](\()`, []string{`link \( false`}},
		{"an angle destination", "[a](<b c>)", []string{"link b c false"}},
		{"with another angle", "[a](<b<c>)", []string{"html <c>"}},
		{"over a line end", "[a](<b\nc>)", []string{"html <b\nc>"}},
		{"a control character ends a destination", "[a](/u\x01)", nil},
		{"a link in a link", "[a [b](/u) c](/v)", []string{"link /u false"}},
		{"a link in an image in a link", "[![[a](/t)](/u)](/v)", []string{"image /u false", "link /t false"}},
		{"an image in a link", "[![a](/u)](/v)", []string{"link /v false", "image /u false"}},
		{"a link behind one", "[[a](/u) [b](/v)", []string{"link /u false", "link /v false"}},
		{"brackets that do not close, far apart", "[ " + strings.Repeat("a ", 600) + "[ [b](/u)", []string{"link /u false"}},
		{"a shortcut reference", "[a]\n\n[A]: /u", []string{"link /u true"}},
		{"a collapsed reference", "[a][]\n\n[a]: /u", []string{"link /u true"}},
		{"a full reference", "[b][a]\n\n[a]: /u", []string{"link /u true"}},
		{"a reference to nothing is no shortcut", "[a][b]\n\n[a]: /u", nil},
		{"parentheses that are no destination", "[a](b c)\n\n[a]: /u", []string{"link /u true"}},
		{"brackets in a shortcut", "[a [b]]\n\n[a [b]]: /u", nil},
		{"the longest label", "[" + label(maxLabel) + "]\n\n[" + label(maxLabel) + "]: /u", []string{"link /u true"}},
		{"a longer one", "[" + label(maxLabel+1) + "]\n\n[" + label(maxLabel+1) + "]: /u", nil},
		{"the first of two definitions", "[a]\n\n[a]: /u\n[a]: /v", []string{"link /u true"}},
		{"a definition with a parenthesis too many", "[a]\n\n[a]: /u)", nil},
		{"a definition without a destination", "[a]\n\n[a]:\n\nb", nil},
		{"an empty angle destination", "[a]\n\n[a]: <>", []string{"link  true"}},
		{"a line behind it that begins as a title", "[a]: /u\n(b\n[c](/v) [a]", []string{"link /v false", "link /u true"}},
		{"a definition in a quote", "[a]\n\n> [a]: /u\n> 'b'", []string{"link /u true"}},
		{"a link over the lines of a quote", "> [a\n> b](/u\n> 'c')", []string{"link /u false"}},
		{"code is stronger", "[a `](/u)`", nil},
		{"a longer run of backticks is not", "[a `` b](/u) `c", []string{"link /u false"}},
		{"a tag is stronger", "[a <b c='](/u)'>", []string{"html <b c='](/u)'>"}},
		{"a tag with a replacement character", "a <b c='\ufffd'>", []string{"html <b c='\ufffd'>"}},
		{"a tag over lines", "> <b\n> c = 'd\n> e' />", []string{"html <b\nc = 'd\ne' />"}},
		{"no tag", "<b c=> <b c='> <1> <b/c> </b c> < b>", nil},
	} {
		t.Run(test.reason, func(t *testing.T) {
			root, _ := parseMarkdown([]byte(test.source))
			if got := treeLinks(root, test.source); !slices.Equal(got, test.want) {
				t.Errorf("%q\ngot  %q\nwant %q", test.source, got, test.want)
			}
		})
	}
}
