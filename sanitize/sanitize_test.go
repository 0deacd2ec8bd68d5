package sanitize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// paragraphs returns the texts of testdata/text by file name.
func paragraphs(tb testing.TB) map[string]string {
	tb.Helper()
	names, err := filepath.Glob("testdata/text/*.txt")
	if err != nil {
		tb.Fatal(err)
	}
	texts := make(map[string]string)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		texts[filepath.Base(name)] = string(text)
	}
	return texts
}

// What people write comes back byte for byte, and without a copy.
func TestParagraphs(t *testing.T) {
	texts := paragraphs(t)
	if len(texts) < 7 {
		t.Fatalf("%d texts, want 7 languages or more", len(texts))
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			got, report := Inspect(text)
			if got != text {
				i := 0
				for i < min(len(got), len(text)) && got[i] == text[i] {
					i++
				}
				t.Errorf("changed at byte %d: %+.60q became %+.60q", i, text[max(0, i-12):], got[max(0, i-12):])
			}
			if !report.Clean() {
				t.Errorf("report %q", report)
			}
			if allocs := testing.AllocsPerRun(10, func() { sink = String(text) }); allocs != 0 {
				t.Errorf("%v allocations, want none", allocs)
			}
		})
	}
}

// A rewrite is an input, what String makes of it, and the reason.
type rewrite struct{ in, want, why string }

func checkRewrites(t *testing.T, rewrites []rewrite) {
	t.Helper()
	for _, r := range rewrites {
		got := String(r.in)
		if got != r.want {
			t.Errorf("String(%+q) = %+q, want %+q: %s", r.in, got, r.want, r.why)
		}
		if again := String(got); again != got {
			t.Errorf("String(%+q) = %+q, not idempotent: %s", got, again, r.why)
		}
	}
}

func TestControlFunctions(t *testing.T) {
	checkRewrites(t, []rewrite{
		{"a\x1b[38;5;196mb", "ab", "a control sequence goes whole"},
		{"a\x1b[@b\x1b[1~c", "abc", "04/00 and 07/14 are the first and the last final byte"},
		{"a\u009b31mb", "ab", "U+009B is ESC [ in one code point (5.3)"},
		{"a\x9b31mb", "a\uFFFD31mb", "the byte 9B is no UTF-8, so it introduces nothing"},
		{"a\xC2\x1b[31mb", "a\uFFFDb", "a lead byte does not shield the ESC behind it"},
		{"a\x1b[3\n1mb", "a\nb", "C0 inside a sequence is carried out in place"},
		{"a\x1b[31한mb", "a한mb", "no sequence contains a letter: it ends there, and the letter is text"},
		{"a\x1b[31\x18mb", "amb", "CAN cancels"},
		{"a\x1b[31\u0084mb", "amb", "C1 cancels"},
		{"a\x1b(\x1b[31mb", "ab", "ESC begins anew"},
		{"a\x1b([b", "ab", "after an intermediate, [ is a final byte and introduces nothing"},
		{"a\x1bNb\u008fc\x1bZd", "abcd", "SS2, SS3 and SCI: what they shift is text"},
		{"a\x1b", "a", "the end of the input drops what is unfinished"},
		{"a\x1b[38;5", "a", "the same"},
		{"evil\b\b\b\bgood", "evilgood", "what was written over is shown"},
		{"a\r\nb\rc\r\r\nd\n\re", "a\nb\nc\n\nd\n\ne", "CRLF and a lone CR are a line break each"},
		{"a\u2028\nb\u2029\u2029c", "a\n\nb\n\nc", "a separator and LF are two line breaks"},
		{"a\r\x1b[K\nb", "a\nb", "a control function between CR and LF is not seen"},
		{"a\u0085b\x1bEc", "abc", "NEL is a C1 control in both spellings"},
		{"a\x1b\x1b[m[31mb", "a[31mb", "what is left never makes a new sequence"},
	})
}

func TestControlStrings(t *testing.T) {
	checkRewrites(t, []rewrite{
		{"a\x1b]0;title\x1b\\b", "ab", "closed by ST: whole"},
		{"a\x1b]0;title\ab", "ab", "closed by BEL, as xterm allows"},
		{"a\x1bPq\u009cb", "ab", "closed by the C1 spelling of ST"},
		{"a\u009d제목 Ü\x1b\\b", "ab", "9C inside a code point closes nothing"},
		{"a\x1b_\x00\t\x0b\x7F\x1b\\b", "ab", "format effectors are payload"},
		{"a\x1b]\xFF\u202E\u200D\x1b\\b", "ab", "so is what would not be text"},
		{"a\x1b]0;title", "a0;title", "never closed: only the introducer goes"},
		{"a\x1b]0;title\nb\a", "a0;title\nb", "a string ends with its line"},
		{"a\x1b]0;title\rb\a", "a0;title\nb", "CR ends a line as well"},
		{"a\x1b]x\x18b", "axb", "CAN cancels"},
		{"a\x1b]x\x1b[31mb\a", "axb", "ESC begins anew"},
		{"a\x1b]x\x1b\x1b\\b", "axb", "ESC ESC is not ST"},
		{"a\x1b]x\x1b\x00\\b", "axb", "nor is ESC NUL; the rest is an escape sequence"},
		{"a\x1b]x\u0084b", "axb", "C1 cancels"},
		{"a\x1b]x\x1bPy\x1b\\b\x1b\\", "axb", "a string inside a string cancels the outer one"},
		{"\u2018quote\u00e2\u0080\u009d and more", "\u2018quote\u00e2 and more", "mojibake does not swallow the text behind it"},
		{"\U0001F468\u200D\x1b]x\a\U0001F469", "\U0001F468\u200D\U0001F469", "what waits at the introducer waits on behind the string"},
		{"\U0001F468\u200D\x1b]x\n\U0001F469", "\U0001F468x\n\U0001F469", "and is decided by the payload if that is text"},
		{"\r\x1b]x\a\n", "\n", "CR LF with a string between them"},
	})
}

func TestInvalidUTF8(t *testing.T) {
	checkRewrites(t, []rewrite{
		{"a\xFFb", "a\uFFFDb", "a byte that never occurs"},
		{"a\xE2\x82b", "a\uFFFDb", "a truncated code point is one piece (Unicode 3.9)"},
		{"a\xE2\x82", "a\uFFFD", "at the end too"},
		{"\xF0\x9F\x98\xE2\x82\xAC", "\uFFFD€", "what follows it is not lost"},
		{"\xC0\x9B", "\uFFFD\uFFFD", "an overlong ESC is two pieces"},
		{"\xED\xA0\xBD", "\uFFFD\uFFFD\uFFFD", "a surrogate is three"},
		{"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD", "beyond U+10FFFF: four"},
		{"a\uFFFDb", "a\uFFFDb", "U+FFFD itself is text"},
		{"a\uFFFEb\uFDD0c\U0010FFFFd", "a\uFFFDb\uFFFDc\uFFFDd", "noncharacters are shown as such"},
	})
}

func TestUnicode(t *testing.T) {
	fathas := strings.Repeat("\u064E", 16)
	checkRewrites(t, []rewrite{
		{"if x\u202E \u2066then", "if x then", "explicit bidi controls"},
		{"a\u2028b\u2029c", "a\nb\nc", "the other two line breaks are LF"},
		{"pass\u200B\u00AD\uFEFF\u3164word", "password", "no glyph"},

		{"ni\u200Dce", "nice", "ZWJ joins no Latin letters"},
		{"\U0001F469\u200D\U0001F4BB", "\U0001F469\u200D\U0001F4BB", "but it joins emoji"},
		{"\U0001F469\u200D\u200C\u200D\U0001F4BB", "\U0001F469\u200D\U0001F4BB", "one of a run"},
		{"\U0001F469\u200B\u200D\u200B\U0001F4BB", "\U0001F469\u200D\U0001F4BB", "what is removed does not part them"},
		{"\u2764\u200D\uFE0F\U0001F525", "\u2764\u200D\U0001F525", "a selector behind a joiner has no base"},
		{"\U0001F469\u200D\U0001F3F4", "\U0001F469\u200D\U0001F3F4", "the black flag is an emoji like the others"},
		{"\U0001F469\u200Da", "\U0001F469a", "an emoji and a letter do not join"},
		{"\U0001F469\u200D", "\U0001F469", "nor an emoji and nothing"},
		{"\U0001F469\u200D\U0001F3FB", "\U0001F469\U0001F3FB", "a skin tone follows its emoji directly (UAX #29, GB11)"},
		{"\u0646\u0645\u06CC\u200C\u062F\u0627\u0646\u0645", "\u0646\u0645\u06CC\u200C\u062F\u0627\u0646\u0645", "ZWNJ between Persian letters"},
		{"\u06CC\u064E\u200C\u062F", "\u06CC\u064E\u200C\u062F", "with a vowel sign before it"},
		{"\u06CC\u200C 2", "\u06CC 2", "ZWNJ at the end of a word keeps nothing apart"},
		{"\u06F1\u200C\u06F2", "\u06F1\u06F2", "digits do not join"},
		{"\u0D28\u0D4D\u200D \u0D05", "\u0D28\u0D4D\u200D \u0D05", "ZWJ after a virama makes a chillu"},
		{" \u200D\u0647\u200D ", " \u200D\u0647\u200D ", "ZWJ on both sides shows the medial form"},
		{"\u0647\u200D\u200D", "\u0647\u200D", "one"},
		{"\u0628\u200D\u115F\u200D\u0628", "\u0628\u200D\u0628", "also where something removed stood between two"},
		{"\u0627" + fathas + "\u200C\u0610 ", "\u0627" + fathas + " ", "a mark beyond the cap is no letter to keep apart"},

		{"\u2764\uFE0F\uFE0Fx", "\u2764\uFE0Fx", "one selector a base"},
		{"a\uFE0F1\uFE0F", "a1\uFE0F", "no ASCII base but those of keycaps"},
		{"\uFE0Fa", "a", "no base"},
		{"\u2764\uFE00\u2268\uFE00", "\u2764\u2268\uFE00", "VS1 is for mathematics and Han, not for emoji"},
		{"葛\U000E0100a\U000E0100한\U000E0100", "葛\U000E0100a한", "ideographic variation sequences are of ideographs"},
		{"\u1820\u180B\u180Ba\u180B", "\u1820\u180Ba", "free variation selectors are Mongolian"},
		{"\U0001F600\U000E0101\U000E0102\U000E0103", "\U0001F600", "bytes hidden behind an emoji as selectors"},

		{"x" + scotland + "y", "x" + scotland + "y", "a flag"},
		{scotland[:len(scotland)-4] + "y", "\U0001F3F4y", "without CANCEL TAG it is not"},
		{"\U0001F3F4\U000E0067\U000E0062" + scotland[4:], "\U0001F3F4", "two beginnings make no flag"},
		{"\U0001F3F4\x1b[m" + scotland[4:], scotland, "control functions are not seen"},
		{"\U0001F3F4\U000E0067\U000E0078" + scotland[4:], "\U0001F3F4", "nor does a second attempt"},
		{scotland + england[4:], scotland, "one flag, one country"},
		{"a" + scotland[4:], "a", "nor is it without the black flag"},
		{"\U0001F3F4\U000E0075\U000E0073\U000E0074\U000E0078\U000E007F", "\U0001F3F4", "Texas is not recommended for interchange"},
		{"Hi\U000E0068\U000E0069", "Hi", "text in tags"},

		{"\u1100\u1160\u11A8 \u115F\u1161 \u115F\u1160\u11A8", "\u1100\u1160\u11A8 \u115F\u1161 \u115F\u1160\u11A8", "fillers for missing jamo"},
		{"a\u115Fb\u1160c\u115F\u1160d", "abcd", "fillers of no syllable"},
		{"\u1100\u200D\u1160x \u115F\u1160\u1161", "\u1100x \u1161", "not beside the jamo, or too many"},
		{"\u115F\u115F\u1161", "\u115F\u1161", "one is enough"},

		{"e\u0302\u0301\u0323", "e\u0302\u0301\u0323", "four marks, and no normalisation"},
	})
}

func TestMarkCap(t *testing.T) {
	for _, test := range []struct{ base, between, why string }{
		{"H", "", "one run"},
		{"H", "\u200D", "a joiner does not start a new one"},
		{"\u0627", "\u200D", "nor where it is kept"},
		{"\u0627", "\u200C", "nor does the other"},
		{"H", "\uFE0F", "nor a selector"},
		{"H", "\u200B\x1b[m", "nor what is removed"},
	} {
		s := test.base
		for range 50 {
			s += "\u0301\u0489" + test.between
		}
		got := String(s + "x")
		count := 0
		for _, r := range got {
			if r == 0x0301 || r == 0x0489 {
				count++
			}
		}
		if count != 16 {
			t.Errorf("%s: %d marks kept of 100, want 16", test.why, count)
		}
		if again := String(got); again != got {
			t.Errorf("%s: not idempotent", test.why)
		}
	}
}

func TestReport(t *testing.T) {
	for _, test := range []struct {
		in, report string
		why        string
	}{
		{"text\r\n", "", "line breaks are not counted"},
		{"a\u2028b", "", "nor these"},
		{"\x1b[1mbold\x1b[0m", "2 control functions", "a sequence is one"},
		{"\x1b]0;a\u202Eb\x00c\xFF\x1b\\", "1 control function", "a string is one, with all it holds"},
		{"\x1b]0;a\u202Eb\x00c\x1b[m", "2 control functions, 1 malformed string, 1 invisible character", "unless it was none"},
		{"\x1b]a\x1b\x1b", "2 control functions, 1 malformed string", "each ESC that began nothing"},
		{"\a\x7F\u0084", "3 control functions", "C0, DEL, C1"},
		{"\u200B\U000E0041\uFFFE", "3 invisible characters", "a noncharacter is replaced, and counted here"},
		{"x\u200D\U0001F3F4\U000E0067\U000E0062", "3 invisible characters", "what was held and not kept"},
		{"\xE2\x82", "2 invalid bytes", "bytes, not pieces"},
		{"\xFF\u200B", "1 invisible character, 1 invalid byte", "singular"},
	} {
		_, report := Inspect(test.in)
		if report.String() != test.report {
			t.Errorf("report of %+q = %q, want %q: %s", test.in, report, test.report, test.why)
		}
		if report.Clean() != (test.report == "") {
			t.Errorf("Clean of %+q = %t", test.in, report.Clean())
		}
	}
}

func TestCleanIsNotCopied(t *testing.T) {
	s := repeat(asciiMarkdown+cjkMarkdown, 1<<16)
	b := []byte(s)
	if got := Bytes(b); &got[0] != &b[0] || len(got) != len(b) {
		t.Error("Bytes copied what is clean")
	}
	if allocs := testing.AllocsPerRun(10, func() { sink = String(s) }); allocs != 0 {
		t.Errorf("String of clean text: %v allocations, want none", allocs)
	}
}

func TestBytesLeavesItsArgument(t *testing.T) {
	b := []byte("a\x1b[31mb\r\n")
	if got := Bytes(b); string(got) != "ab\n" {
		t.Errorf("Bytes = %q", got)
	}
	if string(b) != "a\x1b[31mb\r\n" {
		t.Errorf("argument became %q", b)
	}
	if got := Bytes(nil); got != nil {
		t.Errorf("Bytes(nil) = %v", got)
	}
}
