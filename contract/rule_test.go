package contract

import (
	"slices"
	"strings"
	"testing"

	"gemini-search/answer"
)

// The pages that the tests cite.
const (
	page      = "https://go.dev/doc/go1.26"
	otherPage = "https://nodejs.org/en/about/previous-releases"
	list      = "\n\n## Sources\n1. " + page + "\n"
	cited     = "Go is out [Source](" + page + ")."
)

// ruleCase is an answer and the codes that it has, all of them.
type ruleCase struct {
	reason, response string
	codes            []string
}

func accept(reason, response string) ruleCase { return ruleCase{reason, response, []string{}} }

func reject(reason, response string, codes ...string) ruleCase {
	return ruleCase{reason, response, codes}
}

// about cites and lists one URL.
func about(url string) string {
	return "X [Source](<" + url + ">).\n\n## Sources\n1. <" + url + ">\n"
}

// under puts lines under the heading of an answer that cites the page.
func under(lines string) string { return cited + "\n\n## Sources\n" + lines }

// inBody puts text before an answer that is accepted.
func inBody(text string) string { return text + "\n\n" + cited + list }

func runRule(t *testing.T, cases []ruleCase) {
	t.Helper()
	for _, test := range cases {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			verdict := Verify(test.response, Proof{Searches: 1})
			if found := codes(verdict); !slices.Equal(found, test.codes) {
				t.Errorf("%q\nhas %v: %v\nwant %v", test.response, found, verdict.Violations, test.codes)
			}
			if (verdict.Outcome == Rejected) != (len(test.codes) > 0) {
				t.Errorf("%s with %v", verdict.Outcome, verdict.Violations)
			}
		})
	}
}

func TestEmptyResponse(t *testing.T) {
	runRule(t, []ruleCase{
		reject("nothing", "", "empty-response"),
		reject("blanks and line ends", " \t\r\n \n", "empty-response"),
		reject("white space that is not ASCII", "\u00a0\u3000\u2003\n\u2028", "empty-response"),
		reject("a byte order mark alone", "\ufeff", "empty-response"),
		reject("a byte order mark before blanks", "\ufeff \n", "empty-response"),
		accept("blanks around an answer", "\n\n"+cited+list+"\n \n\n"),
	})
}

func TestSearchNotRun(t *testing.T) {
	for _, test := range []struct {
		reason, response string
		searches         int
		want             Outcome
	}{
		{"a successful search", cited + list, 1, Accepted},
		{"more than one", cited + list, 7, Accepted},
		{"an answer from memory", cited + list, 0, Rejected},
		{"a count below zero", cited + list, -1, Rejected},
		{"giving up after a search", "NO_RESULTS", 1, NoResults},
		{"giving up without one", "NO_RESULTS", 0, Rejected},
		{"an empty answer without one has both codes", "", 0, Rejected},
	} {
		t.Run(test.reason, func(t *testing.T) {
			verdict := Verify(test.response, Proof{Searches: test.searches})
			if verdict.Outcome != test.want {
				t.Errorf("%s, want %s: %v", verdict.Outcome, test.want, verdict.Violations)
			}
			if asked := slices.Contains(codes(verdict), SearchNotRun); asked != (test.searches < 1) {
				t.Errorf("codes %v", codes(verdict))
			}
		})
	}
}

func TestBareProofAsksForNoSearch(t *testing.T) {
	if verdict := Verify(cited+list, Proof{Bare: true}); verdict.Outcome != Accepted {
		t.Errorf("%s: %v", verdict.Outcome, verdict.Violations)
	}
}

func TestNoSourcesSection(t *testing.T) {
	entry := "\n1. " + page + "\n"
	no := func(reason, response string) ruleCase { return reject(reason, response, "no-sources-section") }
	runRule(t, []ruleCase{
		accept("the line itself", cited+"\n\n## Sources"+entry),
		accept("trailing blanks are allowed", cited+"\n\n## Sources  \t"+entry),
		accept("a heading interrupts a paragraph", cited+"\n## Sources"+entry),
		accept("an empty line below it", cited+"\n\n## Sources\n"+entry),
		accept("CRLF is LF", strings.ReplaceAll(cited+list, "\n", "\r\n")),
		accept("CR is LF", strings.ReplaceAll(cited+list, "\n", "\r")),
		accept("it ends a list", "- "+cited+"\n## Sources"+entry),
		accept("it ends a quote", "> "+cited+"\n## Sources"+entry),
		accept("a second one in code does not count", inBody("```\n## Sources\n```")),
		accept("the word in the text", inBody("Sources are listed below.")),
		no("no heading", cited),
		no("level 1", cited+"\n\n# Sources"+entry),
		no("level 3", cited+"\n\n### Sources"+entry),
		no("no blank after the marks", cited+"\n\n##Sources"+entry),
		no("two blanks after the marks", cited+"\n\n##  Sources"+entry),
		no("a tab after the marks", cited+"\n\n##\tSources"+entry),
		no("a closing sequence", cited+"\n\n## Sources ##"+entry),
		no("one blank before it", cited+"\n\n ## Sources"+entry),
		no("lower case", cited+"\n\n## sources"+entry),
		no("upper case", cited+"\n\n## SOURCES"+entry),
		no("singular", cited+"\n\n## Source"+entry),
		no("a colon", cited+"\n\n## Sources:"+entry),
		no("emphasis", cited+"\n\n## **Sources**"+entry),
		no("a translation", cited+"\n\n## Quellen"+entry),
		no("more words", cited+"\n\n## Sources and notes"+entry),
		no("a no-break space after it is no blank", cited+"\n\n## Sources\u00a0"+entry),
		no("an attribute block", cited+"\n\n## Sources {#s}"+entry),
		no("escaped marks are text", cited+"\n\n\\## Sources"+entry),
		no("a setext heading", cited+"\n\nSources\n---"+entry),
		no("bold text", cited+"\n\n**Sources**"+entry),
		no("in a list item", cited+"\n\n- x\n\n  ## Sources\n  1. "+page),
		no("the list item itself", cited+"\n\n- ## Sources"+entry),
		no("in a quote", cited+"\n\n> ## Sources\n> 1. "+page),
		no("in a fence", cited+"\n\n~~~\n## Sources"+entry+"~~~"),
		no("in an open fence", cited+"\n\n```\n## Sources"+entry),
		no("in an indented block", cited+"\n\n    ## Sources\n    1. "+page),
		no("in an HTML block", cited+"\n\n<div>\n## Sources"+entry+"</div>"),
		no("in an HTML comment", cited+"\n\n<!--\n## Sources"+entry+"-->"),
		no("as HTML", cited+"\n\n<h2>Sources</h2>"),
	})
}

func TestDuplicateSourcesSection(t *testing.T) {
	runRule(t, []ruleCase{
		reject("twice", cited+list+list, "duplicate-sources-section"),
		reject("an empty one before it", "## Sources\n\n"+cited+list, "duplicate-sources-section", "no-inline-citation", "uncited-source"),
		reject("a second one in a quote is content", under("1. "+page+"\n\n> ## Sources"), "content-after-sources"),
		reject("a second one of another level is content", under("1. "+page+"\n\n### Sources"), "content-after-sources"),
	})
}

func TestNoInlineCitation(t *testing.T) {
	no := func(reason, text string) ruleCase {
		return reject(reason, text+list, "no-inline-citation", "uncited-source")
	}
	link := "[Source](" + page + ")"
	runRule(t, []ruleCase{
		accept("after a claim", "Go is out "+link+list),
		accept("in parentheses", "Go is out ("+link+")."+list),
		accept("in brackets", "Go is out ["+link+"]."+list),
		accept("next to another", "Go is out "+link+link+list),
		accept("before a full-width stop", "Go 1.26が公開された"+link+"。"+list),
		accept("in a list", "1. a\n   - b "+link+list),
		accept("in a quote", "> b "+link+list),
		accept("in a heading", "# Go "+link+list),
		accept("in a table", "| a |\n|---|\n| "+link+" |"+list),
		accept("in emphasis", "*a **b "+link+"***"+list),
		accept("between other HTML", "a <b>"+link+"</b><br>"+list),
		accept("after code that is closed", "a <code>x</code> "+link+list),
		accept("in a block that a blank line separates from its HTML", "<details>\n\n"+link+"\n\n</details>"+list),
		accept("an angle destination", "a [Source](<"+page+">)"+list),
		accept("a link title", "a [Source]("+page+" \"Go 1.26\")"+list),
		accept("blanks in the parentheses", "a [Source](  "+page+"\n)"+list),
		accept("after an escaped backslash", `a \\`+link+list),
		accept("after a long text with brackets", "[ "+strings.Repeat("word ", 400)+" [ "+link+list),
		no("none", "Go is out."),
		no("another label", "a [source]("+page+")"),
		no("blanks in the label", "a [ Source ]("+page+")"),
		no("emphasis in the label", "a [*Source*]("+page+")"),
		no("code in the label", "a [`Source`]("+page+")"),
		no("more in the label", "a [Source 1]("+page+")"),
		no("an entity in the label", "a [S&#111;urce]("+page+")"),
		no("a full reference", "a [Source][1]\n\n[1]: "+page),
		no("a collapsed reference", "a [Source][]\n\n[Source]: "+page),
		no("a shortcut reference", "a [Source]\n\n[Source]: "+page),
		no("a footnote", "a[^1]\n\n[^1]: "+page),
		no("a bare URL", "a "+page),
		no("an autolink", "a <"+page+">"),
		no("an escaped bracket", `a \[Source](`+page+")"),
		no("a blank before the parenthesis", "a [Source] ("+page+")"),
		no("a blank in the destination", "a [Source]("+page+" x)"),
		no("in a code span", "a `"+link+"`"),
		no("in a long code span", "a ``` "+link+" ```"),
		no("in a fence", "```\n"+link+"\n```"),
		no("in a fence in a list", "- a\n  ~~~\n  "+link+"\n  ~~~"),
		no("in an indented block", "a\n\n    "+link),
		no("in an HTML block", "<div>"+link+"</div>"),
		no("in a comment block", "<!--\n\n"+link+"\n\n-->"),
		no("in an inline comment", "a <!-- "+link+" --> b"),
		no("in an attribute", "a <b title=\""+link+"\">"),
		no("between code tags", "a <code>"+link+"</code>"),
		no("between code tags in capitals", "a <CODE>"+link+"</CODE>"),
		no("between pre tags", "a <pre>"+link+"</pre>"),
		no("between style tags", "a <b>b</b> <textarea>"+link+"</textarea>"),
		no("after a code tag that is never closed", "a <code> b\n\n"+link),
		no("after a code tag written as empty, which HTML does not know", "a <code/> "+link),
		no("between code tags on lines of their own", "<code>\n\n"+link+"\n\n</code>"),
		reject("an image", "a !"+link+list, "no-inline-citation", "uncited-source", "image"),
		reject("an HTML anchor", "a <a href=\""+page+"\">Source</a>"+list, "no-inline-citation", "uncited-source"),
		reject("in the section only", "Go is out."+"\n\n## Sources\n1. "+link, "no-inline-citation", "uncited-source"),
		reject("without a host it is no web link", "a [Source](/doc)"+list, "no-inline-citation", "unlisted-link", "uncited-source"),
	})
}

func TestInvalidURL(t *testing.T) {
	bad := func(reason, url string) ruleCase { return reject(reason, about(url), "invalid-url") }
	runRule(t, []ruleCase{
		accept("a port", about("https://go.dev:8443/doc")),
		accept("an empty port", about("https://go.dev:/doc")),
		accept("an internationalized host", about("https://münchen.de/straße")),
		accept("an address in dotted decimal", about("https://1.1.1.1/dns")),
		accept("an IPv6 address", about("https://[2606:4700:4700::1111]/dns")),
		accept("percent escapes", about("https://go.dev/a%20b")),
		bad("no host", "https:///doc"),
		bad("nothing behind the slashes", "https://"),
		bad("a port without a host", "https://:443/"),
		bad("a port that is none", "https://go.dev:http/"),
		bad("a port beyond 65535", "https://go.dev:65536/"),
		bad("an open bracket", "https://[2606::1/"),
		bad("a colon in the host", "https://::1/"),
		bad("a percent sign that escapes nothing", "https://go.dev%zz/"),
		bad("a percent escape in the host", "https://go%2edev/"),
		reject("a blank", "X [Source](<https://go.dev/a b>).\n\n## Sources\n1. [X](<https://go.dev/a b>)\n", "invalid-url"),
		reject("no slashes", "X [Source](https:go.dev).\n\n## Sources\n1. [X](https:go.dev)\n", "no-inline-citation", "invalid-url", "uncited-source"),
		bad("a backslash, which browsers read as a slash", `https://go.dev\a`),
		bad("dots only", "https://./"),
		bad("a host longer than a name can be", "https://"+strings.Repeat("a.", 600)+"dev/"),
		bad("public address as a decimal number", "http://16843009/"),
		bad("public address in hexadecimal", "http://0x01010101/"),
		bad("public address in octal parts", "http://01.01.01.01/"),
		bad("public address in two parts", "http://1.65793/"),
		bad("a part beyond 255", "http://1.2.3.256/"),
		bad("five parts", "http://1.2.3.4.5/"),
		bad("a number that is not octal", "http://1.1.1.08/"),
		bad("a last label that is a number", "http://go.1/"),
	})
}

func TestForbiddenScheme(t *testing.T) {
	bad := func(reason, text string) ruleCase {
		return reject(reason, inBody(text), "forbidden-scheme", "unlisted-link")
	}
	runRule(t, []ruleCase{
		accept("http", about("http://info.cern.ch/")),
		accept("a scheme in capitals", "X [Source](HTTPS://go.dev).\n\n## Sources\n1. HTTPS://go.dev\n"),
		accept("in code", inBody("`[a](javascript:alert(1))`")),
		accept("a word before a colon", inBody("javascript: a language")),
		bad("javascript", "[a](javascript:alert(1))"),
		bad("mixed case", "[a](JaVaScRiPt:alert(1))"),
		bad("an entity in the scheme", "[a](java&#115;cript:alert(1))"),
		bad("a tab in the scheme, which browsers drop", "[a](<java\tscript:alert(1)>)"),
		bad("data", "[a](data:text/html,x)"),
		bad("file", "[a](file:///etc/passwd)"),
		bad("ftp", "[a](ftp://go.dev/x)"),
		bad("mailto", "[a](mailto:a@go.dev)"),
		bad("an autolink", "<ftp://go.dev/x>"),
		bad("an email autolink", "<a@go.dev>"),
		bad("a reference", "[a][b]\n\n[b]: vbscript:x"),
		bad("an HTML anchor", "a <a href=' javascript:x'>b</a>"),
		reject("in the section", under("1. "+page+"\n2. [a](javascript:alert(1))"), "forbidden-scheme", "uncited-source"),
		reject("a citation", "a [Source](javascript:alert(1))"+list, "no-inline-citation", "forbidden-scheme", "unlisted-link", "uncited-source"),
		reject("a relative link is another rule", inBody("[a](doc/x)"), "unlisted-link"),
		reject("digits before a colon are no scheme", inBody("[a](12:30)"), "unlisted-link"),
	})
}

func TestUserinfo(t *testing.T) {
	runRule(t, []ruleCase{
		accept("an @ in the path", about("https://medium.com/@golang/x")),
		accept("an @ in the query", about("https://go.dev/?q=a@b")),
		accept("an @ in the fragment", about("https://go.dev/#a@b")),
		reject("a name", about("https://go.dev@evil.io/"), "userinfo"),
		reject("a name and a password", about("https://a:b@evil.io/"), "userinfo"),
		reject("nothing before the @", about("https://@evil.io/"), "userinfo"),
		reject("in another link", inBody("[a](https://go.dev@evil.io/)"), "userinfo", "unlisted-link"),
	})
}

func TestForbiddenHost(t *testing.T) {
	bad := func(url string) ruleCase { return reject(url, about(url), "forbidden-host") }
	runRule(t, []ruleCase{
		bad("https://example.com/"), bad("https://example.org"), bad("https://example.net/a"),
		bad("https://foo.com/"), bad("https://bar.com/"),
		bad("https://www.example.com/"), bad("https://a.b.foo.com/"),
		bad("https://EXAMPLE.com/"), bad("https://example.com:443/"),
		bad("https://example.com./"), bad("https://www.Example.Org.:8080/"),
		bad("https://example.com?a"), bad("https://example.com#a"),
		bad("https://ｅｘａｍｐｌｅ.com/"),
		reject("a token too", about("https://your-source.com/"), "forbidden-host", "forbidden-token"),
		accept("another end", about("https://example.com.go.dev/")),
		accept("another beginning", about("https://myfoo.com/")),
		accept("in the path", about("https://go.dev/example.com")),
		accept("another top-level domain", about("https://example.edu/")),
		reject("in another link", inBody("[a](https://example.com/)"), "forbidden-host", "unlisted-link"),
	})
}

func TestForbiddenToken(t *testing.T) {
	bad := func(url string) ruleCase { return reject(url, about(url), "forbidden-token") }
	runRule(t, []ruleCase{
		bad("https://go.dev/..."), bad("https://go.dev/a...b"), bad("https://go.dev/?q=TODO"),
		bad("https://go.dev/ToDo"), bad("https://go.dev/placeholder.html"), bad("https://go.dev/#PLACEHOLDER"),
		bad("https://go.dev/Your-Source"), bad("https://todomvc.com/"),
		accept("two dots", about("https://go.dev/a..b")),
		accept("in the text", inBody("TODO: placeholder ... your-source")),
		accept("in code", inBody("`[Source](...)`")),
	})
}

func TestForbiddenTokenIsNotAskedOfGroundedURL(t *testing.T) {
	const real = "https://todomvc.com/"
	for _, test := range []struct {
		reason    string
		grounding []answer.Source
		want      []string
	}{
		{"the search returned it", []answer.Source{{URI: real}}, []string{}},
		{"the set is not known", nil, []string{"forbidden-token"}},
		{"it returned another", []answer.Source{{URI: page}}, []string{"forbidden-token", "not-grounded"}},
		{"another byte", []answer.Source{{URI: "https://todomvc.com"}}, []string{"forbidden-token", "not-grounded"}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			verdict := Verify(about(real), Proof{Searches: 1, Grounding: test.grounding})
			if found := codes(verdict); !slices.Equal(found, test.want) {
				t.Errorf("codes %v, want %v", found, test.want)
			}
		})
	}
}

func TestUnlistedCitation(t *testing.T) {
	both := func(reason, url string) ruleCase {
		return reject(reason, "X [Source]("+url+").\n\n## Sources\n1. https://go.dev/doc\n", "unlisted-citation", "uncited-source")
	}
	runRule(t, []ruleCase{
		accept("listed once, cited twice", "A [Source]("+page+"). B [Source]("+page+")."+list),
		accept("listed twice", under("1. "+page+"\n2. "+page)),
		accept("an entity is the character it stands for", "X [Source](https://go.dev/?a=1&amp;b=2).\n\n## Sources\n1. https://go.dev/?a=1&b=2\n"),
		accept("an escape is the character it stands for", "X [Source](https://go.dev/a\\_b).\n\n## Sources\n1. https://go.dev/a_b\n"),
		reject("not listed", "A [Source]("+page+"). B [Source]("+otherPage+")."+list, "unlisted-citation"),
		reject("nothing listed", cited+"\n\n## Sources\n", "unlisted-citation"),
		both("another case in the path", "https://go.dev/Doc"),
		both("another case in the host", "https://Go.dev/doc"),
		both("a slash at the end", "https://go.dev/doc/"),
		both("a fragment", "https://go.dev/doc#a"),
		both("a query", "https://go.dev/doc?"),
		both("a port", "https://go.dev:443/doc"),
		both("another scheme", "http://go.dev/doc"),
		both("a percent escape", "https://go.dev/%64oc"),
		both("a dot segment", "https://go.dev/./doc"),
		both("punctuation in a link is the link's own", "https://go.dev/doc."),
	})
}

func TestUnlistedLink(t *testing.T) {
	bad := func(reason, text string) ruleCase { return reject(reason, inBody(text), "unlisted-link") }
	runRule(t, []ruleCase{
		accept("another label to a listed URL", inBody("[the notes]("+page+")")),
		accept("a bare listed URL", inBody("See "+page+".")),
		accept("a listed autolink", inBody("See <"+page+">.")),
		accept("in a code span", inBody("`https://evil.io/`")),
		accept("in a fence", inBody("```\n[a](https://evil.io/)\n```")),
		accept("in a comment nobody sees it", inBody("<!-- https://evil.io/ -->")),
		bad("a link", "[docs](https://evil.io/)"),
		bad("a bare URL", "See https://evil.io/."),
		bad("an autolink", "<https://evil.io/>"),
		bad("a reference", "[docs][1]\n\n[1]: https://evil.io/"),
		bad("a definition that nothing refers to", "[1]: https://evil.io/"),
		bad("a relative link", "[a](/x)"),
		bad("a link without a scheme", "[a](//evil.io/)"),
		bad("a link to nowhere", "[a]()"),
		bad("an HTML anchor", "a <a href=\"https://evil.io/\">b</a>"),
		bad("an HTML anchor without quotes", "a <a href=https://evil.io/>b</a>"),
		bad("an HTML form", "<form action='https://evil.io/'>\n</form>"),
		bad("a redirect", "<meta http-equiv=refresh content='0;url=https://evil.io/'>"),
		bad("the text of an HTML block", "<div>https://evil.io/</div>"),
		bad("a link whose brackets hold it", "[[x](https://evil.io/)]("+page+")"),
		bad("an attribute beside a replacement character", "a <b title='\ufffd' data-x='https://evil.io/'>"),
		reject("a label of a citation that is not exact", inBody("[source](https://evil.io/)"), "unlisted-link"),
		reject("no section: there is no list to be missing from", cited+" https://evil.io/", "no-sources-section"),
	})
}

func TestUncitedSource(t *testing.T) {
	bad := func(reason, lines string) ruleCase { return reject(reason, under(lines), "uncited-source") }
	runRule(t, []ruleCase{
		bad("a second entry", "1. "+page+"\n2. "+otherPage),
		bad("cited in the section only", "1. "+page+"\n2. [Source]("+otherPage+")"),
		reject("a second URL on the line", under("1. "+page+" "+otherPage), "uncited-source", "content-after-sources"),
		reject("a URL that is only link text", under("1. ["+otherPage+"]("+page+")"), "uncited-source", "misleading-link", "content-after-sources"),
		reject("a URL in prose after the list", under("1. "+page+"\n\nSee also "+otherPage+" and "+page), "uncited-source", "content-after-sources"),
		reject("a link that is no citation", "See [docs]("+otherPage+"). "+cited+list[:len(list)-1]+"\n2. "+otherPage, "uncited-source"),
	})
}

func TestMisleadingLink(t *testing.T) {
	runRule(t, []ruleCase{
		accept("the text is where it leads", under("1. ["+page+"]("+page+")")),
		accept("with a full stop in the text", under("1. ["+page+".]("+page+")")),
		accept("in emphasis", under("1. [**"+page+"**]("+page+")")),
		accept("with underscores", "X [Source](https://go.dev/a_b_).\n\n## Sources\n1. [https://go.dev/a_b_](https://go.dev/a_b_)\n"),
		accept("a host is no URL", under("1. [go.dev]("+page+")")),
		accept("nor with www, as the search tool's titles are", under("1. [www.go.dev]("+page+")")),
		reject("another page", inBody("[https://go.dev/]("+page+")"), "unlisted-link", "misleading-link"),
		reject("in code", inBody("[`https://go.dev/`]("+page+")"), "misleading-link"),
		reject("cut by HTML", inBody("[https://<b></b>evil.io/]("+page+")"), "misleading-link"),
		reject("cut by emphasis", inBody("[h*tt*ps://evil.io/]("+page+")"), "misleading-link"),
		reject("an autolink", inBody("[<https://go.dev/>]("+page+")"), "unlisted-link", "misleading-link"),
		reject("both are listed",
			"A [Source]("+page+"). B [Source]("+otherPage+"). ["+page+"]("+otherPage+")\n\n## Sources\n1. "+page+"\n2. "+otherPage, "misleading-link"),
	})
}

func TestContentAfterSources(t *testing.T) {
	entry := "1. " + page + "\n"
	bad := func(reason, lines string) ruleCase { return reject(reason, under(lines), "content-after-sources") }
	runRule(t, []ruleCase{
		accept("blank lines at the end", under(entry+"\n\n \n")),
		bad("prose before", "These are the pages:\n\n"+entry),
		bad("prose right before", "These are the pages:\n"+entry),
		bad("prose between", entry+"\nand\n\n2. "+page),
		bad("prose after", entry+"\nOne more claim."),
		bad("a lazy continuation", entry+"One more claim."),
		bad("an indented continuation", entry+"   One more claim."),
		bad("a second paragraph of the item", entry+"\n   One more claim."),
		bad("a heading", entry+"\n## Notes"),
		bad("a setext heading", page+"\n---"),
		bad("a rule", entry+"\n---"),
		bad("a fence", entry+"\n```\nx\n```"),
		bad("a fence in an item", entry+"   ```\n   x\n   ```"),
		bad("an indented block", entry+"\nx\n\n    y"),
		bad("a quote", entry+"\n> "+page),
		bad("an HTML block", entry+"\n<div>x</div>"),
		bad("a comment", entry+"\n<!-- x -->"),
		bad("inline HTML", "1. <b>"+page+"</b>"),
		bad("code beside the URL", "1. `x` "+page),
		bad("a definition", entry+"\n[1]: "+page),
		bad("a long text beside the URL", "1. "+strings.Repeat("many words ", 30)+page),
		bad("a table", "| # | page |\n|---|---|\n| 1 | "+page+" |"),
		reject("an image", under(entry+"\n![x](https://go.dev/x.png)"), "content-after-sources", "image"),
		reject("an image in an item", under("1. ![x](https://go.dev/x.png) "+page), "content-after-sources", "image"),
	})
}

func TestUnlinkedSource(t *testing.T) {
	bad := func(reason, lines string) ruleCase { return reject(reason, under(lines), "unlinked-source") }
	runRule(t, []ruleCase{
		bad("a title alone", "1. "+page+"\n2. Go release notes"),
		bad("an empty item", "1. "+page+"\n2."),
		bad("a host alone", "1. "+page+"\n2. www.go.dev"),
		bad("an item above a list", "1. Go\n   - "+page),
		bad("a note below an entry", "1. "+page+"\n   - the release notes"),
	})
}

func TestImage(t *testing.T) {
	bad := func(reason, text string) ruleCase { return reject(reason, inBody(text), "image") }
	runRule(t, []ruleCase{
		accept("in code", inBody("`![x](https://evil.io/p.png)`")),
		accept("escaped, it is a link", inBody(`\![x](`+page+")")),
		accept("an exclamation mark before a link", inBody("Go! [x]("+page+")")),
		accept("not closed", inBody("![x")),
		bad("inline", "![x](https://evil.io/p.png)"),
		bad("of a listed URL", "![x]("+page+")"),
		bad("data", "![x](data:image/png;base64,AAAA)"),
		bad("without a destination", "![x]()"),
		bad("in a link", "[![x](https://evil.io/p.png)]("+page+")"),
		bad("in an image", "![![x](https://evil.io/p.png)](https://evil.io/p.png)"),
		bad("in a table", "| ![x](https://evil.io/p.png) |\n|---|"),
		bad("img", "a <img src=\"https://evil.io/p.png\">"),
		bad("IMG on lines", "a <IMG\n src='https://evil.io/p.png'\n/>"),
		bad("img with a replacement character", "a <img alt='\ufffd' src='//evil.io/p.png'>"),
		bad("img in a block", "<div>\n<img src=x>\n</div>"),
		bad("srcset", "a <picture><source srcset='https://evil.io/p.png'></picture>"),
		bad("video", "a <video poster='//evil.io/p.png'></video>"),
		bad("svg", "a <svg><use src='#a'/></svg>"),
		bad("iframe", "<iframe src='//evil.io/'></iframe>"),
		bad("object", "a <object data='//evil.io/'></object>"),
		bad("a style attribute", "a <b style='background:URL(//evil.io/p.png)'>x</b>"),
		bad("a style sheet", "<style>\n@import '//evil.io/x.css';\n</style>"),
		bad("a linked style sheet", "<link rel=stylesheet href='"+page+"'>"),
		bad("a script", "<script src='//evil.io/x.js'></script>"),
		bad("an input", "a <input type=image src='//evil.io/p.png'>"),
		bad("a table background", "<table background='//evil.io/p.png'>\n</table>"),
		reject("by reference", inBody("![x][i]\n\n[i]: https://evil.io/p.png"), "unlisted-link", "image"),
	})
}

func TestNotGrounded(t *testing.T) {
	set := func(urls ...string) []answer.Source {
		sources := []answer.Source{}
		for _, url := range urls {
			sources = append(sources, answer.Source{URI: url, Title: "a page"})
		}
		return sources
	}
	for _, test := range []struct {
		reason    string
		response  string
		grounding []answer.Source
		want      []string
	}{
		{"in the set", cited + list, set(page), []string{}},
		{"in a larger set", cited + list, set(otherPage, page), []string{}},
		{"the set is not known", cited + list, nil, []string{}},
		{"another page", cited + list, set(otherPage), []string{"not-grounded"}},
		{"an empty set", cited + list, set(), []string{"not-grounded"}},
		{"another case", cited + list, set("https://go.dev/doc/Go1.26"), []string{"not-grounded"}},
		{"another slash", cited + list, set(page + "/"), []string{"not-grounded"}},
		{"another fragment", cited + list, set(page + "#a"), []string{"not-grounded"}},
		{"a percent escape", cited + list, set("https://go.dev/doc/go1%2E26"), []string{"not-grounded"}},
		{"one of two", "A [Source](" + page + "). B [Source](" + otherPage + ").\n\n## Sources\n1. " + page + "\n2. " + otherPage, set(page), []string{"not-grounded"}},
		{"a title in the set is no URL", cited + list, []answer.Source{{URI: otherPage, Title: page}}, []string{"not-grounded"}},
		{"giving up needs no set", "NO_RESULTS", set(), []string{}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			verdict := Verify(test.response, Proof{Searches: 1, Grounding: test.grounding})
			if found := codes(verdict); !slices.Equal(found, test.want) {
				t.Errorf("codes %v, want %v: %v", found, test.want, verdict.Violations)
			}
		})
	}
}

// TestEveryRuleIsTested asks that each code is the outcome of some case here or
// in the corpus.
func TestEveryRuleIsTested(t *testing.T) {
	var known []string
	for _, test := range readCorpus(t) {
		known = append(known, codes(test.verify(t))...)
	}
	known = append(known, codes(Verify(cited+list+list, Proof{}))...)
	known = append(known, codes(Verify(under("1. "+page+"\n2. Go"), Proof{}))...)
	for _, rule := range ruleTable() {
		if !slices.Contains(known, rule.code) {
			t.Errorf("no case breaks %s", rule.code)
		}
		if rule.asks == "" || strings.HasSuffix(rule.asks, ".") {
			t.Errorf("%s asks %q", rule.code, rule.asks)
		}
	}
}
