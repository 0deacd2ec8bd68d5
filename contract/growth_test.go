package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// shapes are answers that cost a Markdown parser more than others of their size;
// each returns one of about n bytes. The first eight are quadratic in goldmark.
func shapes() []struct {
	name  string
	build func(n int) string
} {
	repeat := func(unit string) func(int) string {
		return func(n int) string { return strings.Repeat(unit, n/len(unit)+1) }
	}
	// nest puts a text between n/2 opening and closing units.
	nest := func(open, text, close string) func(int) string {
		return func(n int) string {
			times := n/(len(open)+len(close)) + 1
			return strings.Repeat(open, times) + text + strings.Repeat(close, times)
		}
	}
	after := func(first, unit string) func(int) string {
		return func(n int) string { return first + strings.Repeat(unit, n/len(unit)+1) }
	}
	numbered := func(format string) func(int) string {
		return func(n int) string {
			var out strings.Builder
			for i := 0; out.Len() < n; i++ {
				fmt.Fprintf(&out, format, i)
			}
			return out.String()
		}
	}
	return []struct {
		name  string
		build func(n int) string
	}{
		{"links that do not end", repeat("[a](")},
		{"nested quotes", repeat("> ")},
		{"nested quotes without blanks", repeat(">")},
		{"nested lists", repeat("- ")},
		{"emphasis that does not end", repeat("*a_ ")},
		{"angle destinations that do not end", repeat("[a](<b")},
		{"definitions", repeat("[a]: /u\n")},
		{"shortcut references", repeat("[a]\n")},
		{"numbered definitions", numbered("[%d]: https://go.dev/\n")},
		{"definitions with titles that do not end", repeat("[a]: /u \"\n")},
		{"long text in front of the links", after(strings.Repeat("[", 1000), "a](b)")},
		{"opening brackets", repeat("[")},
		{"opening image brackets", repeat("![")},
		{"closing brackets", repeat("]")},
		{"nested brackets", nest("[", "a", "]")},
		{"brackets around a link", nest("[", "[a](b)", "]")},
		{"links in brackets", after("[[[[", "[a](b)")},
		{"open brackets before links", func(n int) string {
			return strings.Repeat("[", n/2) + strings.Repeat("[a](b)", n/12)
		}},
		{"nested images", nest("![", "a", "](b)")},
		{"nested links", nest("[", "a", "](b)")},
		{"references to nothing", repeat("[a][b]")},
		{"links in emphasis", after("*", "[_b](u) ")},
		{"nested parentheses", repeat("[a]((((((((")},
		{"titles that do not end", repeat("[a](b \"c ")},
		{"titles in turn", repeat("[a](b \"[a](b '[a](b (")},
		{"long labels", repeat("[" + strings.Repeat("a", 998) + "]")},
		{"nested emphasis", nest("*a **b ", "c", "** *")},
		{"stars", repeat("*")},
		{"stars and letters", repeat("**a*")},
		{"backticks", repeat("`")},
		{"backtick runs of every length", func(n int) string {
			var out strings.Builder
			for i := 1; out.Len() < n; i++ {
				out.WriteString(strings.Repeat("`", i) + " ")
			}
			return out.String()
		}},
		{"open comments", repeat("a <!-- ")},
		{"open comment blocks", repeat("<!-- \n\n")},
		{"open instructions", repeat("a <? ")},
		{"open declarations", repeat("a <!A ")},
		{"open character data", repeat("a <![CDATA[ ")},
		{"open tags", repeat("a <b ")},
		{"open attributes", repeat("a <b c=\"")},
		{"open attributes in turn", repeat("a <b c=\"<b c='")},
		{"many attributes", after("a <b", " c=d")},
		{"tags", repeat("<b>")},
		{"nested tags", nest("<b>", "a", "</b>")},
		{"nested blocks of HTML", nest("<div>\n", "a\n", "</div>\n")},
		{"autolinks", repeat("<https://go.dev/>")},
		{"autolinks that do not end", repeat("<https://go.dev/")},
		{"bare URLs", repeat("https://go.dev/ ")},
		{"bare URLs with stars", repeat("https://go.dev/* ")},
		{"bare URLs in a row", repeat("https://go.dev/")},
		{"schemes", repeat("https://")},
		{"a URL of parentheses", after("https://go.dev/", "(")},
		{"a URL of closing parentheses", after("https://go.dev/", ")")},
		{"a URL of full stops", after("https://", ".")},
		{"a long host", after("https://", "a.")},
		{"a long host of other letters", func(n int) string {
			var out strings.Builder
			out.WriteString("https://")
			for i := 0; out.Len() < n; i++ {
				out.WriteRune(rune(0x4e00 + i%20000))
			}
			return out.String()
		}},
		{"entities", repeat("&amp;")},
		{"ampersands", repeat("&")},
		{"escapes", repeat("\\[")},
		{"colons", repeat(":")},
		{"schemes without slashes", repeat("http:")},
		{"lines", repeat("a\n")},
		{"blank lines in nested lists", func(n int) string {
			return strings.Repeat("- ", 200) + "a" + strings.Repeat("\n", n) + "b"
		}},
		{"blank lines of blanks in nested lists", func(n int) string {
			return strings.Repeat("- ", 200) + "a" + strings.Repeat("\n  ", n/3) + "b"
		}},
		{"quotes on each line", repeat("> > > > > > > > a\n")},
		{"lazy lines in nested quotes", after(strings.Repeat("> ", 200), "a\n")},
		{"deepening lists", func(n int) string {
			var out strings.Builder
			for i := 0; out.Len() < n; i++ {
				out.WriteString(strings.Repeat("  ", i) + "- a\n")
			}
			return out.String()
		}},
		{"list items", repeat("- a\n")},
		{"loose list items", repeat("- a\n\n")},
		{"headings", repeat("# a\n")},
		{"setext underlines", repeat("a\n=\n")},
		{"rules", repeat("* * *\n")},
		{"fences", repeat("```\n~~~\n")},
		{"tabs", repeat("\t")},
		{"footnotes", numbered("a[^%d]\n\n[^%[1]d]: b https://go.dev/%[1]d\n\n")},
		{"citations", numbered("a [Source](https://go.dev/%d).\n")},
		{"cited and listed", func(n int) string {
			citations := numbered("a [Source](https://go.dev/%d).\n")(n / 2)
			return citations + "\n## Sources\n" + numbered("1. https://go.dev/%d\n")(n/2)
		}},
		{"URLs on one entry", after("## Sources\n1. ", "https://go.dev/ ")},
		{"URLs of one entry", func(n int) string { return "## Sources\n1. " + numbered("https://go.dev/%d ")(n) }},
		{"brackets in an entry", after("## Sources\n1. ", "[a] ")},
		{"a title in an entry", after("## Sources\n1. ", "word ")},
		{"a misleading link to a long URL", func(n int) string {
			return "[" + strings.Repeat("https://a/ ", n/22) + "](https://b/" + strings.Repeat("c", n/2) + ")"
		}},
		{"Sources headings", repeat("## Sources\n")},
		{"images", repeat("![a](b)")},
		{"image elements", repeat("<img src=a>")},
		{"table cells", repeat("| a ")},
	}
}

// costOf returns the least processor time of a few verdicts on a text. Wall time
// would measure what else the machine does.
func costOf(text string) time.Duration {
	best := time.Hour
	for range 3 {
		start := processorTime()
		Verify(text, Proof{Searches: 1})
		best = min(best, processorTime()-start)
	}
	return best
}

// TestLinear asks that an answer sixteen times as long costs about sixteen times
// as much. Quadratic cost is 256 times, so that the bound can be far from both:
// it is the growth that is asked for, and never how fast the machine is.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures processor time")
	}
	const small, factor, bound = 8 << 10, 16, 110
	for _, shape := range shapes() {
		t.Run(shape.name, func(t *testing.T) {
			var ratio float64
			for range 3 { // the garbage collector may spoil one measurement
				first := max(costOf(shape.build(small)), 50*time.Microsecond)
				ratio = float64(costOf(shape.build(factor*small))) / float64(first)
				t.Logf("%v, times %.1f", first, ratio)
				if ratio < bound {
					return
				}
			}
			t.Errorf("an answer %d times as long costs %.1f times as much", factor, ratio)
		})
	}
}
