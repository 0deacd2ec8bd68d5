package contract

import (
	"strings"
	"testing"

	"gemini-search/answer"
)

// TestEntries lists the cited page in every form that the contract allows.
func TestEntries(t *testing.T) {
	for _, test := range []struct{ reason, lines, title string }{
		{"a numbered item", "1. " + page, ""},
		{"a numbered item with a parenthesis", "1) " + page, ""},
		{"a hyphen", "- " + page, ""},
		{"a star", "* " + page, ""},
		{"a plus", "+ " + page, ""},
		{"no list", page, ""},
		{"an autolink", "1. <" + page + ">", ""},
		{"a titled link", "1. [Go 1.26](" + page + ")", "Go 1.26"},
		{"a link with a title of its own", "1. [Go 1.26](" + page + " \"notes\")", "Go 1.26"},
		{"a citation", "1. [Source](" + page + ")", ""},
		{"the URL as its text", "1. [" + page + "](" + page + ")", ""},
		{"a title before it", "1. Go release notes - " + page, "Go release notes"},
		{"a title with a colon", "1. Go release notes: " + page, "Go release notes"},
		{"a title with a dash", "1. Go release notes — " + page, "Go release notes"},
		{"a title and parentheses", "1. Go release notes (" + page + ")", "Go release notes"},
		{"a title and angle brackets", "1. Go release notes <" + page + ">", "Go release notes"},
		{"a title behind it", "1. " + page + " - Go release notes", "Go release notes"},
		{"a title above it", "1. Go release notes\n   " + page, "Go release notes"},
		{"a title above it, hard break", "1. Go release notes  \n   " + page, "Go release notes"},
		{"a strong title", "1. **Go release notes** " + page, "Go release notes"},
		{"a strong title in the link", "1. [**Go** release notes](" + page + ")", "Go release notes"},
		{"a title and a citation", "1. Go release notes [Source](" + page + ")", "Go release notes"},
		{"a number in brackets", "[1] " + page, "1"},
		{"code in the label", "1. [`go` notes](" + page + ")", "go notes"},
		{"an entity in the title", "1. Q&amp;A " + page, "Q&A"},
		{"a title without a list", "Go release notes: " + page, "Go release notes"},
		{"a full stop behind it", "1. " + page + ".", ""},
		{"a task", "- [ ] " + page, ""},
		{"the longest title", "1. " + strings.Repeat("ü", maxTitle) + " " + page, strings.Repeat("ü", maxTitle)},
		{"blank lines between", "\n\n1. " + page + "\n\n\n2. " + page, ""},
		{"two lines without a list", page + "\n" + page, ""},
		{"two lines with a hard break", page + "  \n" + page, ""},
		{"two lists", "1. " + page + "\n- " + page, ""},
		{"a list in an entry", "1. " + page + "\n   - " + page, ""},
		{"the URL twice on a line", "1. " + page + " <" + page + ">", ""},
	} {
		t.Run(test.reason, func(t *testing.T) {
			verdict := Verify(under(test.lines), Proof{Searches: 1})
			if verdict.Outcome != Accepted {
				t.Fatalf("%q: %v", test.lines, verdict.Violations)
			}
			if want := (answer.Source{URI: page, Title: test.title}); len(verdict.Sources) != 1 || verdict.Sources[0] != want {
				t.Errorf("%q: %+v, want %+v", test.lines, verdict.Sources, want)
			}
		})
	}
}

// TestStrays puts what is no entry beside one.
func TestStrays(t *testing.T) {
	runRule(t, []ruleCase{
		reject("a title a character too long", under("1. "+strings.Repeat("ü", maxTitle+1)+" "+page), "content-after-sources"),
		reject("a long text that is all separators and then prose", under("1. "+strings.Repeat("(", 2000)+"x "+page), "content-after-sources"),
		reject("prose behind a long run of brackets", under("1. "+page+" "+strings.Repeat("(", 2000)+"x"), "content-after-sources"),
		reject("a long title over nodes", under("1. "+strings.Repeat("a: ", 300)+page), "content-after-sources"),
		reject("two titles above", under("1. Go\n   notes\n   "+page), "content-after-sources", "unlinked-source"),
		reject("inline code alone", under("1. "+page+"\n2. `x`"), "content-after-sources", "unlinked-source"),
		reject("an anchor in HTML", under("1. <a href=\""+page+"\">Go</a>"), "content-after-sources"),
		reject("a line break in HTML", under("1. "+page+"<br>"), "content-after-sources"),
		reject("a heading in an item", under("1. # "+page), "content-after-sources"),
		reject("a quote in an item", under("1. > "+page), "content-after-sources"),
	})
}
