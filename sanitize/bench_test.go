package sanitize

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// adversarial is what makes regular expressions and backtracking filters slow,
// most of it measured on real ones, and what costs this package the most.
var adversarial = []struct{ name, unit string }{
	{"ESC", "\x1b"},
	{"OSC", "\x1b]"},
	{"OSC a", "\x1b]a"},
	{"DCS SOS PM APC", "\x1bP\x1bX\x1b^\x1b_"},
	{"CSI", "\x1b["},
	{"SGR", "\x1b[31m"},
	{"C1 OSC", "\u009d"},
	{"OSC to the limit", "\x1b]" + strings.Repeat("x", maxControlString)},
	{"BEL", "\a"},
	{"a NUL", "a\x00"},
	{"invalid", "\xFF"},
	{"CR", "\r"},
	{"joiner", "\u200D"},
	{"emoji joiner", "\U0001F468\u200D"},
	{"mark", "\u0301"},
	{"filler", "\u115F\u1160"},
	{"flag cut short", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E"},
	{"soft hyphen", "\u00AD"},
}

const (
	asciiMarkdown = "## Release notes\n\n- The *parser* now reads `key = value` pairs, see [the manual]" +
		"(https://docs.example/manual?section=3).\n- Fixed: a report that ended early was shown as complete.\n\n"
	cjkMarkdown = "## 변경 사항\n\n- 설정 파일을 **처음부터** 다시 읽습니다. [설명서](https://docs.example/ko)를 보십시오.\n" +
		"- 検索結果の出典を確認してから表示します。\n- 修正了提前结束的报告被显示为完整的问题。\n\n"
	escapes = "\x1b[1;32mok\x1b[0m  " + asciiMarkdown // about 5 % of the bytes
)

var sink string

type filter struct {
	name string
	run  func(string) string
}

// filters are this package and what to compare it with: the speed of memory, the
// table-driven filter of a well-known terminal library, and the usual regular
// expressions.
func filters() []filter {
	patterns := []*regexp.Regexp{
		regexp.MustCompile(`\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)`),
		regexp.MustCompile(`\x1b[PX^_][^\x1b]*\x1b\\`),
		regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]`),
		regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]`),
	}
	replaceAll := func(s string) string {
		for _, pattern := range patterns {
			s = pattern.ReplaceAllString(s, "")
		}
		return s
	}
	return []filter{{"sanitize", String}, {"memcpy", strings.Clone}, {"ansi.Strip", ansi.Strip}, {"regexp", replaceAll}}
}

var ordinary = []struct{ name, unit string }{
	{"ASCII", asciiMarkdown},
	{"CJK", cjkMarkdown},
	{"escapes", escapes},
}

func BenchmarkString(b *testing.B) {
	for _, text := range ordinary {
		s := repeat(text.unit, 1<<20)
		for _, f := range filters() {
			b.Run(text.name+"/"+f.name, func(b *testing.B) { benchmark(b, s, f.run) })
		}
	}
}

// BenchmarkRatio runs all filters in turn, so that a busy machine slows all of
// them, and reports how many times as long as this package each one takes.
func BenchmarkRatio(b *testing.B) {
	for _, text := range ordinary {
		s := repeat(text.unit, 1<<20)
		b.Run(text.name, func(b *testing.B) {
			filters := filters()
			best := make([]time.Duration, len(filters))
			for b.Loop() {
				for i, f := range filters {
					best[i] = shorter(best[i], func() { sink = f.run(s) })
				}
			}
			for i, f := range filters[1:] {
				b.ReportMetric(float64(best[i+1])/float64(best[0]), f.name+"/sanitize")
			}
		})
	}
}

// shorter returns the time that run takes, or best if that is shorter.
func shorter(best time.Duration, run func()) time.Duration {
	start := time.Now()
	run()
	if took := time.Since(start); best == 0 || took < best {
		return took
	}
	return best
}

func BenchmarkParagraphs(b *testing.B) {
	texts := paragraphs(b)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		b.Run(name, func(b *testing.B) { benchmark(b, repeat(texts[name], 1<<20), String) })
	}
}

func BenchmarkAdversarial(b *testing.B) {
	for _, pattern := range adversarial {
		b.Run(pattern.name, func(b *testing.B) { benchmark(b, repeat(pattern.unit, 1<<20), String) })
	}
}

// BenchmarkGrowth reports how much longer 16 MiB take than 1 MiB: 16 if the time
// is linear, 256 if it is quadratic.
func BenchmarkGrowth(b *testing.B) {
	for _, pattern := range adversarial {
		small, large := repeat(pattern.unit, 1<<20), repeat(pattern.unit, 16<<20)
		b.Run(pattern.name, func(b *testing.B) {
			var best [2]time.Duration
			for b.Loop() {
				for i, s := range []string{small, large} {
					best[i] = shorter(best[i], func() { sink = String(s) })
				}
			}
			b.ReportMetric(float64(best[1])/float64(best[0]), "t(16MiB)/t(1MiB)")
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	p := []byte(repeat(escapes, 1<<20))
	b.SetBytes(int64(len(p)))
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard)
		if _, err := w.Write(p); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClassTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		compile()
	}
}

func benchmark(b *testing.B, s string, filter func(string) string) {
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		sink = filter(s)
	}
}

// repeat returns size bytes, or a little more, of unit after unit.
func repeat(unit string, size int) string {
	return strings.Repeat(unit, 1+size/len(unit))
}
