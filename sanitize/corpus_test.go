package sanitize

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A corpusCase is one line of testdata/corpus.jsonl. A case states either the
// exact output (Want, or one of WantAlt) or, where implementations may differ,
// what the output must not hold and which pieces of text it must keep in order.
type corpusCase struct {
	ID         string   `json:"id"`
	Class      string   `json:"class"`
	Input      []byte   `json:"input_b64"`
	Want       *[]byte  `json:"want_b64"`
	WantAlt    [][]byte `json:"want_alt_b64"`
	WantAbsent []string `json:"want_absent"`
	MustKeep   [][]byte `json:"must_keep_b64"`
	Chunks     [][]byte `json:"chunks_b64"`
	MaxMarkRun int      `json:"max_mark_run"`
	Why        string   `json:"why"`
}

func corpus(tb testing.TB) []corpusCase {
	tb.Helper()
	f, err := os.Open("testdata/corpus.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var cases []corpusCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c corpusCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			tb.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return cases
}

func TestCorpus(t *testing.T) {
	cases := corpus(t)
	if len(cases) < 466 {
		t.Fatalf("corpus has %d cases, want 466 or more", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			got := String(string(c.Input))
			c.check(t, got)
			if len(c.Chunks) > 0 {
				if chunked := write(t, c.Chunks...); chunked != got {
					t.Errorf("in %d chunks %+q, whole %+q", len(c.Chunks), chunked, got)
				}
			}
			if t.Failed() {
				t.Logf("%s: %s\ninput %+q\n  got %+q", c.Class, c.Why, c.Input, got)
			}
		})
	}
}

func (c corpusCase) check(t *testing.T, got string) {
	t.Helper()
	for _, fault := range faults(got) {
		t.Error(fault)
	}
	if c.Want != nil {
		c.checkExact(t, got)
	} else {
		c.checkPieces(t, got)
	}
	if run := longestMarkRun(got); c.MaxMarkRun > 0 && run > c.MaxMarkRun {
		t.Errorf("%d combining marks in a row, at most %d", run, c.MaxMarkRun)
	}
}

func (c corpusCase) checkExact(t *testing.T, got string) {
	t.Helper()
	if got == string(*c.Want) {
		return
	}
	if !slices.ContainsFunc(c.WantAlt, func(alt []byte) bool { return got == string(alt) }) {
		t.Errorf("want %+q or one of %+q", *c.Want, c.WantAlt)
	}
}

func (c corpusCase) checkPieces(t *testing.T, got string) {
	t.Helper()
	for _, absent := range c.WantAbsent {
		if point, ok := strings.CutPrefix(absent, "U+"); ok { // C0, C1, invalid-utf8: see faults
			r, err := strconv.ParseUint(point, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsRune(got, rune(r)) {
				t.Errorf("%s is still there", absent)
			}
		}
	}
	rest := got
	for _, piece := range c.MustKeep {
		_, after, ok := strings.Cut(rest, string(piece))
		if !ok {
			t.Errorf("%+q is lost, or not in its place", piece)
			return
		}
		rest = after
	}
}

// faults lists what no output may hold, whatever the input was. It is written
// out here, away from the tables of the package, so that a gap in those shows.
func faults(s string) []string {
	var list []string
	if !utf8.ValidString(s) {
		list = append(list, "invalid UTF-8")
	}
	for i, r := range s {
		var fault string
		switch {
		case r < 0x20 && r != '\t' && r != '\n':
			fault = "C0"
		case r == 0x7F:
			fault = "DEL"
		case 0x80 <= r && r <= 0x9F:
			fault = "C1"
		case 0x202A <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
			fault = "bidi control"
		case hidden(r):
			fault = "invisible"
		case 0xE0000 <= r && r <= 0xE007F && !inFlag(s, i):
			fault = "tag outside a flag"
		}
		if fault != "" {
			list = append(list, strconv.QuoteToASCII(string(r))+": "+fault)
		}
	}
	return list
}

func hidden(r rune) bool {
	switch r {
	case 0x00AD, 0x034F, 0x180E, 0x200B, 0x2060, 0x3164, 0xFEFF, 0xFFA0:
		return true
	}
	return 0x2061 <= r && r <= 0x2065 || 0x206A <= r && r <= 0x206F || 0xFFF9 <= r && r <= 0xFFFB ||
		0xE0080 <= r && r <= 0xE00FF || 0xE01F0 <= r && r <= 0xE0FFF
}

// inFlag reports whether the tag at s[i:] belongs to one of the three flags.
func inFlag(s string, i int) bool {
	start := strings.LastIndex(s[:i], "\U0001F3F4")
	if start < 0 {
		return false
	}
	for _, flag := range []string{scotland, england, wales} {
		if strings.HasPrefix(s[start:], flag) && i < start+len(flag) {
			return true
		}
	}
	return false
}

const (
	england  = "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"
	scotland = "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F"
	wales    = "\U0001F3F4\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F"
)

func longestMarkRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
